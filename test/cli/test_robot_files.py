"""Robots by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_ros import load
from robodyn_ros.cli.robot_files import find_robot
from robodyn_ros.errors import DescriptionError
from robots import example


def test_our_own_arm_is_found_without_a_path() -> None:
    assert find_robot("demo_arm").name == "demo_arm.urdf"
    assert find_robot("demo_arm").is_file()


@pytest.mark.parametrize(
    ("name", "file"),
    [("panda", "panda.urdf"), ("ur5_robot", "ur5_robot.urdf"), ("talos_reduced", None)],
)
def test_robots_of_example_robot_data_go_by_file_or_folder(name: str, file: str | None) -> None:
    assert find_robot(name) == example(file or f"{name}.urdf")


def test_a_folder_stands_for_its_plainest_robot() -> None:
    assert find_robot("talos").parent.parent.name == "talos_data"


def test_a_file_is_itself(tmp_path: Path) -> None:
    path = tmp_path / "some.urdf"
    path.write_text("<robot/>")
    assert find_robot(str(path)) == path


def test_an_unknown_name_lists_near_ones() -> None:
    with pytest.raises(DescriptionError, match=r"no robot 'pandda'; there are .*panda"):
        find_robot("pandda")


def test_the_end_of_a_name_and_the_home_directory_may_be_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_robot("ur5") == find_robot("ur5_robot")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "arm.urdf").write_text("<robot name='r'><link name='a'/></robot>")
    assert find_robot("~/arm.urdf") == tmp_path / "arm.urdf"
    assert load("~/arm.urdf", compile="off").model.name == "r"
