"""Launch files run for real wherever launch_ros imports."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from rcl_interfaces.msg import ParameterType
from rcl_interfaces.srv import GetParameters
from sensor_msgs.msg import JointState

from launch_files import LAUNCH_FILES, ROOT, declared
from node_process import NodeProcess
from ros_graph import Graph
from tf2_msgs.msg import TFMessage

HAS_LAUNCH = importlib.util.find_spec("launch_ros") is not None


REAL = pytest.mark.skipif(
    not HAS_LAUNCH, reason="launch_ros is not installed: no ros2 launch to run"
)
#: Gazebo's looks for more than RViz.
WITH_RVIZ = [
    path for path in LAUNCH_FILES if "rviz" in declared(path) and path.stem != "gazebo.launch"
]
FLAGS = (
    *("rviz", "publish_base", "use_sim_time", "driver_compensates_gravity", "dynamics", "viewer"),
    *("simulator", "activate", "publish_tf", "gazebo", "gui", "hold", "replace", "commanded"),
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


@REAL
@pytest.mark.parametrize(
    ("file", "word", "said"),
    [
        ("bringup", "params_file:=/no/such.yaml", "params_file: '/no/such.yaml' is no file"),
        ("control", "activate_within:=soon", "activate_within must be a number, got 'soon'"),
        ("demo", "player_params_file:=/no/such.yaml", "'/no/such.yaml' is no file"),
        ("dynamics", "namespace:=a b", "namespace: 'a b' is no namespace"),
        ("mujoco", "mjcf_file:=/no/such.xml", "mjcf_file: '/no/such.xml' is no file"),
        ("simulation", "base:=welded", "base must be one of described, fixed, floating"),
    ],
)
def test_what_cannot_be_is_one_line_and_nothing_is_started(
    graph: Graph, file: str, word: str, said: str
) -> None:
    process = launch(graph, f"{file}.launch.py", word)
    assert process.finish() == 1
    (line,) = process.lines("ERROR")
    assert said in line
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
