"""What the text of contact thresholds means, and what is refused of it."""

from __future__ import annotations

import math

import pytest

from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.ros.estimate_parameters import (
    ALL,
    ESTIMATE_PARAMETERS,
    thresholds_given,
    thresholds_of,
)
from robots import OWN_ROBOTS, loaded


def test_one_number_for_all_and_others_by_name() -> None:
    assert thresholds_given("") == {}
    assert thresholds_given(" 4 ") == {ALL: 4.0}
    given = thresholds_given("4, joint_b = 2.5,")
    assert given == {ALL: 4.0, "joint_b": 2.5}
    model = loaded(OWN_ROBOTS / "pendulum_wall.urdf")
    (name,) = model.coordinate_names
    assert thresholds_of({ALL: 4.0}, model).tolist() == [4.0]
    assert thresholds_of({ALL: 4.0, name: 1.0}, model).tolist() == [1.0]
    assert thresholds_of({}, model).tolist() == [math.inf]


@pytest.mark.parametrize("text", ["a", "0", "-1", "nan", "inf", "j=", "j=x", "j=0", "=,", "1 2"])
def test_what_is_no_threshold_is_refused(text: str) -> None:
    with pytest.raises(ArgumentError, match="contact_thresholds must be one number"):
        thresholds_given(text)
    spec = next(x for x in ESTIMATE_PARAMETERS if x.name == "contact_thresholds")
    assert spec.problem(text).startswith("contact_thresholds must be")


def test_a_joint_that_there_is_not_is_named() -> None:
    with pytest.raises(
        UnknownNameError, match="contact_thresholds: no coordinate is called 'knee'"
    ):
        thresholds_of({"knee": 1.0}, loaded(OWN_ROBOTS / "pendulum_wall.urdf"))


def test_defaults_are_values_that_are_taken() -> None:
    for spec in ESTIMATE_PARAMETERS:
        assert spec.problem(spec.default) == ""
