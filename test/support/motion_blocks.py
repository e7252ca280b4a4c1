"""The motion of all bodies of a robot as one array, a row per body, in the order of BodyState."""

from __future__ import annotations

import numpy as np

from robodyn_ros import Robot
from robodyn_ros.spatial import quaternion_from_matrix

COLUMNS = {
    "position": slice(0, 3),
    "orientation": slice(3, 7),
    "linear_velocity": slice(7, 10),
    "angular_velocity": slice(10, 13),
    "linear_acceleration": slice(13, 16),
    "angular_acceleration": slice(16, 19),
    "center_of_mass": slice(19, 22),
}


def motion_block(robot: Robot, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Return the block (nb, 28) at a state, from the robot's own functions."""
    motion, com = robot.body_motion(q, v, a), robot.center_of_mass_motion(q, v, a)
    parts = (
        motion.position,
        quaternion_from_matrix(motion.rotation),
        motion.linear_velocity,
        motion.angular_velocity,
        motion.linear_acceleration,
        motion.angular_acceleration,
        com.position,
        com.velocity,
        com.acceleration,
    )
    return np.hstack(parts)


def random_block(robot: Robot, seed: int) -> np.ndarray:
    """Return the block (nb, 28) at a random state."""
    rng = np.random.default_rng(seed)
    q = robot.random_configuration(rng)
    return motion_block(robot, q, *rng.uniform(-1.0, 1.0, (2, robot.model.nv)))


def resting_block(robot: Robot) -> np.ndarray:
    """Return the block (nb, 28) of a robot at rest at its neutral configuration."""
    still = np.zeros(robot.model.nv)
    return motion_block(robot, robot.neutral(), still, still)
