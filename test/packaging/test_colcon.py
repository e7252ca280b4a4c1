"""`colcon build`: in this directory by colcon_defaults.yaml, and as part of a workspace."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

PACKAGES = ["robodyn_interfaces", "robodyn_ros"]
COMMANDS = {
    "computed_torque",
    "dynamics_server",
    "gravity_compensation",
    "impedance",
    "joint_trajectory_demo",
    "mujoco_simulator",
    "robodyn",
    "robodyn_node",
    "state_publisher",
    "simulator",
    "viewer",
}
WORKSPACE_PATHS = ["--base-paths", "src", "src/*/interfaces"]
#: A message within another, and a service. All of them, from the same CMakeLists.txt, the bootstrap
#: has just built for the environment that this test runs in.
BUILT = ("msg/BodyState.msg", "msg/BodyStateArray.msg", "srv/BodyMotion.srv")
DEFINITION = re.compile(r'^ *"((?:msg|srv)/\w+\.(?:msg|srv))"\n', re.MULTILINE)


@pytest.fixture(scope="module")
def ament() -> dict[str, str]:
    """Variables with which CMake finds ament, as a sourced setup file would set them."""
    prefixes = os.environ["AMENT_PREFIX_PATH"]
    return {"CMAKE_PREFIX_PATH": prefixes, "COLCON_LOG_LEVEL": "error"}


@pytest.fixture(scope="module")
def workspace(
    tmp_path_factory, copy_sources, run, root: Path, bootstrap_module, ament: dict[str, str]
) -> Path:
    """A workspace with this repository below src/, built."""
    base = tmp_path_factory.mktemp("workspace")
    copied = copy_sources(base / "src" / "robodyn_ros")
    # Generating code from definitions without comments takes half the time.
    copy = bootstrap_module("interfaces").copy_without_comments
    reduce_definitions(copy(root / "interfaces", copied / "interfaces") / "CMakeLists.txt")
    cmake = [
        "-DBUILD_TESTING=OFF",
        f"-DPython3_EXECUTABLE={sys.executable}",
        # The result is not run for its speed.
        "-DCMAKE_C_FLAGS=-O0",
        "-DCMAKE_CXX_FLAGS=-O0",
        f"-DCMAKE_PROJECT_INCLUDE={root / 'bootstrap' / 'unity.cmake'}",
    ]
    run(["colcon", "build", *WORKSPACE_PATHS, "--cmake-args", *cmake], base, ament)
    return base


def reduce_definitions(file: Path) -> None:
    """Leave three definitions; the code of all takes several times as long to make."""
    text = file.read_text(encoding="utf-8")
    assert set(BUILT) < set(DEFINITION.findall(text))
    fewer = DEFINITION.sub(lambda line: line[0] if line[1] in BUILT else "", text)
    file.write_text(fewer, encoding="utf-8")


def listed(run, directory: Path, environ: dict[str, str], *arguments: str) -> list[str]:
    return sorted(
        run(["colcon", "list", "--names-only", *arguments], directory, environ).stdout.split()
    )


def test_both_packages_are_found_in_this_directory(tmp_path, copy_sources, run, ament):
    assert listed(run, copy_sources(tmp_path / "checkout"), ament) == PACKAGES


def test_workspace_finds_both_packages_and_no_other(tmp_path, copy_sources, run, ament):
    copy_sources(tmp_path / "src" / "robodyn_ros")
    assert listed(run, tmp_path, ament, *WORKSPACE_PATHS) == PACKAGES


def assert_installed(install: Path) -> None:
    prefix = install / "robodyn_ros"
    executables = prefix / "lib" / "robodyn_ros"
    assert {path.name for path in executables.iterdir() if os.access(path, os.X_OK)} == COMMANDS
    marker = prefix / "share" / "ament_index" / "resource_index" / "packages" / "robodyn_ros"
    assert marker.is_file()
    for name in ("launch", "config", "rviz", "urdf"):
        assert any((prefix / "share" / "robodyn_ros" / name).iterdir())


def test_workspace_build_installs_what_ros2_run_and_launch_look_for(workspace: Path):
    assert_installed(workspace / "install")


def test_built_workspace_runs_once_sourced(workspace: Path, run, tmp_path: Path):
    code = (
        "import robodyn_ros, robodyn_interfaces.msg as m, ament_index_python as a;"
        "print(robodyn_ros.__file__, m.__file__, a.get_package_share_directory('robodyn_ros'))"
    )
    script = (
        f'. {workspace}/install/setup.sh && "$0" -c "{code}" && which robodyn && robodyn --help'
    )
    shown = run(["sh", "-c", script, sys.executable], tmp_path).stdout
    places = shown.splitlines()[0].split()
    places += shown.splitlines()[1:2]
    assert [place for place in places if not place.startswith(str(workspace / "install"))] == []
    assert len(places) == 4
    assert "report" in shown


def test_build_in_this_directory_installs_the_same(
    workspace: Path, tmp_path, copy_sources, run, ament
):
    checkout = copy_sources(tmp_path / "checkout")
    # The interfaces, which take longest, are there from the workspace.
    (checkout / "install").symlink_to(workspace / "install")
    shutil.rmtree(workspace / "install" / "robodyn_ros")
    run(["colcon", "build", "--packages-select", "robodyn_ros"], checkout, ament)
    assert_installed(workspace / "install")
