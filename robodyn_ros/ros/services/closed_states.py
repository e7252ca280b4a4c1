"""The state of a closed mechanism that a request asks about: what its names leave open is closed.

Of the named coordinates as many count as the mechanism can move independently; the others that are
named must be where these put them. What is not named and does not follow takes the rest's values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.closed_step import mechanism_size
from robodyn_ros.conditioning.closing import closed_at
from robodyn_ros.conditioning.complaints import listed
from robodyn_ros.conditioning.dependence import partition_by_measured
from robodyn_ros.constraints.elimination import completed, partition_of
from robodyn_ros.constraints.newton import positions_by_rate
from robodyn_ros.constraints.scaling import turning_rates
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model import Model
from robodyn_ros.ros.services.coordinates import Plan

Floats = NDArray[np.float64]

AGREEMENT = 1e-4
"""rad, or share of the mechanism's size, that a named coordinate which follows may be off."""


def bound_by_names(model: Model, plan: Plan, rest: Floats) -> Model:
    """Return a closed mechanism whose independent coordinates are the named ones, if possible.

    Args:
        model: The mechanism.
        plan: The names.
        rest: A closed configuration (nq,).
    """
    named = plan.v_index.tolist()
    own = partition_of(model).independent
    preferred = [k for k in (*model.closure.actuated, *own) if k in named]
    partition = partition_by_measured(model, rest, (preferred, named, own))
    return replace(model, closure=replace(model.closure, partition=partition))


def open_names(model: Model, plan: Plan) -> tuple[str, ...]:
    """Return the coordinates that a mechanism's state depends on and that are not named."""
    names = model.coordinate_names
    return tuple(names[k] for k in partition_of(model).independent if names[k] in plan.missing)


def closed_configuration(model: Model, plan: Plan, q: Floats, rest: Floats) -> Floats:
    """Return the closed configuration (nq,) at the named coordinates.

    Args:
        model: As from `bound_by_names`.
        plan: The names.
        q: Coordinates (nq,), the named ones as asked for, the others from the rest.
        rest: The closed configuration to begin with.

    Raises:
        ArgumentError: it cannot close there, or names contradict each other; the text says which.
    """
    values, names = positions_by_rate(model, q), model.coordinate_names
    independent = partition_of(model).independent
    inputs = {names[k]: float(values[k]) for k in independent if np.isfinite(values[k])}
    found = closed_at(model, rest, inputs)
    if found.q is None:
        raise ArgumentError(
            f"the mechanism has no such state: {found.reason}; give other positions"
        )
    _require_agreement(model, plan, values, positions_by_rate(model, found.q))
    return found.q


def rates_completed(model: Model, q: Floats, v: Floats, a: Floats) -> tuple[Floats, Floats]:
    """Return v and a (nv,) of all coordinates from those of the independent ones.

    Raises:
        ArgumentError: these do not determine the others at q: a singular position.
    """
    with np.errstate(all="ignore"):
        v, a, verdict = completed(model, q, v, a)
    if verdict != 0.0:
        names = [quoted(model.coordinate_names[k]) for k in partition_of(model).independent]
        raise ArgumentError(
            f"the mechanism is in a singular position: other rates do not follow from those of"
            f" {listed(names)}; name other coordinates"
        )
    return np.asarray(v), np.asarray(a)


def require_determined(missing: Sequence[str]) -> None:
    """Raise ArgumentError where names leave a mechanism's state open."""
    if missing:
        raise ArgumentError(
            "names do not determine the mechanism's state: name also"
            f" {listed([quoted(name) for name in missing])}, or set rest to REST_LIVE (1), for"
            " measured values, or REST_NEUTRAL (2)"
        )


def live_needed(missing: Sequence[str], troubles: Mapping[str, str]) -> dict[str, str]:
    """Return why coordinates that are taken as measured may not be, by coordinate."""
    found = {}
    for name in missing:
        joint = name.rpartition("/")[0]
        if why := troubles.get(name) or troubles.get(joint):
            found[name] = why
    return found


def _require_agreement(model: Model, plan: Plan, asked: Floats, found: Floats) -> None:
    off, names = asked - found, model.coordinate_names
    turning = turning_rates(model)
    off = np.where(turning, np.arctan2(np.sin(off), np.cos(off)), off)
    most = np.where(turning, AGREEMENT, AGREEMENT * mechanism_size(model))
    wrong = [k for k in plan.v_index.tolist() if abs(off[k]) > most[k]]
    if wrong:
        given = [
            f"{quoted(names[k])} = {asked[k]:.6g}, which follows as {found[k]:.6g}" for k in wrong
        ]
        independent = [quoted(names[k]) for k in partition_of(model).independent]
        raise ArgumentError(
            f"position contradicts the mechanism's constraints: {listed(given)} from"
            f" {listed(independent)}; leave it out of names"
        )
