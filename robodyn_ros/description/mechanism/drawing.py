"""Shapes to draw bodies with, as plain data for whoever draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.description.mechanism.inertia import LENGTH, RADIUS, SIZE
from robodyn_ros.description.mechanism.kinds import (
    Choice,
    Kind,
    Numbers,
    Scope,
    Text,
)
from robodyn_ros.description.mechanism.nodes import Place
from robodyn_ros.description.mechanism.placement import (
    FORMS,
    PLACEMENT_HINTS,
    PLACEMENT_KEYS,
    pose_of,
)
from robodyn_ros.description.mechanism.sections import Entry, Key, Section
from robodyn_ros.model.elements import constant
from robodyn_ros.spatial import axis_alignment
from robodyn_ros.spatial.arrays import FrozenArrays

ShapeKind = Literal["box", "sphere", "cylinder", "mesh"]
GREY = (0.6, 0.6, 0.65, 1.0)


@dataclass(frozen=True, eq=False)
class Shape(FrozenArrays):
    """A shape fixed in a body.

    Attributes:
        body: name of the body or frame.
        kind: "box", "sphere", "cylinder" (along z) or "mesh".
        size: (3,) extent along the shape's x, y, z in m; of a mesh its scale.
        rotation: R_BS (3, 3), shape axes to body axes.
        position: (3,) of the shape's centre (a mesh's origin), m.
        color: red, green, blue, opacity (4,), each 0 to 1.
        file: URI or path of a mesh, "" for others.
        own_color: whether a mesh's own colours come before `color`, which is for what has none.
    """

    body: str
    kind: ShapeKind
    size: NDArray[np.float64]
    rotation: NDArray[np.float64]
    position: NDArray[np.float64]
    color: NDArray[np.float64]
    file: str = ""
    own_color: bool = False


class Form(NamedTuple):
    """A form as files name it: its keys, and the shape it stands for."""

    keys: tuple[Key, ...]
    shape: Callable[[Entry, Shape], Shape]
    about: str


def _box(entry: Entry, shape: Shape) -> Shape:
    if np.any(entry["size"] <= 0.0):
        raise entry.failure("size", "must be three numbers > 0 in m")
    return replace(shape, kind="box", size=constant(entry["size"]))


def _sphere(entry: Entry, shape: Shape) -> Shape:
    return replace(shape, size=constant(np.full(3, 2.0 * entry["radius"])))


def _cylinder(entry: Entry, shape: Shape) -> Shape:
    return _along(shape, np.array([0.0, 0.0, 1.0]), entry["radius"], entry["length"])


def _along(shape: Shape, axis: NDArray[np.float64], radius: float, length: float) -> Shape:
    """Return a cylinder along an axis of the shape as placed."""
    size = constant([2.0 * radius, 2.0 * radius, length])
    turned = constant(shape.rotation @ axis_alignment(axis))
    return replace(shape, kind="cylinder", size=size, rotation=turned)


def _bar(entry: Entry, shape: Shape) -> Shape:
    start, end = entry["from"], entry["to"]
    length = float(np.linalg.norm(end - start))
    if length == 0.0:
        raise entry.failure("to", "is where from is; give two points")
    middle = shape.position + shape.rotation @ ((start + end) / 2.0)
    bar = _along(shape, (end - start) / length, entry["radius"], length)
    return replace(bar, position=constant(middle))


def _mesh(entry: Entry, shape: Shape) -> Shape:
    return replace(
        shape,
        kind="mesh",
        size=constant(entry["scale"]),
        file=entry["file"],
        own_color=not entry.gives("color"),
    )


@dataclass(frozen=True)
class File(Kind):
    """A path or URI; a relative path begins where the mechanism file lies."""

    text: str = "a package:// or file:// URI, or a path"

    def read(self, place: Place, scope: Scope) -> str:
        """Return the URI, or the absolute path where the file's folder is known."""
        given = Text(self.text).read(place, scope)
        if "://" in given or scope.folder is None or Path(given).is_absolute():
            return given
        return str(scope.folder / given)


_FROM = Key("from", Numbers(3, "m"), "where it begins")
_TO = Key("to", Numbers(3, "m"), "where it ends")
_FILE = Key("file", File(), "the mesh")
_SCALE = Key("scale", Numbers(3), "factors along x, y, z", np.ones(3), "1, 1, 1")

FORMS_OF_SHAPES: Mapping[str, Form] = MappingProxyType(
    {
        "box": Form((SIZE,), _box, "a box about its placement"),
        "sphere": Form((RADIUS,), _sphere, "a sphere about its placement"),
        "cylinder": Form((RADIUS, LENGTH), _cylinder, "a cylinder along z of its placement"),
        "bar": Form((_FROM, _TO, RADIUS), _bar, "a cylinder between two points"),
        "mesh": Form((_FILE, _SCALE), _mesh, "a mesh, its origin at the placement"),
    }
)
_COLOR = Key(
    "color",
    Numbers(4, example="[1, 0, 0, 1]"),
    "red, green, blue, opacity, each 0 to 1",
    GREY,
    "grey",
)


def shape_section(form: str) -> Section:
    """Return the section of a form's keys."""
    shape = Key("shape", Choice(tuple(FORMS_OF_SHAPES)), "its form")
    keys = (shape, *FORMS_OF_SHAPES[form].keys, *PLACEMENT_KEYS, _COLOR)
    return Section(f"a {form}", keys, (FORMS,), PLACEMENT_HINTS)


class DrawnShape(Kind):
    """A shape of a body; the section of its form reads it."""

    text = f"a shape: a mapping with shape ({', '.join(FORMS_OF_SHAPES)}) and its keys"

    def read(self, place: Place, scope: Scope) -> Shape:
        """Return the shape, its body not named yet."""
        entries = place.entries(self.text)
        choice = Choice(tuple(FORMS_OF_SHAPES))
        if "shape" not in entries:
            raise place.failure(f"lacks shape; add shape: ({choice.text})")
        form = choice.read(entries["shape"], scope)
        entry = shape_section(form).read(place, scope)
        color = np.array(entry["color"])
        if np.any(color < 0.0) or np.any(color > 1.0):
            raise entry.failure("color", "must be four numbers from 0 to 1")
        pose = pose_of(entry)
        placed = Shape(
            "", "sphere", constant(np.ones(3)), constant(pose.rotation), constant(pose.position),
            constant(color),
        )  # fmt: skip
        return FORMS_OF_SHAPES[form].shape(entry, placed)
