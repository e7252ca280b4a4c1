"""Every mechanism file of the examples: described in the README, and a robot that moves."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.simulation import simulate

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(EXAMPLES.glob("*.yaml"))
every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def test_the_readme_has_every_file_and_no_other() -> None:
    text = (EXAMPLES / "README.md").read_text()
    linked = re.findall(r"\]\(([^)]+\.yaml)\)", text)
    assert sorted(linked) == [path.name for path in FILES]
    for target in re.findall(r"\]\((?!http)([^)#]+)", text):
        assert (EXAMPLES / target).exists(), target


@every_file
def test_files_say_what_they_are_and_are_called_so(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert lines[0].startswith("# ")
    assert max(map(len, lines)) <= 105
    described = rd.load(path, compile="off").model.name
    assert path.stem.startswith(described)


@every_file
def test_they_move(path: Path) -> None:
    robot = rd.load(path, compile="off")
    trajectory = simulate(robot, 0.01, 0.01, friction=False)
    assert np.isfinite(trajectory.q).all()
    assert np.abs(trajectory.v[-1] - trajectory.v[0]).max() > 1e-3
    if robot.model.base != "prescribed":
        assert trajectory.relative_energy_drift < 1e-8
