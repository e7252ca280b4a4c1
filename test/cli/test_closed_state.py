"""States of closed mechanisms on the command line: closed where they are asked for."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"
FOUR_BAR, DELTA = str(EXAMPLES / "four_bar.yaml"), str(EXAMPLES / "delta_robot.yaml")


def torque(capsys: pytest.CaptureFixture[str], file: str, *options: str) -> dict[str, np.ndarray]:
    """Return q, v, a and the efforts that `robodyn torque` tells."""
    assert main(["torque", file, "--json", *options]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "closed mechanism: its motors do the work, passive joints have 0" in found["notes"]
    values = {key: np.array(found[key]) for key in "qva"}
    return {**values, "total": np.array([row["total"] for row in found["coordinates"]])}


def test_what_is_named_holds_and_the_rest_follows(capsys: pytest.CaptureFixture[str]) -> None:
    found = torque(capsys, FOUR_BAR, "--q", "motor=1", "--v", "motor=2", "--a", "motor=-1")
    robot = rd.load(FOUR_BAR, compile="off")
    assert np.abs(robot.constraint_residual(found["q"])).max() < 1e-9
    assert found["q"][0] == pytest.approx(1.0, abs=1e-12)
    assert (found["v"][0], found["a"][0]) == (2.0, -1.0)
    moved = robot.complete(found["q"], found["v"], found["a"])
    assert found["v"] == pytest.approx(moved.v, abs=1e-9)
    assert found["a"] == pytest.approx(moved.a, abs=1e-9)
    assert found["total"] == pytest.approx(robot.inverse_dynamics(*map(found.get, "qva")))


def test_it_stays_on_the_branch_on_which_it_begins(capsys: pytest.CaptureFixture[str]) -> None:
    """The pin between coupler and rocker stays above the line of their other ends."""
    for angle in ("5", "360"):
        found = torque(capsys, FOUR_BAR, "--q", f"motor={angle}", "--degrees")
        assert np.sin(found["q"][3]) > 0.1
        assert np.degrees(found["q"][0]) == pytest.approx(float(angle))


def test_dependent_positions_and_those_of_a_free_body_can_be_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert torque(capsys, FOUR_BAR, "--q", "crank_pin=-1.1")["q"][1] == pytest.approx(-1.1)
    found = torque(capsys, DELTA, "--q", "platform_free/x=0.1")
    assert found["q"][0] == pytest.approx(0.1)
    assert found["q"][3:7] == pytest.approx([0, 0, 0, 1], abs=1e-9)


def test_an_animation_begins_there(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--q", "motor=1", "--time", "0.01", "--step", "0.01", "--json"]
    assert main(["animate", FOUR_BAR, *options]) == 0
    potential = json.loads(capsys.readouterr().out)["potential_energy"][0]
    robot = rd.load(FOUR_BAR, compile="off")
    expected = robot.energy(robot.assemble(motor=1.0).q, np.zeros(4)).potential
    assert potential == pytest.approx(expected, abs=1e-9)


BOOM = """
mechanism: 1
bodies:
  base:
  boom: {mass: 2, com: [0.5, 0, 0], inertia: {shape: rod, length: 1, axis: [1, 0, 0]}}
joints: {hinge: {type: revolute, parent: base, child: boom, axis: [0, 1, 0], damping: 1}}
controls: {ram: {range: [0.3, 1], initial_position: 0.6}}
constraints:
  jack:
    type: rod
    body_1: base
    point_1: [0, 0, -0.6]
    body_2: boom
    point_2: [0.4, 0, 0]
    length: ram
"""


def test_what_friction_takes_and_what_leaves_its_range_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "boom.yaml"
    file.write_text(BOOM, encoding="utf-8")
    options = ["animate", str(file), "--time", "0.4", "--step", "0.1"]
    assert main(options) == 0
    told = capsys.readouterr().out
    assert "of the energies' range, what joint friction takes included" in told
    assert "outside the range, at which nothing stops a joint: 'ram' (0.2" in told
    assert ", allowed 0.3 .. 1)" in told
    assert main([*options, "--no-friction", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["resisted"] is False
    assert [left["coordinate"] for left in found["beyond"]] == ["ram"]
    assert found["relative_energy_drift"] < 1e-6


def test_rounding_of_the_assembly_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    platform = str(EXAMPLES / "stewart_platform_rods.yaml")
    assert main(["report", platform]) == 0
    assert "e-1" not in capsys.readouterr().out.partition("begins with:")[2]
    assert main(["torque", platform]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert not [row for row in rows if len(row) > 3 and "e-1" in row[2]]


@pytest.mark.parametrize(
    ("options", "code", "text"),
    [
        (["--v", "pivot=1"], 2, "--v: 'pivot' depends on others; give those that it depends on:"),
        (["--a", "rocker_pin=1"], 2, "--a: 'rocker_pin' depends on others"),
        (["--q", "pivot=0.1"], 1, "cannot follow beyond pivot = "),
    ],
)
def test_what_cannot_be_is_told(
    options: list[str], code: int, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["torque", FOUR_BAR, *options]) == code
    error = capsys.readouterr().err
    assert text in error
    assert len(error.strip().splitlines()) == 1
