"""What acts on a robot at one moment, as it is shown."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model import Payload

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Push(NamedTuple):
    """An external wrench: moment and force (6,), at the origin of a frame of the model, its axes.

    N m and N.
    """

    frame: str
    wrench: Floats


class Acting(NamedTuple):
    """What is known to act; by default nothing.

    Attributes:
        effort: (nv,) computed efforts, N m or N; None where there are none.
        valid: (nv,) whether they may be relied on; None for all.
        measured: (nv,) measured efforts, NaN for those that are not known; None for all.
        pushes: External wrenches.
        payloads: What the robot carries.
        gravity: (3,) axes of the frame that bodies are given in, m/s^2.
        estimates: External wrenches as estimated from efforts.
        in_contact: Whether these say that something touches the robot.
        multipliers: (m,) of the constraints, see `Robot.constraint_forces`; None for not known.
    """

    effort: Floats | None = None
    valid: Flags | None = None
    measured: Floats | None = None
    pushes: tuple[Push, ...] = ()
    estimates: tuple[Push, ...] = ()
    in_contact: bool = False
    payloads: tuple[Payload, ...] = ()
    gravity: Floats = np.zeros(3)
    multipliers: Floats | None = None


NOTHING = Acting()
