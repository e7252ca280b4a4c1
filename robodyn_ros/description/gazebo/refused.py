"""What Gazebo's reader cannot be given, and names that it refuses."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from robodyn_ros.description.gazebo.bodies import WORLD, GazeboBody
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
    """Yield names for which Gazebo refuses a robot; links that are one with another keep theirs."""
    links = {link.get("name") for link in robot.iterchildren("link")}
    for element in (*robot.iterchildren("link"), *robot.iterchildren("joint")):
        name = element.get("name", "")
        where = f"{describe(element)} ({line_of(element)})"
        if "::" in name or _RESERVED.fullmatch(name):
            yield lost(f"{where}: Gazebo refuses names with '::', and such as __this__; rename it")
        if element.tag == "joint" and name in links:
            yield lost(
                f"{where}: a link is called {quoted(name)} too, for which Gazebo refuses the robot;"
                " rename one of them"
            )


def sensor_remarks(robot: Element, bodies: Collection[GazeboBody]) -> Iterator[Remark]:
    """Yield sensors that have the name of another one of the same body."""
    body_of = {link: body.name for body in bodies for link in body.links}
    seen: set[tuple[str | None, str]] = set()
    for sensor in robot.iterfind("gazebo/sensor"):
        name = sensor.get("name", "")
        place = (body_of.get(sensor.getparent().get("reference")), name)
        if place in seen:
            yield lost(
                f"<sensor> {quoted(name)} ({line_of(sensor)}): link {quoted(place[0])} has another"
                " one of this name, for which Gazebo refuses the robot; rename it"
            )
        seen.add(place)


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
