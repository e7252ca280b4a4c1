"""Which joints a coordinate's effort rests on.

An effort carries all that hangs on its joint, and depends on where that is, how it moves and which
way it is turned against gravity. So it rests on the joints between the world and every body that
its joint, or a follower of it, moves: its own joint, all that carry it and all that it carries.
Coordinates that constraints bind together rest on what any of them does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.model import Model

Flags = NDArray[np.bool_]


class EffortSupport:
    """The joints behind the efforts of one model.

    Attributes:
        slot_of: (nv,) the slot of joint states that each coordinate is; -1 for none.
        reachable: (nv,) whether something can move all joints that an effort rests on.
    """

    def __init__(self, model: Model, plan: FramePlan, bound: Iterable[Sequence[int]] = ()) -> None:
        """Work it out.

        Args:
            model: The model.
            plan: Numbers the joints.
            bound: Entries of v that constraints bind together.
        """
        n, nv = len(plan.slots), model.nv
        rests_on = np.zeros((nv, n + len(plan.multi)), dtype=bool)
        unreachable = np.zeros(nv, dtype=bool)
        for body, joint in model.moving:
            hanging = list(model.subtree(body))
            joints = plan.rests_on[hanging].any(axis=0)
            lost = plan.unreachable[hanging].any()
            for column in joint.coordinates.columns():
                rests_on[column] |= joints
                unreachable[column] |= lost
        for columns in map(list, bound):
            rests_on[columns] = rests_on[columns].any(axis=0)
            unreachable[columns] = unreachable[columns].any()
        self._rests_on, self.reachable = rests_on, ~unreachable
        slot_of = np.full(nv, -1, dtype=np.intp)
        slot_of[plan.v_index] = np.arange(n)
        self.slot_of = slot_of

    def valid(self, usable: Flags) -> Flags:
        """Return (nv,) whose effort rests on nothing but usable joints (n + m,)."""
        if usable.all():
            return self.reachable
        valid: Flags = self.reachable & ~(self._rests_on & ~usable).any(axis=1)
        return valid
