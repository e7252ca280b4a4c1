"""Stage three of loading: the part of a URDF that kinematics and dynamics need, made complete.

The result is a new tree that `urdf_parser_py` reads in silence: only elements and attributes that
matter, each at most once, what URDF lets out filled in. Lines are kept. What a joint's type does
not use is dropped unread, so that nothing harmless can fail.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from lxml import etree

from robodyn_ros.description.xml_tree import Element, describe, failure, line_of
from robodyn_ros.errors import DescriptionError, quoted
from robodyn_ros.model import Note

#: Stands for a limit that the description does not give.
UNKNOWN_LIMIT = "nan"
LIMITS = ("lower", "upper", "velocity", "effort")
#: Since version 1.1 of URDF an origin may have it in the place of rpy.
QUATERNION = "quat_xyzw"
MOMENTS = ("ixx", "iyy", "izz")
PRODUCTS = ("ixy", "ixz", "iyz")

_ATTRIBUTES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "link": frozenset({"name"}),
        "joint": frozenset({"name", "type"}),
        "inertial": frozenset(),
        "origin": frozenset({"xyz", "rpy", QUATERNION}),
        "mass": frozenset({"value"}),
        "inertia": frozenset(MOMENTS + PRODUCTS),
        "parent": frozenset({"link"}),
        "child": frozenset({"link"}),
        "axis": frozenset({"xyz"}),
        "limit": frozenset(LIMITS),
        "dynamics": frozenset({"damping", "friction"}),
        "mimic": frozenset({"joint", "multiplier", "offset"}),
    }
)
_CHILDREN: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "link": frozenset({"inertial"}),
        "inertial": frozenset({"origin", "mass", "inertia"}),
        "joint": frozenset({"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"}),
    }
)
_LISTED = 40
#: Read by others (pictures, collision checks), so not worth a note.
_SHAPES = frozenset({"visual", "collision", "material"})
_ONE_NUMBER = frozenset({"revolute", "continuous", "prismatic"})
_WITH_AXIS = _ONE_NUMBER | {"planar"}


def clean(root: Element, fallback_name: str) -> tuple[Element, list[Note]]:
    """Return the cleaned tree of a URDF and notes on what was ignored or assumed.

    Args:
        root: the parsed document's root element; it is left as it is.
        fallback_name: the robot's name if the document gives none.

    Raises:
        DescriptionError: the root is no <robot>.
    """
    if root.tag != "robot":
        raise DescriptionError(
            f"line {root.sourceline}: the root element is <{root.tag[:60]}>, not <robot>; "
            "only URDF can be loaded"
        )
    notes: list[Note] = []
    ignored: Counter[str] = Counter()
    robot = etree.Element("robot", name=root.get("name", "").strip() or fallback_name)
    robot.sourceline = root.sourceline
    if not root.get("name", "").strip():
        notes.append(Note("assumed", "robot", f"no name; called {fallback_name!r}"))
    for element in root.iterchildren(etree.Element):
        if element.tag in ("link", "joint"):
            _settle(_copy(element, robot, notes, ignored), notes)
        elif element.tag not in _SHAPES:
            ignored[element.tag] += 1
    if not knows_quaternions(root.get("version", "")):
        _drop_quaternions(robot, notes)
    if ignored:
        notes.append(Note("ignored", "robot", f"not used here: {_listed(ignored)}"))
    return robot, notes


def _listed(ignored: Counter[str]) -> str:
    """Return counted names as text of bounded length, the most frequent first."""
    shown = ", ".join(f"{name[:60]} ({count})" for name, count in ignored.most_common(_LISTED))
    return f"{shown}, and {len(ignored) - _LISTED} more" if len(ignored) > _LISTED else shown


def _copy(element: Element, parent: Element, notes: list[Note], ignored: Counter[str]) -> Element:
    """Append to `parent` a copy of what is needed of `element`, and return it."""
    tag = element.tag
    known = _ATTRIBUTES[tag]
    copied = etree.SubElement(
        parent, tag, {key: value for key, value in element.attrib.items() if key in known}
    )
    copied.sourceline = element.sourceline
    ignored.update(f"{tag}@{key}" for key in element.attrib if key not in known)
    children = _CHILDREN.get(tag, frozenset())
    for child in element.iterchildren(etree.Element):
        if child.tag not in children:
            if child.tag not in _SHAPES:
                ignored[f"{tag}/{child.tag}"] += 1
        elif copied.find(child.tag) is not None:
            text = f"another <{child.tag}> ignored ({line_of(child)}); the first counts"
            notes.append(Note("ignored", describe(copied), text))
        else:
            _copy(child, copied, notes, ignored)
    return copied


def knows_quaternions(version: str) -> bool:
    """Return whether <robot version="..."> is 1.1 or later."""
    match = re.fullmatch(r"\s*(\d{1,4})\.(\d{1,4})\s*", version)
    return match is not None and (int(match[1]), int(match[2])) >= (1, 1)


def _drop_quaternions(robot: Element, notes: list[Note]) -> None:
    """Drop quaternions as urdfdom does, so that all ROS nodes see the same poses."""
    for origin in robot.iter("origin"):
        if origin.attrib.pop(QUATERNION, None) is not None:
            text = f'{QUATERNION} ignored; it needs <robot version="1.1"> ({line_of(origin)})'
            notes.append(Note("ignored", describe(origin), text))


def _settle(element: Element, notes: list[Note]) -> None:
    """Drop what a link or joint does not use and fill in what it leaves out."""
    if element.tag == "link":
        inertial = element.find("inertial")
        if inertial is not None:
            _settle_inertial(inertial, notes)
        return
    kind = element.get("type")
    for tag, used in (
        ("axis", kind in _WITH_AXIS),
        ("limit", kind in _ONE_NUMBER),
        ("dynamics", kind in _ONE_NUMBER),
        ("mimic", kind != "fixed"),
    ):
        found = element.find(tag)
        if found is not None and not used:
            element.remove(found)
            if (kind != "fixed" and tag != "axis") or tag == "mimic":
                text = f"<{tag}> of a {quoted(kind or '')[1:-1]} joint ignored ({line_of(found)})"
                notes.append(Note("ignored", describe(element), text))
    if kind in _WITH_AXIS:
        _settle_axis(element, notes)
    if kind in _ONE_NUMBER:
        _settle_limit(element, notes)


def _settle_inertial(inertial: Element, notes: list[Note]) -> None:
    """Drop an inertial that says nothing; give a point mass and missing products zeros."""
    name = describe(inertial.getparent())
    inertia = inertial.find("inertia")
    if inertial.find("mass") is None:
        if inertia is not None:
            raise failure(inertial, 'has <inertia> but no <mass>; add <mass value="..."/> in kg')
        inertial.getparent().remove(inertial)
        notes.append(Note("ignored", name, f"empty <inertial> ({line_of(inertial)})"))
        return
    if inertia is None:
        inertia = _append(inertial, "inertia", dict.fromkeys(MOMENTS + PRODUCTS, "0"))
        text = f"no <inertia>; taken as a point mass ({line_of(inertial)})"
        notes.append(Note("assumed", name, text))
    absent = [key for key in PRODUCTS if key not in inertia.attrib]
    for key in absent:
        inertia.set(key, "0")
    if absent:
        text = f"inertia without {', '.join(absent)}; 0 assumed ({line_of(inertia)})"
        notes.append(Note("assumed", name, text))


def _settle_axis(joint: Element, notes: list[Note]) -> None:
    """Give a joint without axis URDF's default."""
    axis = joint.find("axis")
    if axis is None or "xyz" not in axis.attrib:
        if axis is not None:
            joint.remove(axis)
        _append(joint, "axis", {"xyz": "1 0 0"})
        text = f"no axis; (1, 0, 0) assumed ({line_of(joint)})"
        notes.append(Note("assumed", describe(joint), text))


def _settle_limit(joint: Element, notes: list[Note]) -> None:
    """Mark limits that are not given; a continuous joint has no range."""
    limit = joint.find("limit")
    if limit is None:
        limit = _append(joint, "limit", {})
    if joint.get("type") == "continuous":
        ranged = [key for key in ("lower", "upper") if limit.attrib.pop(key, None) is not None]
        if ranged:
            text = f"{' and '.join(ranged)} of a continuous joint ignored ({line_of(limit)})"
            notes.append(Note("ignored", describe(joint), text))
    for key in LIMITS:
        if key not in limit.attrib:
            limit.set(key, UNKNOWN_LIMIT)


def _append(parent: Element, tag: str, attributes: Mapping[str, str]) -> Element:
    """Append an element that the description leaves out, on its parent's line."""
    element = etree.SubElement(parent, tag, dict(attributes))
    element.sourceline = parent.sourceline
    return element
