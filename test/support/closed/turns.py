"""Mechanisms with one degree of freedom beside their closed forms, at many positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import robodyn_ros as rd
from closed import planar_four_bar, slider_crank
from closed.one_degree import OneDegree

BEGIN = 0.4
"""Crank angle of the state that a mechanism file begins with, rad."""


@dataclass(frozen=True)
class Case:
    """A robot and the closed forms that it is held to.

    Attributes:
        robot: loaded from the mechanism file, on the branch of the parameters.
        oracle: closed forms by coordinate name.
        parameters: of the closed forms.
        turning: coordinates that are angles, known but for whole turns.
    """

    robot: rd.Robot
    oracle: OneDegree
    parameters: Mapping[str, float]
    turning: Sequence[bool]

    def states(
        self, angles: Sequence[float], rates: Sequence[float], seconds: Sequence[float]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return q, v and a (n, 3 arrays of nv) by closed forms."""
        rows = []
        for angle, rate, second in zip(angles, rates, seconds, strict=True):
            motion = self.oracle.motion(angle, rate, second, self.parameters)
            rows.append([motion[name] for name in self.robot.model.coordinate_names])
        q, v, a = np.moveaxis(np.array(rows), -1, 0)
        return q, v, a

    def misplaced(self, q: np.ndarray, expected: np.ndarray) -> float:
        """Return the largest difference of positions, angles but for whole turns."""
        difference = np.asarray(q) - expected
        turns = 2 * np.pi * np.round(difference / (2 * np.pi))
        return float(np.max(np.abs(difference - np.where(self.turning, turns, 0.0))))


def load_case(
    folder: Path,
    text: str,
    oracle: OneDegree,
    parameters: Mapping[str, float],
    sliding: Sequence[str] = (),
) -> Case:
    """Write a mechanism file, load it and return it with its closed forms."""
    file = folder / "mechanism.yaml"
    file.write_text(text, encoding="utf-8")
    robot = rd.load(str(file))
    turning = [name not in sliding for name in robot.model.coordinate_names]
    return Case(robot, oracle, parameters, turning)


def first_values(
    oracle: OneDegree, angle: float, parameters: Mapping[str, float]
) -> dict[str, float]:
    """Return positions by coordinate name at an angle of the crank."""
    motion = oracle.motion(angle, 0.0, 0.0, parameters)
    return {name: float(values[0]) for name, values in motion.items()}


def four_bar_case(folder: Path, parameters: dict[str, float], branch: int) -> Case:
    """Return a four-bar on one of its branches."""
    oracle, p = planar_four_bar.four_bar(), {**parameters, "branch": branch}
    text = planar_four_bar.text(p, initial=first_values(oracle, BEGIN, p))
    return load_case(folder, text, oracle, p)


def slider_crank_case(folder: Path, branch: int, actuated: str = "crank") -> Case:
    """Return a slider-crank on one of its branches."""
    oracle, p = slider_crank.slider_crank(), {**slider_crank.PARAMETERS, "branch": branch}
    text = slider_crank.text(p, initial=first_values(oracle, BEGIN, p), actuated=actuated)
    return load_case(folder, text, oracle, p, sliding=("slider",))
