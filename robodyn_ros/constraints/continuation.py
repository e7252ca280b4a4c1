"""A driven motion step by step, on one branch of the mechanism from beginning to end.

Each step is predicted along the motion that the constraints allow and closed from there. It is
halved where the closed configuration lies elsewhere than predicted, where the directions of motion
turn too much, or where what the inputs leave of them changes its sense: that is beyond a dead
centre, on another branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.algorithms.integrate import difference, integrate
from robodyn_ros.constraints.assembly import Assembly
from robodyn_ros.constraints.failures import failure
from robodyn_ros.constraints.inputs import columns_of_inputs
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.constraints.newton import (
    CLOSED,
    position_bounds,
    positions_by_rate,
    solved_closure,
)
from robodyn_ros.constraints.null_space import null_space
from robodyn_ros.errors import ArgumentError, ClosureError, quoted
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

_LARGEST_STEP = 0.3
"""rad, or share of the mechanism's size, that a coordinate may be predicted to move at once."""
_FARTHEST = 3e4
"""rad, or shares of the mechanism's size, that a coordinate may move between two inputs."""
_SMALLEST_STEP = 1e-5
"""Share of the way between two inputs."""
_MISSED = 0.3
"""Share of a step by which its prediction may be wrong."""
_ALIKE = 0.8
"""Cosine of the angle that the directions of motion may turn by in one step."""
_SINGULAR = 0.05
"""Share of an input in a motion below which the motion counts as led by it no more."""
_ROUNDING = 1e-8
_NEWTON = 12
"""Steps in which a good prediction is closed."""


class _Place(NamedTuple):
    """A closed configuration on the way.

    Attributes:
        q: coordinates (nq,).
        units: (nv,) of the rates, see `scaling`.
        motions: (nv, mobility) orthonormal directions of motion, without units.
        residual: what is left of the equations, m or rad.
    """

    q: Floats
    units: Floats
    motions: Floats
    residual: float

    @classmethod
    def at(cls, model: Model, q: Floats) -> _Place:
        equations = all_equations(model, q, None)
        space = null_space(model, equations.jacobian)
        residual = float(np.max(np.abs(equations.residual), initial=0.0))
        return cls(q, space.scales.columns, space.vectors[:, space.free], residual)


def follow(model: Model, q: ArrayLike, inputs: Sequence[Mapping[str, float]]) -> list[Assembly]:
    """Return the closed configurations for a sequence of inputs, all on the branch of the first.

    Between one entry and the next the inputs change at constant rates. Where they leave some motion
    open, that of least size is taken.

    Args:
        model: a closed model.
        q: coordinates (nq,) of the closed configuration to begin with.
        inputs: values of coordinates, by coordinate name, to go through one after the other.

    Raises:
        ClosureError: q is not closed; or the mechanism cannot follow: the text says at which
            values, whether it is in a singular position there, and what moves freely in it.
        UnknownNameError: no such coordinate.
        ArgumentError: a value that is no finite number, or too far away.
    """
    if isinstance(inputs, (str, Mapping)) or not isinstance(inputs, Iterable):
        raise ArgumentError(
            f"inputs must be a sequence of mappings from coordinates to numbers, got"
            f" {quoted(inputs)}"
        )
    place = _Place.at(model, np.array(q, dtype=np.float64))
    if place.residual > _ROUNDING:
        raise ClosureError(
            f"{failure(model, place.q, {}, {})}; give a closed configuration to begin with"
        )
    path = _Path(model, place)
    return [path.continued(target) for target in inputs]


class _Path:
    """The state of a motion between two inputs."""

    def __init__(self, model: Model, place: _Place) -> None:
        self._model = model
        self._place = place
        self._mobility = place.motions.shape[1]
        self._heading: Floats = np.zeros(model.nv)

    def continued(self, target: Mapping[str, float]) -> Assembly:
        """Return the configuration at the next inputs."""
        held = columns_of_inputs(self._model, target)
        names, columns = list(target), list(held)
        begin = positions_by_rate(self._model, self._place.q)[columns]
        way = np.array(list(held.values())) - begin
        done, step = 0.0, 1.0
        while True:
            heading = self._headed(columns, way)
            fastest = float(np.max(np.abs(heading / self._place.units), initial=0.0))
            if not fastest < _FARTHEST:
                raise ArgumentError(
                    f"the way to {', '.join(map(quoted, names))} is too long: it would take more"
                    f" than {_FARTHEST / _LARGEST_STEP:.0e} steps"
                )
            step = min(step, 1.0 - done, _LARGEST_STEP / (fastest + 1e-12))
            values = begin + (done + step) * way
            found = self._tried(heading, step, dict(zip(columns, map(float, values), strict=True)))
            if found is not None:
                self._place, self._heading = found, heading
                done += step
                step *= 2.0
            elif step <= _SMALLEST_STEP:
                at = dict(zip(names, map(float, begin + done * way), strict=True))
                raise ClosureError(self._stopped(at, columns))
            else:
                step *= 0.5
            if done >= 1.0 - 1e-12:
                break
        left = self._place
        mobility = left.motions.shape[1]
        return Assembly(left.q, left.residual, mobility, self._model.nv - mobility)

    def _headed(self, columns: list[int], way: Floats) -> Floats:
        """Return the rates (nv,) with which the inputs go their way in unit time."""
        place = self._place
        led = place.motions[columns]
        inverse = np.linalg.pinv(led, rcond=1e-9)
        share = inverse @ (way / place.units[columns])
        if place.motions.shape[1] > self._mobility:  # a change point: on as before
            before = self._heading / place.units
            speed = np.linalg.norm(before[columns])
            before = before * (np.linalg.norm(way / place.units[columns]) / (speed + 1e-300))
            kept = place.motions.T @ before
            share = share + kept - inverse @ (led @ kept)
        heading: Floats = place.units * (place.motions @ share)
        return heading

    def _tried(self, heading: Floats, step: float, held: dict[int, float]) -> _Place | None:
        """Return the place after a step, None where it is not on the same branch for certain."""
        here, model = self._place, self._model
        predicted = integrate(model, here.q, step * heading)
        q, left = solved_closure(model, predicted, held, steps=_NEWTON)
        if not left < CLOSED:
            return None
        length = float(np.max(np.abs(step * heading / here.units), initial=0.0))
        missed = float(np.max(np.abs(difference(model, predicted, q) / here.units), initial=0.0))
        if missed > _MISSED * length + _ROUNDING:
            return None
        found = _Place.at(model, q)
        if found.motions.shape[1] != here.motions.shape[1]:
            return found  # to or from a change point, straight on
        overlap = here.motions.T @ found.motions
        if len(overlap) and np.linalg.svd(overlap, compute_uv=False)[-1] < _ALIKE:
            return None
        columns = list(held)
        if len(columns) == len(overlap):
            # without its size, which shrinks with the number of coordinates
            senses = [np.linalg.slogdet(D)[0] for D in (here.motions[columns], overlap)]
            senses.append(np.linalg.slogdet(found.motions[columns])[0])
            if np.prod(senses) < 0.0:
                return None
        return found

    def _stopped(self, inputs: Mapping[str, float], columns: list[int]) -> str:
        """Return why it goes no further than these inputs."""
        model, place = self._model, self._place
        values = ", ".join(f"{name} = {value:.6g}" for name, value in inputs.items())
        begin = f"mechanism {quoted(model.name)} cannot follow beyond {values}"
        lower, upper = position_bounds(model)
        at = positions_by_rate(model, place.q)
        ends = [
            quoted(name)
            for name, x, low, high in zip(model.coordinate_names, at, lower, upper, strict=True)
            if name not in inputs and (x < low + 1e-4 or x > high - 1e-4)
        ]
        if ends:
            return f"{begin}: {' and '.join(ends)} at the end of its range"
        _, sizes, rows = np.linalg.svd(place.motions[columns])
        if len(sizes) and sizes[-1] < _SINGULAR:
            free = place.motions @ rows[len(sizes) - 1]
            name = model.coordinate_names[int(np.argmax(np.abs(free)))]
            return (
                f"{begin}: there it is in a singular position (dead centre), in which"
                f" {quoted(name)} moves while {_standing(inputs)}; drive another coordinate"
            )
        return f"{begin}: the inputs contradict the constraints there"


def _standing(inputs: Mapping[str, float]) -> str:
    names = [quoted(name) for name in inputs]
    return f"{' and '.join(names)} stand{'s' if len(names) == 1 else ''} still"
