"""Motion of bodies by service: the plain functions' numbers, stamps and ages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from robodyn_interfaces.srv import BodyMotion

from differentiation import error
from dynamics_requests import positions
from dynamics_rig import Host
from robodyn_ros import algorithms
from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.services import body_motion
from robodyn_ros.ros.services.subject import Subjects
from robodyn_ros.spatial import quaternion_to_matrix
from robots import OWN_ROBOTS, loaded, random_state, random_tree

ROUNDING = 1e-12
NOW = 7_000_000_123


def ask(host: Host, *, prefix: str = "", world_frame: str = "", **fields: Any) -> Any:
    """Return the reply, without a node."""
    reply = BodyMotion.Response()
    subject = Subjects(host, prefix=prefix, world_frame=world_frame).now()
    body_motion.fill(subject, BodyMotion.Request(**fields), reply, NOW)
    return reply


def xyz(vector: Any) -> list[float]:
    """Return a vector's numbers."""
    return [vector.x, vector.y, vector.z]


@pytest.mark.parametrize("seed", range(4))
def test_every_body_moves_as_the_plain_function_says(seed: int) -> None:
    model = random_tree(seed, base=("fixed", "floating")[seed % 2])
    q, v, a = random_state(model, seed)
    position = positions(model, q)
    order = np.random.default_rng(seed).permutation(model.nv)
    names = [model.coordinate_names[i] for i in order]
    reply = ask(
        Host(model),
        names=names,
        position=position[order].tolist(),
        velocity=v[order].tolist(),
        acceleration=a[order].tolist(),
    )
    assert reply.names == names
    motion = algorithms.body_motion(model, q, v, a)
    centers = algorithms.center_of_mass_motion(model, q, v, a)
    bodies = reply.bodies.bodies
    assert [body.name for body in bodies] == [*model.body_names]
    turns = [[*xyz(x.pose.orientation), x.pose.orientation.w] for x in bodies]
    pairs = [
        ([xyz(x.pose.position) for x in bodies], motion.position),
        (quaternion_to_matrix(np.array(turns)), motion.rotation),
        ([xyz(x.twist.linear) for x in bodies], motion.linear_velocity),
        ([xyz(x.twist.angular) for x in bodies], motion.angular_velocity),
        ([xyz(x.acceleration.linear) for x in bodies], motion.linear_acceleration),
        ([xyz(x.acceleration.angular) for x in bodies], motion.angular_acceleration),
        ([xyz(x.center_of_mass) for x in bodies], centers.position),
        ([xyz(x.center_of_mass_velocity) for x in bodies], centers.velocity),
        ([xyz(x.center_of_mass_acceleration) for x in bodies], centers.acceleration),
    ]
    for found, expected in pairs:
        assert error(found, expected) < ROUNDING
    assert all(body.valid and body.age == 0.0 for body in bodies)
    stamp = reply.bodies.header.stamp
    assert stamp.sec * 10**9 + stamp.nanosec == NOW


def test_measured_joints_give_stamp_and_ages() -> None:
    model = loaded(OWN_ROBOTS / "mimic_chain.urdf")
    host = Host(model)
    q, v, _ = random_state(model, 2)
    first, *others = model.joint_names
    ages = {first: 9.0, **dict.fromkeys(others, 0.25)}
    host.measure(q, v, stamp=5_000_000_001, ages=ages)
    reply = ask(host, names=[first], position=[0.1], rest=1)
    stamp = reply.bodies.header.stamp
    assert (stamp.sec, stamp.nanosec) == (5, 1)
    found = {body.name: body.age for body in reply.bodies.bodies}
    for i, name in enumerate(model.body_names):
        carried = [model.joints[b] for b in model.support(i)]
        measured = any(j and (j.driver or j.name) in others for j in carried if j and j.joint.nv)
        assert found[name] == (0.25 if measured else 0.0), name


def test_the_frame_is_that_of_the_nodes_states() -> None:
    model = loaded(OWN_ROBOTS / "mimic_chain.urdf")
    position = [0.0] * model.nv
    assert ask(Host(model), position=position).bodies.header.frame_id == "base"
    prefixed = ask(Host(model), prefix="r1/", position=position).bodies
    assert prefixed.header.frame_id == "r1/base"
    assert prefixed.bodies[0].name == "base"
    named = ask(Host(model), world_frame="map", position=position).bodies
    assert named.header.frame_id == "map"


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
def test_overflow_names_a_body() -> None:
    model = loaded(OWN_ROBOTS / "mimic_chain.urdf")
    with pytest.raises(ArgumentError, match=r"the motion of body '.*' is not finite"):
        ask(Host(model), position=[0.0] * model.nv, acceleration=[1.7e308] * model.nv)
