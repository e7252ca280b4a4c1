"""States by coordinate for joints of every type of the catalogue."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from robodyn_ros import Robot, load
from robodyn_ros.cli.main import main
from robodyn_ros.cli.state_values import angles
from robodyn_ros.joints import JOINT_TYPES
from robots import OWN_ROBOTS

FILE = str(OWN_ROBOTS / "every_type.yaml")
EXACT = 1e-12


@pytest.fixture(scope="module")
def robot() -> Robot:
    made = load(FILE, compile="off")
    types = {joint.joint.type_name for _, joint in made.model.moving}
    assert types == set(JOINT_TYPES)
    return made


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def test_positions_have_the_names_of_their_entries(robot: Robot) -> None:
    names = robot.model.position_names
    assert len(set(names)) == robot.model.nq
    ball = robot.model.own_joint("ball")
    parts = ["qx", "qy", "qz", "qw", "z", "outer_x"]
    found = names[ball.q_index : ball.q_index + ball.joint.nq]
    assert found == tuple(f"ball/{part}" for part in parts)


def test_lengths_and_quaternions_are_no_angles(robot: Robot) -> None:
    of_q, of_v = angles(robot.model)
    names = robot.model.position_names
    turning = {name for name, angle in zip(names, of_q, strict=True) if angle}
    lengths = {"planar/x", "slide", "ball/z", "ball/qz", "gimbal/x", "dh_prismatic", "six_dof/x"}
    assert not lengths & turning
    assert {"planar/rz", "global/rx", "gimbal/rz", "helical", "universal/ry"} <= turning
    assert np.sum(of_v) == len(turning) + 3 * 3  # floating, ball and six_dof turn by quaternions


def test_torque_begins_at_the_initial_state(
    robot: Robot, capsys: pytest.CaptureFixture[str]
) -> None:
    data = printed(capsys, "torque", FILE)
    q, v = robot.initial_state
    assert np.any(v)
    assert (data["q"], data["v"]) == (q.tolist(), v.tolist())
    rows = {row["name"]: row for row in data["coordinates"]}
    assert tuple(rows) == robot.model.coordinate_names
    total = robot.inverse_dynamics(q, v, np.zeros_like(v))
    assert [row["total"] for row in rows.values()] == pytest.approx(total, abs=EXACT)
    assert (rows["ball/z"]["position"], rows["ball/outer_x"]["position"]) == (0.11, -0.07)
    assert rows["ball/rz"]["position"] is None
    assert rows["universal/ry"]["position"] == -0.2
    assert [rows[name]["unit"] for name in ("slide", "dh_prismatic", "helical")] == [
        "N",
        "N",
        "N m",
    ]
    assert any("--friction" in note for note in data["notes"])


def test_names_and_neutral_replace_what_the_file_begins_with(
    robot: Robot, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--q", "universal/rx=90,ball/z=0.25", "--v", "ball/rx=180", "--degrees"]
    data = printed(capsys, "torque", FILE, *given)
    q, v = robot.initial_state
    ball, universal = (robot.model.own_joint(name) for name in ("ball", "universal"))
    q[[universal.q_index, ball.q_index + 4]] = np.pi / 2, 0.25
    v[ball.v_index] = np.pi
    assert data["q"] == pytest.approx(q, abs=EXACT)
    assert data["v"] == pytest.approx(v, abs=EXACT)
    neutral = printed(capsys, "torque", FILE, "--q", "neutral", "--q", "slide=0.5")
    expected = robot.configuration({"slide": 0.5})
    assert neutral["q"] == expected.tolist()


def test_a_position_beyond_the_range_of_a_slider_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = printed(capsys, "torque", FILE, "--q", "ball/z=0.4")
    (note,) = (note for note in data["notes"] if "range" in note)
    assert "'ball/z' (0.4 m, allowed -0.2 to 0.3)" in note


def test_formulations_agree_on_every_type(capsys: pytest.CaptureFixture[str]) -> None:
    data = printed(capsys, "compare", FILE, "--q", "ball/z=0.125")
    assert data["agree"] is True
    assert set(data["efforts"]) == {"spatial", "kane"}
    assert main(["compare", FILE, "--q", "ball/z=0.125"]) == 0
    rows = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line}
    assert rows["ball/z"].split()[1] == "0.125,"
    assert rows["ball/rx"].split()[1] == "-,"
