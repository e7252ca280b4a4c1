"""Residual g(q), Jacobian G(q) and bias of all constraint elements: g' = G v, g'' = G a + bias."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms.kinematics import State
from robodyn_ros.constraints.equations import Equation, closed_weld, equations_of
from robodyn_ros.constraints.relative_motion import Column, RelativeMotion
from robodyn_ros.model import Element, Model, Weld
from robodyn_ros.spatial import Array, apply, cross, joined, transpose


class Equations(NamedTuple):
    """All equations of a model's constraint elements, by element in their order.

    Attributes:
        residual: (..., m): lengths in m, turns of a loop's frames in rad.
        jacobian: (..., m, nv).
        bias: (..., m) the residual's second time derivative without accelerations.
    """

    residual: Array
    jacobian: Array
    bias: Array


def residual(model: Model, q: Array) -> Array:
    """Return g (..., m) at coordinates q (..., nq); 0 where the mechanism is closed.

    The elements' equations in their order: one length in m each; of a loop three turns (twice
    the vector part of the quaternion between its frames) and three offsets, in the axes of the
    frame behind the loop's joint.
    """
    return all_equations(model, q, None).residual


def jacobian(model: Model, q: Array) -> Array:
    """Return G (..., m, nv), the exact derivative of `residual` along the rates."""
    return all_equations(model, q, None).jacobian


def bias(model: Model, q: Array, v: Array) -> Array:
    """Return the part (..., m) of the residual's second time derivative that v makes: G' v."""
    return all_equations(model, q, v).bias


def all_equations(model: Model, q: Array, v: Array | None, *, closed: bool = False) -> Equations:
    """Return residual, Jacobian and bias.

    Args:
        model: the model.
        q: coordinates (..., nq).
        v: rates (..., nv); None is 0.
        closed: take Jacobian and bias to be those of a state in which all elements hold, for which
            they are exact, with less work.

    Source: document D, section 3.2.3, with the velocity terms of its second derivative.
    """
    motion = RelativeMotion(model, q, v)
    rates = np.zeros(model.nv) if v is None else v
    lead = np.broadcast_shapes(q.shape[:-1], rates.shape[:-1])
    values: list[Array] = []
    rows: list[dict[int, Array]] = []
    biases: list[Array] = []
    for element in model.closure.elements:
        anchor = motion.anchor(element.body_1, element.body_2)
        first, second = (
            motion.body_state(body, anchor) for body in (element.body_1, element.body_2)
        )
        measure = element.measure
        if closed and isinstance(element, Weld):
            lump = model.lumped.places[element.body_1].lump
            alone = _moves_alone(model, element, lump)
            moving = motion.copy_state(lump, anchor, second) if alone else first
            equations = closed_weld(first, second, moving)
            felt = _felt_by_closed_weld(model, motion, element, anchor, second)
        else:
            equations = equations_of(element, first, second)
            felt = [_row(model, motion, element, anchor, equation) for equation in equations]
        for equation, row in zip(equations, felt, strict=True):
            values.append(equation.residual - measure.value(q))
            biases.append(equation.bias - measure.bias(q, rates))
            entries = _by_coordinate(model, q, row)
            for column, slope in zip(measure.columns, measure.gradient(q), strict=True):
                entries[column] = entries.get(column, np.zeros(())) - slope
            rows.append(entries)
    return Equations(_stacked(values, lead), _matrix(rows, lead, model.nv), _stacked(biases, lead))


def _row(
    model: Model, motion: RelativeMotion, element: Element, anchor: int, equation: Equation
) -> dict[tuple[int, int], Array]:
    """Return an equation's derivative by (lump, rate) of the joints between its bodies."""
    places = model.lumped.places
    entries: dict[tuple[int, int], Array] = {}
    sides = ((element.body_1, -1.0, equation.point_1), (element.body_2, 1.0, equation.point_2))
    for body, sign, point in sides:
        for lump in motion.path(places[body].lump, anchor):
            for column in motion.columns(lump, anchor):
                entries[lump, column.rate] = sign * _felt(equation, column, point)
    return entries


def _felt_by_closed_weld(
    model: Model, motion: RelativeMotion, element: Weld, anchor: int, second: State
) -> list[dict[tuple[int, int], Array]]:
    """Return the six equations' derivatives, as `_row` does, in body 2's axes.

    The loop joint's own rates are felt as their columns stand in the joint's axes, which are body
    2's while the loop is closed.
    """
    columns: dict[tuple[int, int], Array] = {}
    for lump in motion.path(model.lumped.places[element.body_1].lump, anchor):
        if _moves_alone(model, element, lump):
            S = motion.own_columns(lump)
            columns |= {(lump, rate): -S[..., :, rate] for rate in range(S.shape[-1])}
            continue
        back = -transpose(second.R)
        for column in motion.columns(lump, anchor):
            slide = column.slide + cross(column.turn, second.p - column.origin)
            turned = joined(apply(back, column.turn), apply(back, slide))
            columns[lump, column.rate] = turned
    for lump, twists in motion.columns_in_body(element.body_2, anchor):
        columns |= {(lump, rate): twists[..., rate, :] for rate in range(twists.shape[-2])}
    return [{key: column[..., k] for key, column in columns.items()} for k in range(6)]


def _moves_alone(model: Model, element: Weld, lump: int) -> bool:
    """Return whether a lump is the copy behind a loop's joint, and nothing else."""
    return model.lumped.lumps[lump - 1].body == element.body_1


def _felt(equation: Equation, column: Column, point: Array) -> Array:
    """Return the power of an equation's wrench (on body 2) for one joint rate."""
    power: Array = np.zeros(())
    if equation.force is not None:
        moment = cross(point - column.origin, equation.force)
        power = (moment * column.turn).sum(axis=-1)
        power = power + (equation.force * column.slide).sum(axis=-1)
    if equation.moment is not None:
        power = power + (equation.moment * column.turn).sum(axis=-1)
    return power


def _by_coordinate(model: Model, q: Array, row: dict[tuple[int, int], Array]) -> dict[int, Array]:
    """Return entries (...) by coordinate, of those by joint rate, through the couplings."""
    entries: dict[int, Array] = {}
    maps: dict[int, Array] = {}
    for (lump, rate), entry in row.items():
        coordinates = model.lumped.lumps[lump - 1].joint.coordinates
        ratios = maps.setdefault(lump, coordinates.velocity_map(q))
        for k, column in enumerate(coordinates.columns()):
            share = entry * ratios[..., rate, k]
            entries[column] = entries.get(column, np.zeros(())) + share
    return entries


def _stacked(entries: list[Array], lead: tuple[int, ...]) -> Array:
    if not entries:
        return np.zeros((*lead, 0))
    return np.stack([np.broadcast_to(np.asarray(entry), lead) for entry in entries], axis=-1)


def _matrix(rows: list[dict[int, Array]], lead: tuple[int, ...], width: int) -> Array:
    """Return (..., m, width) with the entries (...) given by column, 0 elsewhere."""
    symbols = any(np.asarray(entry).dtype == object for row in rows for entry in row.values())
    matrix = np.full((*lead, len(rows), width), 0.0, dtype=object if symbols else np.float64)
    for k, row in enumerate(rows):
        for column, entry in row.items():
            matrix[..., k, column] = entry
    return matrix
