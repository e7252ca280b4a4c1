"""Arrays to messages: every field, round the wire and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builtin_interfaces.msg import Time
from rclpy.serialization import deserialize_message, serialize_message
from robodyn_interfaces.msg import BodyStateArray

from robodyn_ros import ModelBuilder, Robot, load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.state_step import motion_blocks, relative_block
from robodyn_ros.joints import Revolute
from robodyn_ros.ros.conversions import (
    body_state_template,
    nanoseconds,
    set_time,
    static_transforms,
    transform_template,
)
from robodyn_ros.spatial import quaternion_to_matrix
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


def vector(value: Any) -> list[float]:
    return [value.x, value.y, value.z]


def turn(value: Any) -> list[float]:
    return [value.x, value.y, value.z, value.w]


def test_body_states_carry_the_motion_of_every_body(robot: Robot) -> None:
    model = robot.model
    rng = np.random.default_rng(1)
    state = (robot.random_configuration(rng), *rng.uniform(-1, 1, (2, model.nv)))
    motion, com = robot.body_motion(*state), robot.center_of_mass_motion(*state)
    block = motion_blocks(model, *state, ())[0]
    valid, age = rng.random(model.nb) < 0.5, rng.random(model.nb)
    template = body_state_template(model.body_names, "world")
    data = template.fill(STAMP, np.concatenate((block.reshape(-1), age)), valid)
    message = deserialize_message(data, BodyStateArray)
    assert nanoseconds(message.header.stamp) == STAMP
    assert message.header.frame_id == "world"
    assert len(message.bodies) == model.nb
    for i, body in enumerate(message.bodies):
        assert body.name == model.body_names[i]
        assert (body.valid, body.age) == (valid[i], age[i])
        for value, expected in (
            (body.pose.position, motion.position),
            (body.twist.linear, motion.linear_velocity),
            (body.twist.angular, motion.angular_velocity),
            (body.acceleration.linear, motion.linear_acceleration),
            (body.acceleration.angular, motion.angular_acceleration),
            (body.center_of_mass, com.position),
            (body.center_of_mass_velocity, com.velocity),
            (body.center_of_mass_acceleration, com.acceleration),
        ):
            np.testing.assert_allclose(vector(value), expected[i], rtol=1e-12, atol=1e-12)
        rotation = quaternion_to_matrix(np.array(turn(body.pose.orientation)))
        np.testing.assert_allclose(rotation, motion.rotation[i], atol=1e-12)


def test_transforms_carry_the_poses_of_children_in_their_parents(robot: Robot) -> None:
    plan = FramePlan(robot.model, prefix="r1/")
    q = robot.random_configuration(2)
    relative = relative_block(robot.model, q, ())
    bodies = np.arange(1, robot.model.nb)
    template = transform_template(plan.pairs(bodies), bodies.tolist())
    message = deserialize_message(template.fill(STAMP, relative.reshape(-1)), TFMessage)
    motion = robot.body_motion(q)
    for k, transform in enumerate(message.transforms):
        assert nanoseconds(transform.header.stamp) == STAMP
        assert (transform.header.frame_id, transform.child_frame_id) == plan.pairs(bodies)[k]
        parent, child = robot.model.parent[bodies[k]], bodies[k]
        rotation = quaternion_to_matrix(np.array(turn(transform.transform.rotation)))
        expected = motion.rotation[parent].T @ motion.rotation[child]
        np.testing.assert_allclose(rotation, expected, atol=1e-12)
        arm = motion.rotation[parent].T @ (motion.position[child] - motion.position[parent])
        np.testing.assert_allclose(vector(transform.transform.translation), arm, atol=1e-9)


def test_a_template_starts_from_nothing_at_every_call() -> None:
    robot = chain(3)
    blocks = [
        relative_block(robot.model, robot.random_configuration(seed), ()).reshape(-1)
        for seed in (1, 2)
    ]
    pairs = [("a", "b"), ("b", "c")]
    template = transform_template(pairs, [1, 2])
    first, second = (template.fill(STAMP, block) for block in blocks)
    assert first != second
    assert second == transform_template(pairs, [1, 2]).fill(STAMP, blocks[1])


def test_static_transforms_have_plain_values_and_survive_the_wire(robot: Robot) -> None:
    pairs, poses = FramePlan(robot.model, prefix="r1/").static(with_world=False)
    message = static_transforms(pairs, poses, STAMP)
    assert {type(leaf) for leaf in leaves(message)} <= {int, float, str}
    again = deserialize_message(serialize_message(message), TFMessage)
    assert again == message
    for k, transform in enumerate(again.transforms):
        assert turn(transform.transform.rotation) == poses.quaternion[k].tolist()
        assert vector(transform.transform.translation) == poses.position[k].tolist()
        assert (transform.header.frame_id, transform.child_frame_id) == pairs[k]
