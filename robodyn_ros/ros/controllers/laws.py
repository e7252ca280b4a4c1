"""The laws of the controller nodes, made from their parameters for one robot."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.control import (
    CartesianGains,
    CartesianImpedanceLaw,
    Commanded,
    ComputedTorqueLaw,
    GravityLaw,
    JointFollower,
    JointImpedanceLaw,
    JointPdLaw,
    Law,
)
from robodyn_ros.errors import ArgumentError
from robodyn_ros.robot import Robot
from robodyn_ros.ros.controllers.given_numbers import gains, require_fields
from robodyn_ros.ros.parameters import Parameters

Floats = NDArray[np.float64]


class ReferencedLaw(NamedTuple):
    """A law and what its reference can be set by.

    Attributes:
        law: The law.
        follower: What takes trajectories, if anything.
        cartesian: What takes poses, if anything.
        operations: Functions of the robot that it calls at every state.
        needs_inertia: Whether it divides by the robot's inertia.
    """

    law: Law
    follower: JointFollower | None
    cartesian: CartesianImpedanceLaw | None
    operations: tuple[str, ...]
    needs_inertia: bool = False


MakeLaw = Callable[[Robot, Robot, Commanded, Parameters], ReferencedLaw]
"""Makes a law for a robot, the same without payloads, its commanded joints and the parameters.

Raises ArgumentError or UnknownNameError for parameters that do not go together with the robot."""


def gravity_law(
    robot: Robot, bare: Robot, commanded: Commanded, config: Parameters
) -> ReferencedLaw:
    """Return the law of `gravity_compensation`."""
    require_fields(config, ("damping",))
    time = config.number("damping_time")
    damping = gains(config, "damping", np.zeros(robot.model.nv), robot.model)
    law = GravityLaw(robot, bare, damping, 1.0 / time if time > 0.0 else 0.0)
    return ReferencedLaw(law, None, None, ("gravity_force", "mass_matrix"))


def tracking_law(
    robot: Robot, bare: Robot, commanded: Commanded, config: Parameters
) -> ReferencedLaw:
    """Return the law of `computed_torque`."""
    require_fields(config, ("frequency",))
    follower = JointFollower(commanded)
    default = np.full(robot.model.nv, config.number("frequency"))
    frequency = gains(config, "frequency", default, robot.model)
    ratio = config.number("damping_ratio")
    if config.text("law") == "joint_pd":
        law: Law = JointPdLaw(robot, follower, frequency, ratio)
        return ReferencedLaw(law, follower, None, ("gravity_force", "mass_matrix"))
    friction = bool(config["friction_compensation"])
    law = ComputedTorqueLaw(robot, follower, frequency, ratio, friction=friction)
    rubbing = ("bias_force", "bias_force+friction") if friction else ()
    return ReferencedLaw(law, follower, None, ("inverse_dynamics", *rubbing))


def impedance_law(
    robot: Robot, bare: Robot, commanded: Commanded, config: Parameters
) -> ReferencedLaw:
    """Return the law of `impedance`."""
    ratio, fastest = config.number("damping_ratio"), config.number("frequency_limit")
    if config.text("space") == "joint":
        require_fields(config, ("stiffness",))
        default = np.full(robot.model.nv, config.number("stiffness"))
        stiffness = gains(config, "stiffness", default, robot.model)
        follower = JointFollower(commanded)
        law = JointImpedanceLaw(robot, follower, stiffness, ratio, fastest)
        called = ("mass_matrix", "coriolis_matrix", "gravity_force")
        return ReferencedLaw(law, follower, None, called, needs_inertia=True)
    require_fields(config, ())
    frame = config.text("frame")
    if not frame:
        raise ArgumentError(
            "space is cartesian, but frame is empty: set it to the link or frame that is to be held"
        )
    turning, sliding = (
        config.number("rotational_stiffness"),
        config.number("translational_stiffness"),
    )
    springs = CartesianGains(
        np.array([turning] * 3 + [sliding] * 3),
        ratio,
        fastest,
        config.number("posture_frequency"),
    )
    cartesian = CartesianImpedanceLaw(
        robot,
        frame,
        springs,
        linear_speed=config.number("linear_speed"),
        angular_speed=config.number("angular_speed"),
    )
    operations = ("mass_matrix", "bias_force", "body_motion", f"jacobian:{frame}")
    return ReferencedLaw(cartesian, None, cartesian, operations, needs_inertia=True)
