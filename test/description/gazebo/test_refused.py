"""What becomes no robot in Gazebo is refused in one line."""

from __future__ import annotations

import pytest

from gazebo_made import ARM, BASE, SHOULDER, text, tree, wrapped
from robodyn_ros.description.gazebo import GazeboSettings
from robodyn_ros.description.gazebo.settings import positions_from
from robodyn_ros.errors import ArgumentError, DescriptionError
from urdf_text import joint

OWN_BLOCK = '<ros2_control name="real" type="system"><hardware/></ros2_control>'
OWN_PLUGIN = '<gazebo><plugin filename="gz_ros2_control-system" name="x"/></gazebo>'


@pytest.mark.parametrize(
    ("own", "label"),
    [
        (OWN_BLOCK, "<ros2_control> 'real'"),
        (OWN_PLUGIN, "<plugin> 'x'"),
        (OWN_BLOCK + OWN_PLUGIN, "<ros2_control> 'real'"),
    ],
)
def test_tags_of_its_own_are_refused_or_replaced(own: str, label: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        wrapped(text(BASE, ARM, SHOULDER, own))
    assert str(caught.value) == (
        f"robot description: line 1: the description has {label} of its own; spawn it as it is, or"
        " have all such tags replaced (--replace, replace:=true)"
    )
    made = wrapped(text(BASE, ARM, SHOULDER, own), replace=True)
    assert made.text == wrapped(text(BASE, ARM, SHOULDER)).text
    again = wrapped(made.text, replace=True)
    assert (again.joints, again.is_anchored) == (made.joints, False)
    assert len(tree(again).findall("ros2_control")) == 1


@pytest.mark.parametrize(
    ("elements", "said"),
    [
        ((BASE, ARM, joint("j", "base", "arm", "floating")), "joint 'j': is floating, and Gazebo"),
        ((BASE, ARM, joint("j", "base", "arm", "planar")), "joint 'j': is planar, and Gazebo"),
        (
            (BASE, '<link name="world"/>', joint("j", "base", "world")),
            "link 'world': is not the root, and Gazebo takes it for the world; rename it",
        ),
        ((BASE, ARM), "two roots"),
        (("<link>",), "not well-formed"),
    ],
)
def test_what_becomes_no_model_is_one_clear_line(elements: tuple[str, ...], said: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        wrapped(text(*elements))
    line = str(caught.value)
    assert "\n" not in line
    assert line.count("robot description: ") == 1
    if said != "two roots":
        assert said in line


def test_a_world_that_floats_is_refused() -> None:
    with pytest.raises(DescriptionError, match="is the world to Gazebo, which holds the robot"):
        wrapped(text('<link name="world"/>', BASE, joint("j", "world", "base")), base="floating")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"base": "prescribed"}, "base must be fixed or floating, got 'prescribed'"),
        ({"rate": 0}, "rate must be 1 to 10000 Hz, got 0"),
        ({"token_mass": 0.0}, "the token mass must be at least 1e-06 kg, got 0"),
        ({"token_mass": float("nan")}, "the token mass must be at least"),
        ({"namespace": "9/b"}, "namespace '9/b' must be words of letters"),
        ({"namespace": "a b"}, "namespace 'a b' must be words of letters"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, object], said: str) -> None:
    with pytest.raises(ArgumentError, match=said.replace("(", r"\(")):
        GazeboSettings(parameters_file="/c.yaml", **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("a=1,b=2, a=3", "the position of 'a' is given twice"),
        ("a=1,2", "positions are given as joint=value, got '2'"),
        ("=1", "positions are given as joint=value, got '=1'"),
        ("a=inf", "the position of 'a' must be of finite numbers, got 'inf'"),
    ],
)
def test_positions_that_cannot_be_are_one_clear_line(given: str, said: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        positions_from(given)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
