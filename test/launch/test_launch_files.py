"""Launch files: all that they name exists; and they run for real wherever launch_ros imports."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from rcl_interfaces.msg import ParameterType
from rcl_interfaces.srv import GetParameters
from sensor_msgs.msg import JointState

from robodyn_ros.ros.parameter_tables import PARAMETERS
from ros_graph import Graph, NodeProcess
from tf2_msgs.msg import TFMessage

ROOT = Path(__file__).parents[2]
LAUNCH_FILES = sorted((ROOT / "launch").glob("*.launch.py"))
OTHER_PACKAGES = {"rviz2": {"rviz2"}}
"""Executables of packages that are named besides our own."""
HAS_LAUNCH = importlib.util.find_spec("launch_ros") is not None


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def calls(path: Path, name: str) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]


def constants(path: Path) -> dict[str, object]:
    """Return the module's constants."""
    found = {}
    for node in tree(path).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = ast.literal_eval(node.value)
    return found


def value(path: Path, node: ast.expr) -> object:
    if isinstance(node, ast.Name):
        return constants(path)[node.id]
    return ast.literal_eval(node)


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((k.value for k in call.keywords if k.arg == name), None)


def rows(path: Path, *tables: str) -> list[tuple[str, ...]]:
    """Return the rows of those of the tables that a file has."""
    return [row for table in tables for row in constants(path).get(table, ())]


def declared(path: Path) -> set[str]:
    names = {row[0] for row in rows(path, "ARGUMENTS", "PARAMETERS", "FILES")}
    for call in calls(path, "DeclareLaunchArgument"):
        if isinstance(call.args[0], ast.Constant):
            names.add(call.args[0].value)
    return names


def used(path: Path) -> set[str]:
    names = set(constants(path).get("FORWARDED", ()))
    names |= {row[0] for row in rows(path, "PARAMETERS")}
    for call in calls(path, "LaunchConfiguration"):
        if isinstance(call.args[0], ast.Constant):
            names.add(call.args[0].value)
    return names


def our_executables() -> set[str]:
    return set(re.findall(r'"(\w+) = robodyn_ros\.', (ROOT / "setup.py").read_text()))


def test_there_are_launch_files() -> None:
    names = {path.name for path in LAUNCH_FILES}
    ours = {"bringup", "demo", "dynamics", "simulation"}
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
    joined = calls(path, "PathJoinSubstitution")
    assert joined
    installed = re.search(r"DATA_DIRECTORIES = \((.*?)\)", (ROOT / "setup.py").read_text())
    named = [parts for _, parts, _ in rows(path, "FILES")]
    for call in joined:
        parts = call.args[0].elts[1:]
        if not any(isinstance(part, ast.Starred) for part in parts):
            named.append(tuple(part.value for part in parts))
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
    names = [name for name, _ in rows(path, "PARAMETERS")]
    assert {"base", "base_input", "world_frame"} | some <= set(names) <= kinds.keys()
    assert {kinds[name] for name in names} == {bool, str}
    assert [x for x in names if kinds[x] is bool] == list(constants(path)["FLAGS"])


def test_parameters_of_a_simulation_are_those_of_the_simulator() -> None:
    path = ROOT / "launch" / "simulation.launch.py"
    kinds = {spec.name: spec.kind for spec in PARAMETERS["simulator"]}
    names = [name for name, _ in rows(path, "PARAMETERS")]
    assert {"initial_state", "integrator", "frame_prefix", "base"} <= kinds.keys()
    assert {kinds[name] for name in names} == {bool, str}
    assert [x for x in names if kinds[x] is bool] == list(constants(path)["FLAGS"])


@pytest.mark.parametrize("name", ["demo", "simulation"])
def test_arguments_that_are_forwarded_exist_where_they_go(name: str) -> None:
    path, bringup = (ROOT / "launch" / f"{x}.launch.py" for x in (name, "bringup"))
    assert set(constants(path)["FORWARDED"]) <= declared(bringup)


REAL = pytest.mark.skipif(
    not HAS_LAUNCH, reason="launch_ros is not installed: no ros2 launch to run"
)
WITH_RVIZ = [path for path in LAUNCH_FILES if "rviz" in declared(path)]
FLAGS = (
    *("rviz", "publish_base", "use_sim_time", "driver_compensates_gravity", "dynamics", "viewer"),
    "simulator",
)
ROS2 = [sys.executable, "-c", "import sys; from ros2cli.cli import main; sys.exit(main())"]


def launch(graph: Graph, file: str, *arguments: str, **environment: str) -> NodeProcess:
    command = [*ROS2, "launch", str(ROOT / "launch" / file), *arguments]
    return graph.run(command, PYTHONUNBUFFERED="1", **environment)


def prefix_without_rviz(directory: Path) -> str:
    """Return an ament prefix that has this package and no other."""
    index = directory / "share" / "ament_index" / "resource_index" / "packages"
    index.mkdir(parents=True)
    (index / "robodyn_ros").touch()
    share = directory / "share" / "robodyn_ros"
    share.mkdir()
    for name in ("launch", "config", "rviz", "urdf"):
        (share / name).symlink_to(ROOT / name)
    return str(directory)


@REAL
def test_the_demo_launches_for_real_and_ends_quietly(graph: Graph) -> None:
    tf = graph.listen(TFMessage, "/tf")
    process = launch(graph, "demo.launch.py", "frame_prefix:=a/")
    graph.wait(lambda: len(tf) > 20, "transforms")
    assert tf[-1].transforms[0].child_frame_id.startswith("a/")
    assert process.stop(signal.SIGINT) == 0
    assert len(process.lines("finished cleanly")) == 2
    assert "Traceback" not in process.output


@REAL
def test_a_simulation_launches_for_real_and_ends_quietly(graph: Graph) -> None:
    tf = graph.listen(TFMessage, "/tf")
    process = launch(graph, "simulation.launch.py", "frame_prefix:=a/")
    graph.wait(lambda: len(tf) > 20, "transforms")
    assert tf[-1].transforms[0].child_frame_id.startswith("a/")
    assert process.stop(signal.SIGINT) == 0
    assert len(process.lines("finished cleanly")) == 2
    assert "Traceback" not in process.output


@REAL
def test_the_demo_may_be_simulated(graph: Graph) -> None:
    states = graph.listen(JointState, "joint_states")
    process = launch(graph, "demo.launch.py", "simulator:=true")
    graph.wait(lambda: len(states) > 20, "joint states")
    # Held by its servos, upright as it begins.
    assert max(map(abs, states[-1].position)) < 1e-3
    assert process.stop(signal.SIGINT) == 0
    assert len(process.lines("finished cleanly")) == 2
    assert "Traceback" not in process.output


@REAL
@pytest.mark.parametrize("path", WITH_RVIZ, ids=lambda path: path.name)
def test_rviz_that_is_missing_is_one_line_and_nothing_is_started(
    graph: Graph, tmp_path: Path, path: Path
) -> None:
    prefix = prefix_without_rviz(tmp_path)
    process = launch(graph, path.name, "rviz:=true", AMENT_PREFIX_PATH=prefix)
    assert process.finish() == 1
    (line,) = process.lines("ERROR")
    assert "needs the package rviz2, which is not found: install it" in line
    assert "rviz2) or leave rviz:=true out" in line
    assert not process.lines("process started|Traceback")


@REAL
@pytest.mark.parametrize(
    ("file", "flag"),
    [(path.name, flag) for path in LAUNCH_FILES for flag in FLAGS if flag in declared(path)],
)
def test_a_flag_that_is_none_is_refused_before_anything_is_started(
    graph: Graph, file: str, flag: str
) -> None:
    process = launch(graph, file, f"{flag}:=maybe")
    assert process.finish() == 1
    (line,) = process.lines("ERROR")
    assert "'maybe'" in line
    assert not process.lines("process started|Traceback")


def wait_for_parameters(graph: Graph, node: str, expected: dict[str, object]) -> None:
    """Wait until a node is up, and compare its parameters."""
    request = GetParameters.Request(names=list(expected))
    reply = graph.call(GetParameters, f"/{node}/get_parameters", request)
    found = {}
    for name, value in zip(expected, reply.values, strict=True):
        is_text = value.type == ParameterType.PARAMETER_STRING
        found[name] = value.string_value if is_text else value.bool_value
    assert found == expected


@REAL
def test_what_is_set_goes_before_the_parameter_file_and_what_is_not_leaves_it(
    graph: Graph, tmp_path: Path
) -> None:
    in_file = {
        "robot_description_file": str(ROOT / "urdf" / "demo_arm.urdf"),
        "frame_prefix": "x/",
        "world_frame": "map",
        "base": "floating",
        "base_input": "imu",
        "publish_base": True,
        "use_sim_time": True,
    }
    parameters = tmp_path / "parameters.yaml"
    parameters.write_text(yaml.safe_dump({"/**": {"ros__parameters": in_file}}))
    on_line = {"world_frame": "odom", "base_input": "odometry", "publish_base": False}
    for given in ({}, on_line):
        arguments = [f"{key}:={str(value).lower()}" for key, value in given.items()]
        process = launch(graph, "bringup.launch.py", f"params_file:={parameters}", *arguments)
        wait_for_parameters(graph, "state_publisher", in_file | given)
        assert process.stop(signal.SIGINT) == 0
        graph.wait(lambda: not graph.node.get_node_names().count("state_publisher"), "its end")


@REAL
def test_the_demo_gives_its_arguments_to_both_nodes(graph: Graph, tmp_path: Path) -> None:
    parameters = tmp_path / "parameters.yaml"
    in_file = {"world_frame": "hall", "velocity_source": "filtered"}
    parameters.write_text(yaml.safe_dump({"/**": {"ros__parameters": in_file}}))
    more = ["use_sim_time:=true", "robot_description_topic:=arm", "world_frame:=room"]
    process = launch(graph, "demo.launch.py", f"params_file:={parameters}", *more)
    expected = {"world_frame": "room", "velocity_source": "filtered", "use_sim_time": True}
    wait_for_parameters(graph, "state_publisher", expected)
    wait_for_parameters(graph, "joint_trajectory_demo", {"use_sim_time": True})
    process.wait_for("playing")
    assert process.stop(signal.SIGINT) == 0


@REAL
@pytest.mark.parametrize("path", LAUNCH_FILES, ids=lambda path: path.name)
def test_arguments_are_listed_by_ros2_launch(path: Path) -> None:
    command = [*ROS2, "launch", str(path), "--show-args"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
    for name in declared(path):
        assert f"'{name}'" in shown.stdout
