"""Joint samples to joint states: the arithmetic of one message, elementwise over the joints.

The memory of all joints is one array (ROWS, n), a column per joint, so that a compiled kernel takes
it in and gives it back. No branch depends on a value; see `tracking` for the filter and the
outliers. Where velocities are filtered ones, accelerations pass the filter twice and lag by
2 tau + dt. Positions rad or m, velocities and accelerations per s and s^2, times in s.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.tracking import (
    LIMIT,
    SLOPE_KNOWN,
    STEADY,
    Hint,
    Track,
    Tuning,
    follow,
    forgotten,
)
from robodyn_ros.kernels.scalar import less_equal, where
from robodyn_ros.spatial import Array

POSITION_FLOOR, POSITION_DRIFT, POSITION_NOISE = 0.01, 2.0, 0.05
"""What a position may be off and is no outlier, see `Tuning`: rad, rad/s and rad (m, m/s and m)."""
VELOCITY_FLOOR, VELOCITY_DRIFT, VELOCITY_NOISE = 0.1, 60.0, 5.0
"""The same of velocities: rad/s, rad/s^2 and rad/s (m/s, m/s^2 and m/s)."""


class Shown(NamedTuple):
    """What is known of each joint, and shown, each (..., n).

    Attributes:
        position: Last sane position, flagged or not; the neutral one at first.
        seen: Time of that sample, s.
        received: Whether there was one.
        position_ok: Whether the last position was sane and not flagged.
        insane: Whether the last position was not sane.
        velocity: Last velocity: the message's, or the filtered slope of position.
        velocity_ok: Whether it is known, sane and not flagged.
    """

    position: Array
    seen: Array
    received: Array
    position_ok: Array
    insane: Array
    velocity: Array
    velocity_ok: Array


TRACK = len(Track._fields)
ROWS = 2 * TRACK + len(Shown._fields)
#: Rows of the memory that hold what is shown.
SHOWN = slice(2 * TRACK, ROWS)


class Samples(NamedTuple):
    """One message's samples, each (..., n); what is not given is any finite number.

    A number beyond `LIMIT` is not sane; one that is not finite must have been replaced by such.
    """

    position: Array
    velocity: Array
    position_given: Array
    velocity_given: Array


class Control(NamedTuple):
    """Time and choices of one message.

    Attributes:
        now: Time of the samples since an epoch of the caller's, s.
        time_constant: Of the filters, s; 0 for plain differences.
        message_velocity: 1.0 to take velocities from messages, 0.0 to filter them always.
        filtered_acceleration: 1.0 for filtered accelerations, 0.0 for zeros.
        gate: 1.0 to flag outliers, 0.0 to take every sane sample.
    """

    now: Array
    time_constant: Array
    message_velocity: Array
    filtered_acceleration: Array
    gate: Array


class Conditioned(NamedTuple):
    """What one message made of the joints.

    Attributes:
        memory: (..., ROWS, n) to be kept for the next message.
        acceleration: (..., n) filtered, or zero.
        alarms: Number of samples that are flagged or not sane.
        unsettled: Number of joints without a good new position and velocity.
    """

    memory: Array
    acceleration: Array
    alarms: Array
    unsettled: Array


def blank_memory(neutral: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the memory (ROWS, n) of joints of which nothing is known but neutral positions."""
    memory = np.zeros((ROWS, len(neutral)))
    memory[2 * TRACK + Shown._fields.index("position")] = neutral
    return memory


def shown(memory: Array) -> Shown:
    """Return the part of a memory that tells what is shown."""
    return Shown(*(memory[..., row, :] for row in range(2 * TRACK, ROWS)))


def strikes(memory: Array) -> tuple[Array, Array]:
    """Return how many positions, and velocities, of each joint were flagged in a row."""
    row = Track._fields.index("strikes")
    return memory[..., row, :], memory[..., TRACK + row, :]


def slopes_known(memory: Array) -> Array:
    """Return which velocities have a filtered slope, their acceleration; as `Track.known`."""
    entered: Array = memory[..., TRACK + Track._fields.index("entered"), :]
    return entered > SLOPE_KNOWN


def condition(memory: Array, samples: Samples, control: Control, wraps: Array) -> Conditioned:
    """Take one message.

    Args:
        memory: (..., ROWS, n).
        samples: What the message says.
        control: When, and how it is to be taken.
        wraps: (n,) 1.0 for joints without end stops, whose position may jump by 2 pi.
    """
    rows = [memory[..., row, :] for row in range(ROWS)]
    usable = _sorted(samples, control)
    given, measured, derived = usable.given, usable.measured, usable.derived
    gate, tau = control.gate, control.time_constant
    velocity = where(measured, samples.velocity, 0.0)
    positions, position_flagged = follow(
        Track(*rows[:TRACK]),
        where(given, samples.position, 0.0),
        given,
        control.now,
        Hint(velocity, measured),
        Tuning(tau, POSITION_FLOOR, POSITION_DRIFT, POSITION_NOISE, gate, wraps),
    )
    # Whoever sent a position that is an outlier is not believed the velocity either.
    velocities, velocity_flagged = follow(
        Track(*rows[TRACK : 2 * TRACK]),
        where(measured, velocity, positions.slope),
        (measured + derived * positions.known) * (1.0 - position_flagged),
        control.now,
        STEADY,
        Tuning(tau, VELOCITY_FLOOR, VELOCITY_DRIFT, VELOCITY_NOISE, gate * measured, 0.0),
    )
    velocities = forgotten(velocities, derived * (1.0 - positions.known))
    flagged = (position_flagged, velocity_flagged)
    after = _shown(Shown(*rows[SHOWN]), samples, usable, control.now, positions, flagged)
    good = given * after.position_ok * after.velocity_ok
    alarms = usable.bad + position_flagged + usable.velocity_bad + velocity_flagged
    return Conditioned(
        memory=np.stack([*positions, *velocities, *after], axis=-2),
        acceleration=control.filtered_acceleration * velocities.slope,
        alarms=alarms.sum(axis=-1),
        unsettled=(1.0 - good).sum(axis=-1),
    )


class _Sorted(NamedTuple):
    """Which samples are of use, each (..., n).

    Attributes:
        given, bad: Positions that are sane, and those that are not.
        measured, velocity_bad: Velocities of the message to be used, and those that are not sane.
        derived: Joints whose velocity comes from positions.
    """

    given: Array
    bad: Array
    measured: Array
    velocity_bad: Array
    derived: Array


def _sorted(samples: Samples, control: Control) -> _Sorted:
    sane = less_equal(abs(samples.position), LIMIT)
    given = samples.position_given * sane
    used = samples.velocity_given * control.message_velocity
    velocity_sane = less_equal(abs(samples.velocity), LIMIT)
    measured = used * velocity_sane
    return _Sorted(
        given=given,
        bad=samples.position_given * (1.0 - sane),
        measured=measured,
        velocity_bad=used * (1.0 - velocity_sane),
        derived=given * (1.0 - measured),
    )


def _shown(
    before: Shown,
    samples: Samples,
    usable: _Sorted,
    now: Array,
    positions: Track,
    flagged: tuple[Array, Array],
) -> Shown:
    """Return what is shown after a message; `flagged` are the outliers of either kind."""
    given, bad, measured, velocity_bad, derived = usable
    velocity = where(measured, samples.velocity, where(derived, positions.slope, before.velocity))
    still_ok = before.velocity_ok * (1.0 - velocity_bad)
    return Shown(
        position=where(given, samples.position, before.position),
        seen=where(given, now, before.seen),
        received=where(given, 1.0, before.received),
        position_ok=where(given, 1.0 - flagged[0], before.position_ok * (1.0 - bad)),
        insane=where(given, 0.0, where(bad, 1.0, before.insane)),
        velocity=velocity,
        velocity_ok=where(measured, 1.0 - flagged[1], where(derived, positions.known, still_ok)),
    )
