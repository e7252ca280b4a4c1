"""URDF: normalise, check, build (stages three to five of loading).

URDF is read by `urdf_parser_py`, from a tree that was cleaned and checked before: as it comes from
the field, its parser raises on harmless input, writes to stderr and loses lines.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
from lxml import etree

from robodyn_ros.description.check import check
from robodyn_ros.description.clean import QUATERNION, clean
from robodyn_ros.description.xml_tree import Element, describe, line_of
from robodyn_ros.errors import DescriptionError
from robodyn_ros.joints import (
    Continuous,
    Fixed,
    Floating,
    Joint,
    JointLimits,
    Planar,
    Prismatic,
    Revolute,
)
from robodyn_ros.model import ModelBuilder
from robodyn_ros.spatial import Array, quaternion_to_matrix, rotation_from_rpy

_WITH_AXIS: dict[str, type[Revolute | Prismatic | Planar]] = {
    "revolute": Revolute,
    "continuous": Continuous,
    "prismatic": Prismatic,
    "planar": Planar,
}


def urdf_builder(
    root: Element, fallback_name: str, begin: Callable[[str], ModelBuilder] = ModelBuilder
) -> ModelBuilder:
    """Return a builder filled with the links and joints of a URDF.

    Notes have the categories "ignored" (in the file, not used), "assumed" (not in the file, filled
    in) and "limits" (no limit known).

    Args:
        root: the root element of the parsed document.
        fallback_name: the robot's name if the document gives none.
        begin: gives the builder to fill, by the robot's name.

    Raises:
        DescriptionError: an element that no model can be built from; the text gives its line.
    """
    tree, notes = clean(root, fallback_name)
    check(tree)
    robot = _parsed(tree)
    builder = begin(robot.name)
    for note in notes:
        builder.add_note(note.category, note.element, note.text)
    for link, element in zip(robot.links, tree.iterchildren("link"), strict=True):
        _add_link(builder, link, element)
    for joint, element in zip(robot.joints, tree.iterchildren("joint"), strict=True):
        _add_joint(builder, joint, element)
    return builder


def _parsed(tree: Element) -> Any:
    """Return urdf_parser_py's robot for a cleaned tree, without the quaternions it cannot read."""
    # Imported here because it brings PyYAML with it, which other descriptions do without.
    from urdf_parser_py.urdf import URDF

    readable = deepcopy(tree)
    etree.strip_attributes(readable, QUATERNION)
    try:
        return URDF.from_xml_string(etree.tostring(readable))
    except Exception as error:  # ParseError, ValueError, AssertionError, whatever it meets
        reason = " ".join(str(error).split())
        raise DescriptionError(f"urdf_parser_py cannot read this robot: {reason}") from error


def _add_link(builder: ModelBuilder, link: Any, element: Element) -> None:
    """Add a link; its inertial's rpy turns the inertia and not the centre of mass."""
    inertial = link.inertial
    if inertial is None:
        builder.add_body(link.name, has_inertial=False, where=line_of(element))
        return
    position, R_BI = _pose(inertial.origin, element.find("inertial/origin"))
    inertia = R_BI @ np.array(inertial.inertia.to_matrix()) @ R_BI.T
    builder.add_body(
        link.name, mass=inertial.mass, com=position, inertia=inertia, where=line_of(element)
    )


def _add_joint(builder: ModelBuilder, joint: Any, element: Element) -> None:
    """Add a joint and what it mimics."""
    position, rotation = _pose(joint.origin, element.find("origin"))
    dynamics = joint.dynamics
    builder.add_joint(
        joint.name,
        _joint_of(joint),
        joint.parent,
        joint.child,
        position=position,
        rotation=rotation,
        limits=_limits(builder, joint, element),
        damping=(dynamics and dynamics.damping) or 0.0,
        friction=(dynamics and dynamics.friction) or 0.0,
        where=line_of(element),
    )
    mimic = joint.mimic
    if mimic is not None:
        multiplier = 1.0 if mimic.multiplier is None else mimic.multiplier
        builder.add_mimic(
            joint.name,
            mimic.joint,
            multiplier,
            mimic.offset or 0.0,
            where=line_of(element.find("mimic")),
        )


def _joint_of(joint: Any) -> Joint:
    """Return the joint that a checked URDF type and axis stand for."""
    if joint.type == "fixed":
        return Fixed()
    if joint.type == "floating":
        return Floating()
    return _WITH_AXIS[joint.type](tuple(joint.axis))


def _limits(builder: ModelBuilder, joint: Any, element: Element) -> JointLimits | None:
    """Return a joint's limits; what is absent, infinite or senseless becomes None, with a note.

    A velocity or effort limit of 0 is what generators write for "not known" (a joint that cannot
    move would be fixed), so it is never taken as a limit.
    """
    limit = joint.limit
    if limit is None:
        return None
    values: dict[str, float | None] = {
        key: getattr(limit, key) if math.isfinite(getattr(limit, key)) else None
        for key in ("lower", "upper", "velocity", "effort")
    }
    for key in ("velocity", "effort"):
        if (values[key] or 0.0) <= 0.0:
            values[key] = None
    place = line_of(element.find("limit"))
    keys = ("velocity", "effort") if joint.type == "continuous" else tuple(values)
    unknown = [key for key in keys if values[key] is None]
    if unknown:
        text = f"no limit known: {', '.join(unknown)} (absent, not positive or not finite; {place})"
        builder.add_note("limits", describe(element), text)
    lower, upper = values["lower"], values["upper"]
    if lower is not None and upper is not None and lower > upper:
        text = f"lower limit {lower:g} is above upper limit {upper:g}; no range known ({place})"
        builder.add_note("limits", describe(element), text)
        values["lower"] = values["upper"] = None
    return JointLimits(**values)


def _pose(origin: Any, element: Element | None) -> tuple[Array, Array]:
    """Return position (3,) in m and rotation (3, 3) of an <origin>, the identity where absent."""
    if origin is None or element is None:
        return np.zeros(3), np.eye(3)
    position = np.array(origin.xyz or (0.0, 0.0, 0.0))
    if QUATERNION in element.attrib:
        quaternion = np.array([float(word) for word in element.get(QUATERNION).split()])
        return position, quaternion_to_matrix(quaternion / np.max(np.abs(quaternion)))
    return position, rotation_from_rpy(origin.rpy) if any(origin.rpy or ()) else np.eye(3)
