"""A rover with sensors on its root link: what they say while it flies, and what is made of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from moving_frame import flight
from robodyn_ros.algorithms import BodyMotion, body_motion
from robodyn_ros.conditioning.base_sources import ImuSample, OdometrySample
from robodyn_ros.conditioning.base_state import BaseState
from robodyn_ros.conditioning.frame_motion import Motion
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.multi_dof import MultiDofStates
from robodyn_ros.conditioning.multi_dof_input import MultiStep
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.root_frames import RootFrames
from robodyn_ros.joints import Fixed, Revolute
from robodyn_ros.model import BaseMotion, Environment, Model, ModelBuilder
from robodyn_ros.spatial import (
    quaternion_exponential,
    quaternion_from_matrix,
    quaternion_product,
    quaternion_to_matrix,
    rotation_from_rpy,
)

PLAIN = Settings(choices=Choices(filter_time_constant=0.0))
GRAVITY = np.array([0.0, 0.0, -9.81])
#: Where the sensors sit on the root link: R_RS and p_RS.
PLACES = {
    "rover": (np.eye(3), np.zeros(3)),
    "mast": (rotation_from_rpy([0.3, -0.2, 1.1]), np.array([0.4, -0.3, 0.8])),
    "camera": (
        rotation_from_rpy([0.3, -0.2, 1.1]) @ rotation_from_rpy([0.0, 0.5, 0.0]),
        np.array([0.4, -0.3, 0.8])
        + rotation_from_rpy([0.3, -0.2, 1.1]) @ np.array([0.1, 0.2, 0.0]),
    ),
}


def rover(base: str) -> Model:
    """Return a body with a mast, a camera frame on it, and an arm that moves."""
    builder = ModelBuilder("rover")
    for name in ("rover", "mast", "arm", "hand"):
        builder.add_body(name, mass=1.0, com=(0.1, 0.0, 0.2))
    R, p = PLACES["mast"]
    builder.add_joint("bolts", Fixed(), "rover", "mast", position=p, rotation=R)
    builder.add_joint("shoulder", Revolute((0.0, 1.0, 0.0)), "rover", "arm", position=(0.2, 0, 0.1))
    builder.add_joint("wrist", Revolute(), "arm", "hand", position=(0.5, 0.0, 0.0))
    builder.add_frame("camera", "mast", (0.1, 0.2, 0.0), rotation_from_rpy([0.0, 0.5, 0.0]))
    return builder.build(base)  # type: ignore[arg-type]


def on_root(t: float, place: str) -> tuple[np.ndarray, np.ndarray]:
    """Return attitude (3, 3) and position (3,) of a sensor while the root link flies."""
    root, (R_RS, p_RS) = flight(t), PLACES[place]
    R = quaternion_to_matrix(root.quaternion)
    return R @ R_RS, root.position + R @ p_RS


def odometry(t: float, place: str = "rover", **changes: object) -> OdometrySample:
    """Return what an odometry of a frame on the flying root link says.

    The velocity of the frame's origin is a difference of its positions, independent of any formula
    for rigid bodies.
    """
    R, p = on_root(t, place)
    h = 1e-5
    speed = (on_root(t + h, place)[1] - on_root(t - h, place)[1]) / (2.0 * h)
    twist = np.concatenate([R.T @ flight(t).angular_velocity, R.T @ speed])
    sample = OdometrySample(stamp(t), "world", place, p, quaternion_from_matrix(R), twist)
    return replace(sample, **changes)


def imu(t: float, place: str = "rover", heading: float = 0.0, **changes: object) -> ImuSample:
    """Return what an IMU on the flying root link says; its own north may lie elsewhere."""
    R, p = on_root(t, place)
    h = 1e-3
    ahead, behind = on_root(t + h, place)[1], on_root(t - h, place)[1]
    acceleration = (ahead - 2.0 * p + behind) / h**2
    north = quaternion_exponential(np.array([0.0, 0.0, heading]))
    return replace(
        ImuSample(
            stamp(t),
            place,
            quaternion_product(north, quaternion_from_matrix(R)),
            R.T @ flight(t).angular_velocity,
            R.T @ (acceleration - GRAVITY),
        ),
        **changes,
    )


def stamp(t: float) -> int:
    return round(t * 1e9) + 1_000_000_000_000


@dataclass
class Setup:
    """One model and what moves its base."""

    model: Model
    states: MultiDofStates
    base: BaseState
    settings: Settings

    def odometry(self, sample: OdometrySample, now: int = 7) -> MultiStep:
        """Take an odometry."""
        return self.base.take_odometry(sample, now, self.settings)

    def imu(self, sample: ImuSample, now: int = 7) -> MultiStep:
        """Take what an IMU says."""
        return self.base.take_imu(sample, now, self.settings)

    def bodies(self) -> BodyMotion:
        """Return the motion of all bodies, the arm's joints moving in some way."""
        states = self.states
        q, v, a = states.q.copy(), states.v.copy(), states.a.copy()
        q[-2:], v[-2:], a[-2:] = (0.3, -0.7), (1.1, 0.4), (-0.6, 2.0)
        x = states.base_motion
        given = BaseMotion(x[:3], x[3:12].reshape(3, 3), *(x[k : k + 3] for k in (12, 15, 18, 21)))
        return body_motion(self.model, q, v, a, environment=Environment(base_motion=given))


def setup(
    source: str, base: str = "floating", settings: Settings = PLAIN, *, prefix: str = ""
) -> Setup:
    model = rover(base)
    plan = FramePlan(model, prefix=prefix)
    states = MultiDofStates(model, plan)
    topics = {"odometry_topic": "/r1/odom", "imu_topic": "/r1/imu"}
    state = BaseState(plan, RootFrames(model, prefix), states, source, **topics)
    return Setup(model, states, state, settings)


def check_root(found: Motion | BodyMotion, expected: Motion, tolerance: float) -> None:
    """Compare the root link's motion, in world axes."""
    if isinstance(found, BodyMotion):
        rows = (x[1] for x in found[2:])
        found = Motion(found.position[1], quaternion_from_matrix(found.rotation[1]), *rows)
    assert abs(found.quaternion @ expected.quaternion) == pytest.approx(1.0, abs=tolerance)
    for name in ("position", *Motion._fields[2:]):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), abs=tolerance), name


def times(count: int = 40) -> list[float]:
    return [1.0 + 1e-3 * k for k in range(count)]
