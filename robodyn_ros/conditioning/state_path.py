"""From the fields of a joint state to the bodies that move: the state path without messages.

One `StatePath` serves one description. `take` merges a message and says which frames are to be
published at its stamp; `motion` and `com_motion` compute what is published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_layout import Layout
from robodyn_ros.conditioning.joint_states import LIMIT, JointStates, Samples
from robodyn_ros.conditioning.stamps import NEVER, RateLimit, Timeline, Verdict
from robodyn_ros.errors import quoted
from robodyn_ros.robot import LazyBodyMotion, LazyCenterOfMassMotion, Robot

_ABOUT_VERDICT = {
    Verdict.RESET: Complaint(
        Severity.WARN,
        "clock resets",
        "joint state stamps jumped back: starting over, what was known of the joints is forgotten",
        once=False,
    ),
    Verdict.LATE: Complaint(
        Severity.WARN,
        "late",
        "a joint state older than what is published already is dropped",
        once=False,
    ),
    Verdict.REPEATED: Complaint(
        Severity.DEBUG,
        "repeated stamps",
        "a joint state with the stamp of the last one brings no new transforms",
    ),
}
_UNITS = {"position": "rad or m", "velocity": "rad/s or m/s"}
NOTHING: NDArray[np.intp] = np.zeros(0, dtype=np.intp)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the operator may change while the path runs; see `parameter_tables`."""

    publish_frequency: float = 0.0
    ignore_timestamp: bool = False
    message_velocity: bool = True
    filtered_acceleration: bool = True
    filter_time_constant: float = 0.02
    stale_after: float = 1.0


@dataclass(frozen=True, slots=True)
class Step:
    """What one message asks for.

    Attributes:
        stamp: Time of the outputs, ns.
        frames: Bodies whose transforms are to be published.
        bodies: Whether the bodies' states are to be published.
        verdict: What the stamp meant; None when the message named no joint of the robot.
        complaints: What to tell the operator.
    """

    stamp: int
    frames: NDArray[np.intp]
    bodies: bool
    verdict: Verdict | None
    complaints: tuple[Complaint, ...]


class _Stream(NamedTuple):
    """Messages with positions and those without pass each other by: a rate limit and times each."""

    times: Timeline
    limit: RateLimit


class StatePath:
    """Joint states of one robot, merged, and the motion of its bodies."""

    def __init__(self, robot: Robot, plan: FramePlan) -> None:
        """Start with nothing received."""
        self.robot = robot
        self.plan = plan
        count = len(plan.slots)
        self._neutral = np.array(robot.neutral(), dtype=np.float64)
        self.joints = JointStates(plan.slots, self._neutral[plan.q_index], plan.continuous)
        self._with_position = _Stream(Timeline(count), RateLimit(count))
        self._velocity_only = _Stream(Timeline(count), RateLimit(count))
        self._q = self._neutral.copy()
        self._v = np.zeros(robot.model.nv)
        self._a = np.zeros(robot.model.nv)

    def take(
        self,
        names: Sequence[str],
        position: Samples,
        velocity: Samples,
        effort_count: int,
        stamp: int,
        settings: Settings,
    ) -> Step:
        """Merge one message and decide what to publish.

        Args:
            names: Its joint names.
            position: Its positions, of any number.
            velocity: Its velocities, of any number.
            effort_count: Length of its efforts.
            stamp: Its stamp, or the node's time where it has none, ns.
            settings: What the operator chose.
        """
        layout = self.plan.slots.layout(names)
        complaints = list(layout.complaints)
        lengths = {"position": len(position), "velocity": len(velocity), "effort": effort_count}
        complaints.extend(_length_complaints(lengths, layout.count))
        if len(position) != layout.count:
            position = ()
        if len(velocity) != layout.count:
            velocity = ()
        if len(layout.slots) == 0 or not (position or velocity):
            return Step(stamp, NOTHING, False, None, tuple(complaints))
        stream = self._with_position if position else self._velocity_only
        verdict, fresh = Verdict.NEW, layout.slots
        if not settings.ignore_timestamp:
            verdict, fresh = stream.times.judge(layout.slots, stamp)
        if verdict in _ABOUT_VERDICT:
            complaints.append(_ABOUT_VERDICT[verdict])
        if verdict is Verdict.LATE:
            return Step(stamp, NOTHING, False, verdict, tuple(complaints))
        if verdict is Verdict.RESET:
            self.joints.reset()
            stream.limit.reset()
        if not settings.ignore_timestamp:
            fresh = stream.limit.pass_on(fresh, stamp, settings.publish_frequency)
        merge = self.joints.merge(
            layout,
            stamp,
            position,
            velocity,
            message_velocity=settings.message_velocity,
            filtered_acceleration=settings.filtered_acceleration,
            time_constant=settings.filter_time_constant,
        )
        complaints.extend(self._sample_complaints(layout, merge.invalid, "position", position))
        bad = merge.invalid_velocity
        complaints.extend(self._sample_complaints(layout, bad, "velocity", velocity))
        count = len(layout.slots)
        moved = fresh
        if len(merge.moved) != count or len(fresh) != count:
            moved = fresh[np.isin(fresh, merge.moved)]
        return Step(stamp, self.plan.children(moved), len(fresh) > 0, verdict, tuple(complaints))

    def motion(self) -> LazyBodyMotion:
        """Return the motion of all bodies at the joint values known now, in the world frame."""
        self._gather()
        return self.robot.body_motion(self._q, self._v, self._a)

    def start_kernels(self) -> None:
        """Ask for the compiled functions, which are made in the background at first use."""
        self.motion()
        self.com_motion()

    def com_motion(self) -> LazyCenterOfMassMotion:
        """Return the motion of all centres of mass at the joint values known now."""
        self._gather()
        return self.robot.center_of_mass_motion(self._q, self._v, self._a)

    def validity(
        self, stamp: int, settings: Settings
    ) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Return validity (nb,) and age (nb,), s, of every body at a stamp in ns."""
        joints = self.joints
        received = joints.stamp != NEVER
        age = np.where(received, np.maximum(stamp - joints.stamp, 0) * 1e-9, -1.0)
        usable = joints.position_valid & joints.velocity_valid
        return self.plan.validity(usable, age, settings.stale_after)

    def _gather(self) -> None:
        self._q[self.plan.q_index] = self.joints.position
        self._v[self.plan.v_index] = self.joints.velocity
        self._a[self.plan.v_index] = self.joints.acceleration

    def _sample_complaints(
        self, layout: Layout, slots: NDArray[np.intp], kind: str, samples: Samples
    ) -> Iterator[Complaint]:
        """Complain of the samples of some slots, which are not finite or too large."""
        for slot in slots:
            value = samples[layout.rows[np.searchsorted(layout.slots, slot)]]
            name = quoted(self.plan.slots.names[slot])
            finite = np.isfinite(value)
            trouble = f"{value:g} is beyond the bound of {LIMIT:g} {_UNITS[kind]}"
            yield Complaint(
                Severity.WARN,
                "out of bounds" if finite else "not finite",
                f"joint {name}: {kind} {trouble if finite else 'is not finite'}; it is invalid"
                " until a sane one comes",
                about=f"{kind} of {name}",
                once=False,
            )


def _length_complaints(lengths: Mapping[str, int], names: int) -> Iterator[Complaint]:
    for kind, count in lengths.items():
        if count not in (0, names):
            text = f"joint state rejected in part: {kind} has {count} entries for {names} names"
            yield Complaint(Severity.WARN, "wrong lengths", text, about=kind, once=False)
