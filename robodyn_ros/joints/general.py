"""Document B's general joint: a rotation between sliders on the inner and on the outer body.

The point G that both bodies share is at x_i = Delta_i d_i in F's axes and at x_o = Delta_o d_o in
M's, so that p_FM = x_i - R_FM x_o: a positive outer displacement moves M against its axis. With
the rotation's rates sigma, omega = Gamma sigma in M's axes,

    S = [Gamma, 0, 0; x_o x Gamma, R_FM^T Delta_i, -Delta_o].

Coordinates and rates are those of the rotation, then the inner, then the outer displacements.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints.axis import Axis, unit_axes
from robodyn_ros.joints.joint import JointLimits
from robodyn_ros.joints.parameter import Parameter
from robodyn_ros.joints.successive import SuccessiveJoint
from robodyn_ros.spatial import Array, apply, joined, skew, transpose

#: Sliders whose smallest singular value is below it depend on each other.
_DEPENDENT = 1e-6
_MOST = 3
_COORDINATE_AXES = {(1.0, 0.0, 0.0): "x", (0.0, 1.0, 0.0): "y", (0.0, 0.0, 1.0): "z"}

INNER = Parameter(
    "inner", "axes", "", (), "axes of the sliders on the inner body, in predecessor axes"
)
OUTER = Parameter(
    "outer",
    "axes",
    "",
    (),
    "axes of the sliders on the outer body, in child axes; the child moves against them",
)


class GeneralJoint(SuccessiveJoint):
    """Base of the rotations with sliders; a child says how it turns.

    A child is a frozen dataclass with fields `inner` and `outer`, which calls `_set_up`.
    """

    inner: tuple[Axis, ...]
    outer: tuple[Axis, ...]
    #: Numbers of coordinates and of rates of the rotation.
    turn_nq: int
    turn_nv: int

    @abstractmethod
    def _turn(self, q: Array) -> Array:
        """Return R_FM (..., 3, 3) of the rotation."""

    @abstractmethod
    def _turn_axes(self, q: Array) -> Array:
        """Return Gamma (..., 3, turn_nv): the angular velocity is Gamma sigma, in M's axes."""

    @abstractmethod
    def _turn_at(self, R_FM: Array) -> Array:
        """Return the rotation's coordinates (..., turn_nq) at R_FM, or near it. Floats only."""

    def _set_up(self, names: Sequence[str], turn_nq: int, *, successive: bool) -> None:
        """Check the sliders and count.

        Args:
            names: suffixes of the rotation's rates.
            turn_nq: number of the rotation's coordinates.
            successive: whether the rotation's rates turn each other's axes, the later the earlier.
        """
        inner, outer = unit_axes("inner", self.inner), unit_axes("outer", self.outer)
        sliders = len(inner) + len(outer)
        turns = len(names)
        sliding = [*_slider_names(inner, ""), *_slider_names(outer, "outer_")]
        stages = range(1, turns + 1) if successive else [1] * turns
        for field, value in {
            "inner": inner,
            "outer": outer,
            "turn_nq": turn_nq,
            "turn_nv": turns,
            "nq": turn_nq + sliders,
            "nv": turns + sliders,
            "axes": (*names, *sliding) if turns + sliders > 1 else (),
            "stages": (*stages, *[0] * len(inner), *[turns + 1] * len(outer)),
            "constant_subspace": turns == 0 or (sliders == 0 and (turns == 1 or not successive)),
        }.items():
            object.__setattr__(self, field, value)
        self._require_independent_sliders()

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return the rotation, and the position x_i - R_FM x_o."""
        R_FM = self._turn(q)
        inner, outer = self._displacements(q)
        position: Array = np.zeros(3)
        if self.inner:
            position = position + apply(_columns(self.inner), inner)
        if self.outer:
            position = position - apply(R_FM, apply(_columns(self.outer), outer))
        return R_FM, position

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array:
        """Return the turn's coordinates, and the displacements that come nearest to p_FM."""
        turn = self._turn_at(R_FM)
        if not (self.inner or self.outer):
            return turn
        inner = [_columns(self.inner)] if self.inner else []
        outer = [-self._turn(turn) @ _columns(self.outer)] if self.outer else []
        columns = joined(*inner, *outer)
        displacements = np.linalg.pinv(columns, rcond=_DEPENDENT) @ p_FM[..., None]
        return joined(turn, displacements[..., 0])

    def motion_subspace(self, q: Array) -> Array:
        """Return S (..., 6, nv); see the module."""
        blocks = []
        if self.turn_nv:
            axes = self._turn_axes(q)
            levers = 0.0 * axes
            if self.outer:
                levers = skew(apply(_columns(self.outer), self._displacements(q)[1])) @ axes
            blocks.append(joined(axes, levers, axis=-2))
        if self.inner:
            sliding = transpose(self._turn(q)) @ _columns(self.inner)
            blocks.append(joined(np.zeros(sliding.shape[-2:]), sliding, axis=-2))
        if self.outer:
            sliding = -_columns(self.outer)
            blocks.append(joined(np.zeros(sliding.shape), sliding, axis=-2))
        return joined(*blocks)

    def reaches(self) -> tuple[float, ...]:
        """Return half a turn for angles and 1 m for sliders."""
        return (np.pi,) * self.turn_nv + (1.0,) * (self.nv - self.turn_nv)

    def _displacements(self, q: Array) -> tuple[Array, Array]:
        """Return d_i and d_o."""
        end = self.turn_nq + len(self.inner)
        return q[..., self.turn_nq : end], q[..., end:]

    def _require_independent_sliders(self) -> None:
        """Raise ArgumentError where the sliders depend on each other wherever the joint is."""
        count = len(self.inner) + len(self.outer)
        if count > _MOST:
            raise ArgumentError(
                f"inner and outer have {count} sliders; more than {_MOST} never are independent of"
                " each other"
            )
        for name, axes in (("inner", self.inner), ("outer", self.outer)):
            if axes and _smallest(_columns(axes)) < _DEPENDENT:
                raise ArgumentError(
                    f"the axes of {name} depend on each other: leave out one of {_listed(axes)}"
                )
        if count == 0:
            return
        anywhere = [self.random(np.random.default_rng(seed), JointLimits()) for seed in range(3)]
        if (
            max(_smallest(self.motion_subspace(q)[3:, self.turn_nv :]) for q in anywhere)
            < _DEPENDENT
        ):
            raise ArgumentError(
                "the axes of inner and outer depend on each other wherever the joint is: leave out"
                f" one of {_listed(self.inner + self.outer)}"
            )


def _columns(axes: tuple[Axis, ...]) -> NDArray[np.float64]:
    return np.array(axes).T


def _slider_names(axes: tuple[Axis, ...], prefix: str) -> list[str]:
    """Return a name for each slider: that of its coordinate axis, or a number."""
    return [prefix + _COORDINATE_AXES.get(axis, f"s{k}") for k, axis in enumerate(axes, start=1)]


def _smallest(columns: Array) -> float:
    return float(np.linalg.svd(columns, compute_uv=False)[-1])


def _listed(axes: tuple[Axis, ...]) -> str:
    return ", ".join(str(list(axis)) for axis in axes)
