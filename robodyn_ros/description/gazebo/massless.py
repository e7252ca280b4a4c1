"""Links without mass, which Gazebo drops, and inertias that it refuses."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from robodyn_ros.description.clean import MOMENTS, PRODUCTS
from robodyn_ros.description.gazebo.bodies import WORLD, GazeboBody, is_physical
from robodyn_ros.description.gazebo.complete import set_inertial, token_moment
from robodyn_ros.description.gazebo.remarks import Remark, filled, lost
from robodyn_ros.description.xml_tree import Element, line_of
from robodyn_ros.errors import quoted

ANCHOR_MASS = 1e-3
"""Mass in kg that a massless link which is fixed to the world is given, where nothing feels it."""


def tokens_for(bodies: Collection[GazeboBody], mass: float | None) -> dict[str, float]:
    """Return the masses that bodies without any are given, by name."""
    tokens: dict[str, float] = {}
    for body in bodies:
        given = ANCHOR_MASS if body.anchored else mass
        if body.mass <= 0.0 and given is not None:
            tokens[body.name] = given
    return tokens


def settle_nothing(robot: Element) -> Iterator[Remark]:
    """Take out each <inertial> of nothing; tell of one without mass that has moments.

    Of two that are fixed to each other and have no mass Gazebo's reader works out a centre of mass
    that is no number, for which it refuses the robot; an absent <inertial> does no harm.
    """
    masses: dict[str, float] = {}
    for link in robot.iterchildren("link"):
        mass = link.find("inertial/mass")
        masses[link.get("name")] = 0.0 if mass is None else float(mass.get("value"))
        inertial = link.find("inertial")
        if inertial is not None and masses[link.get("name")] == 0.0 and not any(_moments(inertial)):
            link.remove(inertial)
    links = {link.get("name"): link for link in robot.iterchildren("link")}
    for joint in robot.iterchildren("joint"):
        parent, child = (joint.find(tag).get("link") for tag in ("parent", "child"))
        link = links[child]
        is_one = joint.get("type") == "fixed" and parent != WORLD
        if is_one and masses[parent] == masses[child] == 0.0 and link.find("inertial") is not None:
            yield lost(
                f"link {quoted(child)} ({line_of(link)}): moments of inertia without mass, fixed to"
                f" {quoted(parent)}, which has none either; Gazebo refuses the robot; give it mass"
            )


def _moments(inertial: Element) -> list[float]:
    """Return the moments and products of an <inertial>."""
    inertia = inertial.find("inertia")
    return [] if inertia is None else [float(inertia.get(key, "0")) for key in MOMENTS + PRODUCTS]


def given_mass(body: GazeboBody, tokens: Mapping[str, float]) -> GazeboBody:
    """Return a body with its token mass, if it has one."""
    mass = tokens.get(body.name)
    if mass is None:
        return body
    return replace(body, mass=mass, com=np.zeros(3), inertia=token_moment(mass) * np.eye(3))


def settle_masses(
    robot: Element,
    bodies: Collection[GazeboBody],
    tokens: Mapping[str, float],
    gone: Mapping[str, str],
) -> Iterator[Remark]:
    """Give links their token masses, and tell of them, of what is dropped and of what cannot be."""
    links: dict[str, Any] = {link.get("name"): link for link in robot.iterchildren("link")}
    for body in bodies:
        where = f"link {quoted(body.name)} ({line_of(links[body.name])})"
        if body.name in tokens:
            set_inertial(links[body.name], tokens[body.name])
            why = "it is fixed to the world, and nothing feels it" if body.anchored else "as asked"
            yield filled(
                f"{where}: no mass, which Gazebo drops; {tokens[body.name]:g} kg written: {why}"
            )
        elif gone.get(body.name) == body.name:
            count = sum(len(other.links) for other in bodies if gone.get(other.name) == body.name)
            behind = f" and the {count - 1} links with and behind it" if count > 1 else ""
            yield lost(
                f"{where}: no mass; Gazebo drops it{behind}; give it an <inertial>, or a token mass"
                " (--token-mass, token_mass:=)"
            )
        elif body.name not in gone and not is_physical(body):
            yield lost(
                f"{where}: inertia that no body can have"
                f"{' (of its links together)' if len(body.links) > 1 else ''}; Gazebo refuses the"
                " robot; `robodyn check` says more"
            )
