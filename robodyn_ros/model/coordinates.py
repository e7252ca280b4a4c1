"""Where a joint's coordinates come from: the coupling mechanism z = h(q).

Every joint has local coordinates z, dz and ddz. Most own a slice of the model's q and v; a
follower's are functions of another's. Algorithms ask only for z and its derivatives, and for the
linear map from the model's v to dz, and so never tell the two apart.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from robodyn_ros.model.functions import CoordinateFunction
from robodyn_ros.spatial import Array


class JointCoordinates(ABC):
    """Local coordinates z of one joint as a function of the model's q, with its derivatives."""

    q_index: int
    v_index: int

    @abstractmethod
    def position(self, q: Array) -> Array:
        """Return z (..., nq of the joint) from the model's q (..., nq)."""

    @abstractmethod
    def velocity(self, q: Array, v: Array) -> Array:
        """Return the joint's rates (..., nv of the joint) from the model's q and v."""

    @abstractmethod
    def acceleration(self, q: Array, v: Array, a: Array) -> Array:
        """Return the derivative (..., nv of the joint) of `velocity`."""

    @abstractmethod
    def columns(self) -> tuple[int, ...]:
        """Return the entries of the model's v on which the joint's rates depend."""

    @abstractmethod
    def velocity_map(self, q: Array) -> Array:
        """Return (..., nv of the joint, len(columns)): rates = map @ v[columns]."""


@dataclass(frozen=True)
class OwnCoordinates(JointCoordinates):
    """A slice of the model's coordinates."""

    q_index: int
    v_index: int
    nq: int
    nv: int

    def position(self, q: Array) -> Array:
        """Return the joint's slice of q."""
        return q[..., self.q_index : self.q_index + self.nq]

    def velocity(self, q: Array, v: Array) -> Array:
        """Return the joint's slice of v."""
        return v[..., self.v_index : self.v_index + self.nv]

    def acceleration(self, q: Array, v: Array, a: Array) -> Array:
        """Return the joint's slice of a."""
        return self.velocity(q, a)

    def columns(self) -> tuple[int, ...]:
        """Return the joint's own rates."""
        return tuple(range(self.v_index, self.v_index + self.nv))

    def velocity_map(self, q: Array) -> Array:
        """Return the identity."""
        return np.eye(self.nv)


@dataclass(frozen=True)
class AffineFollower(JointCoordinates):
    """z = multiplier q[driver] + offset, one number: URDF's mimic."""

    q_index: int
    v_index: int
    multiplier: float
    offset: float

    def position(self, q: Array) -> Array:
        """Return z (..., 1)."""
        z: Array = self.multiplier * q[..., self.q_index : self.q_index + 1] + self.offset
        return z

    def velocity(self, q: Array, v: Array) -> Array:
        """Return dz/dt (..., 1)."""
        rate: Array = self.multiplier * v[..., self.v_index : self.v_index + 1]
        return rate

    def acceleration(self, q: Array, v: Array, a: Array) -> Array:
        """Return d2z/dt2 (..., 1)."""
        return self.velocity(q, a)

    def columns(self) -> tuple[int, ...]:
        """Return the driver's rate."""
        return (self.v_index,)

    def velocity_map(self, q: Array) -> Array:
        """Return the multiplier as (1, 1)."""
        return np.array([[self.multiplier]])


@dataclass(frozen=True)
class FunctionFollower(JointCoordinates):
    """Coordinates as functions of others: what control elements do to joints (document D, 3.2.4).

    Attributes:
        q_index: first entry of q that it depends on.
        v_index: first entry of v that it depends on.
        functions: one for each coordinate, whose rates are their derivatives.
    """

    q_index: int
    v_index: int
    functions: tuple[CoordinateFunction, ...]

    def position(self, q: Array) -> Array:
        """Return z (..., n)."""
        return _stacked([function.value(q) for function in self.functions], q)

    def velocity(self, q: Array, v: Array) -> Array:
        """Return dz/dt (..., n)."""
        return _stacked([function.rate(q, v) for function in self.functions], q, v)

    def acceleration(self, q: Array, v: Array, a: Array) -> Array:
        """Return d2z/dt2 (..., n)."""
        parts = [function.rate(q, a) + function.bias(q, v) for function in self.functions]
        return _stacked(parts, q, v, a)

    def columns(self) -> tuple[int, ...]:
        """Return the entries of v on which any of them depends."""
        return tuple(dict.fromkeys(k for function in self.functions for k in function.columns))

    def velocity_map(self, q: Array) -> Array:
        """Return the derivatives (..., n, len(columns))."""
        columns = self.columns()
        rows = []
        for function in self.functions:
            slopes = dict(zip(function.columns, function.gradient(q), strict=True))
            entries = [slopes.get(column, np.zeros(())) for column in columns]
            rows.append(_stacked(entries, q))
        return np.stack(rows, axis=-2)


def _stacked(entries: list[Array], *arrays: Array) -> Array:
    """Return numbers (...) as the last axis of an array with the leading axes of all."""
    lead = np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
    return np.stack([np.broadcast_to(np.asarray(entry), lead) for entry in entries], axis=-1)
