"""`~/body_motion`: pose, velocity and acceleration of every body."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from rclpy.serialization import deserialize_message
from robodyn_interfaces.msg import BodyStateArray

from robodyn_ros import algorithms
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model import Model
from robodyn_ros.robot import Robot
from robodyn_ros.ros.conversions import body_state_template
from robodyn_ros.ros.services.states import State, rates_of, state_of
from robodyn_ros.ros.services.subject import Subject
from robodyn_ros.spatial import quaternion_from_matrix

Floats = NDArray[np.float64]


def fill(subject: Subject, request: Any, reply: Any, now: int) -> None:
    """Fill the reply's names and bodies; `now` is the stamp, ns, where nothing is measured.

    Raises:
        RobodynError: the request has no answer; the text says why.
    """
    state = state_of(subject, request)
    known = subject.known
    acceleration = rates_of("acceleration", request.acceleration, state.plan)
    a = state.accelerations(acceleration, known.no_rates)
    name, seen_from = known.state_frame
    block = body_block(subject.robot, state.q, state.v, a, seen_from)
    finite = np.isfinite(block).all(axis=1)
    if not finite.all():
        body = known.model.body_names[int(np.flatnonzero(~finite)[0])]
        raise ArgumentError(
            f"the motion of body {quoted(body)} is not finite: the numbers asked for are too large"
            " to compute with; give smaller ones"
        )
    template = body_state_template(known.model.body_names, name, known.visible)
    numbers = np.concatenate((block.reshape(-1), body_ages(known.model, state)))
    stamp = now if state.stamp is None else state.stamp
    data = template.fill(stamp, numbers, np.ones(known.model.nb, dtype=bool))
    reply.names = list(state.plan.names)
    reply.bodies = deserialize_message(data, BodyStateArray)


def body_block(robot: Robot, q: Floats, v: Floats, a: Floats, seen_from: str = "") -> Floats:
    """Return (nb, 28), the motion of all bodies; see `state_step.BODY_SIZE` for the columns.

    It is relative to the frame `seen_from`, "" for the world.
    """
    with np.errstate(all="ignore"):
        bodies: Any = robot.body_motion(q, v, a)
        if seen_from:
            bodies = algorithms.seen_from(robot.model, seen_from, bodies)
            centers: Any = algorithms.centers_of(robot.model, bodies)
        else:
            centers = robot.center_of_mass_motion(q, v, a)
        quaternion = quaternion_from_matrix(bodies.rotation)
    return np.hstack(
        [
            bodies.position,
            quaternion,
            bodies.linear_velocity,
            bodies.angular_velocity,
            bodies.linear_acceleration,
            bodies.angular_acceleration,
            centers.position,
            centers.velocity,
            centers.acceleration,
        ]
    )


def body_ages(model: Model, state: State) -> Floats:
    """Return (nb,) the age, s, of the oldest measured joint that carries each body; 0 for none."""
    measured = {joint.name: max(0.0, state.ages.get(joint.name, 0.0)) for joint in state.plan.rest}
    ages: Floats = np.zeros(model.nb)
    for body, joint in model.moving:
        own = measured.get(joint.driver or joint.name, 0.0)
        ages[body] = max(ages[joint.parent], own)
    return ages
