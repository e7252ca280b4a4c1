"""Featherstone's spatial_v2 models (document C) as descriptions: .mat and JSON files.

A model has NB, parent (numbers, 0 is the base), jtype (codes, or structures with a code and
parameters), Xtree and I (6x6 each), and may have gravity. Its coordinate transforms are angular
first and take the parent's coordinates to the joint's: Xtree = [[E, 0], [-E r x, E]].
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.description.exchange.mat_file import read_mat
from robodyn_ros.errors import DescriptionError, quoted
from robodyn_ros.joints import JOINT_TYPES, Joint, Prismatic, Revolute
from robodyn_ros.model import ModelBuilder
from robodyn_ros.spatial import skew

Floats = NDArray[np.float64]

SUFFIXES = (".mat", ".json")
MAX_BODIES = 10_000
_TOLERANCE = 1e-6
"""How far Xtree and I may be from their form, of their largest entry or 1."""
_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
#: jtype without an axis means z.
_CODES = {"R": "Rz", "P": "Pz"}


def read_spatial_v2(path: Path) -> ModelBuilder:
    """Return a builder of the model in a .mat or .json file; see `spatial_v2_builder`."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DescriptionError(f"cannot read {str(path)!r}: {error.strerror}") from error
    return spatial_v2_builder(data, path.suffix.lower(), path.stem)


def spatial_v2_builder(data: bytes, suffix: str, name: str) -> ModelBuilder:
    """Return a builder of the model in the bytes of a .mat or .json file.

    `name` is the robot's, unless the file has one.

    Bodies are called body1 ... and joints joint1 ..., unless the file has `names`, a list of body
    names of ours; body 0 is called base. In a .mat file the model is a variable of structure type.

    Raises:
        DescriptionError: the file cannot be read, or is no such model; the text names the field
            and the body.
    """
    fields = _fields(data, suffix)
    count = _whole(fields, "NB")
    parents = np.atleast_1d(_numbers(fields, "parent"))
    lists = {name: _items(fields, name, count) for name in ("jtype", "Xtree", "I")}
    if parents.shape != (count,):
        raise DescriptionError(f"parent must have NB = {count} numbers, got {parents.size}")
    names = _names(fields, count)
    builder = ModelBuilder(str(fields.get("name") or name))
    builder.add_body(names[0], has_inertial=False)
    if "gravity" in fields:
        builder.set_gravity(np.ravel(_numbers(fields, "gravity")))
    for number in range(1, count + 1):
        parent = parents[number - 1]
        if parent != int(parent) or not 0 <= parent < number:
            raise DescriptionError(
                f"parent of body {number} must be a whole number from 0 to {number - 1}, got"
                f" {parent:g}: parents come before their children"
            )
        at = f"body {number}"
        joint = _joint(lists["jtype"][number - 1], at)
        rotation, position = _placement(lists["Xtree"][number - 1], at)
        mass, com, inertia = _mass_properties(lists["I"][number - 1], at)
        body = names[number]
        builder.add_body(body, mass=mass, com=com, inertia=inertia, where=at)
        builder.add_joint(
            f"joint{number}",
            joint,
            names[int(parent)],
            body,
            position=position,
            rotation=rotation,
            where=at,
        )
    return builder


def _fields(data: bytes, suffix: str) -> Mapping[str, Any]:
    """Return the fields of the model in a file's bytes."""
    if suffix == ".json":
        try:
            found = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise DescriptionError(f"cannot be read as JSON: {error}") from None
        if not isinstance(found, dict):
            raise DescriptionError("must be a JSON object with NB, parent, jtype, Xtree and I")
        return _model_in(found)
    return _model_in(read_mat(data))


def _model_in(found: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields themselves, or those of the only variable that has them."""
    if "NB" in found:
        return found
    models = [x for x in found.values() if isinstance(x, dict) and "NB" in x]
    if len(models) == 1:
        return models[0]
    what = "several models" if models else "no model, that is no variable with a field NB"
    raise DescriptionError(f"has {what}; give one structure with NB, parent, jtype, Xtree and I")


def _numbers(fields: Mapping[str, Any], name: str) -> Floats:
    """Return a field as an array of finite numbers."""
    if name not in fields:
        raise DescriptionError(f"lacks the field {name}")
    return _array(fields[name], name)


def _array(value: object, what: str) -> Floats:
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise DescriptionError(f"{what} must be numbers, got {quoted(value)}") from None
    if not np.all(np.isfinite(array)):
        raise DescriptionError(f"{what} must be finite numbers, got {quoted(value)}")
    return array


def _whole(fields: Mapping[str, Any], name: str) -> int:
    value = _numbers(fields, name)
    if value.size != 1 or value.item() != int(value.item()) or not 0 <= value.item() <= MAX_BODIES:
        raise DescriptionError(f"{name} must be a whole number from 0 to {MAX_BODIES}")
    return int(value.item())


def _items(fields: Mapping[str, Any], name: str, count: int) -> Sequence[Any]:
    """Return a field's entry for each body; a model of one body may have it without a list."""
    if name not in fields:
        raise DescriptionError(f"lacks the field {name}")
    value = fields[name]
    if count == 1 and (isinstance(value, (str, dict)) or len(value) != 1):
        return [value]
    if not isinstance(value, (list, np.ndarray)) or len(value) != count:
        raise DescriptionError(f"{name} must have an entry for each of NB = {count} bodies")
    return list(value)


def _names(fields: Mapping[str, Any], count: int) -> list[str]:
    """Return the names of body 0 and the others."""
    own = ["base", *(f"body{number}" for number in range(1, count + 1))]
    if "names" not in fields:
        return own
    given = [str(name) for name in np.atleast_1d(np.array(fields["names"], dtype=object))]
    if len(given) != count + 1 or len(set(given)) != len(given):
        raise DescriptionError(f"names must be {count + 1} different names, body 0's first")
    return given


def _joint(code: Any, at: str) -> Joint:
    """Return the joint of a jtype."""
    pitch = None
    if isinstance(code, Mapping):
        parameters = code.get("pars")
        pitch = parameters.get("pitch") if isinstance(parameters, Mapping) else parameters
        code = code.get("code")
    name = _CODES.get(str(code), str(code))
    if name[:1] in ("R", "P") and name[1:] in _AXES:
        axis = _AXES[name[1:]]
        return Revolute(axis) if name[0] == "R" else Prismatic(axis)
    if name == "H":
        if pitch is None:
            raise DescriptionError(
                f"jtype of {at} is H, a screw, without its pitch; give a structure with code and"
                " pars.pitch, m/rad"
            )
        turns = float(_array(pitch, f"pitch of {at}").item())
        return JOINT_TYPES["helical"](axis=_AXES["z"], pitch=turns)  # type: ignore[call-arg]
    hint = ": planar models with 3x3 matrices cannot be read" if name in ("r", "px", "py") else ""
    raise DescriptionError(
        f"jtype of {at} must be R, Rx, Ry, Rz, P, Px, Py, Pz or H with a pitch, got"
        f" {quoted(name)}{hint}"
    )


def _placement(value: Any, at: str) -> tuple[Floats, Floats]:
    """Return R_PF (3, 3) and p_PF (3,) of an Xtree."""
    X = _matrix(value, f"Xtree of {at}")
    E = X[:3, :3]
    cross = -E.T @ X[3:, :3]
    r = np.array([cross[2, 1], cross[0, 2], cross[1, 0]])
    formed = np.block([[E, np.zeros((3, 3))], [-E @ skew(r), E]])
    scale = max(1.0, float(np.max(np.abs(X))))
    off = max(float(np.max(np.abs(X - formed))), float(np.max(np.abs(E @ E.T - np.eye(3)))))
    if off > _TOLERANCE * scale or np.linalg.det(E) < 0.0:
        raise DescriptionError(
            f"Xtree of {at} is no coordinate transform [[E, 0], [-E r x, E]] with a rotation E"
        )
    return E.T, r


def _mass_properties(value: Any, at: str) -> tuple[float, Floats, Floats]:
    """Return mass, com (3,) and the inertia (3, 3) about it, of a spatial inertia."""
    I_B = _matrix(value, f"I of {at}")
    mass = float(np.trace(I_B[3:, 3:]) / 3.0)
    moment = I_B[:3, 3:]
    first = np.array([moment[2, 1], moment[0, 2], moment[1, 0]])
    formed = np.block([[I_B[:3, :3], skew(first)], [-skew(first), mass * np.eye(3)]])
    scale = max(1e-12, float(np.max(np.abs(I_B))))
    off = np.max(np.abs(I_B - formed)), np.max(np.abs(I_B[:3, :3] - I_B[:3, :3].T))
    if max(off) > _TOLERANCE * scale:
        raise DescriptionError(
            f"I of {at} is no spatial inertia [[I_c + m c x c x^T, m c x], [m c x^T, m 1]]"
        )
    if mass == 0.0:
        return 0.0, np.zeros(3), I_B[:3, :3]
    com = first / mass
    return mass, com, I_B[:3, :3] - mass * skew(com) @ skew(com).T


def _matrix(value: Any, what: str) -> Floats:
    array = _array(value, what)
    if array.shape != (6, 6):
        raise DescriptionError(f"{what} must be 6x6, got shape {array.shape}")
    return array
