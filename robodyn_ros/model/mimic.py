"""Mimic joints resolved to affine functions of the joints that really move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from robodyn_ros.errors import DescriptionError
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
        _require_one_coordinate(joints, labelled(follower, mimics[follower].where), follower)
        multiplier, offset = 1.0, 0.0
        name, passed = follower, [follower]
        while name in mimics:
            mimic = mimics[name]
            _require_one_coordinate(joints, labelled(name, mimic.where), mimic.driver)
            offset += multiplier * mimic.offset
            multiplier *= mimic.multiplier
            name = mimic.driver
            if name in passed:
                cycle = " -> ".join([*passed, name])
                raise DescriptionError(
                    f"mimic joints drive each other in a cycle: {cycle}; one of them must not mimic"
                )
            passed.append(name)
        driver = own[name]
        coordinates = AffineFollower(driver.q_index, driver.v_index, multiplier, offset)
        resolved[follower] = (coordinates, name)
    return resolved


def _require_one_coordinate(joints: Mapping[str, JointSpec], follower: str, name: str) -> None:
    if name not in joints:
        raise DescriptionError(
            f"joint {follower} mimics joint {name!r}, which does not exist; correct the name or"
            " drop the mimic tag"
        )
    if joints[name].joint.nv != 1:
        kind = joints[name].joint.type_name
        raise DescriptionError(
            f"joint {follower} cannot mimic with joint {name!r}: a {kind} joint has"
            f" {joints[name].joint.nv} coordinates, not one"
        )
