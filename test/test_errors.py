"""What errors say of a name that nothing has."""

from __future__ import annotations

import pytest

from robodyn_ros.errors import UnknownNameError, nearest

NAMES = ["base_link", "elbow_link", "wrist_link", "panda_hand", "panda_hand_tcp", "Tool0"]


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("elbow", "elbow_link"),
        ("hand", "panda_hand"),
        ("tcp", "panda_hand_tcp"),
        ("wirst_link", "wrist_link"),
        ("TOOL0", "Tool0"),
        ("robot_1/panda_hand", "panda_hand"),
    ],
)
def test_what_may_be_meant_comes_first(asked: str, first: str) -> None:
    assert nearest(asked, NAMES)[0] == first
    text = str(UnknownNameError.among("frame", asked, NAMES))
    assert text.startswith(f"no frame is called '{asked}'; available: {first}, ")
    assert text.endswith(f"; did you mean '{first}'?")
    for name in NAMES:
        assert text.partition("; did you")[0].count(f" {name}") >= 1


@pytest.mark.parametrize("asked", ["", "x", "q" * 1000, "none of these"])
def test_nothing_is_suggested_where_nothing_is_near(asked: str) -> None:
    assert nearest(asked, NAMES) == []
    assert "mean" not in str(UnknownNameError.among("frame", asked, NAMES))


def test_equals_keep_their_order_and_long_lists_are_cut() -> None:
    joints = [f"joint{k}" for k in range(1, 31)]
    assert nearest("joint", joints, most=3) == ["joint1", "joint2", "joint3"]
    text = str(UnknownNameError.among("joint", "jiont30", joints))
    assert "available: joint30, joint3, " in text
    assert ", ...; did you mean 'joint30'?" in text
    assert len(text) < 300


def test_a_hint_takes_the_place_of_the_suggestion() -> None:
    error = UnknownNameError.among("frame", "elbow", ["elbow_link"], "it is a joint")
    assert str(error) == "no frame is called 'elbow'; available: elbow_link; it is a joint"


@pytest.mark.parametrize("asked", [3, None, ["a"]])
def test_what_is_no_text_is_no_name(asked: object) -> None:
    text = str(UnknownNameError.among("frame", asked, NAMES))
    assert text.startswith(f"no frame is called {asked!r}; available: base_link, ")


def test_names_of_a_description_stay_on_the_line() -> None:
    error = UnknownNameError.among("frame", "tool", ["tool\nerror: all is lost", "x" * 1000])
    assert "\n" not in str(error)
    assert len(str(error)) < 300
