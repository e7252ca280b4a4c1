"""What forward dynamics of a state path goes by: measured efforts, and what the robot carries.

Joints whose effort is not known keep their filtered acceleration, and so do all where there is no
answer; which, and why, is told here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.singular import singular_reason
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.conditioning.driven_step import DRIVE
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.input_plan import InputPlan
from robodyn_ros.conditioning.joint_efforts import JointEfforts
from robodyn_ros.constraints.dynamics import motors
from robodyn_ros.errors import quoted
from robodyn_ros.model import Environment, Model
from robodyn_ros.robot import run_time

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]

_LOADS = DRIVE[2:]
_BEYOND = "forward dynamics gives accelerations beyond all bounds"


class JointDrive:
    """The efforts that drive one robot's joints, and its surroundings.

    Whoever calls it holds the path's lock.

    Attributes:
        arrays: As in `driven_step.DRIVE`; bound to kernels: written to, never replaced.
        efforts: What joint states said.
        known: (n,) joints that are driven, as of the last `fill`.
        trouble: Why no joint may be driven, say because gravity is not known; "" for nothing.
    """

    def __init__(self, model: Model, plan: FramePlan, environment: Environment) -> None:
        """Start with nothing received, efforts in N m and N, in an environment."""
        count = len(plan.slots)
        self._model, self._environment = model, environment
        self._names = plan.slots.names
        self._movers = (*plan.slots.names, *(entry.name for entry in plan.multi))
        self._columns: Indices = plan.v_index
        self._motors: Indices | None = None
        if model.is_closed:
            # Every joint of a mechanism moves every other; whole robots count as one.
            self._together: Flags = np.ones((count, plan.rests_on.shape[1]), dtype=bool)
            self._motors = np.flatnonzero(np.isin(plan.v_index, motors(model)))
        else:
            self._together = _together(plan.rests_on, count)
        self._drive: Floats = np.zeros((2, model.nv))
        loads = run_time.RunTime(model, environment).inputs(_LOADS)
        kept = (np.array(x, dtype=np.float64, order="C") for x in loads)
        self.arrays: tuple[Floats, ...] = (self._drive, np.zeros(3), *kept)
        self.efforts = JointEfforts(count)
        self.known: Flags = np.zeros(count, dtype=bool)
        self.trouble = ""
        self._gravity: Floats = np.array(environment.gravity, dtype=np.float64)
        self._compensated = False
        self.scale(np.ones(count))
        self.set_gravity(self._gravity)

    def follow(self, environment: Environment) -> None:
        """Take payloads and joint parameters, and gravity, of an environment.

        Raises:
            UnknownNameError: a payload sits on a frame that the model does not have.
        """
        loads = run_time.RunTime(self._model, environment).inputs(_LOADS)
        self._environment = environment
        for kept, new in zip(self.arrays[2:], loads, strict=True):
            kept[...] = new
        self.set_gravity(np.asarray(environment.gravity))

    def set_gravity(self, gravity: Floats) -> None:
        """Take another gravity vector (3,), world axes, m/s^2."""
        self._gravity = np.array(gravity, dtype=np.float64)
        self.arrays[1][:] = 0.0 if self._compensated else self._gravity

    def scale(
        self,
        factor: Floats,
        refused: Mapping[str, str] = MappingProxyType({}),
        *,
        compensated: bool = False,
    ) -> None:
        """Take what the efforts of joint states are.

        Args:
            factor: (n,) from what is sent to N m or N; 0 where it is refused.
            refused: Why it is, by joint.
            compensated: Whether efforts lack those that hold the weight, since the driver adds
                them.
        """
        self._factor, self._refused = factor.copy(), dict(refused)
        self._compensated = compensated
        self.set_gravity(self._gravity)

    def take(self, plan: InputPlan, numbers: Sequence[float], slots: Indices, stamp: int) -> None:
        """Take the efforts of a message; see `JointEfforts.take`."""
        self.efforts.take(plan, numbers, slots, stamp)

    def fill(self, stamp: int, stale_after: float) -> None:
        """Put the efforts that are known at a stamp in ns, and not too old, where kernels read."""
        known = (self._factor != 0.0) & self.efforts.usable(stamp, stale_after)
        if self.trouble:
            known[:] = False
        self.known = known
        self._drive[0, self._columns] = self._factor * self.efforts.value
        self._drive[1, self._columns] = known

    def accelerated(self, good: Flags, forward: Floats) -> Flags:
        """Return (n,) whose acceleration follows from its effort.

        Args:
            good: (n + m,) joints whose positions and velocities are known.
            forward: (2,) tally of `driven_accelerations`.
        """
        if forward[0] > 0.0 or forward[1] > 0.0:
            return np.zeros_like(self.known)
        if self._motors is not None:
            return np.full_like(self.known, self.known[self._motors].all() and good.all())
        if good.all():
            return self.known
        flags: Flags = self.known & ~(self._together & ~good).any(axis=1)
        return flags

    def reasons(
        self, good: Flags, forward: Floats, q: Floats, stamp: int, stale_after: float
    ) -> dict[str, str]:
        """Return why accelerations do not follow from efforts, by joint.

        Args:
            good: As in `accelerated`.
            forward: As there.
            q: Coordinates (nq,).
            stamp: The time, ns.
            stale_after: Age in s beyond which an effort is not used; 0 for never.
        """
        general = self.trouble
        if not general and forward[0] > 0.0:
            around = Surroundings.of(self._model, self._environment)
            general = singular_reason(self._model, q, around)
        elif not general and forward[1] > 0.0:
            general = _BEYOND
        found: dict[str, str] = {}
        of_efforts = self.efforts.reasons(stamp, stale_after)
        for slot, (name, why) in enumerate(zip(self._names, of_efforts, strict=True)):
            if self._motors is not None and slot not in self._motors:
                continue
            reason = self._refused.get(name) or why or general
            bad = np.flatnonzero(self._together[slot] & ~good)
            if not reason and len(bad):
                reason = f"the state of joint {quoted(self._movers[bad[0]])} is not known"
            if reason:
                found[name] = reason
        return found


def _together(rests_on: Flags, count: int) -> Flags:
    """Return (n, n + m): the joints that one joint's acceleration depends on.

    Those that some body rests on move each other, and so do theirs.
    """
    labels = np.arange(rests_on.shape[1])
    for row in rests_on:
        found = labels[row]
        if len(found) > 1:
            labels[np.isin(labels, found)] = found.min()
    together: Flags = labels[:count, None] == labels
    return together
