"""Arrays to messages: every field, of Python's own types, round the wire and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builtin_interfaces.msg import Time
from rclpy.serialization import deserialize_message, serialize_message
from robodyn_interfaces.msg import BodyState, BodyStateArray

from robodyn_ros import ModelBuilder, Robot, load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.joints import Revolute
from robodyn_ros.ros.conversions import (
    BodyStateWriter,
    TransformWriter,
    nanoseconds,
    set_time,
)
from tf2_msgs.msg import TFMessage

ROBOTS = Path(__file__).parents[1] / "description" / "robots"
STAMP = 1_700_000_000_123_456_789


def leaves(message: Any) -> list[Any]:
    """Return the values of all fields, nested messages and sequences resolved."""
    if isinstance(message, (list, tuple)):
        return [leaf for item in message for leaf in leaves(item)]
    if hasattr(message, "get_fields_and_field_types"):
        fields = message.get_fields_and_field_types()
        return [leaf for name in fields for leaf in leaves(getattr(message, name))]
    return [message]


def chain(joints: int) -> Robot:
    builder = ModelBuilder("chain")
    builder.add_body("b0")
    for k in range(joints):
        builder.add_body(f"b{k + 1}", mass=1.0)
        builder.add_joint(f"j{k}", Revolute((0, 1, 0)), f"b{k}", f"b{k + 1}", position=(0, 0, 0.1))
    return Robot(builder.build(), compile="off")


@pytest.fixture(params=["every_joint", "skew_axes", "chain of 100"])
def robot(request: pytest.FixtureRequest) -> Robot:
    """A robot to convert."""
    if request.param.startswith("chain"):
        return chain(100)
    return load(ROBOTS / f"{request.param}.urdf", compile="off")


@pytest.mark.parametrize("stamp", [0, 1, 999_999_999, STAMP, (2**31 - 1) * 10**9])
def test_stamps_go_both_ways(stamp: int) -> None:
    time = Time()
    set_time(time, stamp)
    assert nanoseconds(time) == stamp


def test_body_states_have_plain_values_and_survive_the_wire(robot: Robot) -> None:
    model = robot.model
    rng = np.random.default_rng(1)
    state = (robot.random_configuration(rng), *rng.uniform(-1, 1, (2, model.nv)))
    motion, com = robot.body_motion(*state), robot.center_of_mass_motion(*state)
    valid, age = rng.random(model.nb) < 0.5, rng.random(model.nb)
    writer = BodyStateWriter(model.body_names, "world")
    message = writer.write(STAMP, motion, com, valid, age)
    assert {type(leaf) for leaf in leaves(message)} == {int, float, str, bool}
    again = deserialize_message(serialize_message(message), BodyStateArray)
    assert again == message
    assert nanoseconds(again.header.stamp) == STAMP
    for i, body in enumerate(again.bodies):
        assert body.name == model.body_names[i]
        assert (body.valid, body.age) == (valid[i], age[i])
        linear = body.acceleration.linear
        assert [linear.x, linear.y, linear.z] == motion.linear_acceleration[i].tolist()


def test_transforms_have_plain_values_and_survive_the_wire(robot: Robot) -> None:
    plan = FramePlan(robot.model, prefix="r1/")
    motion = robot.body_motion(robot.random_configuration(2))
    bodies = np.arange(1, robot.model.nb)
    poses = plan.relative(bodies, motion.position, motion.rotation)
    message = TransformWriter(plan.pairs(bodies)).write(STAMP, poses)
    assert {type(leaf) for leaf in leaves(message)} == {int, float, str}
    again = deserialize_message(serialize_message(message), TFMessage)
    assert again == message
    for k, transform in enumerate(again.transforms):
        turn = transform.transform.rotation
        assert [turn.x, turn.y, turn.z, turn.w] == poses.quaternion[k].tolist()
        assert np.linalg.norm(poses.quaternion[k]) == pytest.approx(1.0, abs=1e-15)
        assert (transform.header.frame_id, transform.child_frame_id) == plan.pairs(bodies)[k]


def test_a_writer_starts_from_nothing_at_every_call() -> None:
    robot = chain(3)
    writer = BodyStateWriter(robot.model.body_names, "world")
    states = [robot.random_configuration(seed) for seed in (1, 2)]
    yes, age = np.ones(4, dtype=bool), np.zeros(4)
    first, second = (
        serialize_message(
            writer.write(STAMP, robot.body_motion(q), robot.center_of_mass_motion(q), yes, age)
        )
        for q in states
    )
    fresh = BodyStateWriter(robot.model.body_names, "world")
    motion, com = robot.body_motion(states[1]), robot.center_of_mass_motion(states[1])
    assert second == serialize_message(fresh.write(STAMP, motion, com, yes, age))
    assert first != second


def test_a_body_beyond_the_floats_is_zero_and_not_valid_and_the_others_are_as_ever() -> None:
    robot = chain(3)
    q = robot.random_configuration(1)
    motion, com = robot.body_motion(q), robot.center_of_mass_motion(q)
    yes, age = np.ones(4, dtype=bool), np.zeros(4)
    expected = BodyStateWriter(robot.model.body_names, "world").write(STAMP, motion, com, yes, age)
    motion.linear_velocity[2, 1] = np.inf
    com.position[3] = np.nan
    writer = BodyStateWriter(robot.model.body_names, "world")
    message = writer.write(STAMP, motion, com, yes, age)
    assert writer.overflowed.tolist() == [2, 3]
    assert message.bodies[:2] == expected.bodies[:2]
    nothing = BodyState(age=0.0)
    for body in message.bodies[2:]:
        nothing.name = body.name
        assert body == nothing
    assert yes.all()
