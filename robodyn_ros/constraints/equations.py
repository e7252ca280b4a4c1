"""The equations of constraint elements: residual, what they feel of a motion, and bias.

An equation is felt by two bodies: it acts on them as a unit wrench would, opposite on both, and
its rate is the wrench's power. All vectors are in the axes of an anchor; see `relative_motion`.
Signs and forms are those of document D, section 3.2.3; residuals are lengths in m, and for a
loop twice the vector part of the quaternion between its two frames, an angle in rad where small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms.kinematics import State
from robodyn_ros.kernels.scalar import less, where
from robodyn_ros.model import Element, PointOnCylinder, PointOnPlane, Rod, SkewAxes, Weld
from robodyn_ros.spatial import (
    Array,
    apply,
    cross,
    quaternion_from_matrix,
    skew,
    sqrt,
    transpose,
)

#: No direction is told from a vector shorter than this, m; nor from lines as parallel as this.
SHORTEST = 1e-12


class Equation(NamedTuple):
    """One scalar equation g = 0 between two bodies.

    Attributes:
        residual: (...) g without the length that the element keeps.
        force: (..., 3) on body 2, minus it on body 1; None for none.
        point_1: (..., 3) where it acts on body 1.
        point_2: (..., 3) where it acts on body 2.
        moment: (..., 3) on body 2, minus it on body 1, besides the force's; None for none.
        bias: (...) g'' where no coordinate accelerates, likewise without the length.
    """

    residual: Array
    force: Array | None
    point_1: Array
    point_2: Array
    moment: Array | None
    bias: Array


def equations_of(element: Element, first: State, second: State) -> tuple[Equation, ...]:
    """Return the equations of an element for the motions of its two bodies."""
    return _RULES[type(element)](element, first, second)


def _dot(a: Array, b: Array) -> Array:
    product: Array = (a * b).sum(axis=-1)
    return product


def _length(vector: Array) -> Array:
    """Return the norm (...), never less than `SHORTEST`, so that it can be divided by."""
    square = _dot(vector, vector)
    length: Array = sqrt(where(less(square, SHORTEST * SHORTEST), SHORTEST * SHORTEST, square))
    return length


def _scaled(vector: Array, number: Array) -> Array:
    scaled: Array = vector * np.asarray(number)[..., None]
    return scaled


class _Point(NamedTuple):
    """A point of a body: where it is, its velocity, and its acceleration's bias."""

    p: Array
    v: Array
    dv: Array

    @classmethod
    def of(cls, state: State, at: Array) -> _Point:
        arm = apply(state.R, at)
        spin = cross(state.w, arm)
        dv = state.dv + cross(state.dw, arm) + cross(state.w, spin)
        return cls(state.p + arm, state.v + spin, dv)

    def minus(self, other: _Point) -> _Point:
        return _Point(self.p - other.p, self.v - other.v, self.dv - other.dv)


class _Direction(NamedTuple):
    """A direction of a body, its rate, and its second rate's bias."""

    n: Array
    dn: Array
    ddn: Array

    @classmethod
    def of(cls, state: State, vector: Array) -> _Direction:
        n = apply(state.R, vector)
        dn = cross(state.w, n)
        return cls(n, dn, cross(state.dw, n) + cross(state.w, dn))


def _rod(element: Rod, first: State, second: State) -> tuple[Equation, ...]:
    ends = _Point.of(first, element.point_1), _Point.of(second, element.point_2)
    e = ends[1].minus(ends[0])
    length = _length(e.p)
    u = _scaled(e.p, 1.0 / length)
    along = _dot(u, e.v)
    bias = _dot(u, e.dv) + (_dot(e.v, e.v) - along * along) / length
    return (Equation(length, u, ends[0].p, ends[1].p, None, bias),)


def _point_on_plane(element: PointOnPlane, first: State, second: State) -> tuple[Equation, ...]:
    point = _Point.of(second, element.point_2)
    origin = _Point(first.p, first.v, first.dv)
    e, normal = point.minus(origin), _Direction.of(first, element.normal)
    bias = _dot(normal.ddn, e.p) + 2.0 * _dot(normal.dn, e.v) + _dot(normal.n, e.dv)
    return (Equation(_dot(normal.n, e.p), normal.n, point.p, point.p, None, bias),)


def _point_on_cylinder(
    element: PointOnCylinder, first: State, second: State
) -> tuple[Equation, ...]:
    point = _Point.of(second, element.point_2)
    e = point.minus(_Point.of(first, element.point_1))
    axis = _Direction.of(first, element.axis_1)
    along = _dot(axis.n, e.p)
    off = e.p - _scaled(axis.n, along)
    radius = _length(off)
    u = _scaled(off, 1.0 / radius)
    sliding = _dot(axis.n, e.v) + _dot(axis.dn, e.p)
    speed = (_dot(e.p, e.v) - along * sliding) / radius
    turning = _dot(axis.n, e.dv) + 2.0 * _dot(axis.dn, e.v) + _dot(axis.ddn, e.p)
    squares = _dot(e.v, e.v) - sliding * sliding - speed * speed
    bias = (squares + _dot(e.p, e.dv) - along * turning) / radius
    return (Equation(radius, u, point.p, point.p, None, bias),)


def _skew_axes(element: SkewAxes, first: State, second: State) -> tuple[Equation, ...]:
    ends = _Point.of(first, element.point_1), _Point.of(second, element.point_2)
    e = ends[1].minus(ends[0])
    one, two = _Direction.of(first, element.axis_1), _Direction.of(second, element.axis_2)
    N = cross(one.n, two.n)
    dN = cross(one.dn, two.n) + cross(one.n, two.dn)
    ddN = cross(one.ddn, two.n) + 2.0 * cross(one.dn, two.dn) + cross(one.n, two.ddn)
    size = _length(N)
    k = _scaled(N, 1.0 / size)
    distance = _dot(e.p, k)
    growth = _dot(k, dN)
    rate = (_dot(e.v, N) + _dot(e.p, dN) - distance * growth) / size
    second_growth = (_dot(dN, dN) + _dot(N, ddN) - growth * growth) / size
    terms = _dot(e.dv, N) + 2.0 * _dot(e.v, dN) + _dot(e.p, ddN)
    bias = (terms - 2.0 * rate * growth - distance * second_growth) / size
    square = size * size
    to_1 = _dot(cross(e.p, two.n), N) / square
    to_2 = _dot(cross(e.p, one.n), N) / square
    foot_1 = ends[0].p + _scaled(one.n, to_1)
    foot_2 = ends[1].p + _scaled(two.n, to_2)
    return (Equation(distance, k, foot_1, foot_2, None, bias),)


def _turn_between(first: State, second: State) -> tuple[Array, Array]:
    """Return 2 epsilon (..., 3) and eta >= 0 (...) of the quaternion of R_12, whatever it is."""
    quaternion = quaternion_from_matrix(transpose(first.R) @ second.R)
    return 2.0 * quaternion[..., :3], quaternion[..., 3]


def _small_turn_between(first: State, second: State) -> Array:
    """Return 2 epsilon (..., 3) with less work, exact but near half a turn; 2 in each there."""
    R_12 = transpose(first.R) @ second.R
    quarter = 1.0 + R_12[..., 0, 0] + R_12[..., 1, 1] + R_12[..., 2, 2]
    lost = less(quarter, SHORTEST)
    scale = 1.0 / sqrt(where(lost, 1.0, quarter))
    double = [
        R_12[..., 2, 1] - R_12[..., 1, 2],
        R_12[..., 0, 2] - R_12[..., 2, 0],
        R_12[..., 1, 0] - R_12[..., 0, 1],
    ]
    return np.stack([where(lost, 2.0, entry * scale) for entry in double], axis=-1)


def _weld(element: Weld, first: State, second: State) -> tuple[Equation, ...]:
    """Return twice epsilon between the frames, then their offset, both in body 1's axes."""
    back = transpose(first.R)
    e, eta = _turn_between(first, second)
    half = 0.5 * e
    spin = second.w - first.w
    w = apply(back, spin)
    dw = apply(back, second.dw - first.dw - cross(first.w, spin))
    # e' = (eta 1 - epsilon x) w
    by_spin = np.eye(3) * np.asarray(eta)[..., None, None] - skew(half)
    bias = apply(by_spin, dw) - _scaled(w, 0.5 * _dot(half, w)) - 0.5 * cross(apply(by_spin, w), w)
    turns = _turn_equations(e, first.R @ transpose(by_spin), second, bias)
    arm = second.p - first.p
    drift = second.v - first.v - cross(first.w, arm)
    inertial = cross(first.dw, arm) + cross(first.w, cross(first.w, arm) + 2.0 * drift)
    pull = apply(back, second.dv - first.dv - inertial)
    return (*turns, *_shift_equations(apply(back, arm), first, second, pull))


def closed_weld(first: State, second: State, moving: State) -> tuple[Equation, ...]:
    """Return a weld's equations where the frames coincide and move as one, in body 2's axes.

    What they feel of a rate is not told here: in these axes it is the rate's column itself.

    Args:
        first: body 1.
        second: body 2.
        moving: body 1 once more, its pose taken to be that of body 2.
    """
    back = transpose(second.R)
    residuals = _small_turn_between(first, second), apply(back, second.p - first.p)
    biases = apply(back, second.dw - moving.dw), apply(back, second.dv - moving.dv)
    at = second.p
    return tuple(
        Equation(residual[..., i], None, at, at, None, bias[..., i])
        for residual, bias in zip(residuals, biases, strict=True)
        for i in range(3)
    )


def _turn_equations(e: Array, moments: Array, second: State, bias: Array) -> list[Equation]:
    """Return the equations of a rotation; `moments` (..., 3, 3) has one in each column."""
    return [
        Equation(e[..., i], None, second.p, second.p, moments[..., :, i], bias[..., i])
        for i in range(3)
    ]


def _shift_equations(offset: Array, first: State, second: State, bias: Array) -> list[Equation]:
    """Return the equations of a position, along body 1's axes."""
    return [
        Equation(offset[..., i], first.R[..., :, i], second.p, second.p, None, bias[..., i])
        for i in range(3)
    ]


_RULES: Mapping[type[Element], Callable[..., tuple[Equation, ...]]] = {
    Rod: _rod,
    PointOnPlane: _point_on_plane,
    PointOnCylinder: _point_on_cylinder,
    SkewAxes: _skew_axes,
    Weld: _weld,
}
