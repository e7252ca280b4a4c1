"""One of our controllers beside an arm's driver, and robodyn_node; nothing is commanded at first.

    ros2 launch robodyn_ros control.launch.py arm:=franka controller:=gravity_compensation

The description is taken from the topic that the driver's launch file publishes it on. The
controller is configured and stays inactive: `ros2 lifecycle set /gravity_compensation activate`
activates it, or `activate:=true` does as soon as it can be. docs/your_arm.md says what to find out
before.
"""

import time

from launch import LaunchContext, LaunchDescription
from launch.actions import EmitEvent, LogInfo, OpaqueFunction, RegisterEventHandler, TimerAction
from launch.conditions import IfCondition
from launch.event_handlers import OnProcessStart
from launch.events import matches_action
from launch.launch_description_entity import LaunchDescriptionEntity
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import LifecycleNode, Node
from launch_ros.event_handlers import OnStateTransition
from launch_ros.events.lifecycle import ChangeState
from lifecycle_msgs.msg import Transition

from robodyn_ros.launching.arguments import declared, flag, given, number, own_file, text
from robodyn_ros.launching.checks import checked
from robodyn_ros.launching.nodes import described
from robodyn_ros.launching.rows import DESCRIPTION_TOPIC, FRAME_PREFIX, HELD, NAMESPACE

PACKAGE = "robodyn_ros"
CHOICES = {
    "arm": ("generic", "ur", "franka", "simulated"),
    "controller": ("gravity_compensation", "computed_torque", "impedance"),
}
ARGUMENTS = (
    ("arm", "generic", "Whose settings are taken: config/ros2_control/ARM.yaml."),
    ("controller", "gravity_compensation", "The controller."),
    ("activate", "false", "Whether it is activated as soon as it can be; else never by itself."),
    ("activate_within", "30", "s for which that is tried."),
    NAMESPACE,
    DESCRIPTION_TOPIC,
    ("joint_states_topic", "", "Topic of joint states; empty for the arm's own."),
    ("controller_params_file", "", "Parameter file of the controller, over all others."),
    ("dynamics", "true", "Whether robodyn_node is started; not where it runs already."),
    ("publish_tf", "false", "Whether it publishes /tf; the driver's own nodes mostly do."),
    ("environment_topic", "", "Payloads and gravity to follow; empty for robodyn_node's."),
    ("deadman_topic", "", "Topic of a std_msgs/Bool that has to be true; empty for the files'."),
    ("use_sim_time", "false", "Whether time comes from /clock."),
)
PARAMETERS = (FRAME_PREFIX, ("base", "", HELD))
FLAGS = ("activate", "dynamics", "publish_tf", "use_sim_time")
STRINGS = ("environment_topic", "deadman_topic")
OTHER_JOINT_STATES = {"franka": "franka/joint_states"}
RETRY = 1.0
LONGEST = 86400.0


def nodes(context: LaunchContext) -> list[LaunchDescriptionEntity]:
    """Return the controller, what configures it, and robodyn_node."""
    arm, controller = text(context, "arm"), text(context, "controller")
    settings = own_file("config", "ros2_control", f"{arm}.yaml")
    states = text(context, "joint_states_topic") or OTHER_JOINT_STATES.get(arm, "joint_states")
    own = described()
    own["remappings"] += [("joint_states", states)]
    frames = [("/tf", "robodyn_node/tf"), ("/tf_static", "robodyn_node/tf_static")]
    hidden = [] if flag(context, "publish_tf") else frames
    names = [*(name for name, _, _ in PARAMETERS), "use_sim_time"]
    follower = Node(
        package=PACKAGE,
        executable="robodyn_node",
        condition=IfCondition(LaunchConfiguration("dynamics")),
        parameters=[
            own_file("config", "robodyn_node.yaml"),
            settings,
            given(context, names, FLAGS),
        ],
        **{**own, "remappings": [*own["remappings"], *hidden]},
    )
    last = text(context, "controller_params_file")
    node = LifecycleNode(
        package=PACKAGE,
        executable=controller,
        name=controller,
        parameters=[
            own_file("config", f"{controller}.yaml"),
            settings,
            *([last] if last else []),
            given(context, [*names, *STRINGS], FLAGS),
        ],
        **own,
    )
    return [follower, node, *lifecycle(context, node)]


def lifecycle(context: LaunchContext, node: LifecycleNode) -> list[LaunchDescriptionEntity]:
    """Return what configures the controller and, on request, tries to activate it."""
    configure = OnProcessStart(
        target_action=node, on_start=[change(node, Transition.TRANSITION_CONFIGURE)]
    )
    seconds = number(context, "activate_within", 0.0, LONGEST)
    if not flag(context, "activate"):
        return [RegisterEventHandler(configure)]
    begun: list[float] = []

    def activate(_: LaunchContext) -> list[LaunchDescriptionEntity]:
        begun.append(time.monotonic())
        return [change(node, Transition.TRANSITION_ACTIVATE)]

    def again(_: LaunchContext) -> list[LaunchDescriptionEntity]:
        if time.monotonic() - begun[0] > seconds:
            return [LogInfo(msg=f"{node.node_name} could not be activated within {seconds:g} s")]
        return [TimerAction(period=RETRY, actions=[OpaqueFunction(function=activate)])]

    first = OnStateTransition(
        target_lifecycle_node=node,
        start_state="configuring",
        goal_state="inactive",
        entities=[OpaqueFunction(function=activate)],
    )
    refused = OnStateTransition(
        target_lifecycle_node=node,
        start_state="activating",
        goal_state="inactive",
        entities=[OpaqueFunction(function=again)],
    )
    return [RegisterEventHandler(handler) for handler in (configure, first, refused)]


def change(node: LifecycleNode, transition: int) -> EmitEvent:
    """Return what asks a node for a transition."""
    return EmitEvent(
        event=ChangeState(lifecycle_node_matcher=matches_action(node), transition_id=transition)
    )


def generate_launch_description() -> LaunchDescription:
    rows = (*ARGUMENTS, *PARAMETERS)
    followers = ["robodyn_node", "gravity_compensation"]
    return LaunchDescription(
        [
            *declared(rows, CHOICES),
            checked(rows, flags=FLAGS, nodes=followers),
            OpaqueFunction(function=nodes),
        ]
    )
