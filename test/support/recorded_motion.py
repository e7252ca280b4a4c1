"""Motion as it is recorded: Fourier series that excite a robot, its efforts, and noise."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from robodyn_ros.analysis.unknowns import Unknowns
from robodyn_ros.analysis.window_means import WindowMeans, Windows
from robodyn_ros.robot import Robot


@dataclass(frozen=True)
class Motion:
    """Times (n,), q, v and a (n, nv) of joints with one coordinate each, and efforts (n, nv)."""

    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    efforts: np.ndarray

    def noisy(self, rng: np.random.Generator, *, effort: float = 0.0, rate: float = 0.0) -> Motion:
        """Return it as sensors tell it: noise of efforts, of rates, and of accelerations."""

        def noise(size: float) -> np.ndarray:
            return size * rng.normal(size=self.q.shape)

        return replace(
            self,
            v=self.v + noise(rate),
            a=self.a + noise(30.0 * rate),
            efforts=self.efforts + noise(effort),
        )


def fourier(
    robot: Robot, duration: float = 60.0, step: float = 0.01, seed: int = 0, size: float = 0.5
) -> Motion:
    """Return a motion that excites a robot, and the efforts that it needs, friction included."""
    rng = np.random.default_rng(seed)
    nv = robot.model.nv
    t = step * np.arange(round(duration / step))
    q = np.tile(robot.neutral(), (len(t), 1))
    v, a = np.zeros((2, len(t), nv))
    for harmonic in range(1, 6):
        w = 0.2 * np.pi * harmonic
        sine, cosine = rng.uniform(-size, size, (2, nv))
        s, c = np.sin(w * t)[:, None], np.cos(w * t)[:, None]
        q = q + sine * s + cosine * c
        v += w * (sine * c - cosine * s)
        a -= w * w * (sine * s + cosine * c)
    return with_efforts(robot, Motion(t, q, v, a, np.zeros_like(v)))


def with_efforts(robot: Robot, motion: Motion) -> Motion:
    """Return a motion with the efforts that a robot needs for it."""
    efforts = robot.inverse_dynamics(motion.q, motion.v, motion.a, friction=True)
    return replace(motion, efforts=np.asarray(efforts))


def windows_of(
    unknowns: Unknowns, motion: Motion, width: float = 0.1, rest_speed: float = 0.02
) -> Windows:
    """Return the windows of a recorded motion beside the described robot."""
    means = WindowMeans(unknowns, width, rest_speed)
    described = unknowns.robot.inverse_dynamics(motion.q, motion.v, motion.a, friction=True)
    state = (motion.q, motion.q, motion.v, motion.a)
    segment = np.zeros(len(motion.t), dtype=np.int64)
    means.add(motion.t, segment, state, (motion.efforts, motion.efforts - described))
    return means.result()


def set_friction(robot: Robot, coulomb: np.ndarray, viscous: np.ndarray) -> None:
    """Give a robot's coordinates friction (nv,), N m or N, and damping."""
    for j, name in enumerate(robot.model.coordinate_names):
        robot.set_joint_parameters(name, friction=coulomb[j], damping=viscous[j])
