"""What is known of every joint, merged from messages that name any joints in any order.

Pure bookkeeping: no ROS, no robot. Positions, velocities and accelerations are SI, one entry per
slot (see `joint_layout`). A value that is not finite, or of an amount beyond `LIMIT`, never enters
the arrays: it marks the joint invalid and the arrays keep the last sane value (at first the neutral
one).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.derivatives import Derivative
from robodyn_ros.conditioning.joint_layout import JointSlots, Layout, Selection
from robodyn_ros.conditioning.stamps import NEVER

LIMIT = 1e9
"""Largest sane position (rad or m) and velocity (rad/s or m/s); an angle of that size has lost all
but nine digits, and what follows from it (squares, lever arms) stays far from the floats' end."""

Samples = Sequence[float] | NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Merge:
    """What one message brought.

    Attributes:
        moved: Slots with a new sane position.
        invalid: Slots whose new position is not sane.
        invalid_velocity: Slots whose new velocity is not; not those with NaN, which says that there
            is none.
    """

    moved: NDArray[np.intp]
    invalid: NDArray[np.intp]
    invalid_velocity: NDArray[np.intp]


class JointStates:
    """Position, velocity, acceleration, validity and stamp (ns; NEVER at first) of every slot."""

    def __init__(
        self,
        slots: JointSlots,
        neutral: NDArray[np.float64],
        continuous: NDArray[np.bool_],
    ) -> None:
        """Start with nothing received.

        Args:
            slots: The joints.
            neutral: (n,) positions used where none was received.
            continuous: (n,) joints whose position may jump by 2 pi.
        """
        count = len(slots)
        self.slots = slots
        self._neutral = neutral
        self.position: NDArray[np.float64] = neutral.copy()
        self.velocity: NDArray[np.float64] = np.zeros(count)
        self.acceleration: NDArray[np.float64] = np.zeros(count)
        self.position_valid: NDArray[np.bool_] = np.zeros(count, dtype=bool)
        self.velocity_valid: NDArray[np.bool_] = np.zeros(count, dtype=bool)
        self.stamp: NDArray[np.int64] = np.full(count, NEVER, dtype=np.int64)
        self._all: NDArray[np.intp] = np.arange(count)
        self._rate = Derivative(count, continuous, LIMIT)
        self._rate_of_rate = Derivative(count)

    def reset(self) -> None:
        """Forget all that was received, as after a clock reset."""
        self.position[:] = self._neutral
        self.velocity[:] = 0.0
        self.acceleration[:] = 0.0
        self.position_valid[:] = False
        self.velocity_valid[:] = False
        self.stamp[:] = NEVER
        self._rate.reset()
        self._rate_of_rate.reset()

    def merge(
        self,
        layout: Layout,
        stamp: int,
        position: Samples,
        velocity: Samples,
        *,
        message_velocity: bool = True,
        filtered_acceleration: bool = True,
        time_constant: float = 0.0,
    ) -> Merge:
        """Take one message.

        Args:
            layout: Its names, resolved.
            stamp: Its time, ns.
            position: Its positions; empty, or one per name.
            velocity: Its velocities; empty, or one per name.
            message_velocity: Whether to use the message's velocities; else, and where it gives
                none, velocity is the filtered derivative of position.
            filtered_acceleration: Whether acceleration is the filtered derivative of velocity;
                else it is zero.
            time_constant: Time constant of those filters, s.
        """
        everything = layout.selection
        moved: Selection = layout.slots[:0]
        given: Selection = moved
        invalid = invalid_velocity = layout.slots[:0]
        if len(position):
            moved, invalid = self._take_positions(layout, stamp, position, time_constant)
        if message_velocity and len(velocity):
            given, invalid_velocity = self._take_velocities(layout, velocity)
        timed = everything
        if given is not everything:
            timed = np.union1d(self._numbers(moved), self._numbers(given))
            derived = np.setdiff1d(self._numbers(moved), self._numbers(given), assume_unique=True)
            self._derive_velocities(derived)
        if filtered_acceleration:
            self._derive_accelerations(timed, stamp, time_constant)
        else:
            self.acceleration[timed] = 0.0
        slots = layout.slots if moved is everything else self._numbers(moved)
        return Merge(slots, invalid, invalid_velocity)

    def _numbers(self, slots: Selection) -> NDArray[np.intp]:
        return self._all[slots]

    def _take_positions(
        self, layout: Layout, stamp: int, position: Samples, time_constant: float
    ) -> tuple[Selection, NDArray[np.intp]]:
        values = np.asarray(position, dtype=np.float64)[layout.rows]
        sane = np.abs(values) <= LIMIT
        moved, invalid = layout.selection, layout.slots[:0]
        if not sane.all():
            invalid = layout.slots[~sane]
            self.position_valid[invalid] = False
            self._rate.restart(invalid)
            moved, values = layout.slots[sane], values[sane]
        self.position[moved] = values
        self.position_valid[moved] = True
        self.stamp[moved] = stamp
        self._rate.update(moved, values, stamp, time_constant)
        return moved, invalid

    def _take_velocities(
        self, layout: Layout, velocity: Samples
    ) -> tuple[Selection, NDArray[np.intp]]:
        values = np.asarray(velocity, dtype=np.float64)[layout.rows]
        sane = np.abs(values) <= LIMIT
        given, invalid = layout.selection, layout.slots[:0]
        if not sane.all():
            self.velocity_valid[layout.slots[~sane]] = False
            invalid = layout.slots[~sane & ~np.isnan(values)]
            given, values = layout.slots[sane], values[sane]
        self.velocity[given] = values
        self.velocity_valid[given] = True
        return given, invalid

    def _derive_velocities(self, slots: NDArray[np.intp]) -> None:
        self.velocity[slots] = self._rate.value[slots]
        self.velocity_valid[slots] = self._rate.known[slots]

    def _derive_accelerations(self, slots: Selection, stamp: int, time_constant: float) -> None:
        valid = self.velocity_valid[slots]
        known = slots
        if not valid.all():
            numbers = self._numbers(slots)
            self._rate_of_rate.restart(numbers[~valid])
            known = numbers[valid]
        self._rate_of_rate.update(known, self.velocity[known], stamp, time_constant)
        self.acceleration[slots] = self._rate_of_rate.value[slots]
