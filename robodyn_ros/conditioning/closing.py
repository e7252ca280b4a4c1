"""Closing a mechanism where Newton's steps from the last message do not: slow, so not at every one.

The motion is continued from the last closed configuration to the measured values, on its branch. If
that does not lead there, it is closed from where it was; a mechanism that jumped is better shown
where it is.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import listed
from robodyn_ros.constraints.assembly import assemble
from robodyn_ros.constraints.continuation import follow
from robodyn_ros.constraints.elimination import eliminated, partition_of
from robodyn_ros.constraints.failures import largest_gap
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.constraints.newton import positions_by_rate, solved_closure
from robodyn_ros.errors import RobodynError, quoted
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

REST = 9.0
"""Of the time so many times as long as an attempt took in vain is left to others."""


class Attempt(NamedTuple):
    """What came of closing a mechanism: a configuration (nq,), or why there is none."""

    q: Floats | None
    reason: str


class Closer:
    """Closes one mechanism, and leaves time to others between two attempts."""

    def __init__(self) -> None:
        self._not_before = self._took = 0.0

    def is_ready(self) -> bool:
        """Return whether it is time for another attempt."""
        return time.monotonic() >= self._not_before

    def attempt(self, model: Model, last: Floats, measured: Floats) -> Attempt:
        """Close the mechanism.

        Args:
            model: A closed mechanism with a partition.
            last: Coordinates (nq,) in which it was closed last.
            measured: Coordinates (nq,), of which the independent ones count.
        """
        started = time.monotonic()
        found = closed_at(model, last, measured_inputs(model, measured))
        self._took = time.monotonic() - started
        if found.q is None:
            self.rest()
        return found

    def rest(self) -> None:
        """Leave time to others: the attempt was in vain."""
        self._not_before = time.monotonic() + REST * self._took


def closed_at(model: Model, last: Floats, inputs: dict[str, float]) -> Attempt:
    """Return a closed configuration at the inputs, that on the branch of `last` if it leads there.

    Args:
        model: A closed mechanism.
        last: Coordinates (nq,) in which it is closed.
        inputs: Values of coordinates, by coordinate name.
    """
    with np.errstate(all="ignore"):
        try:
            return Attempt(follow(model, last, [inputs])[-1].q, "")
        except RobodynError:
            pass
        try:
            return Attempt(assemble(model, last, inputs).q, "")
        except RobodynError:
            return Attempt(None, cannot_close(model, last, inputs))


def measured_inputs(model: Model, q: Floats) -> dict[str, float]:
    """Return the values of the independent coordinates that are numbers, by name."""
    values = positions_by_rate(model, q)
    names = model.coordinate_names
    independent = partition_of(model).independent
    return {names[k]: float(values[k]) for k in independent if np.isfinite(values[k])}


def cannot_close(model: Model, last: Floats, inputs: dict[str, float]) -> str:
    """Return why a mechanism does not close at measured values: which element, and how far."""
    names = model.coordinate_names
    q, _ = solved_closure(model, last, {names.index(name): x for name, x in inputs.items()})
    element, gap, unit = largest_gap(model, q)
    given = listed([f"{quoted(name)} = {value:.6g}" for name, value in inputs.items()])
    return f"it cannot close at {given}: {quoted(element)} lacks {gap:.3g} {unit}"


def singular_coordinate(model: Model, q: Floats) -> str:
    """Return the dependent coordinate that follows least well from the independent ones at q."""
    partition = partition_of(model)
    with np.errstate(all="ignore"):
        elimination = eliminated(all_equations(model, q, None, closed=True), partition)
    shares = [
        1.0 / (abs(float(inverse)) * limit) if limit else np.inf
        for inverse, limit in zip(elimination.factors.inverses, partition.limits, strict=True)
    ]
    if not shares:
        return ""
    return model.coordinate_names[partition.dependent[int(np.argmin(shares))]]
