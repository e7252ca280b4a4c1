"""From the collected parts of a robot, in tree order, to its numbered Model."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import DescriptionError, did_you_mean
from robodyn_ros.joints import Fixed, Floating, JointLimits
from robodyn_ros.model.closure import Closure
from robodyn_ros.model.closure_assembly import (
    WORLD,
    auxiliary,
    closure_of,
    function_followers,
    refuse_on_world,
    require_able_followers,
)
from robodyn_ros.model.closure_specs import ClosureParts
from robodyn_ros.model.coordinates import JointCoordinates, OwnCoordinates
from robodyn_ros.model.defaults import Defaults
from robodyn_ros.model.elements import Body, Frame, Note, TreeJoint, constant
from robodyn_ros.model.environment import Environment
from robodyn_ros.model.markers import Marker, MarkerKind
from robodyn_ros.model.mimic import MimicSpec, follower_coordinates
from robodyn_ros.model.model import Model
from robodyn_ros.model.tree import JointSpec, unused

__all__ = ["WORLD", "Base", "FrameSpec", "MarkerSpec", "Parts", "assembled"]

Base = Literal["fixed", "floating", "prescribed"]


@dataclass(frozen=True)
class FrameSpec:
    """A frame as described, fixed in link `body`."""

    name: str
    body: str
    position: NDArray[np.float64]
    rotation: NDArray[np.float64]
    label: str


@dataclass(frozen=True)
class MarkerSpec:
    """A marker as described, fixed in link `body`."""

    name: str
    body: str
    kind: MarkerKind
    vector: NDArray[np.float64]
    label: str


@dataclass(frozen=True)
class Parts:
    """What a robot consists of besides its joints, by name."""

    bodies: Mapping[str, Body]
    mimics: Mapping[str, MimicSpec]
    frames: Mapping[str, FrameSpec]
    markers: Mapping[str, MarkerSpec]
    notes: Sequence[Note]
    closure: ClosureParts


def assembled(
    name: str,
    base: Base,
    root: str,
    ordered: list[JointSpec],
    parts: Parts,
    environment: Environment,
) -> Model:
    """Return the model of a tree whose joints are `ordered` parent first from link `root`.

    Raises:
        DescriptionError: a bad mimic, a frame or marker on an unknown link, or a joint that has the
            name of another's coordinate.
    """
    bodies = [parts.bodies[root]] + [parts.bodies[spec.child] for spec in ordered]
    reference = root
    if base != "fixed":
        above = reference = unused(WORLD, parts.bodies.keys() | parts.frames.keys())
        still, upright = constant(np.zeros(3)), constant(np.eye(3))
        bodies.insert(0, Body(above, 0.0, still, constant(np.zeros((3, 3)))))
        kind = Floating() if base == "floating" else Fixed()
        joint_name = unused(f"{base}_base", parts.closure.names | {spec.name for spec in ordered})
        limits = (JointLimits(),) * kind.nv
        if base == "prescribed":
            refuse_on_world(parts.closure, parts.bodies, above)
        ordered = [JointSpec(joint_name, kind, above, root, still, upright, limits), *ordered]
    taken = {body.name for body in bodies} | parts.frames.keys()
    added = auxiliary(parts.closure, root, taken, reference)
    bodies += added.bodies
    ordered = [*ordered, *added.joints]
    number = {body.name: i for i, body in enumerate(bodies)}
    mimics = parts.mimics
    unable = [spec.name for spec in ordered if spec.joint.nv == 0 and spec.name in mimics]
    text = "a fixed joint cannot follow; its mimic is ignored"
    able = {follower: mimic for follower, mimic in mimics.items() if follower not in unable}
    require_able_followers(parts.closure, ordered, able)
    following = able.keys() | parts.closure.followers.keys()
    own = _own_coordinates(ordered, following)
    _require_distinct_coordinates([spec for spec in ordered if spec.name in own])
    return Model(
        name,
        base,
        tuple(bodies),
        (None, *_tree_joints(ordered, number, own, able, parts.closure)),
        tuple(_placed_frames(parts.frames, number)),
        (*parts.notes, *(Note("mimic", follower, text) for follower in unable)),
        tuple(_placed_markers(parts.markers, number)),
        _defaults(ordered, own, environment),
        closure_of(parts.closure, ordered, own, number, reference)
        if parts.closure.says_anything
        else Closure(),
    )


def _own_coordinates(
    ordered: list[JointSpec], following: Container[str]
) -> dict[str, OwnCoordinates]:
    """Return where the coordinates of those joints are that follow no others."""
    own: dict[str, OwnCoordinates] = {}
    nq = nv = 0
    for spec in ordered:
        if spec.name not in following:
            own[spec.name] = OwnCoordinates(nq, nv, spec.joint.nq, spec.joint.nv)
            nq, nv = nq + spec.joint.nq, nv + spec.joint.nv
    return own


def _defaults(ordered: list[JointSpec], own: Container[str], environment: Environment) -> Defaults:
    """Return the initial state of the joints that own coordinates, with the environment."""
    specs = [spec for spec in ordered if spec.name in own]
    q = [spec.joint.neutral() if spec.initial is None else spec.initial for spec in specs]
    v = [
        np.zeros(spec.joint.nv) if spec.initial_velocity is None else spec.initial_velocity
        for spec in specs
    ]
    nothing = np.zeros(0)
    joined = [constant(np.concatenate([nothing, *values])) for values in (q, v)]
    return Defaults(joined[0], joined[1], environment)


def _tree_joints(
    ordered: list[JointSpec],
    number: dict[str, int],
    own: Mapping[str, OwnCoordinates],
    mimics: Mapping[str, MimicSpec],
    closure: ClosureParts,
) -> Iterator[TreeJoint]:
    sources: dict[str, tuple[JointCoordinates, str | None]] = {
        name: (coordinates, None) for name, coordinates in own.items()
    }
    sources.update(follower_coordinates(mimics, {spec.name: spec for spec in ordered}, own))
    for name, follower, driver in function_followers(closure, ordered, own):
        sources[name] = (follower, driver)
    for spec in ordered:
        coordinates, leader = sources[spec.name]
        same = len(set(spec.limits)) == 1
        yield TreeJoint(
            spec.name,
            spec.joint,
            number[spec.parent],
            spec.rotation,
            spec.position,
            coordinates,
            spec.limits[0] if same else JointLimits(),
            leader,
            spec.limits,
            spec.parameters,
        )


def _require_distinct_coordinates(own: list[JointSpec]) -> None:
    """Raise where a joint is called as a coordinate of another is, `joint/x` or `joint/qx`."""
    joints = {spec.name: spec for spec in own if spec.joint.nv == 1}
    for spec in own:
        for part in {*spec.joint.axes, *spec.joint.coordinate_axes()}:
            other = joints.get(f"{spec.name}/{part}")
            if other is not None:
                raise DescriptionError(
                    f"joint {other.label} has the name of a coordinate of joint {spec.label};"
                    " rename it"
                )


def _placed_frames(frames: Mapping[str, FrameSpec], number: dict[str, int]) -> Iterator[Frame]:
    for spec in frames.values():
        if spec.name in number:
            raise DescriptionError(f"frame {spec.label} has the name of a link; rename it")
        if spec.body not in number:
            meant = did_you_mean(spec.body, number)
            raise DescriptionError(f"frame {spec.label} sits on unknown link {spec.body!r}{meant}")
        yield Frame(spec.name, number[spec.body], spec.rotation, spec.position)


def _placed_markers(markers: Mapping[str, MarkerSpec], number: dict[str, int]) -> Iterator[Marker]:
    for spec in markers.values():
        if spec.body not in number:
            meant = did_you_mean(spec.body, number)
            raise DescriptionError(f"marker {spec.label} sits on unknown link {spec.body!r}{meant}")
        yield Marker(spec.name, number[spec.body], spec.kind, spec.vector)
