"""What functions of closed mechanisms say to arguments that they cannot use."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.constraints.assembly import assembled_model
from robodyn_ros.errors import ArgumentError, ClosureError, UnknownNameError
from small_mechanisms import four_bar


@pytest.fixture(scope="module")
def robot() -> rd.Robot:
    """Return a four-bar linkage."""
    model, q = four_bar()
    return rd.Robot(assembled_model(model, q), compile="off")


CONFIGURATIONS: dict[str, tuple[object, str]] = {
    "NaN": ([0.1, np.nan, 0.2, 0.3], "must be finite numbers"),
    "infinite": ([np.inf] * 4, "must be finite numbers"),
    "batch": (np.ones((3, 4)), r"one configuration of shape \(4,\), got a batch \(3, 4\)"),
    "short": ([1.0], r"must have shape \(4,\)"),
    "text": ("abc", "must be real numbers"),
    "mapping": ({"a": 1}, "got a mapping"),
}


@pytest.mark.parametrize(("value", "said"), CONFIGURATIONS.values(), ids=CONFIGURATIONS.keys())
def test_one_finite_configuration_is_wanted(robot: rd.Robot, value: object, said: str) -> None:
    functions: list[Callable[..., object]] = [robot.assemble, robot.structure, robot.settled_at]
    functions.append(lambda q: robot.follow(q, []))
    for function in functions:
        with pytest.raises(ArgumentError, match=said):
            function(value)


VALUES: dict[str, tuple[object, str]] = {
    "text": ("x", "must be real numbers"),
    "nothing": (None, "must be real numbers"),
    "complex": (1 + 1j, "must be real numbers"),
    "list": ([1.0, 2.0], "must be one number"),
    "NaN": (np.nan, "finite number"),
    "infinite": (np.inf, "finite number"),
}


@pytest.mark.parametrize(("value", "said"), VALUES.values(), ids=VALUES.keys())
def test_inputs_are_finite_numbers(robot: rd.Robot, value: object, said: str) -> None:
    name = robot.independent_names[0]
    q = robot.initial_state[0]
    calls: list[Callable[[], object]] = [
        lambda: robot.assemble(**{name: value}),  # type: ignore[arg-type]
        lambda: robot.follow(q, [{name: value}]),  # type: ignore[dict-item]
    ]
    for call in calls:
        with pytest.raises(ArgumentError, match=f"the value of '{name}'.*{said}"):
            call()


def test_inputs_along_a_motion_are_a_sequence_of_mappings(robot: rd.Robot) -> None:
    q = robot.initial_state[0]
    for inputs in ({"a": 1.0}, "abc", 3, [3.0], None):
        with pytest.raises(ArgumentError, match="inputs must be a"):
            robot.follow(q, inputs)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError):
        robot.follow(q, [{"nobody": 1.0}])


def test_a_way_without_foreseeable_end_is_refused(robot: rd.Robot) -> None:
    with pytest.raises(ArgumentError, match="too long"):
        robot.follow(robot.initial_state[0], [{robot.independent_names[0]: 1e300}])


def test_equations_are_chosen_where_the_mechanism_is_closed(robot: rd.Robot) -> None:
    q = robot.initial_state[0] + np.array([0.3, 0.0, 0.1, 0.0])
    for function in (robot.settled_at, robot.structure):
        with pytest.raises(ClosureError, match=r"not closed at this.*lacks.*close it first"):
            function(q)
