"""What a state path knows of its robot, how old that is, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.acting_wrenches import ActingWrenches
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.held_controls import HeldControls
from robodyn_ros.conditioning.joint_drive import JointDrive
from robodyn_ros.conditioning.joint_states import Choices, JointStates
from robodyn_ros.conditioning.multi_dof import MultiDofStates
from robodyn_ros.conditioning.passive_joints import PassiveJoints
from robodyn_ros.conditioning.redundant_joints import Compared, compared
from robodyn_ros.conditioning.state_step import BODY_SIZE, MARKER_SIZE, POSE_SIZE
from robodyn_ros.conditioning.step_result import StepResult
from robodyn_ros.expressions import Expression
from robodyn_ros.model import Model
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]
NO_DRIVES: Mapping[str, Expression] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Settings:
    """What the operator may change while the path runs; see `parameter_tables`."""

    publish_frequency: float = 0.0
    ignore_timestamp: bool = False
    stale_after: float = 1.0
    publish_outliers: bool = True
    choices: Choices = field(default_factory=Choices)
    controls: Mapping[str, float] = field(default_factory=dict)


class PathKnowledge:
    """The state of one robot's joints, to be read; `StatePath` keeps it.

    Attributes:
        robot: The robot.
        plan: Its frames.
        joints: What is known of its joints.
        rest: Its other joints, which whole poses move.
        drive: What accelerations follow from where the settings say that they come from efforts.
        wrenches: What acts on the robot from outside.
        gravity: (3,) the physical vector that an IMU on the base is read with, world axes, m/s^2.
        stamp: Time of the last message that was merged, ns; None before the first.
        controls: Its control elements, as long as joint states do not give them.
        passive: The passive joints of a closed mechanism; None for a tree.
    """

    _result: StepResult

    def __init__(
        self,
        robot: Robot,
        plan: FramePlan,
        settings: Settings,
        drives: Mapping[str, Expression] = NO_DRIVES,
    ) -> None:
        """Start with nothing received."""
        self.robot = robot
        self.plan = plan
        self.controls = HeldControls(robot.model, drives)
        self.passive = PassiveJoints(robot.model, plan) if robot.model.is_closed else None
        self.rest = MultiDofStates(robot.model, plan)
        start = self.rest.q if self.passive is None else self.passive.q
        self.joints = JointStates(start[plan.q_index], settings.choices)
        self.drive = JointDrive(robot.model, plan, robot.environment)
        self.wrenches = ActingWrenches(robot.model)
        self.gravity: Floats = np.array(robot.gravity, dtype=np.float64)
        self.stamp: int | None = None
        count = len(plan.slots)
        self._everything: tuple[Flags, Floats] = (np.full(count, True), np.zeros(count))
        self._settings = settings

    @property
    def model(self) -> Model:
        """The robot's model, with the partition in use where it is a closed mechanism."""
        return self.robot.model if self.passive is None else self.passive.model

    @property
    def is_driven(self) -> bool:
        """Whether accelerations follow from efforts."""
        return self._settings.choices.forward_dynamics

    @property
    def result(self) -> StepResult:
        """What is known now of the whole robot; never written to again."""
        return self._result

    def relative(self) -> Floats:
        """Return the poses (nb, 7) of bodies in their parent bodies."""
        return self._result.relative.reshape(-1, POSE_SIZE)

    def bodies(self) -> Floats:
        """Return the motion (nb, 28) of all bodies in `plan.state_frame`: see `state_step`."""
        return self._result.bodies.reshape(-1, BODY_SIZE)

    def markers(self) -> Floats:
        """Return the motion (n, 9) of all markers in `plan.state_frame`: see `state_step`."""
        return self._result.markers.reshape(-1, MARKER_SIZE)

    def validity(self, stamp: int) -> tuple[Flags, Floats]:
        """Return validity (nb,) and age (nb,), s, of every body at a stamp in ns."""
        valid, age = self.plan.validity(*self.usable(stamp), self._settings.stale_after)
        if self.passive is not None and not self.passive.is_good:
            valid = valid & ~self.plan.passive
        return valid, age

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
        held = self.held_controls()
        if len(held):
            usable, age = usable.copy(), age.copy()
            usable[held], age[held] = True, 0.0
        if self.passive is not None:
            usable, age = self.passive.derived(usable, age)
        if self.plan.groups:
            usable, age = usable.copy(), age.copy()
        for _, slots, pose in self.plan.groups:
            if pose is None:
                usable[slots], age[slots] = usable[slots].all(), _oldest(age[slots])
            elif self.joints.received(slots).any():
                usable[[*slots, pose]] = usable[slots].all()
                age[[*slots, pose]] = _oldest(age[slots])
            else:
                usable[slots], age[slots] = usable[pose], age[pose]
        return usable, age

    def held_controls(self) -> Indices:
        """Return the slots of control elements that no joint state gave."""
        slots = self.controls.slots
        return slots[~self.joints.received(slots)] if len(slots) else slots

    def received(self) -> Flags:
        """Return (n + m,) which joints something gave so far."""
        given = self.joints.received(np.arange(len(self.plan.slots)))
        given[self.controls.slots] = True
        return np.concatenate([given, self.rest.age(0) >= 0.0])

    def redundant(self) -> list[Compared]:
        """Return what is measured although it follows from other measured coordinates."""
        if self.passive is None:
            return []
        received = self.joints.received(np.arange(len(self.plan.slots)))
        position = self.joints.shown.position
        return list(compared(self.passive.model, self.passive.q, position, received))

    def is_all_fresh(self, stamp: int) -> bool:
        """Return whether joint states gave all that they can at a stamp in ns, and nothing else."""
        fresh = self._result.unsettled == 0.0 and stamp == self.stamp
        return fresh and self.passive is None and not (self.plan.multi or self.plan.groups)

    def accelerated(self, stamp: int) -> Flags:
        """Return (n,) joints whose acceleration is known at a stamp in ns."""
        if not self.is_driven:
            known = self.joints.accelerated()
            for _, slots, pose in self.plan.groups:
                # A pose's acceleration is filtered, and counts as known, from its velocity on.
                if pose is not None and not self.joints.received(slots).any():
                    known[slots] = True
            known[self.held_controls()] = True
            return known if self.passive is None else self.passive.accelerated(known)
        return self.drive.accelerated(self._good(stamp), self._result.forward)

    def acceleration_troubles(self, stamp: int) -> dict[str, str]:
        """Return why accelerations do not follow from efforts at a stamp in ns, by joint."""
        result = self._result
        at = stamp, self.stale_after
        return self.drive.reasons(self._good(stamp), result.forward, result.q, *at)

    def placed(self, stamp: int) -> Flags:
        """Return (n + m,) whose position is good and not too old at a stamp in ns."""
        good = np.concatenate([self.joints.shown.position_ok > 0.0, self.rest.position_valid])
        age = np.concatenate([self.joints.age(stamp), self.rest.age(stamp)])
        fresh: Flags = good & (age >= 0.0) & ((age <= self.stale_after) | (self.stale_after <= 0.0))
        fresh[self.held_controls()] = True
        return fresh

    def _good(self, stamp: int) -> Flags:
        """Return (n + m,) whose value is good and not too old."""
        usable, age = self.usable(stamp)
        stale_after = self.stale_after
        return usable & (age >= 0.0) & ((age <= stale_after) | (stale_after <= 0.0))

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
        for slot in self.held_controls().tolist():
            name = known[slot][0]
            known[slot] = (name, 0.0, self.controls.troubles.get(name, ""))
        if self.passive is not None:
            known = self.passive.explain(known)
        hidden = self._merge_groups(known)
        for slot, ((name, age, reason), early) in enumerate(zip(known, ahead, strict=True)):
            if slot in hidden:
                continue
            if 0.0 < stale_after < age:
                reason = reason or f"stale: {age:.1f} s"  # noqa: PLW2901
            elif 0.0 < stale_after < early:
                reason = reason or f"stamped {early:.1f} s ahead of the last message"  # noqa: PLW2901
            yield name, age, reason

    def _merge_groups(self, known: list[tuple[str, float, str]]) -> set[int]:
        """Write what is known of joints with several slots to that of their poses.

        Return the slots that say nothing beside it.
        """
        hidden: set[int] = set()
        for name, slots, pose in self.plan.groups:
            if pose is None:
                continue
            if not self.joints.received(slots).any():
                hidden.update(slots.tolist())
                continue
            told = [known[slot] for slot in slots]
            first = next((f"{one}: {why}" for one, _, why in told if why), "")
            known[pose] = (name, _oldest(np.array([age for _, age, _ in told])), first)
        return hidden

    def _too_far_ahead(self, ahead: Floats) -> Flags:
        """Return whose stamps are later than the others' by what would be stale the other way."""
        stale_after = self._settings.stale_after
        return (ahead > stale_after) & (stale_after > 0.0)


def _oldest(age: Floats) -> float:
    """Return the largest age, -1 where one is."""
    return -1.0 if (age < 0.0).any() else float(age.max())
