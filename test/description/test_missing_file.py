"""A path that leads to no file: what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.errors import DescriptionError
from robodyn_ros.ros.description_source import load_file

GOOD = '<robot name="r"><link name="a"/></robot>'
TORN = '<robot name="r">\n<link name="a">\n</robot>'
WRONG = '<robot name="r">\n<link/></robot>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "panda.urdf").write_text(GOOD)
    (tmp_path / "notes.txt").write_text("x")
    return tmp_path


def refusal(path: object) -> str:
    with pytest.raises(DescriptionError) as caught:
        load_model(path)  # type: ignore[arg-type]
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 600
    return text


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("pnada.urdf", "(did you mean '{folder}/panda.urdf'?)"),
        ("Panda.URDF", "(did you mean '{folder}/panda.urdf'?)"),
        ("ur5.xacro", "('{folder}' has 'panda.urdf')"),
        ("urdf/panda.urdf", "('{folder}' has no folder 'urdf')"),
        ("urdf/arms/panda.urdf", "('{folder}' has no folder 'urdf')"),
        ("panda.urdf/x.urdf", "('{folder}/panda.urdf' is a file)"),
        ("", "(it holds 'panda.urdf')"),
    ],
)
def test_the_nearest_that_exists_is_named(folder: Path, path: str, hint: str) -> None:
    text = refusal(folder / path)
    assert text.startswith(f"cannot read '{folder / path}': ")
    assert hint.replace("{folder}", str(folder)) in text


def test_a_relative_path_is_told_with_the_folder_it_starts_from(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert f"('{folder}' has no folder 'urdf')" in refusal("urdf/panda.urdf")


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("package://my_robot/urdf/arm.urdf", "ros2 pkg prefix --share PACKAGE"),
        ("file:///opt/arm.urdf", "a URI is not resolved here"),
        ("$(find-pkg-share my_robot)/arm.urdf", "only launch files resolve $(...)"),
        ("~nobody_of_this_name/arm.urdf", "no such user"),
    ],
)
def test_what_is_no_plain_path_is_told(path: str, hint: str) -> None:
    assert hint in refusal(path)


def test_a_folder_without_descriptions_is_told(tmp_path: Path) -> None:
    assert "(it holds no description)" in refusal(tmp_path)
    assert f"('{tmp_path}' has no such file)" in refusal(tmp_path / "arm.urdf")


def test_names_of_files_stay_on_their_line_and_short(tmp_path: Path) -> None:
    (tmp_path / ("a\n" * 100 + ".urdf")).write_text(GOOD)
    assert "..." in refusal(tmp_path / "arm.urdf")


def test_home_is_found_behind_a_tilde(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    assert load_model("~/panda.urdf").name == "r"
    assert f"did you mean '{folder}/panda.urdf'?" in refusal("~/pamda.urdf")


@pytest.mark.parametrize("suffix", [".urdf", ".urdf.xacro"])
@pytest.mark.parametrize("text", [TORN, WRONG])
def test_every_error_of_a_file_begins_with_its_path(tmp_path: Path, suffix: str, text: str) -> None:
    file = tmp_path / f"arm{suffix}"
    file.write_text(text)
    for load in (load_model, load_file):
        with pytest.raises(DescriptionError) as caught:
            load(str(file))
        assert str(caught.value).startswith(str(file))
        assert str(caught.value).count(str(file)) == 1


@pytest.mark.parametrize("suffix", [".urdf", ".urdf.xacro"])
def test_a_node_reads_a_robot_and_its_name_from_a_file(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"arm{suffix}"
    file.write_text('<robot><link name="a"/></robot>')
    found = load_file(str(file))
    assert found.robot.model.name == "arm"
    assert '<link name="a"/>' in found.text
