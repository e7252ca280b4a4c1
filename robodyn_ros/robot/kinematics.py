"""Kinematic functions of a robot."""

from __future__ import annotations

from numpy.typing import ArrayLike

from robodyn_ros.model import Model
from robodyn_ros.robot.functions import Floats, Functions
from robodyn_ros.robot.kernel_source import Compile
from robodyn_ros.robot.results import LazyBodyMotion, LazyCenterOfMassMotion, LazyMarkerMotion


class Kinematics(Functions):
    """Motion of bodies and frames."""

    def __init__(self, model: Model, *, compile: Compile = "background") -> None:
        """Make the facade of `model`; `compile` as in `Robot`."""
        super().__init__(model, compile=compile)
        self._names: dict[tuple[str, str], str] = {}

    def body_motion(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        out: LazyBodyMotion | None = None,
    ) -> LazyBodyMotion:
        """Return pose, velocity and acceleration of every body, body 0 included.

        Args:
            q: coordinates (nq,) or (N, nq).
            v: rates (nv,) or (N, nv); zero by default.
            a: accelerations (nv,) or (N, nv); zero by default.
            out: an earlier result of the same shape, to be filled and returned.

        Returns:
            position, rotation, angular_velocity, linear_velocity, angular_acceleration and
            linear_acceleration: world axes, row = body, linear accelerations classical.
        """
        motion: LazyBodyMotion = self._call("body_motion", (q, *self._rates(v, a)), out)
        return motion

    def center_of_mass_motion(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        out: LazyCenterOfMassMotion | None = None,
    ) -> LazyCenterOfMassMotion:
        """Return position, velocity and acceleration of every body's centre of mass.

        Arguments are those of `body_motion`; rows are bodies, world axes.
        """
        arguments = (q, *self._rates(v, a))
        centers: LazyCenterOfMassMotion = self._call("center_of_mass_motion", arguments, out)
        return centers

    def marker_motion(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        out: LazyMarkerMotion | None = None,
    ) -> LazyMarkerMotion:
        """Return value, rate and acceleration of every marker, in the order of `model.markers`.

        Arguments are those of `body_motion`; rows are markers, world axes. The value of a marker
        is the position of a point (m) or a direction (a unit vector).
        """
        motion: LazyMarkerMotion = self._call("marker_motion", (q, *self._rates(v, a)), out)
        return motion

    def jacobian(self, q: ArrayLike, frame: str, out: Floats | None = None) -> Floats:
        """Return J (6, nv) or (N, 6, nv): [omega; velocity] of the frame's origin = J v.

        World axes, angular rows first. A mimic follower's part is in its driver's column.

        Args:
            q: coordinates (nq,) or (N, nq).
            frame: name of a body or frame.
            out: an array to fill and return.

        Raises:
            UnknownNameError: no such frame.
        """
        jacobian: Floats = self._call(self._of_frame("jacobian", frame), (q,), out)
        return jacobian

    def jacobian_bias(
        self, q: ArrayLike, v: ArrayLike, frame: str, out: Floats | None = None
    ) -> Floats:
        """Return dJ/dt v (6,) or (N, 6): the frame's acceleration is J a + dJ/dt v.

        World axes, angular first; the linear part is classical, of the frame's origin.

        Args:
            q: coordinates (nq,) or (N, nq).
            v: rates (nv,) or (N, nv).
            frame: name of a body or frame.
            out: an array to fill and return.

        Raises:
            UnknownNameError: no such frame.
        """
        bias: Floats = self._call(self._of_frame("jacobian_bias", frame), (q, v), out)
        return bias

    def _of_frame(self, kind: str, frame: str) -> str:
        """Return the name of an operation of a frame that the model has."""
        key = (kind, frame)
        name = self._names.get(key) if isinstance(frame, str) else None
        if name is None:
            name = self._names[key] = f"{kind}:{self._model.frame(frame).name}"
        return name
