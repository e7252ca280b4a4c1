"""From the fields of a joint state to the bodies that move: the state path without messages.

One `StatePath` serves one description. `take` merges a message and says which frames are to be
published at its stamp; the rest tells what is published.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import Complaint
from robodyn_ros.conditioning.extent import BOUND, extent
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.input_plan import InputPlan, input_plan
from robodyn_ros.conditioning.joint_efforts import JointEfforts
from robodyn_ros.conditioning.joint_states import Choices, JointStates
from robodyn_ros.conditioning.multi_dof import MultiDofStates
from robodyn_ros.conditioning.multi_dof_input import MultiStep
from robodyn_ros.conditioning.sample_complaints import about_samples, about_verdict
from robodyn_ros.conditioning.stamps import RateLimit, Timeline, Verdict
from robodyn_ros.conditioning.state_step import BODY_SIZE, POSE_SIZE
from robodyn_ros.conditioning.stepper import Stepper, StepResult
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]
NOTHING: Indices = np.zeros(0, dtype=np.intp)
MAX_PLANS = 64


@dataclass(frozen=True, slots=True)
class Settings:
    """What the operator may change while the path runs; see `parameter_tables`."""

    publish_frequency: float = 0.0
    ignore_timestamp: bool = False
    stale_after: float = 1.0
    publish_outliers: bool = True
    choices: Choices = field(default_factory=Choices)


class Step(NamedTuple):
    """What one message asks for.

    Attributes:
        stamp: Time of the outputs, ns.
        frames: Bodies whose transforms are to be published.
        bodies: Whether the bodies' states are to be published.
        verdict: What the stamp meant; None when the message named no joint of the robot.
        complaints: What to tell the operator.
    """

    stamp: int
    frames: Indices
    bodies: bool
    verdict: Verdict | None
    complaints: tuple[Complaint, ...]


class _Stream(NamedTuple):
    """Messages with positions and those without pass each other by: a rate limit and times each."""

    times: Timeline
    limit: RateLimit


class StatePath:
    """Joint states of one robot, merged, and the motion of its bodies.

    Attributes:
        robot: The robot.
        plan: Its frames.
        joints: What is known of its joints.
        rest: Its other joints, which whole poses move.
        efforts: What is known of the joints' efforts; None while nobody asks for them.
        stamp: Time of the last message that was merged, ns; None before the first.
        is_bounded: Whether sane joints cannot take any result beyond the floats.
    """

    def __init__(self, robot: Robot, plan: FramePlan, settings: Settings) -> None:
        """Start with nothing received.

        Args:
            robot: The robot.
            plan: Its frames.
            settings: What the operator chose.
        """
        self.robot = robot
        self.plan = plan
        self.rest = MultiDofStates(robot.model, plan)
        self.joints = JointStates(self.rest.q[plan.q_index], settings.choices)
        self.stepper = Stepper(robot.model, robot.compile_mode)
        count = len(plan.slots)
        self._with_position = _Stream(Timeline(count), RateLimit(count))
        self._velocity_only = _Stream(Timeline(count), RateLimit(count))
        self._pose_limit = RateLimit(count + len(plan.multi))
        self._plans: dict[object, InputPlan] = {}
        self._everything: tuple[Flags, Floats] = (np.full(count, True), np.zeros(count))
        self._settings = settings
        self.efforts: JointEfforts | None = None
        self.stamp: int | None = None
        self.is_bounded = extent(robot.model) < BOUND
        self._result = self._advance(np.zeros((4, count)), None)

    def replace(self, after: StatePath) -> None:
        """Take over from another path: no stamp of joints that keep their names is shown again."""
        old = {name: slot for slot, name in enumerate(after.plan.slots.names)}
        pairs = [
            (slot, old[name]) for slot, name in enumerate(self.plan.slots.names) if name in old
        ]
        if pairs:
            mine, theirs = np.array(pairs, dtype=np.intp).T
            self._with_position.times.inherit(mine, after._with_position.times, theirs)
            self._velocity_only.times.inherit(mine, after._velocity_only.times, theirs)

    def choose(self, settings: Settings) -> None:
        """Take other settings."""
        self._settings = settings
        self.joints.choose(settings.choices)

    def input_plan(
        self,
        key: object,
        names: Sequence[str],
        positions: int,
        velocities: int,
        efforts: int,
    ) -> InputPlan:
        """Return what messages of a shape mean; `key` stands for the shape and is remembered."""
        found = self._plans.get(key)
        if found is None:
            if len(self._plans) >= MAX_PLANS:
                self._plans.clear()
            found = input_plan(self.plan.slots, names, positions, velocities, efforts)
            self._plans[key] = found
        return found

    def take(
        self,
        names: Sequence[str],
        position: Sequence[float],
        velocity: Sequence[float],
        effort: Sequence[float],
        stamp: int,
    ) -> Step:
        """Merge one message, given by its fields, and decide what to publish.

        Args:
            names: Its joint names.
            position: Its positions, of any number.
            velocity: Its velocities, of any number.
            effort: Its efforts, of any number.
            stamp: Its stamp, or the node's time where it has none, ns.
        """
        lengths = len(position), len(velocity), len(effort)
        plan = self.input_plan((tuple(names), *lengths), names, *lengths)
        return self.take_numbers(plan, (*position, *velocity, *effort), stamp)

    def take_numbers(
        self, plan: InputPlan, numbers: Sequence[float], stamp: int, *, wanted: bool = True
    ) -> Step:
        """Merge one message of a known shape: its positions, velocities and efforts.

        What the caller does not want to publish, `wanted` being False, does not count for the rate.
        """
        if plan.is_empty:
            return Step(stamp, NOTHING, False, None, plan.complaints)
        settings, slots = self._settings, plan.layout.slots
        stream = self._with_position if plan.has_position else self._velocity_only
        complaints, verdict, fresh = plan.complaints, Verdict.NEW, slots
        if not settings.ignore_timestamp:
            verdict, fresh = stream.times.judge(slots, stamp)
            if verdict is not Verdict.NEW:
                complaints = (*complaints, about_verdict(verdict))
                if verdict is not Verdict.RESET:
                    return Step(stamp, NOTHING, False, verdict, complaints)
                self._start_over(stream)
        if self.efforts is not None:
            self.efforts.take(plan, numbers, fresh, stamp)
        samples = plan.fill(numbers)
        if fresh is not slots and len(fresh) < len(slots):
            samples = plan.only(samples, fresh)
        self.joints.begin(stamp)
        self._result = result = self._advance(samples, plan)
        self.stamp = stamp
        shown = fresh
        if wanted and settings.publish_frequency > 0.0 and not settings.ignore_timestamp:
            shown = stream.limit.pass_on(fresh, stamp, settings.publish_frequency)
        moved = shown if plan.has_position else NOTHING
        if result.alarms:
            bad = self.joints.bad(samples)
            complaints = (*complaints, *about_samples(self.plan.slots.names, samples, bad))
            moved = np.setdiff1d(moved, bad.position)
            if not settings.publish_outliers:
                moved = np.setdiff1d(moved, bad.position_outlier)
        frames = self.plan.children(moved)
        return Step(stamp, frames, len(shown) > 0, verdict, complaints)

    def _start_over(self, stream: _Stream) -> None:
        """Forget the joints, as after a clock reset."""
        self.joints.reset()
        stream.limit.reset()
        if self.efforts is not None:
            self.efforts.reset()

    def take_poses(self, taken: MultiStep) -> Step:
        """Decide what to publish after an input that moves whole poses has changed `rest`."""
        if taken.verdict is Verdict.RESET:
            self._pose_limit.reset()
        elif taken.verdict is not Verdict.NEW:
            return Step(taken.stamp, NOTHING, False, taken.verdict, taken.complaints)
        self._result = self._advance(np.zeros((4, len(self.plan.slots))), None)
        self.stamp = taken.stamp
        frequency = 0.0 if self._settings.ignore_timestamp else self._settings.publish_frequency
        shown = self._pose_limit.pass_on(taken.moved, taken.stamp, frequency)
        frames = self.plan.children(shown)
        return Step(taken.stamp, frames, len(shown) > 0, taken.verdict, taken.complaints)

    @property
    def result(self) -> StepResult:
        """What is known now of the whole robot; never written to again."""
        return self._result

    def relative(self) -> Floats:
        """Return the poses (nb, 7) of bodies in their parent bodies."""
        return self._result.relative.reshape(-1, POSE_SIZE)

    def bodies(self) -> Floats:
        """Return the motion (nb, 28) of all bodies in the world frame: see `state_step`."""
        return self._result.bodies.reshape(-1, BODY_SIZE)

    def validity(self, stamp: int) -> tuple[Flags, Floats]:
        """Return validity (nb,) and age (nb,), s, of every body at a stamp in ns."""
        return self.plan.validity(*self.usable(stamp), self._settings.stale_after)

    def usable(self, stamp: int) -> tuple[Flags, Floats]:
        """Return (n + m,) whether a joint's value is good, whatever its age, and (n + m,) that, s.

        Joints are numbered as in `FramePlan`; an age is -1 where nothing was received.
        """
        usable, age = self._everything
        if self._result.unsettled != 0.0 or stamp != self.stamp:
            usable, age = self.joints.usable(), self.joints.age(stamp)
            usable &= ~self._too_far_ahead(self.joints.ahead(stamp))
        if self.plan.multi:
            poses = self.rest.usable() & ~self._too_far_ahead(self.rest.ahead(stamp))
            usable = np.concatenate([usable, poses])
            age = np.concatenate([age, self.rest.age(stamp)])
        return usable, age

    def is_all_fresh(self, stamp: int) -> bool:
        """Return whether joint states gave all that they can at a stamp in ns, and nothing else."""
        return self._result.unsettled == 0.0 and stamp == self.stamp and not self.plan.multi

    @property
    def stale_after(self) -> float:
        """Age in s beyond which a value is not used; 0 for never."""
        return self._settings.stale_after

    def troubles(self, stamp: int) -> Iterator[tuple[str, float, str]]:
        """Yield name, age in s (-1 for none) and what is wrong ("" for nothing) of every joint."""
        stale_after = self._settings.stale_after
        ahead = [*self.joints.ahead(stamp).tolist(), *self.rest.ahead(stamp).tolist()]
        known = [
            *zip(
                self.plan.slots.names,
                self.joints.age(stamp).tolist(),
                self.joints.reasons(),
                strict=True,
            ),
            *self.rest.troubles(stamp, stale_after),
        ]
        for (name, age, reason), early in zip(known, ahead, strict=True):
            if 0.0 < stale_after < age:
                reason = reason or f"stale: {age:.1f} s"  # noqa: PLW2901
            elif 0.0 < stale_after < early:
                reason = reason or f"stamped {early:.1f} s ahead of the last message"  # noqa: PLW2901
            yield name, age, reason

    def _too_far_ahead(self, ahead: Floats) -> Flags:
        """Return whose stamps are later than the others' by what would be stale the other way."""
        stale_after = self._settings.stale_after
        return (ahead > stale_after) & (stale_after > 0.0)

    def _advance(self, samples: Floats, plan: InputPlan | None) -> StepResult:
        joints, stepper, inputs = self.joints, self.stepper, self.rest.inputs
        result = stepper.quick(*inputs, joints.memory, samples, joints.control)
        if result is None:
            if plan is not None:
                samples = joints.acceptable(plan, samples)
            result = stepper(*inputs, joints.memory, samples, joints.control)
        joints.memory = result.memory
        return result
