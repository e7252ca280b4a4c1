"""The state that a request asks about: named values, and what the other coordinates take."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import listed
from robodyn_ros.conditioning.tracking import LIMIT
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model import Model
from robodyn_ros.ros.services.closed_states import (
    bound_by_names,
    closed_configuration,
    live_needed,
    open_names,
    rates_completed,
    require_determined,
)
from robodyn_ros.ros.services.coordinates import Plan
from robodyn_ros.ros.services.subject import Subject

Floats = NDArray[np.float64]

REST_ERROR, REST_LIVE, REST_NEUTRAL = 0, 1, 2
_RESTS = "REST_ERROR (0), REST_LIVE (1) or REST_NEUTRAL (2)"


class State(NamedTuple):
    """A request's state.

    Attributes:
        plan: The coordinates asked for.
        q: (nq,).
        v: (nv,).
        stamp: Time of the measured part, ns; None where nothing is measured.
        ages: Ages of measured joints by name, s.
        bound: A closed mechanism, its independent coordinates the named ones; None for a tree.
    """

    plan: Plan
    q: Floats
    v: Floats
    stamp: int | None = None
    ages: Mapping[str, float] = {}
    bound: Model | None = None

    def accelerations(self, named: Floats | None, rest: Floats) -> Floats:
        """Return a (nv,): the named ones, the others from `rest` (nv,) or as constraints ask.

        Raises:
            ArgumentError: a singular position.
        """
        a = rest if named is None else self.plan.rates(named, rest)
        return a if self.bound is None else rates_completed(self.bound, self.q, self.v, a)[1]


def state_of(subject: Subject, request: Any, *, moving: bool = True) -> State:
    """Return the state of a request with names, position and rest, and velocity where `moving`.

    Raises:
        UnknownNameError: a name that is no coordinate's.
        ArgumentError: a wrong length, a value that is not finite, an unfit `rest`, or a measured
            state that is needed and not there.
    """
    known = subject.known
    rest = request.rest
    if rest not in (REST_ERROR, REST_LIVE, REST_NEUTRAL):
        raise ArgumentError(f"rest is {rest}; use {_RESTS}")
    plan = known.coordinates.plan(request.names)
    position = values_of("position", request.position, plan, LIMIT)
    velocity = rates_of("velocity", request.velocity, plan, LIMIT) if moving else None
    if known.model.is_closed:
        return _closed_state(subject, plan, position, velocity, rest)
    q0, v0 = known.neutral, known.no_rates
    stamp: int | None = None
    ages: Mapping[str, float] = {}
    if plan.missing:
        if rest == REST_ERROR:
            raise ArgumentError(_not_named(plan))
        if rest == REST_LIVE:
            q0, v0, stamp, ages, troubles = subject.host.live()
            _require_live(plan, troubles)
    q = plan.coordinates(position, q0)
    v = known.no_rates
    if velocity is not None or v0 is not v:
        v = plan.rates(np.zeros(len(plan.names)) if velocity is None else velocity, v0)
    return State(plan, q, v, stamp, ages)


def _closed_state(
    subject: Subject, plan: Plan, position: Floats, velocity: Floats | None, rest: int
) -> State:
    """Return the state of a closed mechanism: what the names leave open is completed."""
    known = subject.known
    q0, v0 = known.neutral, known.no_rates
    stamp: int | None = None
    ages: Mapping[str, float] = {}
    troubles: Mapping[str, str] = {}
    if rest == REST_LIVE:
        q0, v0, stamp, ages, troubles = subject.host.live()
    bound = bound_by_names(known.model, plan, q0)
    missing = open_names(bound, plan)
    if rest == REST_ERROR:
        require_determined(missing)
    wrong = live_needed(missing, troubles)
    if wrong:
        raise ArgumentError(_no_live_state(f"{quoted(name)}: {x}" for name, x in wrong.items()))
    if not missing:
        v0, stamp, ages = known.no_rates, None, {}
    q = closed_configuration(bound, plan, plan.coordinates(position, q0), q0)
    v = plan.rates(np.zeros(len(plan.names)) if velocity is None else velocity, v0)
    v, _ = rates_completed(bound, q, v, known.no_rates)
    return State(plan, q, v, stamp, ages, bound)


def values_of(
    name: str, values: Sequence[float], plan: Plan, most: float = sys.float_info.max
) -> Floats:
    """Return one finite number for each name (n,), none larger than `most`, or raise ArgumentError.

    Positions and velocities are bounded by what joint states may have: beyond, an angle says
    nothing any more.
    """
    array: Floats = np.array(values, dtype=np.float64)
    count = len(plan.names)
    if len(array) and not count:
        raise ArgumentError(
            f"{name} has length {len(array)}, but this robot has no coordinate; leave it empty"
        )
    if len(array) != count:
        raise ArgumentError(
            f"{name} has length {len(array)}, but there are {count} coordinates:"
            f" {listed([quoted(x) for x in plan.names])}; give one number for each"
        )
    fits = np.abs(array) <= most
    if not fits.all():
        entry = int(np.flatnonzero(~fits)[0])
        value = array[entry]
        wanted = f"one of at most {most:g} in size" if np.isfinite(value) else "a finite number"
        raise ArgumentError(f"{name} of {quoted(plan.names[entry])} is {value:g}; give {wanted}")
    return array


def rates_of(
    name: str, values: Sequence[float], plan: Plan, most: float = sys.float_info.max
) -> Floats | None:
    """Return `values_of`, or None for an empty array, which stands for zeros."""
    return values_of(name, values, plan, most) if len(values) else None


def require_finite(what: str, values: Floats, plan: Plan) -> None:
    """Raise ArgumentError where a result (..., n), one column for each name, is not finite."""
    if np.isfinite(values).all():
        return
    wrong = ~np.isfinite(values).reshape(-1, len(plan.names)).all(axis=0)
    name = plan.names[int(np.flatnonzero(wrong)[0])]
    raise ArgumentError(
        f"the {what} of {quoted(name)} is not a finite number: the numbers asked for are too"
        " large to compute with; give smaller ones"
    )


def _not_named(plan: Plan) -> str:
    missing = listed([quoted(name) for name in plan.missing])
    return (
        f"names lacks {missing}; name every coordinate, or set rest to REST_LIVE (1), for the"
        " measured state of the others, or REST_NEUTRAL (2)"
    )


def _require_live(plan: Plan, troubles: Mapping[str, str]) -> None:
    """Raise where the measured state of a joint is needed that has none, or one not to be used."""
    wrong = [f"{quoted(j.name)}: {troubles[j.name]}" for j in plan.rest if j.name in troubles]
    if wrong:
        raise ArgumentError(_no_live_state(wrong))


def _no_live_state(wrong: Iterable[str]) -> str:
    return (
        f"REST_LIVE needs the measured state of joint {listed([*wrong])}; publish it on"
        " joint_states (a moving base's by its own input), or name it"
    )
