"""Models as Featherstone's spatial_v2 (document C) has them: .mat and JSON files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.description.exchange.closure_losses import closure_losses, freed, is_written
from robodyn_ros.description.exchange.serial import Step, serial_chain
from robodyn_ros.description.exchange.spatial_v2_reader import SUFFIXES
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model import Model
from robodyn_ros.model.inertia import central
from robodyn_ros.model.lumped import Lump
from robodyn_ros.spatial import compose, skew
from robodyn_ros.spatial.poses import Pose

Floats = NDArray[np.float64]

_AXES = {"x": np.array([1.0, 0, 0]), "y": np.array([0, 1.0, 0]), "z": np.array([0, 0, 1.0])}


class SpatialV2(NamedTuple):
    """A spatial_v2 model and what it cannot say.

    Attributes:
        fields: NB, parent, jtype, Xtree, I, gravity, and the names of bodies and coordinates.
        lost: a line for each thing of ours that is not in them.
    """

    fields: dict[str, Any]
    lost: tuple[str, ...]


def spatial_v2_model(model: Model) -> SpatialV2:
    """Return a model as spatial_v2 has it, with what was lost.

    Links that are fixed to each other are one body. A joint of several coordinates becomes a chain
    with massless bodies between, as spatial_v2's own floatbase does; coordinates are the same, in
    the order of `coordinates`. Body frames sit where spatial_v2 wants the axes.

    Raises:
        ArgumentError: a joint that no chain of spatial_v2's joints stands for; the text names it.
    """
    parents: list[int] = []
    types: list[Any] = []
    trees: list[Floats] = []
    inertias: list[Floats] = []
    names: list[str] = [model.body_names[model.lumped.root_body]]
    coordinates: list[str] = []
    number = {0: 0}
    into: dict[int, Pose] = {0: (np.eye(3), np.zeros(3))}
    lost = list(_lost(model))
    for i, lump in model.lumped.moving:
        if not is_written(model, lump.body):
            continue
        steps, end = _steps(lump)
        pose = compose(into[lump.parent], (lump.rotation, lump.position))
        parent = number[lump.parent]
        for k, step in enumerate(steps):
            last = k == len(steps) - 1
            parents.append(parent)
            types.append(_type(step))
            trees.append(_xtree(compose(pose, step.pose)))
            inertias.append(_inertia(model.lumped.inertias[i], end) if last else np.zeros((6, 6)))
            own = model.body_names[lump.body]
            names.append(own if last else f"{own} (step {k + 1})")
            coordinates.append(_coordinate(lump, step.rate))
            parent, pose = len(parents), (np.eye(3), np.zeros(3))
        number[i], into[i] = parent, end
    fields: dict[str, Any] = {"name": model.name, "NB": len(parents), "parent": parents}
    fields |= {"jtype": types, "Xtree": trees, "I": inertias}
    gravity = model.defaults.environment.gravity.tolist()
    fields |= {"gravity": gravity, "names": names, "coordinates": coordinates}
    return SpatialV2(fields, tuple(lost))


def write_spatial_v2(path: Path, model: Model) -> tuple[str, ...]:
    """Write a model as a .mat file (its variable is `model`) or as JSON; return what was lost.

    Raises:
        ArgumentError: another ending, or a joint that cannot be written.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise ArgumentError(f"{quoted(str(path))} must end in {' or '.join(SUFFIXES)}")
    fields, lost = spatial_v2_model(model)
    save_spatial_v2(path, fields)
    return lost


def save_spatial_v2(path: Path, fields: dict[str, Any]) -> None:
    """Write the fields of a `SpatialV2` as JSON, or as a .mat file, by the path's ending."""
    if path.suffix.lower() == ".json":
        plain = {**fields, **{k: [x.tolist() for x in fields[k]] for k in ("Xtree", "I")}}
        path.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
        return
    from scipy.io import savemat

    cells = {name: _cell(fields[name]) for name in ("jtype", "Xtree", "I", "names", "coordinates")}
    row = np.array([fields["parent"]], dtype=np.float64)
    size = {"NB": float(fields["NB"]), "parent": row, "gravity": np.array([fields["gravity"]])}
    savemat(str(path), {"model": {"name": fields["name"], **size, **cells}})


def _cell(items: list[Any]) -> NDArray[np.object_]:
    """Return a MATLAB cell row of anything."""
    cell = np.empty((1, len(items)), dtype=object)
    for k, item in enumerate(items):
        cell[0, k] = item
    return cell


def _steps(lump: Lump) -> tuple[tuple[Step, ...], Pose]:
    chain = serial_chain(lump.joint.joint, along_z=True)
    if chain is None:
        kind = lump.joint.joint.type_name
        raise ArgumentError(
            f"joint {quoted(lump.joint.name)} is {kind}, which spatial_v2 has no joint for; use"
            " a gimbal, or a fixed base in place of a floating one"
        )
    return chain


def _type(step: Step) -> Any:
    """Return the jtype of a step."""
    letter = next(name for name, axis in _AXES.items() if np.array_equal(axis, step.axis))
    if step.motion == "helical":
        if letter != "z":
            raise AssertionError("the axis of a screw is made z")
        return {"code": "H", "pars": {"pitch": step.pitch}}
    return ("R" if step.motion == "revolute" else "P") + letter


def _xtree(pose: Pose) -> Floats:
    """Return Xtree (6, 6) of a predecessor frame's pose in the parent's body frame."""
    R, p = pose
    E = R.T
    return np.block([[E, np.zeros((3, 3))], [-E @ skew(p), E]])


def _inertia(parameters: Floats, end: Pose) -> Floats:
    """Return the spatial inertia (6, 6) in the last step's frame."""
    mass, com, inertia = central(parameters)
    R, p = end
    c = R @ com + p
    cross = skew(c)
    I_c = R @ inertia @ R.T
    return np.block(
        [[I_c + mass * cross @ cross.T, mass * cross], [mass * cross.T, mass * np.eye(3)]]
    )


def _coordinate(lump: Lump, rate: int) -> str:
    """Return the name of a joint's coordinate."""
    axes = lump.joint.joint.axes
    return f"{lump.joint.name}/{axes[rate]}" if axes else lump.joint.name


def _lost(model: Model) -> list[str]:
    """Return a line for each thing that no field says."""
    lines = list(closure_losses(model))
    for _, lump in model.lumped.moving:
        joint = lump.joint
        if not is_written(model, lump.body):
            continue
        if joint.is_follower and not freed(model, joint):
            lines.append(
                f"joint {quoted(joint.name)} follows {quoted(str(joint.driver))}: it moves freely"
            )
        if np.any(joint.rate_parameters):
            lines.append(f"joint {quoted(joint.name)}: damping, friction and armature")
        if any(value is not None for limit in joint.rate_limits for value in vars(limit).values()):
            lines.append(f"joint {quoted(joint.name)}: its limits")
    first = _first(model)
    merged = [
        name for i, name in enumerate(model.body_names) if i not in first and is_written(model, i)
    ]
    for what, names in (
        ("links that are part of the body they are fixed to", merged),
        ("frames", [frame.name for frame in model.extra_frames]),
        ("markers", [marker.name for marker in model.markers]),
    ):
        if names:
            lines.append(f"{what}: {', '.join(map(quoted, names))}")
    if model.bodies[model.lumped.root_body].mass:
        lines.append("the mass of the root link, which never moves")
    if np.any(model.defaults.v) or np.any(model.defaults.q):
        lines.append("the initial state")
    return lines


def _first(model: Model) -> set[int]:
    """Return the bodies whose frames are lumps' frames, and body 0."""
    return {0, model.lumped.root_body, *(lump.body for lump in model.lumped.lumps)}
