"""gazebo.launch.py run for real, with Gazebo's executables noting how they are called."""

from __future__ import annotations

import importlib.util
import signal
import sys
from pathlib import Path

import pytest
import yaml
from std_msgs.msg import String

from launch_files import ROOT
from launch_prefix import LaunchPrefix
from node_process import NodeProcess
from robodyn_ros.description import load_model
from robodyn_ros.ros import qos
from ros_graph import Graph

REAL = pytest.mark.skipif(
    importlib.util.find_spec("launch_ros") is None,
    reason="launch_ros is not installed: no ros2 launch to run",
)
ROS2 = [sys.executable, "-c", "import sys; from ros2cli.cli import main; sys.exit(main())"]
#: In the place of `gz_sim.launch.py` of ros_gz_sim, with the arguments that it has.
GZ_SIM = """
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess
from launch.substitutions import LaunchConfiguration

def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument("gz_args", default_value=""),
        DeclareLaunchArgument("on_exit_shutdown", default_value="false"),
        ExecuteProcess(cmd=["exec gz", LaunchConfiguration("gz_args"),
                            LaunchConfiguration("on_exit_shutdown")], shell=True),
    ])
"""


def with_gazebo(folder: Path) -> LaunchPrefix:
    prefix = LaunchPrefix(folder)
    prefix.record("ros_gz_sim", {"create": False})
    prefix.share("ros_gz_sim", "launch", "gz_sim.launch.py").write_text(GZ_SIM)
    prefix.record("ros_gz_bridge", {"parameter_bridge": True})
    prefix.record("controller_manager", {"spawner": False})
    for package in ("gz_ros2_control", "forward_command_controller", "joint_state_broadcaster"):
        prefix.record(package, {})
    prefix.recorder(folder / "bin" / "gz", "gz", waits=True)
    return prefix


def launch(graph: Graph, prefix: LaunchPrefix, folder: Path, *arguments: str) -> NodeProcess:
    command = [*ROS2, "launch", str(ROOT / "launch" / "gazebo.launch.py"), *arguments]
    environment = prefix.environment([folder / "bin"])
    logs = {"ROS_LOG_DIR": str(folder / "logs"), "PYTHONUNBUFFERED": "1"}
    return graph.run(command, **environment, **logs)


def words(call: dict[str, object]) -> list[str]:
    found = call["words"]
    assert isinstance(found, list)
    return found


def option(call: dict[str, object], name: str) -> str:
    return words(call)[words(call).index(name) + 1]


@REAL
def test_the_robot_is_spawned_and_then_its_controllers(graph: Graph, tmp_path: Path) -> None:
    prefix = with_gazebo(tmp_path)
    texts = graph.listen(String, "/left/robot_description", qos.LATCHED)
    process = launch(
        *(graph, prefix, tmp_path, "namespace:=left", "gui:=false", "positions:=joint2=0.5"),
        *("pose:=1,2,3", "rate:=250", "world:=my hall.sdf"),
    )
    broadcaster, controller = prefix.wait_for("controller_manager.spawner", 2)
    (create,) = prefix.calls("ros_gz_sim.create")
    (gazebo,) = prefix.wait_for("gz")
    assert words(gazebo) == ["my hall.sdf", "-r", "-s", "true"]
    assert option(create, "-topic") == "robot_description"
    assert option(create, "-name") == "demo_arm"
    # The pose is that of the joint to the world, so that TF has it too.
    assert {option(create, name) for name in ("-x", "-y", "-z", "-R", "-P", "-Y")} == {"0.0"}
    assert words(create)[-1] == "__ns:=/left"
    manager = "/left/controller_manager"
    assert words(broadcaster)[:3] == ["joint_state_broadcaster", "--controller-manager", manager]
    assert words(controller)[:3] == ["forward_effort_controller", "--controller-manager", manager]
    assert "--inactive" in words(controller)
    assert "--inactive" not in words(broadcaster)
    parameters = Path(option(controller, "--param-file"))
    joints = yaml.safe_load(parameters.read_text())["/left/forward_effort_controller"]
    graph.wait(lambda: texts, "the description")
    model = load_model(texts[-1].data)
    assert joints["ros__parameters"]["joints"] == list(model.joint_names)
    assert str(parameters) in texts[-1].data
    assert "GazeboSimSystem" in texts[-1].data
    assert model.joint("world_to_base_link").position.tolist() == [1.0, 2.0, 3.0]
    (bridge,) = prefix.wait_for("ros_gz_bridge.parameter_bridge")
    file = yaml.safe_load(Path(option(bridge, "--params-file")).read_text())
    (values,) = file.values()
    assert Path(values["ros__parameters"]["config_file"]).name == "bridge.yaml"
    assert process.stop(signal.SIGINT) == 0
    assert "Traceback" not in process.output


@REAL
def test_meshes_are_on_the_path_of_a_gazebo_that_runs(graph: Graph, tmp_path: Path) -> None:
    prefix = with_gazebo(tmp_path)
    prefix.share("own_meshes", "package.xml").write_text("<package/>")
    mesh = '<visual><geometry><mesh filename="package://own_meshes/a.stl"/></geometry></visual>'
    arm = (ROOT / "urdf" / "demo_arm.urdf").read_text().replace("</link>", f"{mesh}</link>", 1)
    file = tmp_path / "robot.urdf"
    file.write_text(arm)
    process = launch(graph, prefix, tmp_path, f"robot_description_file:={file}", "commanded:=true")
    (gazebo,) = prefix.wait_for("gz")
    environment = gazebo["environment"]
    assert isinstance(environment, dict)
    assert str(prefix.path / "share") in environment["GZ_SIM_RESOURCE_PATH"].split(":")
    controller = prefix.wait_for("controller_manager.spawner", 2)[-1]
    assert "--inactive" not in words(controller)
    assert process.stop(signal.SIGINT) == 0


@REAL
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["positions:=jiont1=1"], "no joint is called 'jiont1'"),
        (["pose:=1,2"], "a pose is x,y,z or x,y,z,roll,pitch,yaw"),
        (["robot_description_file:=/no/such.urdf"], "cannot read '/no/such.urdf'"),
        (["rate:=0"], "rate must be 1 to 10000 Hz, got 0"),
        (["rate:=fast"], "rate must be an integer, got 'fast'"),
        (["token_mass:=nan"], "token_mass must be finite, got nan"),
        (["bridge_file:=/no/such.yaml"], "bridge_file: '/no/such.yaml' is no file"),
        (['gz_args:=-v "4'], "gz_args: '-v \"4' cannot be split into words"),
        (["hold:=maybe"], "'maybe'"),
    ],
)
def test_what_cannot_be_is_one_line_and_nothing_is_started(
    graph: Graph, tmp_path: Path, arguments: list[str], said: str
) -> None:
    process = launch(graph, with_gazebo(tmp_path), tmp_path, *arguments)
    assert process.finish() == 1
    (line,) = process.lines("ERROR")
    assert said in line
    assert not process.lines("process started|Traceback")


@REAL
def test_what_is_not_installed_is_named(graph: Graph, tmp_path: Path) -> None:
    process = launch(graph, LaunchPrefix(tmp_path), tmp_path)
    assert process.finish() == 1
    (line,) = process.lines("ERROR")
    assert "needs ros_gz_sim, ros_gz_bridge, gz_ros2_control, controller_manager" in line
    assert not process.lines("process started|Traceback")
