"""A robot in Gazebo: spawned from any description, its efforts commanded through ros2_control.

    ros2 launch robodyn_ros gazebo.launch.py robot_description_file:=/path/to/robot.urdf

The description stays as it is: what Gazebo and ros2_control need besides is added to a copy, which
is written beside the logs of this launch, with the controllers' YAML. robodyn_node follows the
robot and publishes the copy. Time is Gazebo's, on /clock. Gazebo holds the joints still until
forward_effort_controller is active, which it is at once only with `commanded:=true`.
"""

import shlex
from pathlib import Path

from launch import LaunchContext, LaunchDescription
from launch.actions import (
    AppendEnvironmentVariable,
    IncludeLaunchDescription,
    LogInfo,
    OpaqueFunction,
    RegisterEventHandler,
)
from launch.conditions import IfCondition
from launch.event_handlers import OnProcessExit
from launch.launch_description_entity import LaunchDescriptionEntity
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.logging import launch_config
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackagePrefix, FindPackageShare

from robodyn_ros.launching.arguments import declared, flag, given, number, text, whole
from robodyn_ros.launching.checks import checked
from robodyn_ros.launching.nodes import included, viewer
from robodyn_ros.launching.rows import (
    DESCRIPTION_FILE,
    DYNAMICS,
    ROBODYN_NODE_FILE,
    RVIZ,
    VIEWER,
)

PACKAGE = "robodyn_ros"
ARGUMENTS = (
    ("namespace", "", "Namespace of the nodes and of the controller manager."),
    ("name", "", "The robot's name in Gazebo; empty for the description's."),
    ("base", "", "How the root link is held: fixed or floating."),
    ("pose", "0,0,0", "x,y,z[,roll,pitch,yaw] of the root link in the world, m and rad."),
    ("positions", "", "Where joints begin: joint=value,... in rad or m."),
    ("keep", "", "Fixed joints that Gazebo keeps as links of their own, separated by commas."),
    ("replace", "false", "Whether ros2_control tags of the description are replaced."),
    ("token_mass", "", "kg for moving links without mass, which Gazebo drops otherwise."),
    ("rate", "500", "Rate of the controller manager, Hz."),
    ("hold", "true", "Whether joints that nobody commands yet are held still."),
    ("commanded", "false", "Whether forward_effort_controller is active at once."),
    ("gazebo", "true", "Whether Gazebo is started; else the one that runs gets the robot."),
    ("world", "empty.sdf", "The world that Gazebo loads: a file, or one of Gazebo's own."),
    ("gui", "true", "Whether Gazebo shows its window."),
    ("gz_args", "-r", "More of Gazebo's arguments; -r lets time run."),
    DYNAMICS,
    VIEWER,
    RVIZ,
    ("use_sim_time", "true", "Whether the nodes take their time from /clock."),
    DESCRIPTION_FILE,
    ROBODYN_NODE_FILE,
    ("bridge_file", ("config", "gazebo", "bridge.yaml"), "What ros_gz_bridge carries over."),
)
FORWARDED = ("namespace", "dynamics", "rviz", "use_sim_time", "params_file")
FLAGS = (
    "replace",
    "hold",
    "commanded",
    "gazebo",
    "gui",
    "dynamics",
    "viewer",
    "rviz",
    "use_sim_time",
)
NEEDED = (
    "ros_gz_sim",
    "ros_gz_bridge",
    "gz_ros2_control",
    "controller_manager",
    "forward_command_controller",
    "joint_state_broadcaster",
)


def is_found(context: LaunchContext, package: str) -> bool:
    """Return whether a package is installed."""
    try:
        FindPackagePrefix(package).perform(context)
    except LookupError:
        return False
    return True


def check_packages(context: LaunchContext) -> None:
    """Find out whether all that is needed is installed, before a start."""
    missing = [package for package in NEEDED if not is_found(context, package)]
    if missing:
        raise RuntimeError(
            f"gazebo.launch.py needs {', '.join(missing)}, which is not found: install it (sudo apt"
            " install ros-$ROS_DISTRO-ros-gz ros-$ROS_DISTRO-gz-ros2-control"
            " ros-$ROS_DISTRO-ros2-controllers)"
        )


def robot(context: LaunchContext) -> list[LaunchDescriptionEntity]:
    """Return the robot in Gazebo, with the files that it needs written."""
    from robodyn_ros.description.gazebo import GazeboSettings, controllers_yaml, gazebo_description
    from robodyn_ros.description.gazebo.settings import pose_from, positions_from

    folder = Path(launch_config.log_dir)
    namespace = text(context, "namespace")
    parameters = folder / f"{namespace.replace('/', '_')}robot_controllers.yaml"
    settings = GazeboSettings(
        parameters_file=str(parameters),
        base=text(context, "base") or None,
        pose=pose_from(text(context, "pose")),
        namespace=namespace,
        replace=flag(context, "replace"),
        kept=frozenset(filter(None, map(str.strip, text(context, "keep").split(",")))),
        positions=positions_from(text(context, "positions")),
        hold=flag(context, "hold"),
        rate=whole(context, "rate"),
        token_mass=number(context, "token_mass") if text(context, "token_mass") else None,
    )
    made = gazebo_description(text(context, "robot_description_file"), settings)
    file = parameters.with_name(parameters.name.replace("robot_controllers.yaml", "robot.urdf"))
    file.write_text(made.text, encoding="utf-8")
    parameters.write_text(
        controllers_yaml(made.joints, rate=made.rate, namespace=namespace), encoding="utf-8"
    )
    resources = ":".join(map(str, made.resource_folders))
    at = pose_from("0,0,0") if made.is_anchored else settings.pose
    return [
        *(LogInfo(msg=f"{remark.kind}: {remark.text}") for remark in made.remarks),
        *([AppendEnvironmentVariable("GZ_SIM_RESOURCE_PATH", resources)] if resources else []),
        *simulator(context),
        *following(context, str(file), made.base),
        *spawned(context, text(context, "name") or made.name, at, str(parameters)),
    ]


def gazebo_words(context: LaunchContext) -> str:
    """Return more of Gazebo's arguments, which a shell splits."""
    words = text(context, "gz_args")
    try:
        shlex.split(words)
    except ValueError as error:
        raise ValueError(f"gz_args: {words!r} cannot be split into words: {error}") from None
    return words


def simulator(context: LaunchContext) -> list[LaunchDescriptionEntity]:
    """Return Gazebo, and the bridge that carries its time over."""
    is_started = IfCondition(LaunchConfiguration("gazebo"))
    words = [shlex.quote(text(context, "world")), gazebo_words(context)]
    if not flag(context, "gui"):
        words.append("-s")
    gz_sim = PathJoinSubstitution([FindPackageShare("ros_gz_sim"), "launch", "gz_sim.launch.py"])
    return [
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(gz_sim),
            launch_arguments=[("gz_args", " ".join(words)), ("on_exit_shutdown", "true")],
            condition=is_started,
        ),
        Node(
            package="ros_gz_bridge",
            executable="parameter_bridge",
            output="screen",
            condition=is_started,
            parameters=[{"config_file": LaunchConfiguration("bridge_file")}],
        ),
    ]


def following(context: LaunchContext, file: str, base: str) -> list[LaunchDescriptionEntity]:
    """Return what follows the robot and publishes its description, and the viewer."""
    values = {name: LaunchConfiguration(name) for name in FORWARDED}
    return [
        included("bringup", {**values, "base": base, "robot_description_file": file}),
        viewer(
            given(context, ["use_sim_time"], FLAGS),
            namespace=LaunchConfiguration("namespace"),
            output="screen",
        ),
    ]


def spawned(
    context: LaunchContext, name: str, pose: tuple[float, ...], parameters: str
) -> list[LaunchDescriptionEntity]:
    """Return what spawns the robot and then, one after the other, its controllers."""
    namespace = text(context, "namespace").strip("/")
    manager = f"/{namespace}/controller_manager" if namespace else "/controller_manager"
    place = zip(("-x", "-y", "-z", "-R", "-P", "-Y"), map(str, pose), strict=True)
    own = {"namespace": LaunchConfiguration("namespace"), "output": "screen"}
    create = Node(
        package="ros_gz_sim",
        executable="create",
        arguments=["-topic", "robot_description", "-name", name, *sum(place, ())],
        **own,
    )
    waiting = ["--controller-manager", manager, "--controller-manager-timeout", "60"]
    inactive = [] if flag(context, "commanded") else ["--inactive"]
    broadcaster = Node(
        package="controller_manager",
        executable="spawner",
        arguments=["joint_state_broadcaster", *waiting],
        **own,
    )
    controller = Node(
        package="controller_manager",
        executable="spawner",
        arguments=["forward_effort_controller", *waiting, "--param-file", parameters, *inactive],
        **own,
    )
    return [
        create,
        RegisterEventHandler(OnProcessExit(target_action=create, on_exit=[broadcaster])),
        RegisterEventHandler(OnProcessExit(target_action=broadcaster, on_exit=[controller])),
    ]


def generate_launch_description() -> LaunchDescription:
    return LaunchDescription(
        [
            *declared(ARGUMENTS),
            checked(ARGUMENTS, flags=FLAGS),
            OpaqueFunction(function=check_packages),
            OpaqueFunction(function=robot),
        ]
    )
