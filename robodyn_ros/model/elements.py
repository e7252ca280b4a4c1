"""The parts that a model consists of, as immutable values."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.joints import Joint, JointLimits
from robodyn_ros.model.coordinates import JointCoordinates
from robodyn_ros.spatial.arrays import FrozenArrays

Vector = NDArray[np.float64]


def constant(values: ArrayLike) -> NDArray[np.float64]:
    """Return a read-only float64 copy of `values`."""
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array


@dataclass(frozen=True, eq=False)
class Body(FrozenArrays):
    """A rigid body.

    Attributes:
        name: unique among bodies; the description's link name.
        mass: kg.
        com: centre of mass (3,) in the body frame, m.
        inertia: (3, 3) about the centre of mass, body axes, kg m^2.
        has_inertial: whether the description gave mass properties at all.
        auxiliary: whether it only serves a loop or a control element: nothing that is seen.
    """

    name: str
    mass: float
    com: Vector
    inertia: NDArray[np.float64]
    has_inertial: bool = True
    auxiliary: bool = False


@dataclass(frozen=True, eq=False)
class TreeJoint(FrozenArrays):
    """A joint in its place in the tree; its child is the body of the same number.

    Attributes:
        name: unique among joints.
        joint: what kind of joint it is.
        parent: number of the parent body.
        rotation: R_PF (3, 3), predecessor frame to parent body frame.
        position: p_PF (3,) in the parent body frame, m.
        coordinates: where its coordinates come from: the model's own, or a driver's.
        limits: limits of every rate; no limit known where the rates differ (see `rate_limits`).
        driver: name of the joint it follows, None for one with coordinates of its own.
        rate_limits: limits of each of its rates.
        rate_parameters: (nv, 3) of each rate: armature (inertia of the rotor seen at the joint,
            geared, kg m^2 or kg), damping (viscous friction, N m s/rad or N s/m) and friction
            (Coulomb friction, N m or N).
    """

    name: str
    joint: Joint
    parent: int
    rotation: NDArray[np.float64]
    position: Vector
    coordinates: JointCoordinates
    limits: JointLimits
    driver: str | None = None
    rate_limits: tuple[JointLimits, ...] = ()
    rate_parameters: NDArray[np.float64] = field(default_factory=lambda: constant(np.zeros((0, 3))))

    def __post_init__(self) -> None:
        """Fill in what holds for every rate."""
        count = self.joint.nv
        if len(self.rate_limits) != count:
            object.__setattr__(self, "rate_limits", (self.limits,) * count)
        if len(self.rate_parameters) != count:
            object.__setattr__(self, "rate_parameters", constant(np.zeros((count, 3))))

    @property
    def armature(self) -> float:
        """The armature of its rates, the largest where they differ."""
        return self._largest(0)

    @property
    def damping(self) -> float:
        """The damping of its rates, the largest where they differ."""
        return self._largest(1)

    @property
    def friction(self) -> float:
        """The Coulomb friction of its rates, the largest where they differ."""
        return self._largest(2)

    def _largest(self, column: int) -> float:
        """Return the entry of a column that is largest in size, 0 without rates."""
        return float(max(self.rate_parameters[:, column], key=abs, default=0.0))

    @property
    def q_index(self) -> int:
        """First entry of q that it owns (or follows)."""
        return self.coordinates.q_index

    @property
    def v_index(self) -> int:
        """First entry of v that it owns (or follows)."""
        return self.coordinates.v_index

    @property
    def is_follower(self) -> bool:
        """Whether another joint drives it."""
        return self.driver is not None


@dataclass(frozen=True, eq=False)
class Frame(FrozenArrays):
    """A named frame fixed in a body: rotation R_BF (3, 3), position p_BF (3,) in m."""

    name: str
    body: int
    rotation: NDArray[np.float64]
    position: Vector


@dataclass(frozen=True)
class Note:
    """Something a loader ignored or assumed: its category, the element it is about, the text."""

    category: str
    element: str
    text: str
