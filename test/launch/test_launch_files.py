"""Launch files: all that they name exists; and they run for real wherever launch_ros imports."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from launch_files import (
    LAUNCH_FILES,
    ROOT,
    calls,
    constants,
    declared,
    files,
    keyword,
    our_executables,
    rows,
    tree,
    used,
    value,
)
from robodyn_ros.launching.rows import FOLLOWED
from robodyn_ros.ros.parameter_tables import PARAMETERS

OTHER_PACKAGES = {
    "controller_manager": {"spawner"},
    "ros_gz_bridge": {"parameter_bridge"},
    "ros_gz_sim": {"create"},
    "rviz2": {"rviz2"},
}
"""Executables of packages that are named besides our own; see `public_names.yaml`."""


def test_there_are_launch_files() -> None:
    names = {path.name for path in LAUNCH_FILES}
    ours = {"bringup", "control", "demo", "dynamics", "gazebo", "mujoco", "simulation"}
    assert {f"{name}.launch.py" for name in ours} <= names


@pytest.mark.parametrize("path", LAUNCH_FILES, ids=lambda path: path.name)
def test_a_launch_file_compiles_and_says_how_it_is_used(path: Path) -> None:
    compile(path.read_text(), str(path), "exec")
    text = ast.get_docstring(tree(path)) or ""
    assert f"ros2 launch robodyn_ros {path.name}" in text


@pytest.mark.parametrize("path", LAUNCH_FILES, ids=lambda path: path.name)
def test_every_package_and_executable_exists(path: Path) -> None:
    nodes = calls(path, "Node")
    assert nodes
    for node in nodes:
        package = value(path, keyword(node, "package"))
        executable = value(path, keyword(node, "executable"))
        known = our_executables() if package == "robodyn_ros" else OTHER_PACKAGES[package]
        assert executable in known


@pytest.mark.parametrize("path", LAUNCH_FILES, ids=lambda path: path.name)
def test_every_file_named_exists_and_is_installed(path: Path) -> None:
    named = files(path)
    assert named
    installed = re.search(r"DATA_DIRECTORIES = \((.*?)\)", (ROOT / "setup.py").read_text())
    for parts in named:
        assert ROOT.joinpath(*parts).is_file()
        assert f'"{parts[0]}"' in installed.group(1)


@pytest.mark.parametrize("path", LAUNCH_FILES, ids=lambda path: path.name)
def test_arguments_declared_are_used_and_arguments_used_are_declared(path: Path) -> None:
    assert declared(path) == used(path)


@pytest.mark.parametrize(
    ("file", "node", "some"),
    [
        ("bringup", "state_publisher", {"publish_base"}),
        ("bringup", "robodyn_node", {"publish_base"}),
        ("dynamics", "dynamics_server", {"gravity_source", "gravity_frame"}),
    ],
)
def test_parameters_that_are_set_are_those_of_the_node(
    file: str, node: str, some: set[str]
) -> None:
    path = ROOT / "launch" / f"{file}.launch.py"
    kinds = {spec.name: spec.kind for spec in PARAMETERS[node]} | {"use_sim_time": bool}
    names = [row[0] for row in rows(path, "PARAMETERS")]
    assert {"base", "base_input", "world_frame"} | some <= set(names) <= kinds.keys()
    assert {kinds[name] for name in names} == {bool, str}
    assert {x for x in names if kinds[x] is bool} == set(constants(path)["FLAGS"]) & set(names)


@pytest.mark.parametrize(
    ("file", "node"), [("simulation", "simulator"), ("mujoco", "mujoco_simulator")]
)
def test_parameters_of_a_simulation_are_those_of_the_simulator(file: str, node: str) -> None:
    path = ROOT / "launch" / f"{file}.launch.py"
    kinds = {spec.name: spec.kind for spec in PARAMETERS[node]}
    names = [row[0] for row in rows(path, "PARAMETERS")]
    assert {"initial_state", "integrator", "frame_prefix", "base"} <= kinds.keys()
    assert {kinds[name] for name in names} == {bool, str}
    assert {x for x in names if kinds[x] is bool} == set(constants(path)["FLAGS"]) & set(names)


@pytest.mark.parametrize("name", ["demo", "gazebo"])
def test_arguments_that_are_forwarded_exist_where_they_go(name: str) -> None:
    path, bringup = (ROOT / "launch" / f"{x}.launch.py" for x in (name, "bringup"))
    assert set(constants(path)["FORWARDED"]) <= declared(bringup)
    assert set(FOLLOWED) <= declared(bringup)


@pytest.mark.parametrize("path", LAUNCH_FILES, ids=lambda path: path.name)
def test_every_value_of_true_or_false_is_a_flag(path: Path) -> None:
    switches = {row[0] for row in rows(path, "ARGUMENTS") if row[1] in ("true", "false")}
    assert switches <= set(constants(path)["FLAGS"]) <= declared(path)
    assert calls(path, "checked")
