"""What `pip install .` installs: the rooms, the data files and the commands, and nothing else."""

from __future__ import annotations

import importlib.metadata
import os
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

DATA_DIRECTORIES = ("launch", "config", "rviz", "urdf")
COMMANDS = {
    "computed_torque",
    "dynamics_server",
    "gravity_compensation",
    "impedance",
    "joint_trajectory_demo",
    "mujoco_simulator",
    "robodyn",
    "robodyn_node",
    "simulator",
    "state_publisher",
    "viewer",
}
DATA = "robodyn_ros-{version}.data/data"


@pytest.fixture(scope="module")
def version(root: Path) -> str:
    return ElementTree.parse(root / "package.xml").getroot().findtext("version", "")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory, copy_sources, run) -> Path:
    """A wheel built from a copy of the checkout."""
    base = tmp_path_factory.mktemp("wheel")
    sources = copy_sources(base / "sources")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    run([*pip, "--wheel-dir", base, sources], cwd=base)
    (built,) = base.glob("*.whl")
    return built


def files_below(directory: Path, *patterns: str) -> set[str]:
    found = (file for pattern in patterns for file in directory.rglob(pattern))
    return {
        file.relative_to(directory).as_posix()
        for file in found
        if file.is_file() and "__pycache__" not in file.parts
    }


def test_wheel_holds_exactly_the_package_and_its_data(root: Path, wheel: Path, version: str):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    data = DATA.format(version=version)
    package = files_below(root / "robodyn_ros", "*.py", "py.typed")
    expected = {f"robodyn_ros/{name}" for name in package}
    expected |= {
        f"{data}/share/ament_index/resource_index/packages/robodyn_ros",
        f"{data}/share/robodyn_ros/package.xml",
    }
    for top in DATA_DIRECTORIES:
        expected |= {f"{data}/share/robodyn_ros/{top}/{n}" for n in files_below(root / top, "*")}
    assert names == expected
    assert "robodyn_ros/py.typed" in names


def test_every_room_is_a_package(root: Path):
    entries = (root / "robodyn_ros").iterdir()
    directories = [path for path in entries if path.is_dir() and path.name[0] not in "._"]
    assert len(directories) >= 9
    assert [room.name for room in directories if not (room / "__init__.py").is_file()] == []


def test_installed_wheel_imports_and_has_its_commands(
    tmp_path: Path, wheel: Path, run, version: str
):
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--ignore-installed"]
    run([*pip, "--prefix", tmp_path, wheel], cwd=tmp_path)
    assert {path.name for path in (tmp_path / "bin").iterdir()} == COMMANDS
    (site,) = tmp_path.glob("lib/python3.*/site-packages")
    environ = {"PYTHONPATH": os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])}
    code = "import robodyn_ros as rd, importlib.metadata as m; print(rd.__file__)"
    shown = run([sys.executable, "-c", code], cwd=tmp_path, environ=environ).stdout.strip()
    assert Path(shown) == site / "robodyn_ros" / "__init__.py"
    helped = run([tmp_path / "bin" / "robodyn", "--help"], cwd=tmp_path, environ=environ)
    assert "report" in helped.stdout
    assert (site / f"robodyn_ros-{version}.dist-info" / "METADATA").is_file()


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_entry_point_is_callable(command: str):
    (entry,) = importlib.metadata.entry_points(group="console_scripts", name=command)
    assert callable(entry.load())


def test_ament_finds_the_package_and_its_data(root: Path):
    from ament_index_python import get_package_prefix, get_package_share_directory

    share = Path(get_package_share_directory("robodyn_ros"))
    assert (share / "package.xml").read_bytes() == (root / "package.xml").read_bytes()
    for top in DATA_DIRECTORIES:
        assert files_below(share / top, "*") == files_below(root / top, "*") != set()
    executables = Path(get_package_prefix("robodyn_ros")) / "lib" / "robodyn_ros"
    assert {path.name for path in executables.iterdir() if os.access(path, os.X_OK)} == COMMANDS
