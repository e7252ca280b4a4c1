"""A URDF filled in until the reader that Gazebo and ros2_control have (urdfdom) takes it.

That reader refuses what ours takes: joints without limits, inertias without products. What is
absent from a <limit> is 0 to it, where to ours it is unknown: such a joint would be stuck, or would
have no effort.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import deepcopy
from itertools import chain

from lxml import etree

from robodyn_ros.description.clean import MOMENTS, PRODUCTS, clean
from robodyn_ros.description.exchange.urdf_writer import ENDLESS
from robodyn_ros.description.gazebo.remarks import Remark, filled
from robodyn_ros.description.xml_tree import Element, describe, line_of

_RANGED = ("revolute", "prismatic")


def complete(robot: Element, fallback_name: str) -> Iterator[Remark]:
    """Fill in, in place, what links and joints leave out; yield what was.

    Args:
        robot: the root element; it loads.
        fallback_name: the robot's name if it has none.
    """
    tidy, _ = clean(robot, fallback_name)
    if robot.get("name") != tidy.get("name"):
        robot.set("name", tidy.get("name"))
        yield filled(f"line {robot.sourceline}: the robot has no name; called {fallback_name!r}")
    own = (element for element in robot.iterchildren(etree.Element) if element.tag in _BY_TAG)
    for element, tidied in zip(own, tidy.iterchildren(), strict=True):
        yield from _BY_TAG[element.tag](element, tidied)


def _link(link: Element, tidied: Element) -> Iterator[Remark]:
    """Give a link the <inertial> that ours was read from."""
    old, new = link.find("inertial"), tidied.find("inertial")
    if old is None:
        return
    where = f"{describe(link)} ({line_of(link)})"
    if new is None:
        link.remove(old)
        yield filled(f"{where}: an <inertial> without mass is left out")
        return
    inertia = old.find("inertia")
    known = {} if inertia is None else inertia.attrib
    if not {*MOMENTS, *PRODUCTS} <= set(known):
        put = deepcopy(new)
        put.tail = old.tail
        link.replace(old, put)
        yield filled(f"{where}: the moments and products that <inertia> lacks are written as 0")


def _joint(joint: Element, tidied: Element) -> Iterator[Remark]:
    """Give a joint of one coordinate limits that leave it as free as it is without."""
    limit = tidied.find("limit")
    if limit is None:
        return
    kind = joint.get("type")
    known = {key: float(limit.get(key)) for key in ("lower", "upper", "velocity", "effort")}
    own = joint.find("limit")
    where = f"{describe(joint)} ({line_of(joint)})"
    told = []
    if kind in _RANGED and not known["lower"] <= known["upper"] < math.inf > -known["lower"]:
        if kind == "revolute":
            _free(joint, own)
            told.append("range, written as continuous")
        else:
            own = _set(joint, own, lower=-ENDLESS, upper=ENDLESS)
            told.append(f"range, written as +-{ENDLESS:g} m")
    for key in ("effort", "velocity"):
        is_needed = own is not None or joint.get("type") != "continuous"
        if is_needed and not 0.0 < known[key] < math.inf:
            own = _set(joint, own, **{key: ENDLESS})
            told.append(f"{key} limit, written as {ENDLESS:g}")
    if told:
        yield filled(f"{where}: no {'; no '.join(told)}")


def _free(joint: Element, limit: Element | None) -> None:
    """Make a revolute joint a continuous one."""
    joint.set("type", "continuous")
    for key in ("lower", "upper"):
        if limit is not None:
            limit.attrib.pop(key, None)


def _set(joint: Element, limit: Element | None, **values: float) -> Element:
    """Set limits of a joint and return its <limit>."""
    if limit is None:
        limit = etree.SubElement(joint, "limit")
    for key, value in values.items():
        limit.set(key, f"{value:g}")
    return limit


def token_moment(mass: float) -> float:
    """Return each moment of inertia, kg m^2, of a ball of this mass in kg with 0.1 m radius."""
    return 0.4 * mass * 0.1**2


def set_inertial(link: Element, mass: float) -> None:
    """Give a link a mass, in kg, and the inertia of a ball of it that has 0.1 m radius."""
    for old in list(link.iterchildren("inertial")):
        link.remove(old)
    moment = f"{token_moment(mass):.6g}"
    inertial = etree.Element("inertial")
    etree.SubElement(inertial, "origin", xyz="0 0 0", rpy="0 0 0")
    etree.SubElement(inertial, "mass", value=f"{mass:.6g}")
    moments = dict.fromkeys(MOMENTS, moment)
    products = dict.fromkeys(PRODUCTS, "0")
    etree.SubElement(inertial, "inertia", dict(chain(moments.items(), products.items())))
    link.insert(0, inertial)


_BY_TAG = {"link": _link, "joint": _joint}
