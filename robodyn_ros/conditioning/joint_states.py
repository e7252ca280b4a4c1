"""What is known of every joint, merged from messages that name any joints in any order.

Bookkeeping round the compiled `state_step`: the memory of the conditioner, times, and the samples
that a kernel does not take. Positions, velocities and accelerations are SI, one entry per slot (see
`joint_layout`). A value that is not finite, or of an amount beyond `LIMIT`, never enters them: it
marks the joint invalid and the last sane value stays (at first the neutral one).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.conditioner import (
    Control,
    Shown,
    blank_memory,
    shown,
    slopes_known,
    strikes,
)
from robodyn_ros.conditioning.input_plan import InputPlan
from robodyn_ros.conditioning.tracking import LIMIT

NEVER_RECEIVED = "never received"
"""Why a joint of which no sample ever came is not usable."""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Choices:
    """How joint states are taken; see `parameter_tables`.

    Attributes:
        message_velocity: Whether to use the messages' velocities; else, and where they give none,
            velocity is the filtered derivative of position.
        filtered_acceleration: Whether acceleration is the filtered derivative of velocity; else it
            is zero.
        filter_time_constant: Of those filters, s.
        outlier_rejection: Whether outliers are flagged.
        forward_dynamics: Whether accelerations are those that follow from measured efforts, where
            these are known.
    """

    message_velocity: bool = True
    filtered_acceleration: bool = True
    filter_time_constant: float = 0.02
    outlier_rejection: bool = True
    forward_dynamics: bool = False


class Bad(NamedTuple):
    """Slots of one message with bad samples.

    Attributes:
        position, velocity: Not sane: not finite, or beyond `LIMIT`.
        position_outlier, velocity_outlier: Flagged.
    """

    position: Indices
    velocity: Indices
    position_outlier: Indices
    velocity_outlier: Indices


class JointStates:
    """The conditioner's memory of one robot's joints, and the time that it counts from.

    Attributes:
        memory: (ROWS, n), what `state_step` takes and gives back.
        control: (5,), what it takes besides; see `Control`.
    """

    def __init__(self, neutral: Floats, choices: Choices) -> None:
        """Start with nothing received; `neutral` (n,) are the positions used until then."""
        self._neutral = neutral
        self.memory: Floats = blank_memory(neutral)
        self.control: Floats = np.zeros(len(Control._fields))
        self._epoch: int | None = None
        self.choose(choices)

    def choose(self, choices: Choices) -> None:
        """Take other choices."""
        self.control[1:] = (
            choices.filter_time_constant,
            choices.message_velocity,
            choices.filtered_acceleration,
            choices.outlier_rejection,
        )

    def reset(self) -> None:
        """Forget all that was received, as after a clock reset."""
        self.memory = blank_memory(self._neutral)
        self._epoch = None

    def forget(self, slots: Indices) -> None:
        """Forget some joints: something else moves them."""
        self.memory = self.memory.copy()
        self.memory[:, slots] = blank_memory(self._neutral)[:, slots]

    def begin(self, stamp: int) -> None:
        """Set the time of the next message, ns."""
        if self._epoch is None:
            self._epoch = stamp
        self.control[0] = (stamp - self._epoch) * 1e-9

    def acceptable(self, plan: InputPlan, samples: Floats) -> Floats:
        """Return samples in which numbers that are not finite stand for what they mean.

        They are not sane; but a velocity that is NaN where there is a position says only that the
        velocity is not known, and counts as not given.
        """
        result = samples.copy()
        if plan.has_position:
            result[3][np.isnan(result[1])] = 0.0
        result[:2][~np.isfinite(result[:2])] = 2.0 * LIMIT
        return result

    @property
    def shown(self) -> Shown:
        """What is known and shown, row by row (n,)."""
        return shown(self.memory)

    def age(self, stamp: int) -> Floats:
        """Return the age (n,) in s of each position at a stamp in ns; -1 where there is none."""
        state = self.shown
        now = (stamp - self._epoch) * 1e-9 if self._epoch is not None else 0.0
        age: Floats = np.where(state.received > 0.0, np.maximum(now - state.seen, 0.0), -1.0)
        return age

    def ahead(self, stamp: int) -> Floats:
        """Return by how much (n,), s, each position is later than a stamp in ns; 0 if it is not."""
        if self._epoch is None:
            return np.zeros(len(self._neutral))
        state = self.shown
        ahead: Floats = state.received * (state.seen - (stamp - self._epoch) * 1e-9)
        return np.maximum(ahead, 0.0)

    def usable(self) -> Flags:
        """Return (n,) joints whose position and velocity are both good."""
        state = self.shown
        flags: Flags = (state.position_ok > 0.0) & (state.velocity_ok > 0.0)
        return flags

    def received(self, slots: Indices) -> Flags:
        """Return which of some joints have had a sane position."""
        flags: Flags = self.shown.received[slots] > 0.0
        return flags

    def accelerated(self) -> Flags:
        """Return (n,) joints whose acceleration is known, or is not to be (then it counts as 0)."""
        if self.control[3] == 0.0:
            return np.ones(len(self._neutral), dtype=bool)
        return slopes_known(self.memory)

    def bad(self, samples: Floats) -> Bad:
        """Return the slots with bad samples, of the message just taken."""
        given = samples[2:] > 0.0
        used = given[1] & (self.control[2] > 0.0)
        state = self.shown
        used &= ~(given[0] & np.isnan(samples[1]))
        insane = ~(np.abs(samples[:2]) <= LIMIT)
        return Bad(
            np.flatnonzero(given[0] & insane[0]),
            np.flatnonzero(used & insane[1]),
            np.flatnonzero(given[0] & ~insane[0] & (state.position_ok == 0.0)),
            np.flatnonzero(used & ~insane[1] & (state.velocity_ok == 0.0)),
        )

    def reasons(self) -> Sequence[str]:
        """Return for each joint why it is not usable, "" where it is."""
        state = self.shown
        outlier, velocity_outlier = strikes(self.memory)
        return [
            self._reason(*row)
            for row in zip(
                state.received,
                state.insane,
                state.position_ok,
                state.velocity_ok,
                outlier,
                velocity_outlier,
                strict=True,
            )
        ]

    @staticmethod
    def _reason(
        received: float, insane: float, position: float, velocity: float, jump: float, kick: float
    ) -> str:
        if insane:
            return "position not finite or beyond all bounds"
        if not received:
            return NEVER_RECEIVED
        if not position:
            return "position is an outlier" if jump else "position unknown"
        if not velocity:
            return "velocity is an outlier" if kick else "velocity unknown"
        return ""
