"""Nodes end quietly, at any moment, and their parameters describe themselves."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

import pytest
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.msg import ParameterType, ParameterValue
from rcl_interfaces.srv import DescribeParameters, SetParameters
from sensor_msgs.msg import JointState

from robodyn_ros import load
from robodyn_ros.ros.parameter_tables import DEMO_PARAMETERS, STATE_PARAMETERS
from ros_graph import Graph, NodeProcess, joint_state, node_command, wait_for_handlers
from tf2_msgs.msg import TFMessage

ARM = Path(__file__).parents[2] / "urdf" / "demo_arm.urdf"
SIGNALS = [signal.SIGINT, signal.SIGTERM]


def assert_quiet_end(process: NodeProcess, number: int) -> None:
    assert process.stop(number) == 0, process.output
    for word in ("Traceback", "Error", "Exception", "terminate"):
        assert word not in process.output


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("name", ["state_publisher", "joint_trajectory_demo"])
def test_a_signal_during_traffic_ends_a_node_quietly(graph: Graph, name: str, number: int) -> None:
    process = graph.start(name, {"robot_description_file": ARM})
    tf = graph.listen(TFMessage, "/tf")
    states = graph.listen(JointState, "joint_states")
    publisher = graph.publisher(JointState, "joint_states")

    joint = load(ARM, compile="off").model.joint_names[0]

    def traffic() -> bool:
        publisher.publish(joint_state([joint], [0.1], stamp=graph.stamp()))
        return len(tf) > 5 if name == "state_publisher" else len(states) > 20

    process.wait_for("robot 'demo_arm'")
    graph.wait(traffic, "traffic")
    assert_quiet_end(process, number)


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("delay", [0.0, 0.01, 0.03, 0.1, 0.3, 0.6, 1.2])
def test_a_signal_during_the_start_ends_a_node_quietly(
    graph: Graph, number: int, delay: float
) -> None:
    process = graph.start("state_publisher", {"robot_description_file": ARM})
    wait_for_handlers(process.process.pid)
    time.sleep(delay)
    assert_quiet_end(process, number)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_step_of_the_start_that_never_ends_is_cut_off(
    graph: Graph, tmp_path: Path, number: int
) -> None:
    """A pipe that nobody writes to."""
    pipe = tmp_path / "pipe.urdf"
    os.mkfifo(pipe)
    process = graph.start("state_publisher", {"robot_description_file": pipe})
    wait_for_handlers(process.process.pid)
    time.sleep(2.0)
    assert_quiet_end(process, number)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_waiting_for_a_description_ends_a_node_quietly(
    graph: Graph, number: int
) -> None:
    process = graph.start("state_publisher")
    process.wait_for("waiting for one on /robot_description")
    assert_quiet_end(process, number)


@pytest.mark.parametrize(
    ("name", "table"),
    [("state_publisher", STATE_PARAMETERS), ("joint_trajectory_demo", DEMO_PARAMETERS)],
)
def test_parameters_describe_and_guard_themselves(graph: Graph, name: str, table) -> None:
    graph.start(name, {"robot_description_file": ARM})
    names = [spec.name for spec in table]
    request = DescribeParameters.Request(names=names)
    reply = graph.call(DescribeParameters, f"/{name}/describe_parameters", request)
    for spec, descriptor in zip(table, reply.descriptors, strict=True):
        assert descriptor.description == spec.text
        assert descriptor.read_only == spec.read_only
        if spec.kind is float:
            (bounds,) = descriptor.floating_point_range
            assert (bounds.from_value, bounds.to_value) == (spec.lower, spec.upper)
        if spec.kind is int:
            (bounds,) = descriptor.integer_range
            assert (bounds.from_value, bounds.to_value) == (spec.lower, spec.upper)


def set_values(graph: Graph, **values: object) -> list[tuple[bool, str]]:
    messages = []
    for name, value in values.items():
        typed = ParameterValue()
        if isinstance(value, bool):
            typed.type, typed.bool_value = ParameterType.PARAMETER_BOOL, value
        elif isinstance(value, int):
            typed.type, typed.integer_value = ParameterType.PARAMETER_INTEGER, value
        elif isinstance(value, float):
            typed.type, typed.double_value = ParameterType.PARAMETER_DOUBLE, value
        elif isinstance(value, str):
            typed.type, typed.string_value = ParameterType.PARAMETER_STRING, value
        messages.append(ParameterMessage(name=name, value=typed))
    request = SetParameters.Request(parameters=messages)
    reply = graph.call(SetParameters, "/state_publisher/set_parameters", request)
    return [(result.successful, result.reason) for result in reply.results]


def test_what_is_set_while_running_is_validated_and_takes_effect(graph: Graph) -> None:
    process = graph.start("state_publisher", {"robot_description_file": ARM})
    process.wait_for("robot 'demo_arm'")
    for refused, said in (
        ({"publish_frequency": -1.0}, "publish_frequency"),
        ({"publish_frequency": 10**9}, "between 0 and 1000"),
        ({"publish_frequency": float("nan")}, "publish_frequency"),
        ({"publish_frequency": "x"}, "a number"),
        ({"publish_frequency": None}, "publish_frequency"),
        ({"frame_prefix": "r2/"}, "read-only"),
        ({"acceleration_source": "forward_dynamics"}, "not available"),
        ({"velocity_source": "guess"}, "message, filtered"),
        ({"robot_description": "<robot/>"}, "link"),
    ):
        ((successful, reason),) = set_values(graph, **refused)
        assert not successful, refused
        assert said in reason
    accepted = set_values(graph, publish_frequency=20, ignore_timestamp=True, stale_after=0.5)
    assert [successful for successful, _ in accepted] == [True, True, True]
    assert_quiet_end(process, signal.SIGINT)


@pytest.mark.parametrize("name", ["state_publisher", "joint_trajectory_demo"])
def test_a_request_that_fails_is_one_line_and_the_node_goes_on(graph: Graph, name: str) -> None:
    process = graph.start(name, {"robot_description_file": ARM})
    process.wait_for("robot 'demo_arm'")
    client = graph.node.create_client(SetParameters, f"/{name}/set_parameters")
    graph.wait(client.service_is_ready, "the service")
    malformed = ParameterMessage(name="seed", value=ParameterValue(type=99))
    for _ in range(20):
        client.call_async(SetParameters.Request(parameters=[malformed]))
    process.wait_for("a callback failed")
    request = DescribeParameters.Request(names=["robot_description"])
    reply = graph.call(DescribeParameters, f"/{name}/describe_parameters", request)
    assert reply.descriptors[0].description
    (line,) = process.lines("a callback failed")
    assert "ValueError: 99 is not a valid" in line
    assert process.stop() == 0
    assert "Traceback" not in process.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-p", "velocity_source:=x"], "velocity_source must be one of message, filtered, got 'x'"),
        (["-p", "publish_frequency:=-1.0"], "publish_frequency out of range .* value: -1.0"),
        (["-p", "velocity_source:=" + "x" * 10_000], r"got 'x{57}\.\.\.'"),
        (["--bogus"], "unknown arguments behind --ros-args: '--bogus'"),
    ],
)
def test_a_wrong_command_line_is_one_clear_line(
    graph: Graph, arguments: list[str], said: str
) -> None:
    process = graph.start("state_publisher", None, *arguments)
    assert process.finish() == 1
    (line,) = process.output.splitlines()
    assert re.search(rf": .*{said}$", line)


def test_without_a_place_for_logs_it_says_what_to_set(graph: Graph) -> None:
    command = ["env", "-u", "HOME", "-u", "ROS_LOG_DIR", "-u", "ROS_HOME"]
    process = graph.run([*command, *node_command("state_publisher")])
    assert process.finish() == 1
    (line,) = process.output.splitlines()
    assert line.endswith("set HOME or ROS_LOG_DIR")


def test_a_node_that_is_none_is_one_line(graph: Graph) -> None:
    process = graph.start("bogus")
    assert process.finish() == 2
    (line,) = process.output.splitlines()
    assert "'bogus' is no node" in line
