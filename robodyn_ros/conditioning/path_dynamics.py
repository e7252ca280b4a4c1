"""The efforts of a state path: computed along with the motion while they are wanted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.dynamics_step import (
    EXTERNAL_ROW,
    DynamicsBlock,
    dynamics_block,
    loads_of,
)
from robodyn_ros.conditioning.effort_support import EffortSupport
from robodyn_ros.conditioning.joint_efforts import JointEfforts
from robodyn_ros.conditioning.passive_joints import PassiveJoints
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.constraints.dynamics import is_moved
from robodyn_ros.model import Environment

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]


class PathDynamics:
    """Efforts behind the motion of one state path, and those that were measured.

    Whoever calls it holds the path's lock, as for the path itself.

    Attributes:
        path: The path.
        support: Which joints each effort rests on.
        measured: The efforts of the joint states, taken while `is_wanted`.
    """

    def __init__(self, path: StatePath) -> None:
        """Begin with nothing wanted, in the present environment of the path's robot."""
        self.path = path
        model = path.robot.model
        self.support = EffortSupport(model, path.plan)
        self._revision = -1
        self._bound: Indices = np.zeros(0, dtype=np.intp)
        self.measured = JointEfforts(len(path.plan.slots))
        #: Bound to the kernel: written to, never replaced.
        self._loads = loads_of(model, path.robot.environment)

    @property
    def is_wanted(self) -> bool:
        """Whether efforts are computed along with the motion."""
        return self.path.efforts is not None

    def follow(self, environment: Environment) -> None:
        """Take gravity, payloads and joint parameters of an environment.

        Raises:
            UnknownNameError: a payload sits on a frame that the model does not have.
        """
        for kept, new in zip(
            self._loads, loads_of(self.path.robot.model, environment), strict=True
        ):
            kept[...] = new

    def set_gravity(self, gravity: Floats) -> None:
        """Take another gravity vector (3,) alone, world axes, m/s^2."""
        self._loads[0][:] = gravity

    def want(self, *, wait: bool = False) -> bool:
        """Compute efforts with every message from now on; True where a kernel does.

        Until there is one, `block` computes them when it is asked to.
        """
        if self.path.efforts is not self.measured:
            self.measured.reset()
            self.path.efforts = self.measured
        return self.path.stepper.join_dynamics(self._loads, wait=wait)

    def leave(self) -> None:
        """Compute the motion alone."""
        if self.path.efforts is not None:
            self.path.efforts = None
            self.path.stepper.part_dynamics()

    def computed(self) -> DynamicsBlock | None:
        """Return efforts and energies where they were computed along with the motion, in full."""
        found = self.path.result.dynamics
        if (
            found is not None
            and self.path.wrenches.is_acting
            and len(found.efforts) <= EXTERNAL_ROW
        ):
            return None
        return found

    def block(self) -> DynamicsBlock:
        """Return efforts and energies of what the path knows now."""
        found = self.computed()
        if found is not None:
            return found
        result, wrenches = self.path.result, self.path.wrenches
        state = (result.q, result.v, result.a)
        base = self.path.rest.inputs[3:]
        pushed = wrenches.array if wrenches.is_acting else None
        with np.errstate(all="ignore"):
            return dynamics_block(self.path.model, state, base, self._loads, pushed)

    def valid(self, stamp: int) -> Flags:
        """Return (nv,) whose effort rests on joints that are known at a stamp in ns.

        Known are those with a good position, velocity and acceleration that are not too old. No
        effort is of a closed mechanism with fewer motors than freedoms.
        """
        path = self.path
        if path.passive is not None:
            self._bind(path.passive)
            if not is_moved(path.model):
                return np.zeros(path.model.nv, dtype=bool)
        accelerated = self.path.accelerated(stamp)
        if self.path.is_all_fresh(stamp) and accelerated.all():
            return self.support.reachable
        usable, age = self.path.usable(stamp)
        count = len(self.measured.value)
        known = usable & (age >= 0.0)
        known[:count] &= accelerated
        if self.path.stale_after > 0.0:
            known &= age <= self.path.stale_after
        valid = self.support.valid(known)
        if path.passive is not None and not path.passive.is_good:
            valid = valid.copy()
            valid[self._bound] = False
        return valid

    def _bind(self, passive: PassiveJoints) -> None:
        """Have efforts rest on what passive joints follow from now."""
        plan = self.path.plan
        if self._revision != plan.revision:
            self._revision = plan.revision
            bound = [cluster.columns for cluster in passive.clusters]
            self.support = EffortSupport(self.path.model, plan, bound)
            self._bound = np.array([k for columns in bound for k in columns], dtype=np.intp)
