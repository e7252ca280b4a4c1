"""control.launch.py run for real beside our simulator: never active unless that is asked for."""

from __future__ import annotations

import importlib.util
import signal
import sys
from pathlib import Path

import pytest
import yaml
from lifecycle_msgs.srv import GetState
from rcl_interfaces.srv import GetParameters
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from launch_files import ROOT
from launch_prefix import LaunchPrefix
from node_process import NodeProcess
from ros_graph import Graph

REAL = pytest.mark.skipif(
    importlib.util.find_spec("launch_ros") is None,
    reason="launch_ros is not installed: no ros2 launch to run",
)
ROS2 = [sys.executable, "-c", "import sys; from ros2cli.cli import main; sys.exit(main())"]
ARM = str(ROOT / "urdf" / "demo_arm.urdf")
KERNELS = 300.0
"""Seconds for kernels to be compiled, on a machine that does something else as well."""


@pytest.fixture
def simulated(graph: Graph) -> Graph:
    """The graph with the demo arm in our simulator, held by its servos."""
    simulator = graph.start(
        "simulator", {"robot_description_file": ARM, "rate": 500.0, "hold": True}
    )
    simulator.wait_for("demo_arm")
    return graph


def launch(graph: Graph, folder: Path, *arguments: str, **values: object) -> NodeProcess:
    """Launch it with settings for the simulator."""
    settings = {"command_interface": "joint_state", "command_topic": "simulator/effort_command"}
    settings |= {"check_order": "never", "state_timeout": 2.0, "min_rate": 0.0, **values}
    file = folder / "controller.yaml"
    file.write_text(yaml.safe_dump({"/**": {"ros__parameters": settings}}))
    command = [*ROS2, "launch", str(ROOT / "launch" / "control.launch.py")]
    more = [f"controller_params_file:={file}", "use_sim_time:=true", *arguments]
    environment = LaunchPrefix(folder).environment()
    return graph.run([*command, *more], PYTHONUNBUFFERED="1", **environment)


def state(graph: Graph, node: str) -> str:
    reply = graph.call(GetState, f"/{node}/get_state", GetState.Request())
    return str(reply.current_state.label)


@REAL
@pytest.mark.parametrize("controller", ["gravity_compensation", "impedance"])
def test_it_is_configured_and_commands_nothing(
    simulated: Graph, tmp_path: Path, controller: str
) -> None:
    commands = simulated.listen(JointState, "simulator/effort_command")
    process = launch(simulated, tmp_path, f"controller:={controller}")
    process.wait_for("configured: nothing is commanded", KERNELS)
    simulated.wait(lambda: state(simulated, controller) == "inactive", "inactive")
    simulated.spin(3.0)
    assert not commands
    assert state(simulated, controller) == "inactive"
    assert process.stop(signal.SIGINT) == 0
    assert "Traceback" not in process.output


@REAL
def test_it_is_activated_as_soon_as_it_can_be_where_that_is_asked_for(
    simulated: Graph, tmp_path: Path
) -> None:
    commands = simulated.listen(JointState, "simulator/effort_command")
    process = launch(simulated, tmp_path, "activate:=true", "activate_within:=300")
    process.wait_for("active: efforts are commanded", KERNELS)
    simulated.wait(lambda: len(commands) > 100, "commands")
    assert process.stop(signal.SIGINT) == 0


@REAL
def test_an_arm_in_mujoco_needs_no_settings_of_its_own(graph: Graph, tmp_path: Path) -> None:
    options = {"robot_description_file": ARM, "hold": True}
    graph.start("mujoco_simulator", options).wait_for("demo_arm")
    commands = graph.listen(Float64MultiArray, "forward_effort_controller/commands")
    command = [*ROS2, "launch", str(ROOT / "launch" / "control.launch.py"), "arm:=simulated"]
    more = ["use_sim_time:=true", "activate:=true", "activate_within:=300"]
    environment = LaunchPrefix(tmp_path).environment()
    process = graph.run([*command, *more], PYTHONUNBUFFERED="1", **environment)
    process.wait_for("active: efforts are commanded", KERNELS)
    graph.wait(lambda: len(commands) > 100, "commands")
    assert process.stop(signal.SIGINT) == 0


@REAL
def test_what_cannot_be_activated_is_given_up(simulated: Graph, tmp_path: Path) -> None:
    process = launch(
        *(simulated, tmp_path, "activate:=true", "activate_within:=2"), deadman_topic="deadman"
    )
    process.wait_for("could not be activated within 2 s", KERNELS)
    assert process.lines("not activated: ")
    assert state(simulated, "gravity_compensation") == "inactive"
    assert process.stop(signal.SIGINT) == 0


@REAL
@pytest.mark.parametrize(("arm", "compensates"), [("ur", True), ("franka", True)])
def test_an_arm_has_its_settings_and_what_is_given_goes_before_them(
    graph: Graph, tmp_path: Path, arm: str, compensates: bool
) -> None:
    words = (f"arm:={arm}", f"namespace:={arm}", "deadman_topic:=enable")
    process = launch(graph, tmp_path, *words, slew_time=0.5)
    names = ["driver_compensates_gravity", "command_joints", "slew_time", "deadman_topic"]
    request = GetParameters.Request(names=[*names, "effort_limit_share", "damping_time"])
    reply = graph.call(GetParameters, f"/{arm}/gravity_compensation/get_parameters", request)
    given, joints, slew, deadman, share, damping = reply.values
    assert given.bool_value is compensates
    file = ROOT / "config" / "ros2_control" / f"{arm}.yaml"
    (settings,) = yaml.safe_load(file.read_text()).values()
    assert joints.string_value == settings["ros__parameters"]["command_joints"]
    assert (slew.double_value, deadman.string_value) == (0.5, "enable")
    assert (share.double_value, damping.double_value) == (0.33, 0.5)
    request = GetParameters.Request(names=names[:1])
    reply = graph.call(GetParameters, f"/{arm}/robodyn_node/get_parameters", request)
    assert reply.values[0].bool_value is compensates
    topic = {"ur": "/ur/joint_states", "franka": "/franka/franka/joint_states"}[arm]
    graph.wait(lambda: graph.node.count_subscribers(topic) == 2, "both on the arm's topic")
    graph.wait(lambda: graph.node.count_publishers(f"/{arm}/robodyn_node/tf") == 1, "TF apart")
    assert graph.node.count_publishers("/tf") == 0
    assert process.stop(signal.SIGINT) == 0


@REAL
@pytest.mark.parametrize("word", ["arm:=kuka", "controller:=pid"])
def test_an_arm_or_controller_that_there_is_not_is_refused(
    graph: Graph, tmp_path: Path, word: str
) -> None:
    process = launch(graph, tmp_path, word)
    assert process.finish() == 1
    assert all(word.partition(":=")[2] in line for line in process.lines("ERROR"))
    assert not process.lines("process started|Traceback")
