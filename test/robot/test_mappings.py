"""Values by name where an array is wanted."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.errors import ArgumentError
from robodyn_ros.robot.mappings import refuse_mapping


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("q", r"use robot\.configuration\(\{joint: value, \.\.\.\}\)$"),
        ("v", r"use \[values\.get\(name, 0\.0\) for name in robot\.model\.coordinate_names\]$"),
        ("gravity", r"give its numbers$"),
    ],
)
def test_a_mapping_is_refused_with_what_makes_it_an_array(name: str, remedy: str) -> None:
    with pytest.raises(ArgumentError, match=f"^{name} must be an array, got a mapping; {remedy}"):
        refuse_mapping(name, {"joint1": 0.5})


@pytest.mark.parametrize("value", [[0.5], np.zeros(3), 1.0, None, "text"])
def test_anything_else_is_for_others_to_judge(value: object) -> None:
    refuse_mapping("q", value)
