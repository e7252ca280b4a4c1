"""What is written beside the links and joints: a world that holds the robot, joints to be kept."""

from __future__ import annotations

from collections.abc import Collection

from lxml import etree

from robodyn_ros.description.gazebo.bodies import WORLD
from robodyn_ros.description.gazebo.ros2_control import kept_joint_block
from robodyn_ros.description.gazebo.settings import GazeboSettings
from robodyn_ros.description.xml_tree import Element
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model import Model


def append(robot: Element, block: Element) -> None:
    """Append a block on lines of its own."""
    etree.indent(block, level=1)
    if len(robot):
        robot[-1].tail = "\n  "
    else:
        robot.text = "\n  "
    block.tail = "\n"
    robot.append(block)


def keep(robot: Element, model: Model, kept: Collection[str]) -> None:
    """Have Gazebo keep fixed joints.

    Raises:
        UnknownNameError: no such joint.
        ArgumentError: it is not fixed.
    """
    for name in sorted(kept):
        if model.joint(name).joint.nv:
            raise ArgumentError(f"joint {quoted(name)} is not fixed: Gazebo keeps it as it is")
        append(robot, kept_joint_block(name))


def anchor(robot: Element, settings: GazeboSettings) -> str:
    """Fix the root link to a link `world` and return the joint's name; "" where there is one."""
    children = {joint.find("child").get("link") for joint in robot.iterchildren("joint")}
    names = [link.get("name") for link in robot.iterchildren("link")]
    (root,) = [name for name in names if name not in children]
    if root == WORLD:
        return ""
    taken = {joint.get("name") for joint in robot.iterchildren("joint")} | set(names)
    name = f"{WORLD}_to_{root}"
    while name in taken:
        name += "_"
    append(robot, etree.Element("link", name=WORLD))
    joint = etree.Element("joint", name=name, type="fixed")
    etree.SubElement(joint, "parent", link=WORLD)
    etree.SubElement(joint, "child", link=root)
    place = [f"{value:.12g}" for value in settings.pose]
    etree.SubElement(joint, "origin", xyz=" ".join(place[:3]), rpy=" ".join(place[3:]))
    append(robot, joint)
    return name
