"""What Gazebo's reader cannot be given, and names that it does not keep."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from robodyn_ros.description.gazebo.bodies import WORLD
from robodyn_ros.description.gazebo.remarks import Remark, lost
from robodyn_ros.description.xml_tree import Element, describe, failure, line_of
from robodyn_ros.errors import quoted

_UNKNOWN_TYPES = ("planar", "floating")
_RESERVED = re.compile(r"__.*__")
_CLASSIC = ("libgazebo_", "gazebo_ros")


def require_spawnable(robot: Element, base: str) -> None:
    """Refuse what becomes no model in Gazebo.

    Raises:
        DescriptionError: a joint of a type that its reader has not, a link `world` that is not the
            root, or one on a floating base.
    """
    children = {}
    for joint in robot.iterchildren("joint"):
        children[joint.find("child").get("link")] = joint
        if joint.get("type") in _UNKNOWN_TYPES:
            raise failure(
                joint,
                f"is {joint.get('type')}, and Gazebo reads no such joint from a URDF; leave it out,"
                " or write it as joints that slide and turn",
            )
    for link in robot.iterchildren("link"):
        if link.get("name") != WORLD:
            continue
        if WORLD in children:
            raise failure(link, "is not the root, and Gazebo takes it for the world; rename it")
        if base == "floating":
            raise failure(link, "is the world to Gazebo, which holds the robot; take base fixed")


def name_remarks(robot: Element) -> Iterator[Remark]:
    """Yield names that Gazebo changes or refuses."""
    seen: dict[str, str] = {}
    for element in robot.iterchildren(etree.Element):
        if element.tag not in ("link", "joint"):
            continue
        name = element.get("name", "")
        where = f"{describe(element)} ({line_of(element)})"
        if "::" in name or _RESERVED.fullmatch(name):
            yield lost(f"{where}: Gazebo refuses names with '::', and such as __this__; rename it")
        if seen.setdefault(name, element.tag) != element.tag:
            yield lost(
                f"{where}: a {seen[name]} is called {quoted(name)} too; Gazebo gives one of them"
                " another name, under which nobody looks for it; rename it"
            )


def classic_plugins(robot: Element) -> Iterator[Remark]:
    """Yield what is said of the plugins of Gazebo Classic."""
    files = {
        plugin.get("filename", "")
        for gazebo in robot.iterchildren("gazebo")
        for plugin in gazebo.iter("plugin")
    }
    classic = sorted(file for file in files if file.startswith(_CLASSIC))
    if classic:
        yield lost(
            f"plugins of Gazebo Classic, which current Gazebo does not load: {', '.join(classic)}"
        )
