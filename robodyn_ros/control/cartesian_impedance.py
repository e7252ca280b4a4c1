"""Cartesian impedance: a spring and a damper between a frame and where it is to be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.control.damping_design import damped_springs
from robodyn_ros.control.null_space import task_inertia
from robodyn_ros.control.reference import PoseReference
from robodyn_ros.robot import Robot
from robodyn_ros.spatial import quaternion_from_matrix, quaternion_logarithm

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CartesianGains:
    """Springs at a frame, world axes, and of the posture in the null space.

    Attributes:
        stiffness: (6,) of rotation, N m/rad, then of translation, N/m; not negative.
        damping_ratio: ζ >= 0 of every mode at the frame.
        fastest: Highest natural frequency of a mode, rad/s: see `damped_springs`.
        posture_frequency: Natural frequency ω_n of the posture, rad/s, critically damped.
    """

    stiffness: Floats
    damping_ratio: float
    fastest: float
    posture_frequency: float


def cartesian_impedance(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike,
    frame: str,
    reference: PoseReference,
    posture: ArrayLike,
    gains: CartesianGains,
) -> Floats:
    """Return Jᵀ (K e + D ė) + Nᵀ M (ω_n² (q_n - q) - 2 ω_n v) + C v + g.

    The robot's own inertia is left as it is. Rotation's error is the rotation vector from the frame
    to the reference, world axes; it jumps at half a turn, where the reference is not to be.

    Stable: passive from the velocity of the frame to external wrenches, for K > 0, D > 0, an exact
    model and a reference at rest; the posture acts in the dynamically consistent null space, so
    that it does not accelerate the frame, and its damping ends motion there (Ott 2008, chapters 4
    and 6). Near a singularity the null space's projector is damped: see `task_inertia`.

    Args:
        robot: The robot.
        q: (nq,) coordinates.
        v: (nv,) rates, rad/s or m/s.
        frame: Name of a link or frame.
        reference: Where the frame is to be.
        posture: (nq,) coordinates that the null space is drawn to.
        gains: Springs and damping.

    Returns:
        (nv,) efforts, N m or N.

    Raises:
        UnknownNameError: no such frame.

    Source:
        Ott (2008), equation 4.17 and section 6.2; Albu-Schäffer, Ott, Frese & Hirzinger (2003);
        Khatib (1987).
    """
    rates = np.asarray(v, dtype=np.float64)
    inertia, jacobian = robot.mass_matrix(q), robot.jacobian(q, frame)
    task = task_inertia(inertia, jacobian)
    stiffness = np.diag(np.asarray(gains.stiffness, dtype=np.float64))
    springs = damped_springs(task.inertia, stiffness, gains.damping_ratio, gains.fastest)
    error = pose_error(robot, q, frame, reference)
    force = springs.stiffness @ error + springs.damping @ (reference.twist - jacobian @ rates)
    omega = gains.posture_frequency
    drawn = inertia @ (omega**2 * robot.difference(q, posture) - 2.0 * omega * rates)
    effort: Floats = jacobian.T @ force + task.projector @ drawn + robot.bias_force(q, rates)
    return effort


def pose_error(robot: Robot, q: ArrayLike, frame: str, reference: PoseReference) -> Floats:
    """Return what leads from a frame to a reference (6,): rotation vector, translation, world axes.

    Args:
        robot: The robot.
        q: (nq,) coordinates.
        frame: Name of a link or frame.
        reference: Where the frame is to be.

    Raises:
        UnknownNameError: no such frame.
    """
    position, rotation = frame_pose(robot, q, frame)
    turn = quaternion_logarithm(quaternion_from_matrix(reference.rotation @ rotation.T))
    return np.concatenate([turn, reference.position - position])


def frame_pose(robot: Robot, q: ArrayLike, frame: str) -> tuple[Floats, Floats]:
    """Return position (3,) in m and rotation (3, 3) of a frame in the world.

    Raises:
        UnknownNameError: no such frame.
    """
    place = robot.model.frame(frame)
    motion = robot.body_motion(q)
    R_WB, p_WB = motion.rotation[place.body], motion.position[place.body]
    return p_WB + R_WB @ place.position, R_WB @ place.rotation
