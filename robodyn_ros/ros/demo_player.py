"""What the demo plays: smooth motions of all joints, until somebody tells some where to go."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.closed_step import mechanism_size
from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.told_coordinates import ToldCoordinate, told_coordinates
from robodyn_ros.conditioning.tracking import LIMIT
from robodyn_ros.constraints.continuation import follow
from robodyn_ros.errors import RobodynError, UnknownNameError, quoted
from robodyn_ros.model import Model
from robodyn_ros.ros.demo_commands import CommandedMotion, Curve
from robodyn_ros.ros.demo_motion import SmoothMotion, followers_of, limits_of, speed_of
from robodyn_ros.ros.demo_poses import JointPose, PoseMotion
from robodyn_ros.ros.demo_tape import Tape

Floats = NDArray[np.float64]

OUT_OF_RANGE, OUT_OF_REACH = "commands out of range", "commands out of reach"
_LONGEST_NAME = 100


class Settings(NamedTuple):
    """How the motions go: see `Tempo`, `SmoothMotion` and `PoseMotion`."""

    amplitude: float
    period: float
    seed: int
    move_base: bool


class DemoPlayer:
    """The motion of one robot; times are those of the clock, s.

    Attributes:
        names: Coordinates that joint states give.
        joints: Joints that poses give.
    """

    def __init__(self, model: Model, settings: Settings, now: float) -> None:
        """Begin to play.

        Raises:
            ArgumentError: a setting is out of range.
        """
        self._model = model
        amplitude, period, seed, move_base = settings
        self._motion = SmoothMotion(model, amplitude=amplitude, period=period, seed=seed)
        self._poses = PoseMotion(
            model, amplitude=amplitude, period=period, seed=seed, move_base=move_base
        )
        self._tape = Tape(now)
        self.names, self.joints = self._motion.names, self._poses.names
        told = {one.name: one for one in told_coordinates(model)}
        played = {name: told[name] for name in self.names}
        self._ranges = {name: _range(model, one) for name, one in played.items()}
        self._others = {*told} - {*played}
        self._curves = {name: self._curve(k) for k, name in enumerate(self.names)}
        self._speeds = [
            speed_of(limits_of(one), followers_of(model, one)) for one in played.values()
        ]
        self._commanded = CommandedMotion(self._curves, self._speeds)
        self._waiting: dict[str, float] = {}
        self._closing: _Closing | None = None
        self._closed: Floats = model.defaults.q

    @property
    def is_paused(self) -> bool:
        """Whether the played motion stands still."""
        return self._tape.is_paused

    @property
    def is_settling(self) -> bool:
        """Whether a command waits for the next `settle`."""
        return bool(self._waiting) or self._closing is not None

    def pause(self, paused: bool, now: float) -> None:
        """Stop the played motion, or let it go on; commanded coordinates go where they are told."""
        if paused is not self.is_paused:
            self._tape.pause(paused, now)

    def reset(self, now: float) -> None:
        """Play all again: commanded coordinates go back to the motion, which goes on."""
        self._waiting, self._closing = {}, None
        self._commanded.release(now)
        self.pause(False, now)

    def refusal(self, name: str) -> str:
        """Return why a coordinate cannot be commanded by this name, "" where it can."""
        if name in self._ranges:
            return ""
        if name in self._others:
            return f"{quoted(name)} follows from other coordinates of the mechanism"
        joint = next((joint for _, joint in self._model.moving if joint.name == name), None)
        if joint is not None and joint.is_follower:
            return f"joint {quoted(name)} follows joint {quoted(joint.driver)}: command that"
        return str(UnknownNameError.among("coordinate", name[:_LONGEST_NAME], self._ranges))

    def command(self, values: Mapping[str, float]) -> Iterator[Complaint]:
        """Send coordinates to positions, by name; yield what is not done as it was told.

        They go at the next `settle`.
        """
        targets = {}
        for name, value in values.items():
            low, high = self._ranges[name]
            targets[name] = min(max(value, low), high)
            if targets[name] != value:
                text = (
                    f"{quoted(name)} goes to {targets[name]:g}, the end of its range, and not to"
                    f" {value:g} as commanded"
                )
                yield Complaint(Severity.WARN, OUT_OF_RANGE, text, about=name)
        self._waiting |= targets

    def settle(self, now: float) -> Iterator[Complaint]:
        """Do what was commanded since the last call, or yield why that cannot be.

        A closed mechanism is closed there first, in a thread of its own as it takes its time:
        commands wait meanwhile, and the last of each coordinate counts.
        """
        if not self._model.is_closed:
            self._commanded.go(self._waiting, now)
            self._waiting = {}
            return
        closing = self._closing
        if closing is not None and not closing.is_alive():
            self._closing = None
            if closing.q is None:
                text = f"the mechanism cannot go where it is commanded to: {closing.reason}"
                yield Complaint(Severity.WARN, OUT_OF_REACH, text, once=False)
            else:
                self._closed = closing.q
                self._commanded.go(closing.targets, now)
        if self._waiting and self._closing is None:
            targets, self._waiting = self._waiting, {}
            played = dict(zip(self.names, self.at(now)[0].tolist(), strict=True))
            self._closing = _Closing(self._model, self._closed, played, targets)
            self._closing.start()

    def at(self, now: float) -> tuple[Floats, Floats]:
        """Return positions and velocities (n,) of the named coordinates."""
        moment, rate = self._tape.at(now)
        sample = self._motion.at(float(moment))
        position, velocity = sample.position, sample.velocity * float(rate)
        for name, (place, speed) in self._commanded.at(now).items():
            number = self.names.index(name)
            position[number], velocity[number] = place, speed
        return position, velocity

    def poses_at(self, now: float) -> list[JointPose]:
        """Return the joints' poses."""
        moment, rate = self._tape.at(now)
        return [
            pose._replace(angular=pose.angular * rate, linear=pose.linear * rate)
            for pose in self._poses.at(float(moment))
        ]

    def _curve(self, number: int) -> Curve:
        def curve(now: Floats) -> tuple[Floats, Floats]:
            moment, rate = self._tape.at(now)
            position, velocity = self._motion.one(number, moment)
            return position, velocity * rate

        return curve


class _Closing(threading.Thread):
    """Finds out whether a closed mechanism can be where it is told to go.

    Attributes:
        targets: Where that is, by coordinate.
        q: Coordinates (nq,) there; None where it cannot be, or not yet.
        reason: Why it cannot.
    """

    def __init__(
        self, model: Model, q: Floats, played: Mapping[str, float], targets: dict[str, float]
    ) -> None:
        super().__init__(daemon=True, name="closing")
        self._model, self._begin = model, q
        self._inputs = {**played, **targets}
        self.targets = targets
        self.q: Floats | None = None
        self.reason = ""

    def run(self) -> None:
        """Follow the way there."""
        try:
            (found,) = follow(self._model, self._begin, [self._inputs])
        except RobodynError as error:
            self.reason = str(error)
        else:
            self.q = found.q


def _range(model: Model, coordinate: ToldCoordinate) -> tuple[float, float]:
    """Return the positions that a coordinate may be sent to, its followers' limits kept too."""
    limits = limits_of(coordinate)
    least, most = -LIMIT, LIMIT
    if model.is_closed:  # it has to be followed there
        turns = coordinate.joint.joint.turning()[coordinate.v - coordinate.joint.v_index]
        reach = 2.0 * math.pi if turns else mechanism_size(model)
        begin = float(model.defaults.q[coordinate.q])
        least, most = begin - reach, begin + reach
    low = least if limits.lower is None else limits.lower
    high = most if limits.upper is None else limits.upper
    for follower, others in followers_of(model, coordinate):
        if follower.multiplier == 0.0:
            continue
        lower = -math.inf if others.lower is None else others.lower
        upper = math.inf if others.upper is None else others.upper
        ends = [(end - follower.offset) / follower.multiplier for end in (lower, upper)]
        low, high = max(low, min(ends)), min(high, max(ends))
    if low > high:  # limits that contradict each other: stay between them
        low = high = 0.5 * (low + high)
    return low, high
