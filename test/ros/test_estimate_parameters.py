"""What the text of contact thresholds means, and what is refused of it."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.ros.estimate_parameters import (
    ESTIMATE_PARAMETERS,
    thresholds_given,
    thresholds_of,
)
from robots import OWN_ROBOTS, loaded


def test_one_number_for_all_and_others_by_name() -> None:
    assert thresholds_given("") == {}
    given = thresholds_given(" joint_b = 2.5, c=4,")
    assert given == {"joint_b": 2.5, "c": 4.0}
    model = loaded(OWN_ROBOTS / "pendulum_wall.urdf")
    (name,) = model.coordinate_names
    assert thresholds_of(4.0, {}, model).tolist() == [4.0]
    assert thresholds_of(4.0, {name: 1.0}, model).tolist() == [1.0]
    assert np.isnan(thresholds_of(0.0, {}, model)).all()


@pytest.mark.parametrize(
    "text", ["a", "4", "=4", "j=nan", "j=inf", "j=", "j=x", "j=0", "j=-1", "=,", "j=1 2"]
)
def test_what_is_no_threshold_is_refused(text: str) -> None:
    with pytest.raises(ArgumentError, match="contact_thresholds must be NAME=NUMBER"):
        thresholds_given(text)
    spec = next(x for x in ESTIMATE_PARAMETERS if x.name == "contact_thresholds")
    assert spec.problem(text).startswith("contact_thresholds must be")


def test_a_joint_that_there_is_not_is_named() -> None:
    with pytest.raises(
        UnknownNameError, match="contact_thresholds: no coordinate is called 'knee'"
    ):
        thresholds_of(0.0, {"knee": 1.0}, loaded(OWN_ROBOTS / "pendulum_wall.urdf"))


def test_defaults_are_values_that_are_taken() -> None:
    for spec in ESTIMATE_PARAMETERS:
        assert spec.problem(spec.default) == ""
