"""Mass properties of a body: numbers or a solid shape, with points of mass added."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.description.mechanism.kinds import (
    Choice,
    Items,
    Kind,
    Matrix,
    Number,
    Numbers,
    Scope,
    UnitVector,
)
from robodyn_ros.description.mechanism.nodes import List, Map, Place, shown
from robodyn_ros.description.mechanism.placement import ROTATION_KEYS, Placement
from robodyn_ros.description.mechanism.sections import Entry, Key, Section

Vector = NDArray[np.float64]
_UNIT = "kg m^2"
_ORDER = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_SYMMETRY = 1e-9

AXIS = Key("axis", UnitVector(), "direction of its length", np.array([0.0, 0.0, 1.0]), "0, 0, 1")
RADIUS = Key("radius", Number("m", positive=True), "radius")
LENGTH = Key("length", Number("m", positive=True), "length, the centre of mass in its middle")
SIZE = Key("size", Numbers(3, "m"), "lengths of its edges along x, y, z")


def _about_axis(axis: Vector, along: float, across: float) -> Vector:
    """Return the inertia of a body of revolution."""
    turned: Vector = across * np.eye(3) + (along - across) * np.outer(axis, axis)
    return turned


def _cylinder(shape: Entry) -> Vector:
    square, length = shape["radius"] ** 2, shape["length"]
    return _about_axis(shape["axis"], square / 2.0, square / 4.0 + length**2 / 12.0)


def _rod(shape: Entry) -> Vector:
    return _about_axis(shape["axis"], 0.0, shape["length"] ** 2 / 12.0)


def _sphere(shape: Entry) -> Vector:
    return _about_axis(np.array([0.0, 0.0, 1.0]), *(0.4 * shape["radius"] ** 2,) * 2)


def _box(shape: Entry) -> Vector:
    size = shape["size"]
    if np.any(size <= 0.0):
        raise shape.failure("size", "must be three numbers > 0 in m")
    squares = size**2
    return np.diag(np.sum(squares) - squares) / 12.0


class Solid(NamedTuple):
    """A homogeneous shape: its keys, and its inertia about the centre per kg, (3, 3) in m^2."""

    keys: tuple[Key, ...]
    inertia_per_mass: Callable[[Entry], Vector]
    about: str


SOLIDS: Mapping[str, Solid] = MappingProxyType(
    {
        "cylinder": Solid((RADIUS, LENGTH, AXIS), _cylinder, "a solid cylinder"),
        "rod": Solid((LENGTH, AXIS), _rod, "a cylinder too thin to matter: no inertia along it"),
        "box": Solid((SIZE,), _box, "a solid box"),
        "sphere": Solid((RADIUS,), _sphere, "a solid sphere"),
    }
)


def solid_section(name: str) -> Section:
    """Return the section of a shape's keys."""
    shape = Key("shape", Choice(tuple(SOLIDS)), "what it is")
    return Section(f"a {name}", (shape, *SOLIDS[name].keys))


_MOMENTS = Section(
    "an inertia",
    tuple(
        Key(name, Number(_UNIT), "moment" if name[1] == name[2] else "product of inertia", *default)
        for name, default in ((name, () if name[1] == name[2] else (0.0, "0")) for name in _ORDER)
    ),
)


class Inertia(Kind):
    """Six numbers, a matrix, the six by name, or a solid shape."""

    text = (
        "[ixx, ixy, ixz, iyy, iyz, izz], 3 rows of 3 numbers, a mapping of those six, or a shape"
        f" ({', '.join(SOLIDS)})"
    )

    def read(self, place: Place, scope: Scope) -> Callable[[float], Vector]:
        """Return a function from the mass in kg to the inertia (3, 3) about the centre of mass."""
        if isinstance(place.node, Map):
            if "shape" in place.node.entries:
                return self._solid(place, scope)
            moments = _MOMENTS.read(place, scope)
            return _constant([moments[name] for name in _ORDER])
        if not isinstance(place.node, List):
            raise place.failure(f"must be {self.text}, not {shown(place.node)}")
        if len(place.node.items) == 6:
            return _constant(Numbers(6, _UNIT).read(place, scope))
        if len(place.node.items) != 3:
            raise place.failure(f"must be {self.text}, not {shown(place.node)}")
        matrix = Matrix(_UNIT).read(place, scope)
        if np.max(np.abs(matrix - matrix.T)) > _SYMMETRY * np.max(np.abs(matrix)):
            raise place.failure("must be symmetric; its entries (i, j) and (j, i) differ")
        return lambda mass: 0.5 * (matrix + matrix.T)

    def _solid(self, place: Place, scope: Scope) -> Callable[[float], Vector]:
        shape = Choice(tuple(SOLIDS)).read(place.entries(self.text)["shape"], scope)
        per_mass = SOLIDS[shape].inertia_per_mass(solid_section(shape).read(place, scope))
        return lambda mass: mass * per_mass


def _constant(six: Any) -> Callable[[float], Vector]:
    """Return a function that gives the matrix of the six whatever the mass."""
    xx, xy, xz, yy, yz, zz = (float(value) for value in six)
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return lambda mass: matrix


POINT_MASS = Section(
    "a point mass",
    (
        Key("mass", Number("kg", minimum=0.0), "its mass"),
        Key("position", Numbers(3, "m"), "where it is, in body axes", np.zeros(3), "0, 0, 0"),
    ),
)
BODY_KEYS = (
    Key("mass", Number("kg", minimum=0.0), "mass, without that of `point_masses`", 0.0, "0"),
    Key("com", Numbers(3, "m"), "centre of mass, without `point_masses`", np.zeros(3), "0, 0, 0"),
    Key("inertia", Inertia(), "about `com`", None, "that of a point"),
    Key(
        "inertia_rotation",
        Placement("a rotation", ROTATION_KEYS),
        "axes of `inertia` in the body frame",
        None,
        "the body's axes",
    ),
    Key("point_masses", Items(POINT_MASS), "points of mass that are added", (), "none"),
)
BODY = Section("a body", BODY_KEYS)


@dataclass(frozen=True)
class MassProperties:
    """Mass in kg, centre of mass (3,) in m, inertia (3, 3) about it; body axes."""

    mass: float
    com: Vector
    inertia: Vector

    def with_points(self, points: list[tuple[float, Vector]]) -> MassProperties:
        """Return the properties of the body and points of mass (kg, position (3,) in m)."""
        parts = [(self.mass, self.com), *points]
        total = sum(mass for mass, _ in parts)
        if total == 0.0:
            return self
        com = sum((mass * at for mass, at in parts), np.zeros(3)) / total
        inertia = self.inertia
        for mass, at in parts:
            arm = at - com
            inertia = inertia + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        return MassProperties(total, com, inertia)


def mass_properties(entry: Entry, described: MassProperties | None = None) -> MassProperties:
    """Return what the body keys of an entry give.

    Args:
        entry: of a section with `BODY_KEYS`.
        described: what holds for keys that are not written, where another description has it.
    """
    known = described or MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))
    mass = entry["mass"] if entry.gives("mass") else known.mass
    com = entry["com"] if entry.gives("com") else known.com
    inertia = known.inertia
    if entry.gives("inertia"):
        inertia = entry["inertia"](mass)
        if entry.gives("inertia_rotation"):
            R_BI = entry["inertia_rotation"].rotation
            inertia = R_BI @ inertia @ R_BI.T
    elif entry.gives("inertia_rotation"):
        raise entry.failure("inertia_rotation", "turns nothing; give inertia too")
    points = [(point["mass"], point["position"]) for point in entry["point_masses"]]
    own = MassProperties(mass, com, inertia)
    return own.with_points(points) if points else own
