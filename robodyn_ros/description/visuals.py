"""What a robot's links look like: the <visual> and <collision> elements of a URDF as shapes.

A robot is loaded without this. Nothing here fails: an element that cannot be drawn becomes a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.description.clean import QUATERNION, knows_quaternions
from robodyn_ros.description.mechanism import Mechanism, Shape
from robodyn_ros.description.mechanism.drawing import GREY
from robodyn_ros.description.numbers import fault_in_numbers
from robodyn_ros.description.source import Document, Source, read_source
from robodyn_ros.description.xml_tree import Element, describe, line_of, parse_tree
from robodyn_ros.errors import DescriptionError, quoted
from robodyn_ros.model.elements import constant
from robodyn_ros.spatial import quaternion_to_matrix, rotation_from_rpy

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Visuals:
    """What a description draws a robot with.

    Attributes:
        shapes: what is seen of its bodies.
        collisions: shapes that collisions are looked for with.
        notes: what could not be drawn, one line each.
    """

    shapes: tuple[Shape, ...] = ()
    collisions: tuple[Shape, ...] = ()
    notes: tuple[str, ...] = ()


def visuals_of(source: Source | Document, description: Mechanism) -> Visuals:
    """Return what a description draws its robot with.

    Args:
        source: the description, as it was given to `load_description`.
        description: what that returned. The shapes of a mechanism file come before those that a
            URDF below it has for the same body.
    """
    names = set(description.model.frames) | set(description.model.body_names)
    drawn = tuple(description.drawing)
    try:
        document = read_source(source if description.urdf is None else description.urdf)
        if document.is_mechanism or document.is_spatial_v2:
            return Visuals(drawn)
        root = parse_tree(document)
    except DescriptionError as error:
        return Visuals(drawn, notes=(f"nothing is drawn from the URDF: {error}",))
    reader = _Reader(root, document.folder)
    own = {shape.body for shape in drawn}
    seen = [shape for shape in reader.shapes("visual") if shape.body in names - own]
    collisions = [shape for shape in reader.shapes("collision") if shape.body in names]
    return Visuals((*drawn, *seen), tuple(collisions), tuple(reader.notes))


class _Reader:
    """Reads the shapes of one URDF."""

    def __init__(self, root: Element, folder: Path | None) -> None:
        self.notes: list[str] = []
        self._root = root
        self._folder = folder
        self._quaternions = knows_quaternions(root.get("version", ""))
        self._colors = dict(_named_colors(root))

    def shapes(self, tag: str) -> Iterator[Shape]:
        """Yield what the elements `tag` of all links stand for; notes tell of the others."""
        for link in self._root.iterchildren("link"):
            for element in link.iterchildren(tag):
                yield from self._drawn(link.get("name", ""), element)

    def _drawn(self, link: str, element: Element) -> list[Shape]:
        try:
            return self._shapes(link, element)
        except ValueError as error:
            self.notes.append(f"{line_of(element)}: {describe(element)}: {error}; it is not drawn")
            return []

    def _shapes(self, link: str, element: Element) -> list[Shape]:
        geometry = element.find("geometry")
        form = None if geometry is None else next(geometry.iterchildren("*"), None)
        if form is None:
            raise ValueError("lacks a <geometry> with a shape")
        if form.tag not in _FORMS:
            raise ValueError(f"<{str(form.tag)[:30]}> is none of {', '.join(_FORMS)}")
        position, rotation = self._pose(element.find("origin"))
        begun = Shape(
            link,
            "box",
            constant(np.ones(3)),
            constant(rotation),
            constant(position),
            constant(self._color(element.find("material"))),
        )
        return [self._located(shape) for shape in _FORMS[form.tag](form, begun)]

    def _located(self, shape: Shape) -> Shape:
        """Return a shape whose file has an absolute path, where the URDF's folder is known."""
        if not shape.file or "://" in shape.file or self._folder is None:
            return shape
        return replace(shape, file=str(self._folder / shape.file))

    def _pose(self, origin: Element | None) -> tuple[Floats, Floats]:
        """Return position (3,) and rotation (3, 3) of an <origin>."""
        if origin is None:
            return np.zeros(3), np.eye(3)
        position = _numbers(origin, "xyz", 3, (0.0, 0.0, 0.0))
        if self._quaternions and QUATERNION in origin.attrib:
            quaternion = _numbers(origin, QUATERNION, 4)
            norm = float(np.linalg.norm(quaternion))
            if norm == 0.0:
                raise ValueError(f"{QUATERNION} is zero")
            return position, np.asarray(quaternion_to_matrix(quaternion / norm))
        rpy = _numbers(origin, "rpy", 3, (0.0, 0.0, 0.0))
        return position, np.asarray(rotation_from_rpy(rpy))

    def _color(self, material: Element | None) -> Floats:
        """Return the colour (4,) of a <material>, grey without one."""
        color = None if material is None else _color_of(material)
        if color is None and material is not None:
            color = self._colors.get(material.get("name", ""))
        return np.array(GREY) if color is None else color


def _named_colors(root: Element) -> Iterator[tuple[str, Floats]]:
    """Yield the colours of materials by name; those of links come first, the robot's last."""
    for material in (*root.iterfind("link/visual/material"), *root.iterfind("material")):
        color = _color_of(material)
        if color is not None and material.get("name"):
            yield material.get("name"), color


def _color_of(material: Element) -> Floats | None:
    """Return the colour (4,) in a <material>, None where there is none that can be read."""
    found = material.find("color")
    if found is None:
        return None
    try:
        color = _numbers(found, "rgba", 4)
    except ValueError:
        return None
    return np.clip(color, 0.0, 1.0)


def _box(form: Element, begun: Shape) -> list[Shape]:
    return [replace(begun, size=_sizes(form, "size", 3))]


def _sphere(form: Element, begun: Shape) -> list[Shape]:
    diameter = 2.0 * _sizes(form, "radius", 1)[0]
    return [replace(begun, kind="sphere", size=constant(np.full(3, diameter)))]


def _cylinder(form: Element, begun: Shape) -> list[Shape]:
    diameter, length = 2.0 * _sizes(form, "radius", 1)[0], _sizes(form, "length", 1)[0]
    return [replace(begun, kind="cylinder", size=constant([diameter, diameter, length]))]


def _capsule(form: Element, begun: Shape) -> list[Shape]:
    """Return a cylinder with a sphere at each end."""
    (cylinder,) = _cylinder(form, begun)
    (sphere,) = _sphere(form, begun)
    half = 0.5 * cylinder.size[2] * begun.rotation[:, 2]
    ends = (begun.position - half, begun.position + half)
    return [cylinder, *(replace(sphere, position=constant(end)) for end in ends)]


def _mesh(form: Element, begun: Shape) -> list[Shape]:
    file = form.get("filename", "").strip()
    if not file:
        raise ValueError("<mesh> lacks filename")
    scale = _numbers(form, "scale", 3, (1.0, 1.0, 1.0))
    return [replace(begun, kind="mesh", size=constant(scale), file=file, own_color=True)]


_FORMS: Mapping[str, Callable[[Element, Shape], list[Shape]]] = MappingProxyType(
    {"box": _box, "sphere": _sphere, "cylinder": _cylinder, "capsule": _capsule, "mesh": _mesh}
)


def _sizes(form: Element, key: str, count: int) -> Floats:
    """Return lengths (count,) in m, all positive.

    Raises:
        ValueError: they are not.
    """
    sizes = _numbers(form, key, count)
    if np.any(sizes <= 0.0):
        raise ValueError(f"{key} of <{form.tag}> must be > 0 m, is {quoted(form.get(key))}")
    return constant(sizes)


def _numbers(
    element: Element, key: str, count: int, default: Sequence[float] | None = None
) -> Floats:
    """Return the numbers (count,) of an attribute.

    Raises:
        ValueError: there are none such.
    """
    text = element.get(key)
    if text is None:
        if default is None:
            raise ValueError(f"<{element.tag}> lacks {key}")
        return np.array(default)
    fault = fault_in_numbers(text, count)
    if fault is not None:
        raise ValueError(f"{key} of <{element.tag}>: {fault}")
    return np.array([float(word) for word in text.split()])
