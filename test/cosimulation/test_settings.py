"""Settings of a simulation, and deliberate errors: what nothing can have is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest

from robodyn_ros.cosimulation.model_errors import ModelErrors
from robodyn_ros.cosimulation.settings import Settings
from robodyn_ros.errors import ArgumentError


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"mass_factor": math.nan}, "mass_factor must be a finite number above 0, got nan"),
        ({"mass_factor": -1.0}, "above 0, got -1.0"),
        ({"mass_factors": {"bob": 0.0}}, "mass_factors of 'bob' must be a finite number above 0"),
        ({"damping": -1.0}, "damping must be a finite number at least 0"),
        ({"frictions": {"rail": math.inf}}, "frictions of 'rail' must be"),
        ({"command_delay": math.nan}, "command_delay must be"),
        ({"state_delay": math.inf}, "state_delay must be"),
    ],
)
def test_errors_that_nothing_can_have_are_refused(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        ModelErrors(**options)


def test_a_timeout_that_is_none_is_refused() -> None:
    with pytest.raises(ArgumentError, match="effort_timeout must be a finite number at least 0"):
        Settings(effort_timeout=math.nan)
