"""`robodyn gazebo`: files written, what is told, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

import robodyn_ros as rd
from robodyn_ros.cli.main import main

ROBOTS = Path(__file__).parents[1] / "description" / "robots"


def test_the_urdf_the_yaml_and_the_bridge_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    urdf, bridge = tmp_path / "arm.urdf", tmp_path / "bridge.yaml"
    words = ["gazebo", "demo_arm", "--output", str(urdf), "--bridge", str(bridge)]
    assert main([*words, "--q", "joint2=0.5,joint4=-1", "--rate", "250", "--pose", "0,0,1"]) == 0
    out, err = capsys.readouterr()
    controllers = tmp_path / "arm_controllers.yaml"
    assert f"urdf: {urdf}\n" in out
    assert f"controllers: {controllers}\n" in out
    assert "demo_arm: 10 bodies, 20.82 kg, 8 joints with efforts, 1 followers" in out
    assert err.startswith("lost: joint 'right_finger_joint'")
    root = ElementTree.fromstring(urdf.read_text())
    assert root.findtext("gazebo/plugin/parameters") == str(controllers)
    begun = root.find("ros2_control/joint[@name='joint2']/state_interface/param")
    assert begun.text == "0.5"
    data = yaml.safe_load(controllers.read_text())
    assert data["controller_manager"]["ros__parameters"]["update_rate"] == 250
    names = data["forward_effort_controller"]["ros__parameters"]["joints"]
    robot = rd.load(urdf, compile="off")
    assert tuple(names) == robot.model.joint_names
    assert yaml.safe_load(bridge.read_text())[0]["direction"] == "GZ_TO_ROS"


def test_the_page_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
    command, _, rest = docs.partition("$ robodyn gazebo ")[2].partition("\n")
    monkeypatch.chdir(tmp_path)
    assert main(["gazebo", *command.split()]) == 0
    assert capsys.readouterr().out == rest.partition("```")[0]


def test_without_an_output_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["gazebo", "demo_arm"]) == 0
    assert "8 joints with efforts" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_a_yaml_that_exists_is_named_and_not_written(tmp_path: Path) -> None:
    urdf = tmp_path / "arm.urdf"
    words = ["gazebo", "demo_arm", "--output", str(urdf), "--parameters", "/etc/own.yaml"]
    assert main([*words, "--namespace", "left", "--no-hold"]) == 0
    plugin = ElementTree.fromstring(urdf.read_text()).find("gazebo/plugin")
    assert plugin.findtext("parameters") == "/etc/own.yaml"
    assert plugin.findtext("hold_joints") == "false"
    assert plugin.findtext("ros/namespace") == "/left"
    assert [path.name for path in tmp_path.iterdir()] == ["arm.urdf"]


def test_masses_are_a_table_and_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gazebo", "demo_arm", "--masses"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:3] == ["body", "joint", "mass"]
    assert len(lines) == 13
    assert lines[-1] == "total 20.82 kg"
    assert main(["gazebo", "demo_arm", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["total_mass"] == pytest.approx(20.82)
    robot = rd.load(rd.find_robot("demo_arm"), compile="off")
    lumps = robot.report().to_dict()["lumps"]
    assert [body["mass"] for body in data["bodies"]] == pytest.approx([x["mass"] for x in lumps])
    assert {tuple(body["links"]) for body in data["bodies"]} == {tuple(x["links"]) for x in lumps}


def test_strict_writes_nothing_where_something_is_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    urdf, robot = tmp_path / "tip.urdf", str(ROBOTS / "massless_tip.urdf")
    words = ["gazebo", robot, "--output", str(urdf)]
    assert main([*words, "--strict"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "no mass; Gazebo drops it" in err
    assert list(tmp_path.iterdir()) == []
    assert main([*words, "--strict", "--token-mass", "0.01"]) == 0
    assert urdf.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--output", "arm.sdf"], "must end in .urdf"),
        (["--output", "nowhere/arm.urdf"], "there is no folder"),
        (["--controllers", "c.txt"], "must end in .yaml or .yml"),
        (["--controllers", "c.yaml", "--parameters", "d.yaml"], "give one"),
        (["--bridge", "b"], "must end in .yaml or .yml"),
        (["--base", "prescribed"], "base must be fixed or floating"),
        (["--pose", "1,2"], "a pose is x,y,z or x,y,z,roll,pitch,yaw, got '1,2'"),
        (["--pose", "1,2,x"], "a pose must be of finite numbers, got 'x'"),
        (["--q", "joint1"], "positions are given as joint=value, got 'joint1'"),
        (["--q", "joint1=inf"], "the position of 'joint1' must be of finite numbers"),
        (["--q", "jiont1=0"], "no joint is called 'jiont1'"),
        (["--q", "right_finger_joint=0"], "left_finger_joint"),
        (["--keep", "joint1"], "joint 'joint1' is not fixed"),
        (["--rate", "0"], "rate must be 1 to 10000 Hz"),
        (["--token-mass", "-1"], "the token mass must be at least"),
        (["--namespace", "a-b"], "must be words of letters"),
    ],
)
def test_what_cannot_be_is_one_line(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["gazebo", "demo_arm", *words]) == 2
    out, err = capsys.readouterr()
    (line,) = err.splitlines()
    assert out == ""
    assert said in line
    assert list(tmp_path.iterdir()) == []


def test_a_robot_that_gazebo_cannot_read_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gazebo", str(ROBOTS / "planar_axes.urdf")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "is planar, and Gazebo reads no such joint from a URDF" in line


def test_no_file_of_another_kind_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    source = (ROBOTS / "skew_axes.urdf").read_bytes()
    for name in ("own.urdf", "other.urdf", "mine.yaml"):
        Path(name).write_bytes(source)

    def complaint(*words: str) -> str:
        assert main(["gazebo", *words]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        return err

    for words in (
        ("--output", "own.urdf"),
        ("--output", "other.urdf"),
        ("--output", "new.urdf", "--controllers", "mine.yaml"),
        ("--output", "new.urdf", "--bridge", "mine.yaml"),
    ):
        assert "was not written by this command" in complaint("own.urdf", *words)
    both = ("--controllers", "both.yaml", "--bridge", "both.yaml")
    assert "written twice" in complaint("own.urdf", "--output", "new.urdf", *both)
    assert {path.name for path in Path.cwd().iterdir()} == {"own.urdf", "other.urdf", "mine.yaml"}
    assert all(path.read_bytes() == source for path in Path.cwd().iterdir())
    again = ["gazebo", "own.urdf", "--output", "new.urdf", "--bridge", "clock.yaml"]
    assert main(again) == 0
    assert main(again) == 0
    again = ["gazebo", "new.urdf", "--replace", "--output", "new.urdf"]
    assert main(again) == 2
