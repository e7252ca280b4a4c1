"""Bodies, joints and frames by name, and what is said where there is none of a name."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.errors import UnknownNameError
from robodyn_ros.model import ModelBuilder
from robots import random_tree

MODEL = random_tree(0, base="floating")


def test_every_body_is_a_frame() -> None:
    for i, name in enumerate(MODEL.body_names):
        frame = MODEL.frame(name)
        assert (frame.name, frame.body) == (name, i)
        assert np.array_equal(frame.rotation, np.eye(3))
        assert np.array_equal(frame.position, np.zeros(3))


def test_extra_frames_come_after_the_bodies() -> None:
    assert list(MODEL.frames) == [*MODEL.body_names, "tool"]
    tool = MODEL.frame("tool")
    assert MODEL.body_names[tool.body] == "b11"
    assert tool.position.any()


def test_frames_may_be_added_before_their_link() -> None:
    builder = ModelBuilder("late")
    builder.add_frame("tool", "link", (1, 2, 3))
    builder.add_body("link")
    assert builder.build().frame("tool").position.tolist() == [1, 2, 3]


@pytest.mark.parametrize("which", ["body_index", "joint", "own_joint", "frame"])
def test_an_unknown_name_lists_what_is_near(which: str) -> None:
    known = {"body_index": "b10", "joint": "j10", "own_joint": "j10", "frame": "tool"}[which]
    wrong = known + "x"
    with pytest.raises(UnknownNameError) as caught:
        getattr(MODEL, which)(wrong)
    text = str(caught.value)
    assert repr(wrong) in text
    assert known in text
    assert "\n" not in text


def test_a_name_like_no_other_lists_the_first_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"no body is called 'QQQ'.*world, b0.*\.\.\."):
        MODEL.body_index("QQQ")


def test_a_joint_in_place_of_a_link_is_told_apart_and_the_other_way_round() -> None:
    number, joint = MODEL.moving[-1]
    link = MODEL.body_names[number]
    for look in (MODEL.frame, MODEL.body_index):
        with pytest.raises(UnknownNameError, match=rf"'{joint.name}' is a joint; .*'{link}'$"):
            look(joint.name)
    with pytest.raises(UnknownNameError, match=rf"'{link}' is a link; .*'{joint.name}'$"):
        MODEL.own_joint(link)
    with pytest.raises(UnknownNameError) as caught:
        MODEL.joint(MODEL.body_names[0])
    assert "is a link" not in str(caught.value)


@pytest.mark.parametrize("kind", [KeyError, ValueError])
def test_an_unknown_name_is_the_builtin_errors_too(kind: type[Exception]) -> None:
    with pytest.raises(kind):
        MODEL.frame("ghost")


def test_names_are_text_whatever_is_asked() -> None:
    with pytest.raises(UnknownNameError, match="no frame is called 3"):
        MODEL.frame(3)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="no body is called None"):
        MODEL.body_index(None)  # type: ignore[arg-type]


def test_joints_are_found_whether_they_own_coordinates_or_not() -> None:
    for _, joint in MODEL.moving:
        assert MODEL.joint(joint.name) is joint
    fixed = next(j for _, j in MODEL.moving if j.joint.type_name == "fixed")
    with pytest.raises(UnknownNameError, match=f"'{fixed.name}' is fixed"):
        MODEL.own_joint(fixed.name)


def test_names_need_not_be_ascii() -> None:
    builder = ModelBuilder("机器人")
    builder.add_body("größe/链 1")
    model = builder.build()
    assert model.body_index("größe/链 1") == 0
    assert model.report().to_dict()["bodies"][0]["name"] == "größe/链 1"
