"""The YAML files that Gazebo's controller manager and its bridge to ROS read."""

from __future__ import annotations

import json
from collections.abc import Sequence

from robodyn_ros.description.gazebo.ros2_control import EFFORT
from robodyn_ros.description.gazebo.settings import DEFAULT_RATE

BROADCASTER = "joint_state_broadcaster"
CONTROLLER = "forward_effort_controller"
MANAGER = "controller_manager"


def controllers_yaml(
    joints: Sequence[str], *, rate: int = DEFAULT_RATE, namespace: str = ""
) -> str:
    """Return the parameters of a controller manager that forwards efforts.

    Args:
        joints: names in the order in which efforts are sent.
        rate: of the controller manager, Hz.
        namespace: that the controller manager is in; empty for none.
    """
    prefix = f"/{namespace.strip('/')}/" if namespace.strip("/") else ""
    lines = [
        f"{prefix}{MANAGER}:",
        "  ros__parameters:",
        f"    update_rate: {rate}",
        f"    {BROADCASTER}:",
        "      type: joint_state_broadcaster/JointStateBroadcaster",
        f"    {CONTROLLER}:",
        "      type: forward_command_controller/ForwardCommandController",
        "",
        f"{prefix}{CONTROLLER}:",
        "  ros__parameters:",
        "    # Efforts are sent in this order: N m, or N where a joint slides.",
        "    joints:",
        *(f"      - {json.dumps(joint, ensure_ascii=False)}" for joint in joints),
        f"    interface_name: {EFFORT}",
    ]
    return "\n".join(lines) + "\n"


def bridge_yaml() -> str:
    """Return what `parameter_bridge` of ros_gz_bridge carries over: simulated time."""
    return (
        "- ros_topic_name: /clock\n"
        "  gz_topic_name: /clock\n"
        "  ros_type_name: rosgraph_msgs/msg/Clock\n"
        "  gz_type_name: gz.msgs.Clock\n"
        "  direction: GZ_TO_ROS\n"
    )
