"""What the calls of `DynamicsClient` return."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import UnknownNameError

Floats = NDArray[np.float64]


class Efforts(NamedTuple):
    """Efforts (n,) of the named coordinates, N m or N, and the terms that they are the sum of.

    `effort` is what to send to the driver; see `InverseDynamics.srv` for the fields.
    """

    names: tuple[str, ...]
    effort: Floats
    inertial: Floats
    coriolis: Floats
    gravity: Floats
    friction: Floats
    armature: Floats
    payload: Floats
    external: Floats

    @classmethod
    def of(cls, reply: Any) -> Efforts:
        """Take a reply's arrays."""
        return cls(tuple(reply.names), *(np.array(getattr(reply, x)) for x in cls._fields[1:]))

    def by_name(self, term: str = "effort") -> dict[str, float]:
        """Return the effort, or one of its terms, by coordinate name.

        Raises:
            UnknownNameError: no such term.
        """
        if term not in self._fields[1:]:
            raise UnknownNameError.among("term", term, self._fields[1:])
        return _dict(self.names, getattr(self, term))


class Accelerations(NamedTuple):
    """Accelerations (n,) of the named coordinates, rad/s^2 or m/s^2."""

    names: tuple[str, ...]
    acceleration: Floats

    @classmethod
    def of(cls, reply: Any) -> Accelerations:
        """Take a reply's arrays."""
        return cls(tuple(reply.names), np.array(reply.acceleration))

    def by_name(self) -> dict[str, float]:
        """Return the accelerations by coordinate name."""
        return _dict(self.names, self.acceleration)


class MassMatrixResult(NamedTuple):
    """The mass matrix (n, n): the named rows and columns; kg m^2, kg m or kg."""

    names: tuple[str, ...]
    matrix: Floats

    @classmethod
    def of(cls, reply: Any) -> MassMatrixResult:
        """Take a reply's array."""
        names = tuple(reply.names)
        return cls(names, np.array(reply.matrix).reshape(len(names), len(names)))

    def by_name(self) -> dict[str, dict[str, float]]:
        """Return the entries by the names of row and column."""
        return {name: _dict(self.names, row) for name, row in self._rows()}

    def _rows(self) -> Any:
        return zip(self.names, self.matrix, strict=True)


class JacobianResult(NamedTuple):
    """A Jacobian (6, n), world axes: [angular velocity; velocity of the origin] = matrix @ rates.

    Its columns are those of the named coordinates.
    """

    names: tuple[str, ...]
    matrix: Floats

    @classmethod
    def of(cls, reply: Any) -> JacobianResult:
        """Take a reply's array."""
        names = tuple(reply.names)
        return cls(names, np.array(reply.matrix).reshape(6, len(names)))

    def by_name(self) -> dict[str, Floats]:
        """Return the columns (6,) by coordinate name."""
        return dict(zip(self.names, self.matrix.T, strict=True))


class Bodies(NamedTuple):
    """Motion of all bodies: row = body, axes of the frame `frame_id`.

    Attributes:
        names: Of the bodies.
        frame_id: The world frame.
        stamp: Time of the measured part, or of the answer where nothing is measured, ns.
        position: (nb, 3) m.
        quaternion: (nb, 4) x y z w.
        linear_velocity: (nb, 3) m/s, of the origin.
        angular_velocity: (nb, 3) rad/s.
        linear_acceleration: (nb, 3) m/s^2, classical, of the origin.
        angular_acceleration: (nb, 3) rad/s^2.
        center_of_mass: (nb, 3) m.
    """

    names: tuple[str, ...]
    frame_id: str
    stamp: int
    position: Floats
    quaternion: Floats
    linear_velocity: Floats
    angular_velocity: Floats
    linear_acceleration: Floats
    angular_acceleration: Floats
    center_of_mass: Floats

    @classmethod
    def of(cls, reply: Any) -> Bodies:
        """Take a reply's bodies apart."""
        header, bodies = reply.bodies.header, reply.bodies.bodies
        return cls(
            tuple(x.name for x in bodies),
            header.frame_id,
            header.stamp.sec * 10**9 + header.stamp.nanosec,
            np.array([_xyz(x.pose.position) for x in bodies]),
            np.array([(*_xyz(x.pose.orientation), x.pose.orientation.w) for x in bodies]),
            np.array([_xyz(x.twist.linear) for x in bodies]),
            np.array([_xyz(x.twist.angular) for x in bodies]),
            np.array([_xyz(x.acceleration.linear) for x in bodies]),
            np.array([_xyz(x.acceleration.angular) for x in bodies]),
            np.array([_xyz(x.center_of_mass) for x in bodies]),
        )

    def by_name(self, field: str = "position") -> dict[str, Floats]:
        """Return the rows of one array by the bodies' names.

        Raises:
            UnknownNameError: no such array.
        """
        if field not in self._fields[3:]:
            raise UnknownNameError.among("field", field, self._fields[3:])
        return dict(zip(self.names, getattr(self, field), strict=True))


class Report(NamedTuple):
    """The model report: for people, and as data."""

    text: str
    data: dict[str, Any]

    @classmethod
    def of(cls, reply: Any) -> Report:
        """Take a reply's texts."""
        return cls(reply.text, json.loads(reply.json))


def _dict(names: tuple[str, ...], values: Floats) -> dict[str, float]:
    return dict(zip(names, values.tolist(), strict=True))


def _xyz(vector: Any) -> tuple[float, float, float]:
    return vector.x, vector.y, vector.z
