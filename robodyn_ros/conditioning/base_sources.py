"""What one source says of a moving base: odometry of the root link, or an IMU on it.

A sensor's frame is the root link or sits rigidly on it; what is kept here is the root link's own
motion, moved there from the sensor along the fixed offset between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.frame_motion import (
    Motion,
    Offset,
    carried,
    is_given,
    pose_trouble,
    vector_trouble,
)
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.one_frame import cross, matrix, norm, product, turned_by
from robodyn_ros.conditioning.pose_rates import VectorRate
from robodyn_ros.conditioning.stamps import NEVER
from robodyn_ros.conditioning.tracked_frame import TrackedFrame
from robodyn_ros.conditioning.tracking import LIMIT

Floats = NDArray[np.float64]
_ZERO = np.zeros(3)
_OUTLIER = "does not follow from those before it"


@dataclass(frozen=True, slots=True)
class OdometrySample:
    """The numbers of a nav_msgs/Odometry; its covariances are not used.

    Attributes:
        stamp: Time, ns; 0 for none.
        frame_id: Frame that the pose is given in.
        child_frame_id: Frame whose pose and twist are given.
        position: (3,) of the child's origin, m.
        quaternion: (4,) xyzw, child to `frame_id` axes.
        twist: (6,) [angular; linear] of the child, in the CHILD's axes, rad/s and m/s.
    """

    stamp: int
    frame_id: str
    child_frame_id: str
    position: Floats
    quaternion: Floats
    twist: Floats


@dataclass(frozen=True, slots=True)
class ImuSample:
    """The numbers of a sensor_msgs/Imu; None for what it does not give.

    Attributes:
        stamp: Time, ns; 0 for none.
        frame_id: The sensor's frame.
        quaternion: (4,) xyzw, sensor axes to those of a world whose z is up.
        angular_velocity: (3,) sensor axes, rad/s.
        linear_acceleration: (3,) proper acceleration (+g upwards at rest), sensor axes, m/s^2.
    """

    stamp: int
    frame_id: str
    quaternion: Floats | None
    angular_velocity: Floats | None
    linear_acceleration: Floats | None


class OdometryTrack:
    """The root link's motion in the odometry's world.

    Attributes:
        frame: Pose, velocity and filtered acceleration; world axes.
        stamp: Time of the last sane pose, ns; NEVER at first.
        position_valid: Whether the last pose was sane, and no outlier.
        outlier: Whether it was an outlier.
        velocity_valid: Whether the last velocity is, and known.
        trouble: What is wrong; "" when nothing is.
    """

    def __init__(self, trouble: str) -> None:
        """Start with nothing known, for which `trouble` is the reason."""
        self.frame = TrackedFrame()
        self.stamp: int = int(NEVER)
        self.position_valid = False
        self.velocity_valid = False
        self.outlier = False
        self.trouble = trouble

    def take(
        self, sample: OdometrySample, X_SR: Offset, stamp: int, choices: Choices
    ) -> Iterator[Complaint]:
        """Take a sample of the frame S that the root link R sits in at X_SR."""
        kind, trouble = pose_trouble(sample.position, sample.quaternion)
        if kind:
            self.position_valid = self.velocity_valid = self.outlier = False
            self.trouble = f"odometry: {trouble}"
            self.frame.restart()
            yield _insane(kind, self.trouble)
            return
        root, has_twist = self._root(sample, X_SR)
        follows = self.frame.take_pose(root.position, root.quaternion, stamp, choices)
        self.stamp, self.outlier = stamp, not follows
        self.position_valid, self.trouble = follows, ""
        if not follows:
            self.trouble = f"odometry: its pose {_OUTLIER}"
            yield _odd(self.trouble)
        if not (has_twist and choices.message_velocity):
            self.frame.derive_velocity(stamp, choices)
            self.velocity_valid = self.frame.velocity_known
            if not self.velocity_valid:
                self.trouble = "odometry: velocity not known yet"
            return
        kind, trouble = vector_trouble("twist", sample.twist, "rad/s or m/s")
        self.velocity_valid = not kind
        if kind:
            self.trouble = f"odometry: {trouble}"
            yield _insane(kind, self.trouble)
            return
        twist = np.concatenate([root.angular_velocity, root.linear_velocity])
        self.velocity_valid = self.frame.take_velocity(twist, stamp, choices)
        if not self.velocity_valid:
            self.trouble = f"odometry: its twist {_OUTLIER}"
            yield _odd(self.trouble)

    def _root(self, sample: OdometrySample, X_SR: Offset) -> tuple[Motion, bool]:
        """Return the root link's pose and velocity, and whether there is a velocity at all."""
        quaternion = sample.quaternion / norm(sample.quaternion)
        has_twist = is_given(sample.twist)
        w = v = _ZERO
        if has_twist and max(map(abs, sample.twist.tolist())) <= LIMIT:
            w, v = sample.twist.reshape(2, 3) @ matrix(quaternion).T
        return carried(Motion(sample.position, quaternion, w, v, _ZERO, _ZERO), X_SR), has_twist


class ImuTrack:
    """The root link's attitude, rate and proper acceleration, as an IMU on it tells them.

    Attributes:
        stamp: Time of the last sample, ns; NEVER at first.
        attitude: (4,) root link axes to the axes of the IMU's own world; None where not given.
        rate: (3,) angular velocity, root link axes, rad/s; None where not given.
        spin: (3,) its filtered derivative, root link axes, rad/s^2.
        force: (3,) proper acceleration of the root link's origin, root link axes, m/s^2; None
            where not given.
        trouble: What is wrong; "" when nothing is.
    """

    def __init__(self, trouble: str) -> None:
        """Start with nothing known, for which `trouble` is the reason."""
        self.stamp: int = int(NEVER)
        self.attitude: Floats | None = None
        self.rate: Floats | None = None
        self.spin: Floats = _ZERO
        self.force: Floats | None = None
        self.trouble = trouble
        self._filter = VectorRate(3)

    def take(
        self, sample: ImuSample, X_SR: Offset, stamp: int, choices: Choices
    ) -> Iterator[Complaint]:
        """Take a sample of a sensor S that the root link R sits in at X_SR.

        The acceleration at the root link's origin is that at the sensor, plus alpha x arm
        + omega x (omega x arm); alpha is filtered from the rate, and zero without filters.
        """
        to_root = matrix(X_SR.quaternion).T
        self.stamp, self.trouble = stamp, ""
        self.attitude = self.rate = self.force = None
        if sample.quaternion is not None:
            kind, trouble = pose_trouble(_ZERO, sample.quaternion)
            if kind:
                yield self._complain(kind, trouble.replace("its pose", "its orientation"))
            else:
                unit = sample.quaternion / norm(sample.quaternion)
                self.attitude = product(unit, X_SR.quaternion)
        rate, force = sample.angular_velocity, sample.linear_acceleration
        if rate is not None and (told := self._check("angular velocity", rate, "rad/s")):
            yield told
            rate = None
        if force is not None and (told := self._check("linear acceleration", force, "m/s^2")):
            yield told
            force = None
        self._take_rate(None if rate is None else to_root @ rate, stamp, choices)
        if force is not None:
            arm = to_root @ X_SR.position
            w = _ZERO if self.rate is None else self.rate
            self.force = to_root @ force + cross(self.spin, arm) + cross(w, cross(w, arm))

    def attitude_at(self, stamp: int) -> Floats | None:
        """Return the attitude at a time (ns) near that of the sample, by turning on at the rate."""
        if self.attitude is None or self.rate is None:
            return self.attitude
        turn = turned_by(self.rate * ((stamp - self.stamp) * 1e-9))
        return product(self.attitude, turn)

    def _take_rate(self, rate: Floats | None, stamp: int, choices: Choices) -> None:
        self.rate, self.spin = rate, _ZERO
        if rate is None:
            self._filter.restart()
            return
        self._filter.update(rate, stamp, choices.filter_time_constant)
        if choices.filtered_acceleration:
            self.spin = self._filter.value

    def _check(self, what: str, vector: Floats, unit: str) -> Complaint | None:
        if not is_given(vector):
            return self._complain("not finite", f"its {what} is not finite")
        kind, trouble = vector_trouble(what, vector, unit)
        return self._complain(kind, trouble) if kind else None

    def _complain(self, kind: str, trouble: str) -> Complaint:
        self.trouble = f"IMU: {trouble}"
        return _insane(kind, self.trouble)


def _insane(kind: str, text: str) -> Complaint:
    return Complaint(Severity.WARN, kind, f"{text}; it is not used", about=text[:9], once=False)


def _odd(text: str) -> Complaint:
    told = f"{text}; it is invalid, and no rate is derived from it unless the next one confirms it"
    return Complaint(Severity.WARN, "outliers", told, about=text, once=False)
