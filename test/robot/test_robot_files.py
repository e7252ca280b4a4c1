"""Robots by name."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

import pytest

from robodyn_ros import find_robot, load
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


def test_a_name_in_place_of_a_path_is_told_what_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DescriptionError, match=r"'panda' is no file, but .*load\(find_robot\('pa"):
        load("panda")
    for path in (
        "pandda",
        "nowhere/panda",
        "panda.urdf",
        "~nosuchuser",
        "~nosuchuser/x",
        "a\0/b",
        "",
    ):
        with pytest.raises(DescriptionError) as caught:
            load(path)
        assert "find_robot" not in str(caught.value)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "panda").write_text("<robot name='own'><link name='a'/></robot>")
    assert load("panda", compile="off").model.name == "own"
    assert load(find_robot("panda"), compile="off").model.name == "own"


def test_where_example_robot_data_is_missing_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is on a machine where only what the package needs is installed."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)
    monkeypatch.setattr(sysconfig, "get_paths", lambda: {"purelib": str(tmp_path)})
    with pytest.raises(DescriptionError) as caught:
        find_robot("panda")
    assert "`make venv` in the source tree, or pip install example-robot-data" in str(caught.value)
    assert find_robot("demo_arm").is_file()


def test_a_file_is_itself(tmp_path: Path) -> None:
    path = tmp_path / "some.urdf"
    path.write_text("<robot/>")
    assert find_robot(str(path)) == path


def test_an_unknown_name_lists_near_ones() -> None:
    with pytest.raises(DescriptionError) as caught:
        find_robot("pandda")
    message = str(caught.value)
    assert message.startswith("'pandda' is no file and no robot's name; give the path of a .urdf")
    assert "robots: panda, " in message


def test_an_unknown_name_lists_near_files_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "panda2.urdf").write_text("<robot/>")
    with pytest.raises(DescriptionError, match=r"files: 'panda2.urdf', \.\.\.; robots: panda, "):
        find_robot("panda.urdf")


def test_a_file_wins_over_a_name_and_a_name_over_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "panda").mkdir()
    assert find_robot("panda") == example("panda.urdf")
    (tmp_path / "ur5").write_text("<robot/>")
    assert find_robot("ur5") == tmp_path / "ur5"


def test_a_folder_that_is_no_robot_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(DescriptionError, match=f"'{tmp_path}' is a folder and no robot's name"):
        find_robot(str(tmp_path))


@pytest.mark.parametrize("name", ["", "\0", "x" * 5000, "a\nb", "\udcff"])
def test_what_can_be_no_name_is_an_error_of_one_line(name: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        find_robot(name)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_a_path_that_is_too_long_is_left_to_its_reader() -> None:
    path = f"/{'x' * 300}/arm.yaml"
    with pytest.raises(DescriptionError, match="File name too long"):
        load(find_robot(path))


def test_a_path_is_left_to_its_reader_even_if_nothing_is_there() -> None:
    assert find_robot("no/such.urdf") == Path.cwd() / "no/such.urdf"


def test_the_end_of_a_name_and_the_home_directory_may_be_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_robot("ur5") == find_robot("ur5_robot")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "arm.urdf").write_text("<robot name='r'><link name='a'/></robot>")
    assert find_robot("~/arm.urdf") == tmp_path / "arm.urdf"
    assert load("~/arm.urdf", compile="off").model.name == "r"
