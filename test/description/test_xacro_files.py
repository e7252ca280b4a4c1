"""Xacro: expanded from a file that the caller names, and only then."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.errors import DescriptionError

MACROS = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="arm" params="side y">
    <link name="${side}_arm">
      <inertial><mass value="${2 * mass}"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    </link>
    <joint name="${side}_shoulder" type="revolute">
      <parent link="torso"/><child link="${side}_arm"/><origin xyz="0 ${y} 0"/>
    </joint>
  </xacro:macro>
</robot>
"""
ROBOT = """<?xml version="1.0"?>
<!-- $(not expanded) ${nor this} -->
<robot name="twin" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="mass" value="0.75"/>
  <xacro:include filename="arm.xacro"/>
  <link name="torso"/>
  <xacro:arm side="left" y="0.2"/>
  <xacro:arm side="right" y="${-0.2}"/>
</robot>
"""
SIDE_EFFECT = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <link name="${open('{}', 'w')}"/>
</robot>
"""


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    """Write a robot of two xacro files and return its path."""
    (tmp_path / "arm.xacro").write_text(MACROS)
    path = tmp_path / "twin.urdf.xacro"
    path.write_text(ROBOT)
    return path


def test_a_named_file_is_expanded(robot: Path) -> None:
    pytest.importorskip("xacro", reason="PACKAGE xacro IS NOT INSTALLED: expansion goes untested")
    for source in (robot, str(robot)):
        model = load_model(source)
        assert model.name == "twin"
        assert model.joint_names == ("left_shoulder", "right_shoulder")
        assert model.joint("right_shoulder").position.tolist() == [0.0, -0.2, 0.0]
        assert sum(body.mass for body in model.bodies) == 3.0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (ROBOT.replace("${-0.2}", "${undefined + 1}"), "undefined"),
        (ROBOT.replace("arm.xacro", "absent.xacro"), "absent.xacro"),
        (ROBOT.replace("</robot>", ""), "xacro cannot expand this file"),
        (ROBOT.replace("xacro:arm side", "xacro:leg side"), "leg"),
    ],
)
def test_what_xacro_cannot_expand_is_one_line(robot: Path, text: str, complaint: str) -> None:
    pytest.importorskip("xacro", reason="PACKAGE xacro IS NOT INSTALLED: expansion goes untested")
    robot.write_text(text)
    with pytest.raises(DescriptionError, match=complaint) as caught:
        load_model(robot)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(robot))


def test_errors_behind_the_expansion_say_so(robot: Path) -> None:
    pytest.importorskip("xacro", reason="PACKAGE xacro IS NOT INSTALLED: expansion goes untested")
    robot.write_text(ROBOT.replace('value="0.75"', 'value="-1"'))
    with pytest.raises(DescriptionError, match=r"twin\.urdf\.xacro \(expanded\): line \d+: <mass>"):
        load_model(robot)


def test_without_the_package_the_error_names_it(
    robot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xacro", None)
    with pytest.raises(DescriptionError, match="needs the Python package 'xacro'"):
        load_model(robot)


def test_an_absent_file_is_not_blamed_on_xacro(tmp_path: Path) -> None:
    with pytest.raises(DescriptionError, match="cannot read"):
        load_model(tmp_path / "absent.urdf.xacro")


def test_text_and_other_files_are_never_expanded(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    text = SIDE_EFFECT.replace("{}", str(mark))
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    for source in (text, text.encode(), path):
        with pytest.raises(DescriptionError, match="looks like unprocessed xacro"):
            load_model(source)
    assert not mark.exists()
