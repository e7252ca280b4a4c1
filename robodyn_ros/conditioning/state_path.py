"""From the fields of a joint state to the bodies that move: the state path without messages.

One `StatePath` serves one description. `take` merges a message and says which frames are to be
published at its stamp; the rest tells what is published.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.extent import BOUND, extent
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.input_plan import InputPlan, input_plan
from robodyn_ros.conditioning.joint_efforts import JointEfforts
from robodyn_ros.conditioning.message_streams import MessageStreams, Stream
from robodyn_ros.conditioning.multi_dof_input import MultiStep
from robodyn_ros.conditioning.passive_joints import PassiveJoints
from robodyn_ros.conditioning.path_knowledge import NO_DRIVES, PathKnowledge, Settings
from robodyn_ros.conditioning.sample_complaints import about_samples, about_verdict
from robodyn_ros.conditioning.stamps import RateLimit, Verdict
from robodyn_ros.conditioning.step_result import StepResult
from robodyn_ros.conditioning.stepper import Stepper
from robodyn_ros.expressions import Expression
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
NOTHING: Indices = np.zeros(0, dtype=np.intp)
MAX_PLANS = 64
_EFFORTS_ONLY = Complaint(
    Severity.INFO,
    "efforts only",
    "joint states with nothing but efforts move nothing, and these are not asked for at present",
)


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


class StatePath(PathKnowledge):
    """Joint states of one robot, merged, and the motion of its bodies.

    Attributes:
        efforts: What is known of the joints' efforts; None while nobody asks for them.
        is_bounded: Whether sane joints cannot take any result beyond the floats.
    """

    def __init__(
        self,
        robot: Robot,
        plan: FramePlan,
        settings: Settings,
        drives: Mapping[str, Expression] = NO_DRIVES,
    ) -> None:
        """Start with nothing received.

        Args:
            robot: The robot.
            plan: Its frames.
            settings: What the operator chose.
            drives: Formulas of the time t in s that drive control elements, by name.
        """
        super().__init__(robot, plan, settings, drives)
        self.stepper = Stepper(robot.model, robot.compile_mode, plan.seen_from)
        count = len(plan.slots)
        self._streams = MessageStreams(count)
        self._pose_limit = RateLimit(count + len(plan.multi))
        self._plans: dict[object, InputPlan] = {}
        self.efforts: JointEfforts | None = None
        self.is_bounded = extent(robot.model) < BOUND
        self.choose(settings)
        self._result = self._advance(np.zeros((4, count)), None, 0)

    def replace(self, after: StatePath) -> None:
        """Take over from another path: no stamp of joints that keep their names is shown again."""
        old = {name: slot for slot, name in enumerate(after.plan.slots.names)}
        pairs = [
            (slot, old[name]) for slot, name in enumerate(self.plan.slots.names) if name in old
        ]
        if pairs:
            mine, theirs = np.array(pairs, dtype=np.intp).T
            self._streams.inherit(mine, after._streams, theirs)

    def choose(self, settings: Settings) -> None:
        """Take other settings."""
        self._settings = settings
        self.joints.choose(settings.choices)
        self.controls.choose(settings.controls)
        if self.is_driven:
            self.stepper.drive(self.drive.arrays)
        else:
            self.drive.efforts.reset()
            self.stepper.leave_drive()

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
        A message with nothing but efforts leaves positions as they are, to grow old.
        """
        if plan.is_empty and not (plan.has_effort and (self.is_driven or self.efforts)):
            told = (_EFFORTS_ONLY,) if plan.has_effort else ()
            return Step(stamp, NOTHING, False, None, (*plan.complaints, *told))
        settings, slots = self._settings, plan.layout.slots
        stream, complaints = self._streams.of(plan), plan.complaints
        verdict, fresh = Verdict.NEW, slots
        if not settings.ignore_timestamp:
            verdict, fresh = stream.times.judge(slots, stamp)
            if verdict is not Verdict.NEW:
                complaints = (*complaints, about_verdict(verdict))
                if verdict is not Verdict.RESET:
                    return Step(stamp, NOTHING, False, verdict, complaints)
                self._start_over(stream)
        for efforts in self._taking():
            efforts.take(plan, numbers, fresh, stamp)
        samples = plan.fill(numbers)
        if fresh is not slots and len(fresh) < len(slots):
            samples = plan.only(samples, fresh)
        self.joints.begin(stamp)
        complaints = (*complaints, *self._measured(fresh if plan.has_position else NOTHING))
        self._result = result = self._advance(samples, plan, stamp)
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
        frames = self._frames(self._complete(moved), stamp) if len(shown) else NOTHING
        complaints = (*complaints, *self._unclosed())
        return Step(stamp, frames, len(shown) > 0, verdict, complaints)

    def _unclosed(self) -> Iterable[Complaint]:
        return () if self.passive is None else self.passive.complaints()

    def _frames(self, moved: Indices, stamp: int) -> Indices:
        """Return the bodies that slots move, those of passive joints among them."""
        if self.passive is None:
            return self.plan.children(moved)
        passive = self.passive.completed(moved, self.placed(stamp))
        return self.plan.shown([*self.plan.children(moved).tolist(), *passive])

    def _measured(self, slots: Indices) -> Iterable[Complaint]:
        """Have passive joints follow from what is measured."""
        if self.passive is None:
            return ()
        if told := tuple(self.passive.measure(slots)):
            self.stepper = self.stepper.for_model(self.passive.model)
        return told

    def _complete(self, moved: Indices) -> Indices:
        """Leave out slots of joints of which another coordinate was never received.

        What moves as described, or by a program, moves with every joint state.
        """
        for group in self.plan.groups:
            if not self.joints.received(group.slots).all():
                moved = np.setdiff1d(moved, group.slots)
        if self.rest.is_held:
            moved = np.append(moved, len(self.plan.slots))
        held = self.held_controls()
        return np.append(moved, held) if len(held) else moved

    def _start_over(self, stream: Stream) -> None:
        """Forget the joints, as after a clock reset."""
        self.joints.reset()
        stream.limit.reset()
        for efforts in self._taking():
            efforts.reset()

    def _taking(self) -> Iterator[JointEfforts]:
        """Yield who wants to know of efforts."""
        if self.efforts is not None:
            yield self.efforts
        if self.is_driven:
            yield self.drive.efforts

    def take_poses(self, taken: MultiStep) -> Step:
        """Decide what to publish after an input that moves whole poses has changed `rest`."""
        if taken.verdict is Verdict.RESET:
            self._pose_limit.reset()
        elif taken.verdict is not Verdict.NEW:
            return Step(taken.stamp, NOTHING, False, taken.verdict, taken.complaints)
        for group in self.plan.groups:
            if group.pose is not None and group.pose in taken.moved:
                # Who spoke last moves the joint.
                self.joints.forget(group.slots)
        told = (*taken.complaints, *self._measured(taken.moved))
        self._result = self._advance(np.zeros((4, len(self.plan.slots))), None, taken.stamp)
        self.stamp = taken.stamp
        frequency = 0.0 if self._settings.ignore_timestamp else self._settings.publish_frequency
        shown = self._pose_limit.pass_on(taken.moved, taken.stamp, frequency)
        frames = self._frames(shown, taken.stamp)
        return Step(taken.stamp, frames, len(shown) > 0, taken.verdict, (*told, *self._unclosed()))

    def _advance(self, samples: Floats, plan: InputPlan | None, stamp: int) -> StepResult:
        self.rest.advance(stamp)
        if self.is_driven:
            self.drive.fill(stamp, self.stale_after)
        self.stepper.push(self.wrenches.acting_at(stamp))
        rest = self.rest
        if self.controls.names:
            self.controls.put(rest.q, rest.v, rest.a, stamp)
        if self.passive is not None:
            result = self._closed(self.passive, samples, plan)
        else:
            result = self._step(rest.inputs, samples, plan)
        self.joints.memory = result.memory
        return result

    def _step(
        self, inputs: tuple[Floats, ...], samples: Floats, plan: InputPlan | None
    ) -> StepResult:
        joints, stepper = self.joints, self.stepper
        result = stepper.quick(*inputs, joints.memory, samples, joints.control)
        if result is None:
            if plan is not None:
                samples = joints.acceptable(plan, samples)
            result = stepper(*inputs, joints.memory, samples, joints.control)
        return result

    def _closed(
        self, passive: PassiveJoints, samples: Floats, plan: InputPlan | None
    ) -> StepResult:
        """Take a message of a closed mechanism; where Newton's steps do not close it, otherwise."""
        inputs, received = self.rest.inputs, self.rest.age(0) >= 0.0
        result = self._step(passive.inputs(inputs, received), samples, plan)
        if passive.accept(result.closure, result.q) or not passive.recover(result.q):
            return result
        result = self._step(passive.inputs(inputs, received), samples, plan)
        if not passive.accept(result.closure, result.q) and passive.rechoose():
            self.stepper = self.stepper.for_model(passive.model)
            result = self._step(passive.inputs(inputs, received), samples, plan)
        if not passive.accept(result.closure, result.q):
            passive.refuse(result.q)
        return result
