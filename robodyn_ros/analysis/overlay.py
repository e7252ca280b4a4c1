"""What was identified, as changes of a description: links, joints, and a payload as a link."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.analysis.identification import Identification
from robodyn_ros.analysis.payload_estimate import PayloadEstimate
from robodyn_ros.analysis.pseudo_inertia import is_consistent
from robodyn_ros.analysis.unknowns import FRICTION, Unknowns
from robodyn_ros.model import Model
from robodyn_ros.model.inertia import PARAMETERS, central, moved, parameters_of

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LinkChange:
    """Mass properties of a link: kg, (3,) m in its frame, (3, 3) about the centre, kg m^2."""

    mass: float
    com: Floats
    inertia: Floats


@dataclass(frozen=True)
class Carried:
    """A payload: its name, the link that it is fixed to, where its frame is there, and its mass."""

    name: str
    link: str
    rotation: Floats
    position: Floats
    mass: LinkChange


@dataclass(frozen=True)
class Overlay:
    """What takes the place of what a description says.

    Attributes:
        links: By link.
        joints: By joint, then by "friction", "damping" and "armature": a value per rate.
        payload: What is added, None for nothing.
        inertias: (n, 10) what the lumps then have, the first that of the root; to check by.
        notes: What the form cannot say, a line each.
    """

    links: dict[str, LinkChange] = field(default_factory=dict)
    joints: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    payload: Carried | None = None
    inertias: Floats = field(default_factory=lambda: np.zeros((0, PARAMETERS)))
    notes: tuple[str, ...] = ()


def overlay_of(found: Identification | PayloadEstimate) -> Overlay:
    """Return what was identified as changes of the description."""
    unknowns = found.unknowns
    model = unknowns.robot.model
    values = unknowns.nominal + found.change
    joints: dict[str, dict[str, list[float]]] = {}
    if "friction" in unknowns.places:
        table = values[unknowns.places["friction"]].reshape(-1, len(FRICTION))
        moved_ones = [one.name for one in found.friction]
        _put(joints, unknowns, moved_ones, "friction", table[:, 0])
        _put(joints, unknowns, moved_ones, "damping", table[:, 1])
    inertias = np.array(model.lumped.inertias)
    links: dict[str, LinkChange] = {}
    payload = None
    if isinstance(found, PayloadEstimate):
        payload = _payload(found)
        place = model.lumped.place(model.frame(unknowns.frame))
        own = values[unknowns.places["payload"]]
        inertias[place.lump] += moved(own, place.rotation, place.position)
    elif found.bodies is not None:
        inertias[1:] = found.bodies
        for number, body in enumerate(found.bodies, start=1):
            links |= _links(model, number, body)
        if found.armature is not None:
            _put(joints, unknowns, model.coordinate_names, "armature", found.armature)
    return Overlay(links, joints, payload, inertias, tuple(_notes(found)))


def _put(
    joints: dict[str, dict[str, list[float]]],
    unknowns: Unknowns,
    names: tuple[str, ...] | list[str],
    key: str,
    values: Floats,
) -> None:
    """Enter values (nv,) of the coordinates named under their joints."""
    model = unknowns.robot.model
    for joint in model.own_joints:
        rates = range(joint.v_index, joint.v_index + joint.joint.nv)
        if all(model.coordinate_names[k] in names for k in rates):
            own = [float(values[k]) for k in rates]
            joints.setdefault(joint.name, {})[key] = own


def _links(model: Model, lump: int, body: Floats) -> dict[str, LinkChange]:
    """Return what the links of a lump have, so that it has the parameters (10,) of `body`.

    Its first link takes up the change, where that leaves it a possible body; else it takes all.
    """
    places = model.lumped.places
    members = [k for k, place in enumerate(places) if place.lump == lump and k > 0]
    first, others = members[0], members[1:]
    carried = [k for k in others if model.bodies[k].mass or np.any(model.bodies[k].inertia)]
    rest = body.copy()
    for k in carried:
        own = model.bodies[k]
        described = parameters_of(own.mass, own.com, own.inertia)
        rest -= moved(described, places[k].rotation, places[k].position)
    if not carried or (model.bodies[first].mass > 0.0 and is_consistent(rest)):
        return {model.body_names[first]: LinkChange(*central(rest))}
    nothing = LinkChange(0.0, np.zeros(3), np.zeros((3, 3)))
    taken = {model.body_names[k]: nothing for k in carried}
    return {model.body_names[first]: LinkChange(*central(body)), **taken}


def _payload(found: PayloadEstimate) -> Carried:
    """Return the payload as a link; its frame is the one that carries it."""
    model = found.unknowns.robot.model
    frame = model.frame(found.unknowns.frame)
    taken = {*model.body_names, *model.frames, *(joint.name for _, joint in model.moving)}
    name, number = "payload", 1
    while name in taken or f"{name}_mount" in taken:
        number += 1
        name = f"payload{number}"
    own = LinkChange(found.mass, found.com, found.inertia)
    return Carried(name, model.body_names[frame.body], frame.rotation, frame.position, own)


def _notes(found: Identification | PayloadEstimate) -> list[str]:
    """Return what the form cannot say."""
    offsets = [
        f"{one.name}: an offset of {one.curve.offset:.4g} was measured, which no description has:"
        " it stays in residuals"
        for one in found.friction
        if abs(one.curve.offset) > 2.0 * one.deviation[2]
    ]
    effects = [
        f"{one.name}: Stribeck's effect up to {one.stribeck.static:.4g} below"
        f" {one.stribeck.stribeck_speed:.3g} was measured, which the model does not have"
        for one in found.friction
        if one.stribeck is not None
    ]
    return [*offsets, *effects]


def payload_placement(payload: Carried) -> tuple[list[float], list[list[float]]] | None:
    """Return position and rotation rows of a payload's frame in its link, None for the link's."""
    if np.array_equal(payload.rotation, np.eye(3)) and not np.any(payload.position):
        return None
    return payload.position.tolist(), payload.rotation.tolist()
