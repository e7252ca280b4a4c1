"""A mechanism file from its bytes to a builder, and to what else it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from robodyn_ros.description.mechanism.drawing import Shape
from robodyn_ros.description.mechanism.kinds import Scope
from robodyn_ros.description.mechanism.names import require_known
from robodyn_ros.description.mechanism.nodes import Node, Place, Scalar, shown
from robodyn_ros.description.mechanism.parameters import read_parameters
from robodyn_ros.description.mechanism.parts import Parts
from robodyn_ros.description.mechanism.placement import Pose, pose_of
from robodyn_ros.description.mechanism.schema import TOP, VERSION
from robodyn_ros.description.mechanism.sections import Entry
from robodyn_ros.description.mechanism.state import with_added_state
from robodyn_ros.description.mechanism.yaml_text import read_yaml
from robodyn_ros.errors import DescriptionError, quoted
from robodyn_ros.expressions import Expression
from robodyn_ros.model import BaseMotion, Model, ModelBuilder
from robodyn_ros.model.assembly import WORLD
from robodyn_ros.model.builder import Base


@dataclass(frozen=True)
class Simulation:
    """How a description asks to be simulated: time and step in s, None where it does not say."""

    time: float | None = None
    step: float | None = None


@dataclass(frozen=True)
class Mechanism:
    """What a mechanism file says.

    Attributes:
        model: the robot.
        parameters: values by name, overrides included.
        simulation: how to simulate it.
        drawing: shapes to draw its bodies with.
        lines: on which line of a mechanism file "link 'NAME'", "joint 'NAME'" (loop joints and
            controls too) and "constraint 'NAME'" stand.
        drives: how controls are driven: formulas of the time t in s, by control.
        urdf: the URDF that a mechanism file is laid over, None without one.
    """

    model: Model
    parameters: Mapping[str, float] = field(default_factory=dict)
    simulation: Simulation = field(default_factory=Simulation)
    drawing: tuple[Shape, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict)
    drives: Mapping[str, Expression] = field(default_factory=dict)
    urdf: Path | None = None


def read_mechanism(
    data: bytes,
    *,
    fallback_name: str,
    folder: Path | None = None,
    base: Base | None = None,
    root: str | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Mechanism:
    """Return what a mechanism file says.

    Args:
        data: the file's bytes.
        fallback_name: the robot's name if the file gives none.
        folder: where relative paths begin; None for a text, which may only name absolute ones.
        base: in place of the file's.
        root: in place of the file's.
        parameters: values in place of the file's, by name.

    Raises:
        DescriptionError: the file cannot be used; the text gives line, path in the file and remedy.
        UnknownNameError: the file has no such parameter.
        ArgumentError: a parameter that is no number, or no such base.
    """
    node = read_yaml(data)
    return mechanism_of(node, fallback_name, folder, base=base, root=root, parameters=parameters)


def mechanism_of(
    node: Node,
    fallback_name: str,
    folder: Path | None = None,
    *,
    base: Base | None = None,
    root: str | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Mechanism:
    """Return what a mechanism file says that was read to `node`; see `read_mechanism`."""
    top = Place(node, (), min(node.line, 1))
    places = top.entries("a mapping that begins with 'mechanism: 1'")
    _require_version(top, places)
    values = read_parameters(places.get("parameters"), parameters)
    scope = Scope(values, folder)
    entry: Entry = TOP.read(top, scope)
    parts = Parts(entry, scope, fallback_name)
    builder = parts.builder()
    names = parts.bodies
    _add_frames(builder, entry, names)
    _add_surroundings(builder, entry)
    chosen_root = root
    if root is None and entry.gives("root"):
        chosen_root = entry["root"]
        require_known("body", entry["root"], names, entry.at("root"))
    model = _built(builder, entry, base or entry["base"] or "fixed", chosen_root)
    model = with_added_state(model, parts.state)
    parts.state.require_all_used()
    parts.require_values(model)
    model = _closed(model, parts)
    return Mechanism(
        model,
        values,
        _simulation(entry),
        tuple(_drawn(entry, [*names, *(entry["frames"] or {})])),
        parts.lines,
        parts.closure.drives,
        parts.urdf,
    )


def _require_version(top: Place, places: Mapping[str, Place]) -> None:
    if "mechanism" not in places:
        raise top.failure(f"lacks the version of the format; begin with 'mechanism: {VERSION}'")
    place = places["mechanism"]
    node = place.node
    if not isinstance(node, Scalar) or node.text.strip() != VERSION:
        raise place.failure(
            f"must be {VERSION}, the version that this release reads, not {shown(node)}"
        )


def _add_frames(builder: ModelBuilder, entry: Entry, names: list[str]) -> None:
    for name, frame in (entry["frames"] or {}).items():
        require_known("body", frame["body"], [*names, WORLD], frame.at("body"))
        pose = pose_of(frame)
        builder.add_frame(name, frame["body"], pose.position, pose.rotation, where=frame.where)
    for name, marker in (entry["markers"] or {}).items():
        require_known("body", marker["body"], [*names, WORLD], marker.at("body"))
        if not marker.gives("position", "direction"):
            raise marker.place.failure("lacks position or direction; add one of them")
        vectors = marker.given("position", "direction")
        builder.add_marker(name, marker["body"], **vectors, where=marker.where)


def _add_surroundings(builder: ModelBuilder, entry: Entry) -> None:
    if entry["gravity"] is not None:
        builder.set_gravity(entry["gravity"])
    motion: Entry | None = entry["base_motion"]
    if motion is None:
        return
    if entry["base"] != "prescribed":
        raise entry.failure("base_motion", "only a prescribed base has one; add base: prescribed")
    pose = pose_of(motion)
    rest = ("angular_velocity", "linear_velocity", "angular_acceleration", "linear_acceleration")
    builder.set_base_motion(
        BaseMotion(pose.position, pose.rotation, *(motion[name] for name in rest))
    )


def _built(builder: ModelBuilder, entry: Entry, base: Base, root: str | None) -> Model:
    """Build; the workspace is a frame of body 0, whose name only a model knows."""
    model = builder.build(base=base, root=root)
    workspace: Entry | None = entry["workspace"]
    if workspace is None:
        return model
    pose: Pose = pose_of(workspace)
    builder.add_frame(
        workspace["name"],
        model.body_names[0],
        pose.position,
        pose.rotation,
        where=workspace.where,
    )
    return builder.build(base=base, root=root)


def _closed(model: Model, parts: Parts) -> Model:
    """Return a closed mechanism in a state in which it is closed; any other model as it is."""
    if not model.is_closed:
        return model
    # Imported here because nodes whose robot is a tree start without it.
    from robodyn_ros.constraints.loading import assembled_at_load

    try:
        with np.errstate(all="ignore"):  # lengths beyond all reason come to no number
            return assembled_at_load(model)
    except DescriptionError as error:
        text = str(error)
        for _, name, place in parts.closure.places():
            if f"{quoted(name)} lacks" in text:
                raise place.failure(text) from None
        raise


def _simulation(entry: Entry) -> Simulation:
    section: Entry | None = entry["simulation"]
    return Simulation() if section is None else Simulation(section["time"], section["step"])


def _drawn(entry: Entry, names: list[str]) -> list[Shape]:
    drawn: dict[str, Any] = entry["drawing"] or {}
    shapes = []
    for name, of_body in drawn.items():
        require_known("body", name, names, entry.at("drawing"))
        shapes += [replace(shape, body=name) for shape in of_body]
    return shapes
