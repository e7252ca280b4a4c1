"""Stage four of loading: every value of a cleaned URDF is one that a model can be built from.

Structure (one root, no loops, mimics) is the model builder's concern, the same for every kind of
description; here are the elements one by one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from robodyn_ros.description.clean import LIMITS, MOMENTS, PRODUCTS, QUATERNION
from robodyn_ros.description.numbers import fault_in_numbers
from robodyn_ros.description.xml_tree import Element, failure
from robodyn_ros.errors import DescriptionError, did_you_mean, quoted

MAX_LINKS = 20_000
MAX_NAME = 250
JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")

_NUMBERS: Mapping[tuple[str, str], int] = MappingProxyType(
    {
        ("origin", "xyz"): 3,
        ("origin", "rpy"): 3,
        ("origin", QUATERNION): 4,
        ("axis", "xyz"): 3,
        ("mass", "value"): 1,
        **{("inertia", key): 1 for key in MOMENTS + PRODUCTS},
        **{("limit", key): 1 for key in LIMITS},
        **{("dynamics", key): 1 for key in ("damping", "friction")},
        **{("mimic", key): 1 for key in ("multiplier", "offset")},
    }
)


def check(robot: Element) -> None:
    """Raise DescriptionError for the first element that no model can be built from.

    Args:
        robot: a cleaned tree (see `robodyn_ros.description.clean`).
    """
    links = robot.findall("link")
    if not links:
        raise DescriptionError(
            f"line {robot.sourceline}: the robot has no links; "
            'a robot needs at least <link name="base"/>'
        )
    if len(links) > MAX_LINKS:
        raise DescriptionError(f"the robot has {len(links)} links; at most {MAX_LINKS} are taken")
    for element in robot:
        if not element.get("name", "").strip():
            raise failure(element, 'needs a name; add name="..."')
        _check_name_lengths(element)
        if element.tag == "link":
            _check_link(element)
        else:
            _check_joint(element)


def _check_name_lengths(element: Element) -> None:
    """Refuse names that would flood every log line and message they appear in."""
    for part in element.iter():
        for key in ("name", "link", "joint"):
            if len(part.get(key, "")) > MAX_NAME:
                raise failure(part, f"{key} is longer than {MAX_NAME} characters; shorten it")


def _check_link(link: Element) -> None:
    """Check a link's mass properties."""
    inertial = link.find("inertial")
    if inertial is None:
        return
    for part in inertial:
        _check_numbers(part)
    mass, inertia = inertial.find("mass"), inertial.find("inertia")
    _require(mass, "value", 'value="..." in kg')
    for key in MOMENTS:
        _require(inertia, key, f'{key}="..." in kg m^2')
    if float(mass.get("value")) < 0.0:
        raise failure(mass, f"the mass is negative ({mass.get('value').strip()} kg)")


def _check_joint(joint: Element) -> None:
    """Check a joint's type, its two links and its numbers."""
    kind = joint.get("type")
    if kind is None:
        raise failure(joint, f'has no type; add type="...", one of {", ".join(JOINT_TYPES)}')
    if kind not in JOINT_TYPES:
        hint = did_you_mean(kind.strip(), JOINT_TYPES)
        known = ", ".join(JOINT_TYPES)
        raise failure(joint, f"unknown type {quoted(kind)}{hint} (known: {known})")
    for tag in ("parent", "child"):
        link = joint.find(tag)
        if link is None:
            raise failure(joint, f'has no <{tag}>; add <{tag} link="..."/>')
        _require(link, "link", 'link="..."')
    if joint.find("parent").get("link") == joint.find("child").get("link"):
        raise failure(joint, f"joins link {quoted(joint.find('child').get('link'))} to itself")
    for part in joint:
        _check_numbers(part)
    axis = joint.find("axis")
    if axis is not None and _length(axis.get("xyz")) == 0.0:
        raise failure(axis, 'the axis is zero; give a direction such as xyz="0 0 1"')
    if joint.find("mimic") is not None:
        _require(joint.find("mimic"), "joint", 'joint="..."')


def _check_numbers(element: Element) -> None:
    """Check the numeric attributes of one element."""
    for key, text in element.attrib.items():
        count = _NUMBERS.get((element.tag, key))
        fault = count and fault_in_numbers(text, count, unbounded=element.tag == "limit")
        if fault:
            raise failure(element, f"{key}={quoted(text)}: {fault}")
    if QUATERNION in element.attrib:
        if "rpy" in element.attrib:
            raise failure(element, f"has both rpy and {QUATERNION}; drop one of them")
        if _length(element.get(QUATERNION)) == 0.0:
            raise failure(
                element, f'the quaternion is zero; the identity is {QUATERNION}="0 0 0 1"'
            )


def _length(text: str) -> float:
    """Return the Euclidean length of checked numbers."""
    return math.hypot(*map(float, text.split()))


def _require(element: Element, key: str, remedy: str) -> None:
    """Raise if an attribute is missing or blank."""
    if not element.get(key, "").strip():
        raise failure(element, f"lacks {key}; add {remedy}")
