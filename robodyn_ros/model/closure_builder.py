"""The part of the builder that collects what a mechanism has beyond its tree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robodyn_ros.errors import DescriptionError
from robodyn_ros.expressions import Expression
from robodyn_ros.joints import Joint, JointLimits
from robodyn_ros.joints.control import Control
from robodyn_ros.model.checks import finite, finite_number
from robodyn_ros.model.closure import (
    Element,
    PointOnCylinder,
    PointOnPlane,
    Rod,
    SkewAxes,
)
from robodyn_ros.model.closure_specs import (
    ClosureParts,
    ElementSpec,
    FollowerSpec,
    Make,
    Measure,
    NamesSpec,
)
from robodyn_ros.model.elements import Vector, constant
from robodyn_ros.model.functions import CoordinateFunction
from robodyn_ros.model.joint_spec import joint_spec
from robodyn_ros.model.tree import JointSpec, labelled


class ClosureBuilder(ABC):
    """Collects control elements, loops, constraint elements and motors, in any order."""

    def __init__(self) -> None:
        """Begin with a plain tree."""
        self._closure = ClosureParts()

    def add_control(
        self,
        name: str,
        *,
        limits: JointLimits | None = None,
        initial: float = 0.0,
        initial_velocity: float = 0.0,
        where: str = "",
    ) -> None:
        """Add a control element: a coordinate that joints and lengths may depend on."""
        self._require_new(name, where)
        self._closure.controls[name] = joint_spec(
            name,
            Control(),
            "",
            "",
            limits=limits,
            initial=initial,
            initial_velocity=initial_velocity,
            where=where,
        )

    def add_loop(
        self,
        name: str,
        joint: Joint,
        parent: str,
        child: str,
        **properties: Any,
    ) -> None:
        """Close a loop: a joint between two links that the tree already carries.

        Args are those of `ModelBuilder.add_joint`. The joint's coordinates come after those of the
        tree; friction, armature and limits act as on any joint.
        """
        self._require_new(name, properties.get("where", ""))
        self._closure.loops[name] = joint_spec(name, joint, parent, child, **properties)

    def add_follower(self, name: str, formulas: Sequence[Expression], *, where: str = "") -> None:
        """Make the coordinates of joint `name` formulas of controls and one-number joints."""
        if name in self._closure.followers:
            raise DescriptionError(
                f"joint {labelled(name, where)} follows formulas already; remove one of them"
            )
        self._closure.followers[name] = FollowerSpec(tuple(formulas), where)

    def add_rod(
        self,
        name: str,
        body_1: str,
        point_1: ArrayLike,
        body_2: str,
        point_2: ArrayLike,
        length: Measure,
        *,
        where: str = "",
    ) -> None:
        """Keep two points at a distance: a rod of `length` > 0 in m with a ball at each end.

        `point_1` and `point_2` (3,) are in the axes of their bodies, m.
        """
        what = f"rod {labelled(name, where)}"
        ends = self._points(what, point_1=point_1, point_2=point_2)
        self._positive(f"the length of {what}", length)

        def make(first: int, second: int, measure: CoordinateFunction) -> Element:
            return Rod(name, first, second, ends["point_1"], ends["point_2"], measure)

        self._add_element(name, body_1, body_2, make, length, where)

    def add_point_on_plane(
        self,
        name: str,
        body_1: str,
        normal: ArrayLike,
        offset: Measure,
        body_2: str,
        point_2: ArrayLike,
        *,
        where: str = "",
    ) -> None:
        """Keep a point of body 2 in the plane of body 1 that is at `offset` m along `normal`."""
        what = f"plane {labelled(name, where)}"
        across = self._direction(f"the normal of {what}", normal)
        point = self._points(what, point_2=point_2)["point_2"]
        self._finite(f"the offset of {what}", offset)

        def make(first: int, second: int, measure: CoordinateFunction) -> Element:
            return PointOnPlane(name, first, second, across, point, measure)

        self._add_element(name, body_1, body_2, make, offset, where)

    def add_point_on_cylinder(
        self,
        name: str,
        body_1: str,
        point_1: ArrayLike,
        axis_1: ArrayLike,
        body_2: str,
        point_2: ArrayLike,
        radius: Measure,
        *,
        where: str = "",
    ) -> None:
        """Keep a point of body 2 at `radius` > 0 m from the line of body 1."""
        what = f"cylinder {labelled(name, where)}"
        points = self._points(what, point_1=point_1, point_2=point_2)
        axis = self._direction(f"the axis of {what}", axis_1)
        self._positive(f"the radius of {what}", radius)

        def make(first: int, second: int, measure: CoordinateFunction) -> Element:
            ends = (points["point_1"], axis, points["point_2"])
            return PointOnCylinder(name, first, second, *ends, measure)

        self._add_element(name, body_1, body_2, make, radius, where)

    def add_skew_axes(
        self,
        name: str,
        body_1: str,
        point_1: ArrayLike,
        axis_1: ArrayLike,
        body_2: str,
        point_2: ArrayLike,
        axis_2: ArrayLike,
        distance: Measure,
        *,
        where: str = "",
    ) -> None:
        """Keep two lines at the signed `distance` in m along axis 1 x axis 2."""
        what = f"skew axes {labelled(name, where)}"
        points = self._points(what, point_1=point_1, point_2=point_2)
        first_axis = self._direction(f"axis 1 of {what}", axis_1)
        second_axis = self._direction(f"axis 2 of {what}", axis_2)
        self._finite(f"the distance of {what}", distance)

        def make(first: int, second: int, measure: CoordinateFunction) -> Element:
            lines = (points["point_1"], first_axis, points["point_2"], second_axis)
            return SkewAxes(name, first, second, *lines, measure)

        self._add_element(name, body_1, body_2, make, distance, where)

    def set_actuated(
        self, names: Iterable[str], *, weights: Sequence[float] = (), where: str = ""
    ) -> None:
        """Say which coordinates have a motor.

        Where there are more motors than independent coordinates, inverse dynamics gives the efforts
        with the least sum of weight * effort^2; `weights` has one > 0 for each name.
        """
        names = tuple(names)
        if weights and len(weights) != len(names):
            raise DescriptionError(
                f"actuated has {len(names)} coordinates and {len(weights)} weights; give one each"
            )
        for name, weight in zip(names, weights, strict=False):
            if not finite_number(f"the weight of motor {name!r}", weight) > 0.0:
                raise DescriptionError(
                    f"the weight of motor {name!r} is {weight:g}; it must be above 0"
                )
        self._closure.actuated = NamesSpec(names, where, tuple(map(float, weights)))

    def set_independent(self, names: Iterable[str], *, where: str = "") -> None:
        """Say which coordinates shall be independent."""
        self._closure.independent = NamesSpec(tuple(names), where)

    @abstractmethod
    def _described_joints(self) -> Mapping[str, JointSpec]:
        """Return the tree's joints."""

    def _require_new(self, name: str, where: str) -> None:
        parts = self._closure
        kinds: dict[str, Mapping[str, object]] = {
            "joint": self._described_joints(),
            "loop": parts.loops,
            "control": parts.controls,
            "constraint": parts.elements,
        }
        for kind, known in kinds.items():
            if name in known:
                raise DescriptionError(
                    f"{labelled(name, where)} is the name of a {kind} already; rename one"
                )

    def _add_element(
        self, name: str, body_1: str, body_2: str, make: Make, measure: Measure, where: str
    ) -> None:
        self._require_new(name, where)
        label = labelled(name, where)
        if body_1 == body_2:
            raise DescriptionError(
                f"constraint {label} joins link {body_1!r} to itself; name two links"
            )
        self._closure.elements[name] = ElementSpec(name, body_1, body_2, make, measure, label)

    @staticmethod
    def _points(what: str, **points: ArrayLike) -> dict[str, Vector]:
        return {key: finite(f"{key} of {what}", point, (3,)) for key, point in points.items()}

    @staticmethod
    def _direction(what: str, values: ArrayLike) -> Vector:
        vector = finite(what, values, (3,))
        norm = float(np.linalg.norm(vector))
        if norm == 0.0:
            raise DescriptionError(f"{what} is zero; give a unit vector")
        return constant(vector / norm)

    @staticmethod
    def _finite(what: str, value: Measure) -> None:
        if not isinstance(value, Expression):
            finite_number(what, value)

    def _positive(self, what: str, value: Measure) -> None:
        """Raise for a number, or a formula of numbers alone, that is not above 0."""
        self._finite(what, value)
        if isinstance(value, Expression):
            if value.names:
                return
            value = float(value.evaluate())
        if float(value) <= 0.0:
            raise DescriptionError(
                f"{what} is {float(value):g}; it must be above 0: for 0 there are loop joints"
            )
