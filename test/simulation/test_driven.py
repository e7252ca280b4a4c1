"""Mechanisms driven by functions of time: positions follow, rates are their derivatives."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.cli.main import main
from robodyn_ros.description.load import load_description
from robodyn_ros.errors import ClosureError
from robodyn_ros.expressions import parse
from robodyn_ros.simulation import driven_motion

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ["nine_revolutes", "mixed_platform"])
def test_controls_move_as_their_drive_says_and_the_rest_follows(name: str) -> None:
    path = EXAMPLES / f"{name}.yaml"
    robot, drives = rd.load(path, compile="off"), load_description(path).drives
    h = 1e-4
    found = driven_motion(robot, drives, [0.5 - h, 0.5, 0.5 + h])
    (control,) = drives
    expected = {"nine_revolutes": 1.0, "mixed_platform": 0.7 + 0.1 * np.sin(0.5)}[name]
    column = robot.model.position_names.index(control)
    assert found.q[1, column] == pytest.approx(expected)
    assert np.abs(robot.constraint_residual(found.q)).max() < 1e-9
    slope = robot.difference(found.q[0], found.q[2]) / (2 * h)
    assert found.v[1] == pytest.approx(slope, abs=1e-6)
    assert found.energy == pytest.approx(robot.energy(found.q, found.v).kinetic + found.potential)


def test_any_independent_coordinate_can_be_driven() -> None:
    robot = rd.load(EXAMPLES / "four_bar.yaml", compile="off")
    found = driven_motion(robot, {"motor": parse("2 + 3*t^2")}, np.linspace(0.0, 1.0, 5))
    assert found.q[:, 0] == pytest.approx(2 + 3 * found.time**2)
    assert found.v[:, 0] == pytest.approx(6 * found.time)
    assert np.abs(robot.constraint_residual(found.q)).max() < 1e-9


def test_a_tree_of_which_all_is_driven() -> None:
    robot = rd.load(
        "mechanism: 1\nname: cam\nbodies: {base: , shaft: {mass: 1}}\ncontrols: {u: }\njoints:\n"
        "  turn: {type: revolute, parent: base, child: shaft, follows: {expression: 'u^2'}}\n",
        compile="off",
    )
    found = driven_motion(robot, {"u": parse("sin(t)")}, [0.0, 1.0])
    assert found.q[:, 0] == pytest.approx(np.sin([0.0, 1.0]))
    assert found.v[:, 0] == pytest.approx(np.cos([0.0, 1.0]))


def test_what_is_not_driven_or_has_no_value_is_refused() -> None:
    robot = rd.load(EXAMPLES / "four_bar.yaml", compile="off")
    with pytest.raises(rd.ArgumentError, match="not all of robot 'four_bar' is driven: 'motor'"):
        driven_motion(robot, {}, [0.0])
    with pytest.raises(rd.ArgumentError, match=r"drive of 'motor', '1/t', has no finite value"):
        driven_motion(robot, {"motor": parse("1/t")}, [0.0])
    with pytest.raises(rd.ArgumentError, match="times must be"):
        driven_motion(robot, {"motor": parse("t")}, [np.nan])
    lifted = rd.load(EXAMPLES / "mixed_platform.yaml", compile="off")
    with pytest.raises(ClosureError, match="cannot follow beyond"):
        driven_motion(lifted, {"ram": parse("0.7 + t")}, [0.0, 1.0])


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, output = str(EXAMPLES / "nine_revolutes.yaml"), tmp_path / "ring.gif"
    options = ["--driven", "--time", "0.4", "--step", "0.1", "--rate", "10"]
    assert main(["animate", file, *options, "--output", str(output)]) == 0
    text = capsys.readouterr().out
    assert "0.4 s, 5 states" in text
    assert "energy drift" not in text
    assert output.stat().st_size > 1000
    assert main(["animate", file, *options, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["driven"] is True
    assert main(["animate", str(EXAMPLES / "four_bar.yaml"), "--driven"]) == 2
    assert "not all of robot 'four_bar' is driven" in capsys.readouterr().err
    assert main(["animate", file, "--driven", "--step", "0"]) == 2
    assert "must be positive" in capsys.readouterr().err
