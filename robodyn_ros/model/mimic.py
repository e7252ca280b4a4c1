"""Mimic joints resolved to affine functions of the joints that really move."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from dataclasses import dataclass

from robodyn_ros.errors import DescriptionError, did_you_mean
from robodyn_ros.model.coordinates import AffineFollower, OwnCoordinates
from robodyn_ros.model.tree import JointSpec, labelled


@dataclass(frozen=True)
class MimicSpec:
    """z = multiplier * (coordinate of `driver`) + offset."""

    driver: str
    multiplier: float
    offset: float
    where: str = ""


def follower_coordinates(
    mimics: Mapping[str, MimicSpec],
    joints: Mapping[str, JointSpec],
    own: Mapping[str, OwnCoordinates],
) -> dict[str, tuple[AffineFollower, str]]:
    """Return each follower's coordinates and the name of the joint that finally drives it.

    Chains of any length and order are followed to their end.

    Raises:
        DescriptionError: a follower or driver that does not exist, has not exactly one
            coordinate, or drives itself through a cycle; the text names the joints.
    """
    resolved: dict[str, tuple[AffineFollower, str]] = {}
    for follower in mimics:
        for name in reversed(_chain(follower, mimics, joints, resolved)):
            mimic = mimics[name]
            if mimic.driver in resolved:
                middle, driver = resolved[mimic.driver]
                multiplier = mimic.multiplier * middle.multiplier
                offset = mimic.multiplier * middle.offset + mimic.offset
            else:
                driver, multiplier, offset = mimic.driver, mimic.multiplier, mimic.offset
            if not (math.isfinite(multiplier) and math.isfinite(offset)):
                raise DescriptionError(
                    f"joint {labelled(name, mimic.where)} mimics through a chain whose multipliers"
                    f" come to {multiplier:g} and {offset:g}; make them smaller"
                )
            if driver not in own:
                raise DescriptionError(
                    f"joint {labelled(name, mimic.where)} mimics joint {driver!r}, which follows a"
                    " formula; let it follow a formula of the same coordinates"
                )
            at = own[driver]
            resolved[name] = (AffineFollower(at.q_index, at.v_index, multiplier, offset), driver)
    return resolved


def _chain(
    follower: str,
    mimics: Mapping[str, MimicSpec],
    joints: Mapping[str, JointSpec],
    resolved: Container[str],
) -> list[str]:
    """Return the followers from `follower` towards its driver that are not resolved yet."""
    chain: dict[str, None] = {}
    name = follower
    while name in mimics and name not in resolved:
        if name in chain:
            passed = list(chain)
            cycle = " -> ".join([*passed[passed.index(name) :], name])
            raise DescriptionError(
                f"mimic joints drive each other in a cycle: {cycle}; one of them must not mimic"
            )
        mimic = mimics[name]
        label = labelled(name, mimic.where)
        if name not in joints:
            raise DescriptionError(
                f"joint {label} mimics joint {mimic.driver!r} but does not exist itself;"
                f" correct the name{did_you_mean(name, joints)}"
            )
        _require_one_coordinate(joints, label, name)
        _require_one_coordinate(joints, label, mimic.driver)
        chain[name] = None
        name = mimic.driver
    return list(chain)


def _require_one_coordinate(joints: Mapping[str, JointSpec], follower: str, name: str) -> None:
    if name not in joints:
        raise DescriptionError(
            f"joint {follower} mimics joint {name!r}, which does not exist; correct the name or"
            f" drop the mimic tag{did_you_mean(name, joints)}"
        )
    if joints[name].joint.nv != 1:
        kind = joints[name].joint.type_name
        raise DescriptionError(
            f"joint {follower} cannot mimic: joint {name!r} is {kind} and has"
            f" {joints[name].joint.nv} coordinates, not one"
        )
