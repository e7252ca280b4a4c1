"""`robodyn torque`: its numbers, its table, its JSON, and what it says of wrong input."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robodyn_ros import Robot, find_robot, load
from robodyn_ros.cli.main import main
from robodyn_ros.cli.torque_rows import TERMS
from robots import OWN_ROBOTS, example

EXACT = 1e-12
"""The command calls the same functions; angles in degrees cost a rounding."""
EVERY_JOINT = str(OWN_ROBOTS / "every_joint.urdf")
ARM_STATE = ["--q", "joint2=0.5,joint4=-1.2", "--v", "joint1=0.3,joint2=-0.1", "--a", "joint1=1"]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Return what --json prints."""
    assert main(["torque", *arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    data: dict[str, Any] = json.loads(out)
    return data


def column(data: dict[str, Any], name: str) -> np.ndarray:
    return np.array([row[name] for row in data["coordinates"]])


def arm(**options: Any) -> Robot:
    return load(find_robot("demo_arm"), compile="off", **options)


def arm_state(robot: Robot) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    q = robot.configuration({"joint2": 0.5, "joint4": -1.2})
    v, a = np.zeros((2, robot.model.nv))
    v[:2], a[0] = (0.3, -0.1), 1.0
    return q, v, a


def test_the_terms_are_those_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    robot = arm()
    data = printed(capsys, "demo_arm", *ARM_STATE, "--friction")
    terms = robot.effort_terms(*arm_state(robot))
    for name in TERMS:
        assert column(data, name) == pytest.approx(getattr(terms, name), abs=EXACT)
    assert [row["name"] for row in data["coordinates"]] == list(robot.model.coordinate_names)
    energy = robot.energy(*arm_state(robot)[:2])
    assert data["kinetic_energy"] == pytest.approx(energy.kinetic)
    assert data["potential_energy"] == pytest.approx(energy.potential)
    assert data["mass"] == pytest.approx(robot.model.mass)


def test_without_friction_the_total_is_that_of_inverse_dynamics(
    capsys: pytest.CaptureFixture[str],
) -> None:
    robot = arm()
    data = printed(capsys, "demo_arm", *ARM_STATE)
    assert np.any(robot.effort_terms(*arm_state(robot)).friction)
    assert not np.any(column(data, "friction"))
    assert column(data, "total") == pytest.approx(
        robot.inverse_dynamics(*arm_state(robot)), abs=EXACT
    )
    assert any("--friction" in note for note in data["notes"])


def test_a_list_a_name_and_both_are_the_same_state(capsys: pytest.CaptureFixture[str]) -> None:
    listed = printed(capsys, "demo_arm", "--q", "-0.1,0.5,0,-1.2,0,0,0,0")
    named = printed(capsys, "demo_arm", "--q", "joint1=-0.1,joint2=0.5", "--q", "joint4=-1.2")
    both = printed(capsys, "demo_arm", "--q", "9,0.5,0,-1.2,0,0,0,0", "--q", "joint1=-.1")
    assert listed == named == both
    assert printed(capsys, "demo_arm", "--q", "neutral") == printed(capsys, "demo_arm")


def test_degrees_are_those_of_angles_alone(capsys: pytest.CaptureFixture[str]) -> None:
    q, v, a = "-30,20,10,40,50,60,70,0.01", "90,0,0,0,0,0,0,0.2", "0,45,0,0,0,0,0,0.3"
    data = printed(capsys, "demo_arm", "--degrees", "--q", q, "--v", v, "--a", a)
    robot = arm()
    state = [np.fromstring(text, sep=",") for text in (q, v, a)]
    for x in state:
        x[:7] = np.radians(x[:7])
    assert column(data, "total") == pytest.approx(robot.inverse_dynamics(*state), abs=1e-9)
    assert column(data, "position") == pytest.approx(np.fromstring(q, sep=","))
    assert [row["position_unit"] for row in data["coordinates"]] == ["deg"] * 7 + ["m"]
    assert [row["unit"] for row in data["coordinates"]] == ["N m"] * 7 + ["N"]


def test_gravity_and_payloads_are_taken(capsys: pytest.CaptureFixture[str]) -> None:
    robot = arm()
    robot.gravity = (-9.0, 1.0, 2.0)
    inertia = [[0.01, 0.001, 0.002], [0.001, 0.02, 0.003], [0.002, 0.003, 0.025]]
    robot.set_payload("gripper_link", 1.5, (0.0, 0.01, 0.1), inertia)
    robot.set_payload("gripper_link", 0.5, name="camera")
    data = printed(
        capsys,
        "demo_arm",
        *ARM_STATE,
        *("--gravity", "-9,1,2"),
        *("--payload", "gripper_link:1.5:0,0.01,0.1:0.01,0.02,0.025,0.001,0.002,0.003"),
        *("--payload", "camera=gripper_link:0.5"),
    )
    terms = robot.effort_terms(*arm_state(robot))
    assert np.any(terms.payload)
    assert column(data, "payload") == pytest.approx(terms.payload, abs=EXACT)
    assert column(data, "gravity") == pytest.approx(terms.gravity, abs=EXACT)
    assert data["payload_mass"] == 2.0


@pytest.mark.parametrize("axes", ["world", "local"])
def test_wrenches_are_taken_in_either_axes(axes: str, capsys: pytest.CaptureFixture[str]) -> None:
    robot = arm()
    wrench = {"tool_center_point": [1.0, -2.0, 3.0, 4.0, -5.0, 6.0]}
    suffix = ":local" if axes == "local" else ""
    data = printed(
        capsys, "demo_arm", *ARM_STATE, "--wrench", f"tool_center_point:1,-2,3,4,-5,6{suffix}"
    )
    terms = robot.effort_terms(*arm_state(robot), wrench, wrench_axes=axes)
    assert column(data, "external") == pytest.approx(terms.external, abs=EXACT)


def test_wrenches_at_one_frame_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    twice = printed(capsys, "demo_arm", *["--wrench", "gripper_link:0,0,0,0,0,-5"] * 2)
    once = printed(capsys, "demo_arm", "--wrench", "gripper_link:0,0,0,0,0,-10")
    assert column(twice, "external") == pytest.approx(column(once, "external"), abs=EXACT)


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_joints_of_every_type_have_their_rows(
    base: str, capsys: pytest.CaptureFixture[str]
) -> None:
    robot = load(EVERY_JOINT, base=base, compile="off")
    data = printed(capsys, EVERY_JOINT, "--base", base)
    assert [row["name"] for row in data["coordinates"]] == list(robot.model.coordinate_names)
    assert column(data, "total") == pytest.approx(robot.gravity_force(robot.neutral()), abs=EXACT)


def test_the_base_is_that_of_a_mechanism_file(capsys: pytest.CaptureFixture[str]) -> None:
    platform = str(Path(__file__).parents[2] / "examples" / "gimbal_platform.yaml")
    data = printed(capsys, platform)
    assert data["base"] == "floating"
    assert data["coordinates"][0]["name"] == "floating_base/rx"
    assert printed(capsys, platform, "--base", "fixed")["base"] == "fixed"


def test_a_quaternion_is_given_by_its_parts(capsys: pytest.CaptureFixture[str]) -> None:
    robot = arm(base="floating")
    quaternion = "floating_base/qx=0.6,floating_base/qw=0.8,floating_base/z=2"
    data = printed(capsys, "demo_arm", "--base", "floating", "--q", quaternion)
    q = robot.configuration({"floating_base": [0, 0, 2, 0.6, 0, 0, 0.8]})
    assert column(data, "total") == pytest.approx(robot.gravity_force(q), abs=EXACT)
    assert [row["position"] for row in data["coordinates"][:6]] == [None] * 3 + [0.0, 0.0, 2.0]


def test_the_limit_and_the_range_are_watched(capsys: pytest.CaptureFixture[str]) -> None:
    data = printed(capsys, "demo_arm", "--a", "joint7=1e6", "--q", "joint2=9")
    limits = [joint.limits.effort for joint in arm().model.own_joints]
    assert column(data, "effort_limit").tolist() == limits
    share = 100.0 * np.abs(column(data, "total")) / limits
    assert column(data, "percent_of_limit") == pytest.approx(share)
    efforts, positions = data["notes"][:2]
    assert efforts.startswith("beyond the effort limit: ")
    assert f"'joint7' ({column(data, 'total')[6]:.4g} N m, allowed 30)" in efforts
    assert positions == "outside the range of positions: 'joint2' (9 rad, allowed -2 to 2)"


def test_a_note_is_in_the_unit_of_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    state = ["--degrees", "--q", "joint2=200,left_finger_joint=-1", "--v", "joint1=-200"]
    assert printed(capsys, "demo_arm", *state, "--friction")["notes"] == [
        "beyond the velocity limit: 'joint1' (-200 deg/s, allowed 126.1)",
        "outside the range of positions: 'joint2' (200 deg, allowed -114.6 to 114.6),"
        " 'left_finger_joint' (-1 m, allowed 0 to 0.04)",
    ]
    assert main(["torque", "demo_arm", *state]) == 0
    assert "\nnote: beyond the velocity limit: 'joint1' (" in capsys.readouterr().out


def test_at_its_limits_nothing_is_noted(capsys: pytest.CaptureFixture[str]) -> None:
    limits = arm().model.joint("joint2").limits
    assert limits.upper is not None
    state = ["--degrees", "--q", f"joint2={np.degrees(limits.upper):.12g}"]
    assert printed(capsys, "demo_arm", *state)["notes"] == []


@pytest.mark.parametrize("robot", ["demo_arm", "ur5", EVERY_JOINT])
def test_the_text_has_a_row_for_each_coordinate(
    robot: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["torque", robot]) == 0
    lines = capsys.readouterr().out.splitlines()
    headings = re.split(r"\s{2,}", lines[1])
    assert headings == ["coordinate", "unit", "position", *TERMS, "limit", "%"]
    model = load(find_robot(robot), compile="off").model
    rows = [re.split(r"\s{2,}", line) for line in lines[2 : 2 + model.nv]]
    assert [row[0] for row in rows] == list(model.coordinate_names)
    assert all(len(row) == len(headings) for row in rows)
    for row in rows:
        *terms, total = map(float, row[3:11])
        assert total == pytest.approx(sum(terms), abs=8e-3)


def test_a_robot_that_cannot_move_has_no_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["torque", str(OWN_ROBOTS / "single_link.urdf")]) == 0
    assert "mass" in capsys.readouterr().out


def test_the_docs_show_what_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    docs = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
    command = next(line for line in docs.splitlines() if line.startswith("$ robodyn torque "))
    assert main(command.split()[2:]) == 0
    assert capsys.readouterr().out in docs


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--q", "1,2"], "--q needs 8 numbers in the order panda_joint1, "),
        (["--q", "panda_joint1=x"], "--q: the value of 'panda_joint1' must be a finite number"),
        (["--q", "panda_joint1="], "must be a finite number, got ''"),
        (["--q", "nan"], "--q must be a finite number, got 'nan'"),
        (["--v", "panda_joint1=inf"], "--v: the value of 'panda_joint1' must be a finite number"),
        (["--v", "neutral"], "--v must be a finite number, got 'neutral'"),
        (
            ["--a", "panda_joint=1"],
            "no coordinate is called 'panda_joint'; available: panda_joint",
        ),
        (["--q", "panda_finger_joint2=1"], "follows joint 'panda_finger_joint1'"),
        (["--q", "panda_hand_joint=1"], "is fixed: no coordinate"),
        (["--q", ""], "--q must be a finite number, got ''"),
        (["--gravity", "1,2"], "--gravity needs 3 numbers x,y,z, got 2 in '1,2'"),
        (["--gravity", "-a,2,3"], None),
        (["--payload", "panda_hand"], "--payload must be [NAME=]FRAME:MASS"),
        (["--payload", "panda_hnd:1"], "no frame is called 'panda_hnd'; available: panda_hand"),
        (["--payload", "panda_hand:heavy"], "'MASS' must be a finite number, got 'heavy'"),
        (["--payload", "panda_hand:-1"], "mass must be > 0 kg, got -1"),
        (["--payload", "panda_hand:1:0,0"], "--payload needs 3 numbers x,y,z, got 2"),
        (["--payload", "panda_hand:1:0,0,0:1,2"], "needs 6 numbers ixx,iyy,izz,ixy,ixz,iyz"),
        (["--payload", "panda_hand:1:0,0,0:9,1,1,0,0,0"], "which no rigid body can have"),
        (["--payload", "panda_hand:1:0,0,0:1,1,1,0,0,0:9"], "--payload must be [NAME=]FRAME"),
        (["--payload", "panda_hand:1"] * 2, "give one a name, --payload NAME=panda_hand:1"),
        (["--wrench", "panda_hand:1,2,3"], "--wrench needs 6 numbers mx,my,mz,fx,fy,fz, got 3"),
        (["--wrench", "panda_hand:0,0,0,0,0,1:tool"], "--wrench must be FRAME:mx,my,mz"),
        (["--wrench", "hand:0,0,0,0,0,1"], "no frame is called 'hand'"),
        (["--base", "flying"], "'flying'"),
        (["--root", "nowhere"], "'nowhere'"),
        (["--q", "panda_joint1=1e308", "--v", "1e300,0,0,0,0,0,0,0"], "give smaller numbers"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_exit_code_2(
    arguments: list[str], said: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    if said is None:
        with pytest.raises(SystemExit) as ended:
            main(["torque", "panda", *arguments])
        assert ended.value.code == 2
        return
    assert main(["torque", "panda", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith("robodyn: ")
    assert said in line


def test_a_joint_of_several_coordinates_names_them(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["torque", "demo_arm", "--base", "floating", "--q"]
    assert main([*arguments, "floating_base=1"]) == 2
    assert "name one of floating_base/x, floating_base/y" in capsys.readouterr().err
    assert main([*arguments, "floating_base/qw=0.5"]) == 2
    assert "normalise it to 1" in capsys.readouterr().err


def test_frames_may_have_colons_and_equals_signs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = example("ur5_robot.urdf").read_text().replace('"ee_link"', '"a:=b::ee"')
    path = tmp_path / "ur5.urdf"
    path.write_text(text)
    renamed = printed(
        capsys, str(path), "--payload", "a:=b::ee:1:0,0,.1", "--wrench", "a:=b::ee:1,0,0,0,0,2"
    )
    plain = printed(
        capsys, "ur5", "--payload", "ee_link:1:0,0,.1", "--wrench", "ee_link:1,0,0,0,0,2"
    )
    assert column(renamed, "total").tolist() == column(plain, "total").tolist()
