"""What may go wrong around a controller, and what it does then."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class FaultKind(Enum):
    """A kind of fault; its value is what parameters call it."""

    STALE_STATE = "stale_state"
    INVALID_STATE = "invalid_state"
    LOW_RATE = "low_rate"
    CLOCK_JUMP = "clock_jump"
    RESIDUAL = "residual"
    DEADMAN = "deadman"
    DESCRIPTION = "description"
    NOT_FINITE = "not_finite"


class SafeForm(Enum):
    """What a controller does in the place of its law.

    hold_gravity: g(q) - D v; from the last position, and without damping, where the state is stale.
    hold_position: springs to where it was, damping and gravity; as hold_gravity where it is stale.
    stop: no command any more; what the hardware makes of that is its own.
    """

    HOLD_GRAVITY = "hold_gravity"
    HOLD_POSITION = "hold_position"
    STOP = "stop"


class Fault(NamedTuple):
    """A fault that was found.

    Attributes:
        kind: What kind.
        text: What is wrong and what to do, one line.
    """

    kind: FaultKind
    text: str


SEVERITY = {SafeForm.HOLD_POSITION: 0, SafeForm.HOLD_GRAVITY: 1, SafeForm.STOP: 2}
"""Which form wins where several faults ask for different ones: the higher."""
