"""What closes a mechanism beyond its tree, as immutable data: elements, motors, chosen equations.

The equations behind the elements are in `robodyn_ros.constraints`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import ClassVar

import numpy as np

from robodyn_ros.model.elements import Vector
from robodyn_ros.model.functions import CoordinateFunction
from robodyn_ros.spatial.arrays import FrozenArrays


@dataclass(frozen=True, eq=False)
class Element(FrozenArrays):
    """A set of equations between the poses of two bodies, and perhaps some coordinates.

    Attributes:
        name: unique among constraint elements and joints.
        body_1: number of the first body in the model.
        body_2: number of the second.
    """

    #: How a mechanism file calls it.
    type_name: ClassVar[str]
    #: How many equations it has.
    rows: ClassVar[int] = 1
    #: Which of its fields is the length that it keeps.
    measured: ClassVar[str] = ""

    name: str
    body_1: int
    body_2: int

    @property
    def measure(self) -> CoordinateFunction:
        """The length that it keeps; 0 where it has none."""
        found: CoordinateFunction = getattr(self, self.measured, CoordinateFunction())
        return found

    @property
    def fingerprint(self) -> str:
        """A text of all that algorithms read."""
        values = (
            value.tolist() if isinstance(value, np.ndarray) else value
            for value in (getattr(self, one.name) for one in fields(self))
        )
        return f"{self.type_name}{list(values)!r}"


@dataclass(frozen=True, eq=False)
class Weld(Element):
    """Frames of two bodies coincide: what closes a loop; body 1 is the copy behind the joint."""

    type_name = "loop"
    rows = 6


@dataclass(frozen=True, eq=False)
class Rod(Element):
    """Two points keep their distance (document D, global-global)."""

    type_name = "rod"
    measured = "length"

    point_1: Vector
    point_2: Vector
    length: CoordinateFunction


@dataclass(frozen=True, eq=False)
class PointOnPlane(Element):
    """A point of body 2 stays in a plane of body 1 (document D, eben-global).

    The plane is at `offset` from body 1's origin along its unit normal.
    """

    type_name = "point_on_plane"
    measured = "offset"

    normal: Vector
    point_2: Vector
    offset: CoordinateFunction


@dataclass(frozen=True, eq=False)
class PointOnCylinder(Element):
    """A point of body 2 keeps its distance from a line of body 1 (document D, G-C)."""

    type_name = "point_on_cylinder"
    measured = "radius"

    point_1: Vector
    axis_1: Vector
    point_2: Vector
    radius: CoordinateFunction


@dataclass(frozen=True, eq=False)
class SkewAxes(Element):
    """Two lines keep a signed distance (document D, cylindrical-revolute-cylindrical).

    It is counted along axis 1 x axis 2, from line 1 to line 2; the lines must not be parallel.
    """

    type_name = "skew_axes"
    measured = "distance"

    point_1: Vector
    axis_1: Vector
    point_2: Vector
    axis_2: Vector
    distance: CoordinateFunction


@dataclass(frozen=True)
class Partition:
    """Which equations count, and for which coordinates they are solved.

    Attributes:
        rows: independent equations, in the order in which they are used.
        dependent: entries of v; dependent[k] is eliminated by rows[k].
        independent: the other entries of v, ascending: as many as the mobility.
        limits: sizes of the pivots of the elimination below which the choice does not serve.
    """

    rows: tuple[int, ...]
    dependent: tuple[int, ...]
    independent: tuple[int, ...]
    limits: tuple[float, ...]


@dataclass(frozen=True)
class Closure:
    """What a mechanism has beyond its tree.

    Attributes:
        elements: the constraint elements and loops.
        actuated: entries of v that have a motor; none named where it is empty.
        weights: of each of their efforts, where more motors than needed share the work; all alike
            where it is empty.
        preferred: entries of v that the description wants to be independent.
        partition: chosen at a configuration in which all elements hold; None until then.
    """

    elements: tuple[Element, ...] = ()
    actuated: tuple[int, ...] = ()
    weights: tuple[float, ...] = ()
    preferred: tuple[int, ...] = ()
    partition: Partition | None = field(default=None)

    @property
    def fingerprint(self) -> bytes:
        """A text of all that algorithms read; nothing for a plain tree."""
        texts = [element.fingerprint for element in self.elements]
        if self.elements or self.actuated:
            texts.append(f"{self.actuated}|{self.weights}|{self.partition}")
        return "|".join(texts).encode()

    @property
    def rows(self) -> int:
        """Number of equations."""
        return sum(element.rows for element in self.elements)

    def rows_of(self, name: str) -> range:
        """Return the equations of the element called `name`."""
        begin = 0
        for element in self.elements:
            if element.name == name:
                return range(begin, begin + element.rows)
            begin += element.rows
        return range(0)
