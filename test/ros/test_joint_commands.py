"""Commands by name: what is taken of a message, what is refused and what is said."""

from __future__ import annotations

import random

import pytest
from sensor_msgs.msg import JointState

from robodyn_ros.conditioning.complaints import Severity
from robodyn_ros.ros.joint_commands import MOST_NAMES, REFUSED, UNKNOWN, CommandReader

KNOWN = {"a", "b", "c"}


def read(field="effort", **parts):
    reader = CommandReader("/x/command", field)
    return reader.read(JointState(**parts), lambda name: "" if name in KNOWN else f"no {name!r}")


@pytest.mark.parametrize("field", ["position", "velocity", "effort"])
def test_the_array_of_the_kind_has_the_numbers(field: str) -> None:
    values, complaints = read(field, name=["b", "a"], **{field: [1.0, 2.0]})
    assert values == {"b": 1.0, "a": 2.0}
    assert complaints == ()


def test_an_empty_message_commands_nothing() -> None:
    assert read() == ({}, ())


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"name": ["a", "b"], "effort": [1.0]}, "effort has length 1, but there are 2 names"),
        ({"name": ["a"], "position": [1.0]}, "give one number for each name, in effort"),
        ({"effort": [1.0]}, "there are 0 names"),
        ({"name": ["a", "b"], "effort": [1.0, float("nan")]}, "effort of 'b' is nan"),
        ({"name": ["a"], "effort": [float("-inf")]}, "give a finite number"),
        ({"name": ["a"] * (MOST_NAMES + 1)}, f"give at most {MOST_NAMES}"),
    ],
)
def test_what_does_not_fit_is_refused_as_a_whole(parts, said: str) -> None:
    values, (complaint,) = read(**parts)
    assert values == {}
    assert said in complaint.text
    assert complaint.text.startswith("a command on /x/command is refused: ")
    assert complaint.kind == REFUSED
    assert not complaint.once


def test_unknown_names_are_left_out_and_told_each() -> None:
    values, complaints = read(name=["a", "x", "y"], effort=[1.0, 2.0, 3.0])
    assert values == {"a": 1.0}
    assert [(c.kind, c.about, c.severity) for c in complaints] == [
        (UNKNOWN, "x", Severity.WARN),
        (UNKNOWN, "y", Severity.WARN),
    ]
    assert complaints[0].text == "a command on /x/command: no 'x'; it is ignored"


def test_of_a_name_that_is_repeated_the_last_value_counts() -> None:
    values, (complaint,) = read(name=["a", "b", "a"], effort=[1.0, 2.0, 3.0])
    assert values == {"a": 3.0, "b": 2.0}
    assert "'a' is named more than once" in complaint.text


def test_whatever_comes_is_read_without_a_fault() -> None:
    chosen = random.Random(0)
    numbers = [0.0, -1e308, 1e308, float("nan"), float("inf"), 1e-320]
    for _ in range(2000):
        names = [
            chosen.choice(["a", "b", "", "\ud7ff", "x" * 500]) for _ in range(chosen.randrange(5))
        ]
        values = [chosen.choice(numbers) for _ in range(chosen.choice([len(names), 3]))]
        found, complaints = read(name=names, effort=values)
        assert set(found) <= KNOWN
        assert all(abs(value) <= 1e308 for value in found.values())
        assert all(complaint.text for complaint in complaints)
