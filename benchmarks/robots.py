"""The robots that figures are given for, the same problem for us and for Pinocchio."""

from __future__ import annotations

import re
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pinocchio as pin

import robodyn_ros as rd

ROBOTS = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"


@dataclass(frozen=True)
class Contest:
    """One robot on both sides, with the map from our coordinates to Pinocchio's."""

    name: str
    robot: rd.Robot
    other: pin.Model
    order: np.ndarray

    def rows(self, count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return `count` distinct random rows of q, v and a in our order."""
        rng = np.random.default_rng(seed)
        nv = self.robot.model.nv
        return tuple(rng.uniform(-1.5, 1.5, (count, nv)) for _ in range(3))  # type: ignore[return-value]

    def theirs(self, rows: np.ndarray) -> np.ndarray:
        """Return rows in Pinocchio's order."""
        return np.ascontiguousarray(rows[:, self.order])


def contest(name: str, file: str, *, without_mimic: bool = False) -> Contest:
    """Load one robot on both sides; mimic tags may be removed from the text that both read."""
    text = next(ROBOTS.rglob(file)).read_text()
    if without_mimic:
        text = re.sub(r"<mimic[^>]*/>", "", text)
    robot = rd.load(text, compile="wait")
    other = pin.buildModelFromXML(text)
    if other.nq != robot.model.nq or other.nv != robot.model.nv:
        raise SystemExit(f"{name}: both sides must have the same coordinates")
    names = list(other.names)[1:]
    order = np.array([robot.model.own_joint(joint).q_index for joint in names])
    return Contest(name, robot, other, order)


def contests() -> list[Contest]:
    """Return UR5, Panda (mimic tag removed) and Talos (reduced)."""
    return [
        contest("UR5", "ur5_robot.urdf"),
        contest("Panda", "panda.urdf", without_mimic=True),
        contest("Talos", "talos_reduced.urdf"),
    ]
