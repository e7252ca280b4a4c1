"""Springs and dampers as efforts, for `robodyn_ros.simulation.simulate`.

Mechanism files have no springs. A force between two points that are both frames and markers acts
on the joints through the Jacobians of the frames; its sum over springs and drives is what the
`effort` argument of `simulate` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

import robodyn_ros as rd

Effort = Callable[[float, np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Spring:
    """A spring with a damper beside it, between two frames that markers of the same name follow."""

    frame_1: str
    frame_2: str
    stiffness: float
    rest_length: float
    damping: float = 0.0

    def potential(self, robot: rd.Robot, q: np.ndarray) -> np.ndarray:
        """Return its energy (n,) at coordinates (n, nq), J."""
        e, _ = _between(robot, self, q, np.zeros((len(q), robot.model.nv)))
        stretch = np.linalg.norm(e, axis=-1) - self.rest_length
        return 0.5 * self.stiffness * stretch**2

    def effort(self, robot: rd.Robot, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return its effort (nv,) on the joints."""
        e, rate = _between(robot, self, q, v)
        length = np.linalg.norm(e)
        u = e / length
        tension = self.stiffness * (length - self.rest_length) + self.damping * (u @ rate)
        pulled = robot.jacobian(q, self.frame_1)[3:] - robot.jacobian(q, self.frame_2)[3:]
        return tension * (u @ pulled)


def _between(
    robot: rd.Robot, spring: Spring, q: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the vector from the first to the second frame, and its rate."""
    names = [marker.name for marker in robot.model.markers]
    first, second = names.index(spring.frame_1), names.index(spring.frame_2)
    motion = robot.marker_motion(q, v)
    value, rate = motion.value, motion.rate
    return (
        value[..., second, :] - value[..., first, :],
        rate[..., second, :] - rate[..., first, :],
    )


def sum_of(robot: rd.Robot, *springs: Spring, drives: Mapping[str, float] | None = None) -> Effort:
    """Return the efforts of springs and of constant drives by coordinate name."""
    constant = np.zeros(robot.model.nv)
    for name, value in (drives or {}).items():
        constant[robot.model.coordinate_names.index(name)] = value

    def effort(_: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return constant + sum(spring.effort(robot, q, v) for spring in springs)

    return effort
