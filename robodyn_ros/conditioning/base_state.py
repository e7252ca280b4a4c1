"""The motion of a moving base from odometry, an IMU, or both.

Odometry gives the pose of `child_frame_id` in `header.frame_id` and its twist in its own axes
(REP 105, nav_msgs/Odometry); accelerations are filtered differences of the velocities, in world
axes. Covariances are not used: nothing is estimated here, the motion is taken as it is told.

An IMU measures the proper acceleration f (REP 145; +g upwards at rest), so the classical one is
R f + g with the physical gravity vector. Alone it gives attitude, angular velocity and
acceleration; position and velocity are then zero.

With both, pose and velocity are the odometry's. An IMU that is newer carries the attitude on by
what it turned since, and gives the angular velocity; whenever it is fresh it gives the
accelerations. Its attitude enters as differences only, since its heading has another zero than the
odometry's. For R f + g, whose tilt must be true or gravity leaks into the acceleration, its own
attitude is turned about the vertical to the odometry's heading: planar odometry says nothing of
slopes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.conditioning.base_fusion import alone, combined, turn_between
from robodyn_ros.conditioning.base_sources import (
    ImuSample,
    ImuTrack,
    OdometrySample,
    OdometryTrack,
)
from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.frame_motion import Motion, Offset, at_rest
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.input_settings import InputSettings
from robodyn_ros.conditioning.multi_dof import MultiDofStates
from robodyn_ros.conditioning.multi_dof_input import MultiStep
from robodyn_ros.conditioning.root_frames import RootFrames
from robodyn_ros.conditioning.stamps import NEVER, Timeline, Verdict
from robodyn_ros.errors import ArgumentError, quoted

Floats = NDArray[np.float64]

INPUTS = ("none", "odometry", "imu", "odometry_and_imu")
_DROPPED = (Verdict.LATE, Verdict.REPEATED)
_NOTHING: NDArray[np.intp] = np.zeros(0, dtype=np.intp)
_FIRST: NDArray[np.intp] = np.zeros(1, dtype=np.intp)


class Source(NamedTuple):
    """One source, for diagnostics: its name, topic, time of the last sample (ns) and trouble."""

    name: str
    topic: str
    stamp: int
    trouble: str


class BaseState:
    """Keeps the joint of a moving base in `MultiDofStates` at what the sources say.

    Attributes:
        motion: Motion of the root link in the world, world axes.
        gravity: (3,) the physical vector, world axes, m/s^2.
    """

    def __init__(
        self,
        plan: FramePlan,
        frames: RootFrames,
        states: MultiDofStates,
        base_input: str,
        *,
        gravity: ArrayLike = (0.0, 0.0, -9.81),
        odometry_topic: str = "odom",
        imu_topic: str = "imu",
    ) -> None:
        """Start with nothing received.

        Args:
            plan: The frames of a model whose base is floating or prescribed.
            frames: Where the sensors may be.
            states: Where the base's motion is put.
            base_input: "odometry", "imu" or "odometry_and_imu".
            gravity: The physical gravity vector, world axes, m/s^2.
            odometry_topic: Full name, for texts.
            imu_topic: Full name, for texts.

        Raises:
            ArgumentError: the base does not move, or no such input.
        """
        if not plan.moving_base:
            raise ArgumentError("base_input needs a base that is floating or prescribed")
        if base_input not in INPUTS[1:]:
            listed = ", ".join(INPUTS[1:])
            raise ArgumentError(f"base_input must be one of {listed}, got {quoted(base_input)}")
        self.gravity: Floats = np.array(gravity, dtype=np.float64)
        self.motion: Motion = at_rest()
        self._plan, self._frames, self._states = plan, frames, states
        self._input = base_input
        self._joint = plan.multi[0].name
        self._slot = np.array([len(plan.slots)], dtype=np.intp)
        self._topics = {"odometry": odometry_topic, "IMU": imu_topic}
        self._odometry_times, self._imu_times = Timeline(1), Timeline(1)
        self.reset()

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources in use."""
        odometry = Source("odometry", self._topics["odometry"], *_told(self._odometry))
        imu = Source("IMU", self._topics["IMU"], *_told(self._imu))
        return {"odometry": (odometry,), "imu": (imu,)}.get(self._input, (odometry, imu))

    def reset(self) -> None:
        """Forget all that was received."""
        self._odometry = OdometryTrack(f"no odometry yet on {self._topics['odometry']}")
        self._imu = ImuTrack(f"no IMU yet on {self._topics['IMU']}")
        self._turn: Floats | None = None
        self.motion = at_rest()
        trouble = self._imu.trouble if self._input == "imu" else self._odometry.trouble
        self._states.reset([0], trouble)

    def take_odometry(self, sample: OdometrySample, now: int, settings: InputSettings) -> MultiStep:
        """Take a message; `now` is the node's time in ns, used where it has no stamp."""
        complaints = [*self._about_world(sample.frame_id)]
        stamp = sample.stamp or now
        X_SR = self._locate("odometry", "child_frame_id", sample.child_frame_id, complaints)
        if X_SR is None:
            self._odometry.trouble = complaints[-1].text
            self._update(settings)
            return MultiStep(stamp, _NOTHING, None, tuple(complaints))
        verdict = self._judge("odometry", sample.stamp, stamp, settings, complaints)
        if verdict in _DROPPED:
            return MultiStep(stamp, _NOTHING, verdict, tuple(complaints))
        complaints.extend(self._odometry.take(sample, X_SR, stamp, settings.choices))
        if self._odometry.position_valid:
            self._turn = turn_between(self._odometry, self._imu)
        self._update(settings)
        outlier = settings.publish_outliers and self._odometry.outlier
        moved = self._odometry.position_valid or outlier
        return MultiStep(stamp, self._slot if moved else _NOTHING, verdict, tuple(complaints))

    def take_imu(self, sample: ImuSample, now: int, settings: InputSettings) -> MultiStep:
        """Take a message; `now` is the node's time in ns, used where it has no stamp."""
        complaints: list[Complaint] = []
        stamp = sample.stamp or now
        X_SR = self._locate("IMU", "header.frame_id", sample.frame_id, complaints)
        if X_SR is None:
            self._imu.trouble = complaints[-1].text
            self._update(settings)
            return MultiStep(stamp, _NOTHING, None, tuple(complaints))
        verdict = self._judge("IMU", sample.stamp, stamp, settings, complaints)
        if verdict in _DROPPED:
            return MultiStep(stamp, _NOTHING, verdict, tuple(complaints))
        complaints.extend(self._imu.take(sample, X_SR, stamp, settings.choices))
        if self._turn is None and self._odometry.position_valid:
            self._turn = turn_between(self._odometry, self._imu)
        self._update(settings)
        moved = self._input == "imu" and self._imu.attitude is not None
        return MultiStep(stamp, self._slot if moved else _NOTHING, verdict, tuple(complaints))

    def _update(self, settings: InputSettings) -> None:
        """Put what is known now where the base's coordinates are."""
        track = self._imu if self._input == "imu" else self._odometry
        if track.stamp == NEVER:
            self._states.reset([0], track.trouble)
            return
        if isinstance(track, ImuTrack):
            self.motion = alone(track, self.motion, self.gravity)
            valid, velocity_valid = track.attitude is not None, track.rate is not None
            reason = track.trouble
            if not (reason or (valid and velocity_valid)):
                missing = "angular velocity" if valid else "orientation"
                reason = f"the IMU on {self._topics['IMU']} gives no {missing}"
        else:
            self.motion = track.frame.motion
            if self._input == "odometry_and_imu" and self._imu_is_fresh(settings):
                self.motion = combined(track, self._imu, self._turn, self.gravity)
            valid, velocity_valid = track.position_valid, track.velocity_valid
            reason = track.trouble
        self._states.place(
            self._joint,
            self.motion,
            track.stamp,
            position_valid=valid,
            velocity_valid=velocity_valid,
            reason="" if valid and velocity_valid else reason,
        )

    def _imu_is_fresh(self, settings: InputSettings) -> bool:
        if self._imu.stamp == NEVER:
            return False
        apart = abs(self._imu.stamp - self._odometry.stamp) * 1e-9
        if settings.stale_after <= 0.0 or apart <= settings.stale_after:
            return True
        topic = self._topics["IMU"]
        self._imu.trouble = f"IMU on {topic} older than stale_after: odometry's rates are used"
        return False

    def _judge(
        self,
        source: str,
        given: int,
        stamp: int,
        settings: InputSettings,
        complaints: list[Complaint],
    ) -> Verdict:
        """Decide what a stamp means, and forget what a reset of the clock makes void."""
        where = f"{source} on {self._topics[source]}"
        if given == 0:
            text = f"{where} has no stamp and is given the node's time; set header.stamp"
            complaints.append(Complaint(Severity.WARN, "without stamp", text, about=source))
        if settings.ignore_timestamp:
            return Verdict.NEW
        times = self._odometry_times if source == "odometry" else self._imu_times
        verdict, _ = times.judge(_FIRST, stamp)
        if verdict is Verdict.LATE:
            text = f"{where} older than what is known already is dropped"
            complaints.append(Complaint(Severity.WARN, "late", text, about=source, once=False))
        elif verdict is Verdict.REPEATED:
            text = f"{where} with the stamp of the last one is dropped"
            complaints.append(Complaint(Severity.DEBUG, "repeated stamps", text, about=source))
        elif verdict is Verdict.RESET:
            text = f"stamps of {where} jumped back: starting over, what was known is forgotten"
            told = Complaint(Severity.WARN, "clock resets", text, about=source, once=False)
            complaints.append(told)
            self._forget_after(stamp)
        return verdict

    def _forget_after(self, stamp: int) -> None:
        """Forget what comes from after a time: it is of before the clock's reset."""
        self._turn = None
        if self._odometry.stamp > stamp:
            self._odometry = OdometryTrack(f"no odometry yet on {self._topics['odometry']}")
        if self._imu.stamp > stamp:
            self._imu = ImuTrack(f"no IMU yet on {self._topics['IMU']}")

    def _locate(
        self, source: str, field: str, name: str, complaints: list[Complaint]
    ) -> Offset | None:
        """Return where the root link is in a sensor's frame; None, with a complaint, if nowhere."""
        where = f"{source} on {self._topics[source]}"
        if not name:
            text = f"{where} has no {field}: the root link {quoted(self._frames.root)} is meant"
            complaints.append(Complaint(Severity.WARN, "without frame", text, about=source))
            name = self._frames.root
        pose = self._frames.root_in(name)
        if pose is None:
            text = (
                f"{where} is dropped: its {field} is {quoted(name)}, but must be"
                f" {self._frames.described()}"
            )
            told = Complaint(Severity.WARN, "frame not on the root link", text, source, once=False)
            complaints.append(told)
        return pose

    def _about_world(self, frame_id: str) -> Iterator[Complaint]:
        """Tell how to set whichever of the two frames is not as it is meant."""
        world = self._plan.world_frame
        if frame_id == world:
            return
        if not frame_id:
            remedy = f"set its header.frame_id to {quoted(world)}"
        elif frame_id == self._plan.state_frame:
            remedy = (
                "states are given in that frame of the description, which is elsewhere: publish"
                f" odometry in {quoted(world)}"
            )
        elif frame_id in self._plan.names:
            remedy = "that is a frame of the robot: set its header.frame_id to what it moves in"
        else:
            remedy = f"start with world_frame:={_shown(frame_id)} if the robot moves in that frame"
        text = (
            f"odometry on {self._topics['odometry']} is given in frame {quoted(frame_id)}, which is"
            f" taken for world_frame {quoted(world)}; {remedy}"
        )
        kind = "odometry not in world_frame"
        yield Complaint(Severity.WARN, kind, text, about=quoted(frame_id))


def _shown(name: str) -> str:
    """Return a name as it is typed, quoted where it would not be one word."""
    return name if quoted(name) == f"'{name}'" and name.split() == [name] else quoted(name)


def _told(track: OdometryTrack | ImuTrack) -> tuple[int, str]:
    return track.stamp, track.trouble
