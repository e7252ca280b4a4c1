"""Where tools are looked for on real robots."""

from __future__ import annotations

import pytest

from robodyn_ros.analysis.tool_frames import MOST, tool_frames
from robodyn_ros.model import ModelBuilder
from robots import example, loaded, usable_urdfs


@pytest.mark.parametrize(
    ("robot", "frames"),
    [
        ("ur5_robot.urdf", ("ee_link",)),
        ("panda.urdf", ("panda_hand_tcp",)),
        (
            "talos_reduced.urdf",
            (
                "gripper_left_motor_double_link",
                "gripper_right_motor_double_link",
                "left_sole_link",
                "right_sole_link",
            ),
        ),
    ],
)
def test_they_are_at_the_ends_of_arms_and_legs(robot: str, frames: tuple[str, ...]) -> None:
    """A hand's fingers are no ends of their own."""
    assert tool_frames(loaded(example(robot))) == frames


def test_every_robot_has_some_and_not_many() -> None:
    for path in usable_urdfs()[::9]:
        model = loaded(path)
        frames = tool_frames(model)
        assert len(frames) <= MOST
        assert len(set(frames)) == len(frames)
        assert all(name in model.frames for name in frames)
        assert bool(frames) == bool(model.lumped.moving)


def test_what_does_not_move_has_none() -> None:
    builder = ModelBuilder("rock")
    builder.add_body("rock", mass=1.0)
    assert tool_frames(builder.build()) == ()
