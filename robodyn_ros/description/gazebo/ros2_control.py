"""The tags that ros2_control and its plugin for Gazebo read.

Names are those of gz_ros2_control 1.2 (ROS 2 Jazzy, Gazebo Harmonic) and later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lxml import etree

from robodyn_ros.description.gazebo.settings import GazeboSettings
from robodyn_ros.description.xml_tree import Element, line_of
from robodyn_ros.errors import DescriptionError, quoted

SYSTEM = "gz_ros2_control/GazeboSimSystem"
PLUGIN_FILE = "gz_ros2_control-system"
PLUGIN_NAME = "gz_ros2_control::GazeboSimROS2ControlPlugin"
EFFORT = "effort"
STATES = ("position", "velocity", "effort")
_BLOCK = "ros2_control"
#: In the name or file of every plugin that runs a controller manager of ROS 2.
_MANAGER = "ros2_control"


class ControlledJoint(NamedTuple):
    """A joint that ros2_control knows of.

    Attributes:
        name: of the joint.
        position: where it begins, rad or m.
        commanded: whether it takes efforts; a mimic follower takes none.
    """

    name: str
    position: float
    commanded: bool


def settle_own_tags(robot: Element, *, replace: bool) -> None:
    """Take out what the description itself has for ros2_control.

    Raises:
        DescriptionError: it has some, and `replace` is not set.
    """
    blocks = list(robot.iterchildren(_BLOCK))
    plugins = list(_managers(robot))
    if (blocks or plugins) and not replace:
        first = blocks[0] if blocks else plugins[0]
        label = f"<{first.tag}> {quoted(first.get('name', ''))}"
        raise DescriptionError(
            f"{line_of(first)}: the description has {label} of its own; spawn it as it is, or have"
            " all such tags replaced (--replace, replace:=true)"
        )
    for block in blocks:
        robot.remove(block)
    for plugin in plugins:
        holder = plugin.getparent()
        holder.remove(plugin)
        if holder.tag == "gazebo" and len(holder) == 0:
            holder.getparent().remove(holder)


def _managers(robot: Element) -> Iterator[Element]:
    """Yield the plugins that run a controller manager."""
    for plugin in robot.iterfind("gazebo/plugin"):
        words = f"{plugin.get('filename', '')} {plugin.get('name', '')}"
        if _MANAGER in words:
            yield plugin


def control_block(joints: Sequence[ControlledJoint]) -> Element:
    """Return <ros2_control>: efforts in; positions, velocities and efforts out."""
    block = etree.Element(_BLOCK, name="GazeboSimSystem", type="system")
    hardware = etree.SubElement(block, "hardware")
    etree.SubElement(hardware, "plugin").text = SYSTEM
    for joint in joints:
        element = etree.SubElement(block, "joint", name=joint.name)
        if joint.commanded:
            etree.SubElement(element, "command_interface", name=EFFORT)
        for state in STATES:
            interface = etree.SubElement(element, "state_interface", name=state)
            if state == "position":
                value = etree.SubElement(interface, "param", name="initial_value")
                value.text = f"{joint.position + 0.0:.12g}"
    return block


def plugin_block(settings: GazeboSettings) -> Element:
    """Return the <gazebo> that has Gazebo run a controller manager."""
    gazebo = etree.Element("gazebo")
    plugin = etree.SubElement(gazebo, "plugin", filename=PLUGIN_FILE, name=PLUGIN_NAME)
    etree.SubElement(plugin, "parameters").text = settings.parameters_file
    if not settings.hold:
        etree.SubElement(plugin, "hold_joints").text = "false"
    if settings.namespace:
        ros = etree.SubElement(plugin, "ros")
        etree.SubElement(ros, "namespace").text = f"/{settings.namespace.strip('/')}"
    return gazebo


def kept_joint_block(joint: str) -> Element:
    """Return the <gazebo> that has Gazebo keep a fixed joint, and the link behind it."""
    gazebo = etree.Element("gazebo", reference=joint)
    etree.SubElement(gazebo, "preserveFixedJoint").text = "true"
    return gazebo


def kept_joints(robot: Element) -> frozenset[str]:
    """Return the fixed joints that a description has Gazebo keep, by either of the two tags."""
    tags = ("preserveFixedJoint", "disableFixedJointLumping")
    return frozenset(
        element.get("reference", "")
        for element in robot.iterchildren("gazebo")
        for tag in tags
        if (element.findtext(tag) or "").strip().lower() in ("true", "yes", "1")
    )
