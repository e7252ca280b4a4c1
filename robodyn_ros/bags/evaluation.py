"""States of a robot to the efforts behind them, in batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.bags.closing import MechanismCloser, where_determined
from robodyn_ros.bags.reported_efforts import EffortReports, Factors, factors_of
from robodyn_ros.bags.states import States
from robodyn_ros.conditioning.effort_support import EffortSupport
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.constraints.dynamics import is_moved
from robodyn_ros.model import Model
from robodyn_ros.robot import LazyBodyMotion, Robot

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]

TERMS = ("inertial", "coriolis", "gravity", "friction", "armature", "payload")
"""Causes of efforts, which add up to `effort`."""


@dataclass(frozen=True)
class Block:
    """Consecutive rows of a replay: n joint states of a robot and the efforts behind them.

    Attributes:
        stamp: (n,) of the messages, ns.
        time: (n,) s since the first row; goes on where the clock was reset.
        segment: (n,) counts clock resets.
        q: (n, nq) coordinates.
        position: (n, nv) those that have a number of their own, NaN for a quaternion's.
        velocity, acceleration: (n, nv).
        effort: (n, nv) that the motion asks for, N m or N; the sum of `terms`.
        terms: By cause, (n, nv) each; see `TERMS`.
        measured: (n, nv) the efforts of the joint states; NaN where there is none.
        residual: (n, nv) measured less computed, NaN where one is not there or not valid.
        valid: (n, nv) whether what an effort rests on is known.
        kinetic, potential: (n,) J.
        bodies: The motion of all bodies, where it was asked for.
    """

    stamp: NDArray[np.int64]
    time: Floats
    segment: NDArray[np.int64]
    q: Floats
    position: Floats
    velocity: Floats
    acceleration: Floats
    effort: Floats
    terms: dict[str, Floats]
    measured: Floats
    residual: Floats
    valid: Flags
    kinetic: Floats
    potential: Floats
    bodies: LazyBodyMotion | None

    def __len__(self) -> int:
        return len(self.stamp)


class Evaluator:
    """Evaluates states of one robot."""

    def __init__(
        self,
        robot: Robot,
        plan: FramePlan,
        reports: EffortReports,
        *,
        friction: bool = True,
        bodies: bool = False,
        rest_neutral: bool = False,
    ) -> None:
        """Prepare.

        Args:
            robot: The robot in its surroundings.
            plan: Its slots.
            reports: What measured efforts are.
            friction: Whether joint friction counts.
            bodies: Whether the motion of bodies is wanted.
            rest_neutral: Whether what was never received is at rest in its neutral position.
        """
        self.robot, self._plan = robot, plan
        self._friction, self._bodies = friction, bodies
        self._compensated = reports.driver_compensates_gravity
        self.factors: Factors = factors_of(robot.model, reports)
        self._closer: MechanismCloser | None = None
        places = robot.model.rate_places
        self._own: Indices = np.flatnonzero(places >= 0)
        self._q_index = places[self._own]
        told = told_coordinates(robot.model)
        held = [rest_neutral or one.joint.joint.type_name == "control" for one in told]
        held += [rest_neutral or entry.type_name == "prescribed" for entry in plan.multi]
        self._held: Flags = np.array(held, dtype=bool)
        self.use(robot)

    def use(self, robot: Robot) -> None:
        """Go on with a robot like the one before, its mechanism's inputs chosen anew."""
        self.robot = robot
        model = robot.model
        self._closer = MechanismCloser(robot, self._plan) if _constrained(model) else None
        self._support = EffortSupport(model, self._plan)
        self._moved = not model.is_closed or is_moved(model)

    def required(self) -> tuple[Indices, list[str]]:
        """Return the slots without which no state is known, and names of what nothing gives."""
        model, plan = self.robot.model, self._plan
        wanted = set(range(model.nv)) if self._closer is None else set(self._closer.independent)
        slots: list[int] = []
        served: set[int] = set()
        for slot, column in enumerate(plan.v_index.tolist()):
            served.add(column)
            if column in wanted:
                slots.append(slot)
        for number, entry in enumerate(plan.multi):
            columns = set(range(entry.v.start, entry.v.stop))
            served |= columns
            if columns & wanted:
                slots.append(len(plan.slots) + number)
        names = [model.coordinate_names[k] for k in sorted(wanted - served)]
        return np.array([k for k in slots if not self._held[k]], dtype=np.intp), names

    def received(self, states: States) -> Flags:
        """Return (n, slots) what is told; a joint that two kinds of messages give by either."""
        return with_groups(self._plan, states.received) | self._held

    def evaluate(self, states: States, time: Floats, segment: NDArray[np.int64]) -> Block:
        """Return what is behind states; time and segment (n,) as in `Block`."""
        robot = self.robot
        q, v, a, solved = self._completed(states)
        terms, efforts, found = self._terms(q, v, a)
        solved &= found
        energy = robot.energy(q, v)
        known = states.known | (self._held & ~states.received)
        valid = self._valid(known) & solved[:, None] & np.isfinite(efforts)
        position = np.full(v.shape, np.nan)
        position[:, self._own] = q[:, self._q_index]
        measured = self._measured(states.effort, v.shape)
        residual = measured - efforts
        if self._compensated:
            residual += terms["gravity"] + self._payload_weight(q)
        residual[~valid] = np.nan
        return Block(
            stamp=states.stamp,
            time=time,
            segment=segment,
            q=q,
            position=position,
            velocity=v,
            acceleration=a,
            effort=efforts,
            terms=terms,
            measured=measured,
            residual=residual,
            valid=valid,
            kinetic=np.asarray(energy.kinetic),
            potential=np.asarray(energy.potential),
            bodies=robot.body_motion(q, v, a) if self._bodies else None,
        )

    def _completed(self, states: States) -> tuple[Floats, Floats, Floats, Flags]:
        """Return q, v and a, of a closed mechanism such as it allows, and where there are any."""
        q, v, a = states.q, states.v, states.a
        if self._closer is None:
            return q, v, a, np.ones(len(q), dtype=bool)
        q = self._closer.close(q)
        (v, a), solved = where_determined(self.robot.complete, (q, v, a))
        return q, v, a, np.asarray(solved & ~np.isnan(q[:, 0]))

    def _terms(self, q: Floats, v: Floats, a: Floats) -> tuple[dict[str, Floats], Floats, Flags]:
        """Return efforts by cause, their sum, and which rows have any."""
        if not self._moved:
            nothing = np.full(v.shape, np.nan)
            return dict.fromkeys(TERMS, nothing), nothing.copy(), np.zeros(len(q), dtype=bool)
        robot = self.robot
        known: Flags = np.ones(len(q), dtype=bool)
        if self._closer is None:
            found = robot.effort_terms(q, v, a)
            terms = {name: np.asarray(getattr(found, name)) for name in TERMS}
            total = np.asarray(found.total)
        else:
            arrays, known = where_determined(robot.effort_terms, (q, v, a))
            named = dict(zip(self.robot.RESULTS["effort_terms"].fields, arrays, strict=True))
            terms, total = {name: named[name] for name in TERMS}, named["total"]
        if not self._friction:
            total = total - terms["friction"]
            terms["friction"] = np.zeros_like(total)
        return terms, total, known

    def _payload_weight(self, q: Floats) -> Floats:
        """Return the part of the payloads' efforts (n, nv) that holds their weight."""
        robot = self.robot
        if not robot.payloads:
            return np.zeros((len(q), robot.model.nv))
        if self._closer is None:
            weight: Floats = np.asarray(robot.effort_terms(q).payload)
            return weight
        arrays, _ = where_determined(robot.effort_terms, (q,))
        fields = robot.RESULTS["effort_terms"].fields
        return arrays[fields.index("payload")]

    def _valid(self, known: Flags) -> Flags:
        """Return (n, nv) whose effort rests on nothing but known slots (n, slots)."""
        nv = self.robot.model.nv
        if self._closer is not None:
            slots, _ = self.required()
            return np.repeat(np.all(known[:, slots], axis=1, keepdims=True), nv, axis=1)
        if known.all():
            return np.tile(self._support.valid(known[0]), (len(known), 1))
        known = with_groups(self._plan, known)
        kinds, which = np.unique(np.packbits(known, axis=1), axis=0, return_inverse=True)
        patterns = np.unpackbits(kinds, axis=1, count=known.shape[1]).astype(bool)
        found: Flags = np.array([self._support.valid(x) for x in patterns]).reshape(-1, nv)
        return found[np.ravel(which)]

    def _measured(self, effort: Floats, shape: tuple[int, ...]) -> Floats:
        """Return efforts in N m or N (n, nv); NaN where there is none."""
        found = np.full(shape, np.nan)
        factor = self.factors.factor
        usable = np.flatnonzero(factor != 0.0)
        found[:, self._plan.v_index[usable]] = effort[:, usable] * factor[usable]
        return found


def _constrained(model: Model) -> bool:
    return model.is_closed and model.closure.partition is not None


def with_groups(plan: FramePlan, known: Flags) -> Flags:
    """Return flags in which joints that two kinds of messages can give count where one does."""
    if not plan.groups:
        return known
    known = known.copy()
    for _, slots, pose in plan.groups:
        members: Sequence[int] = [*slots.tolist(), *([] if pose is None else [pose])]
        whole = known[:, slots].all(axis=1, keepdims=True)
        known[:, members] = whole if pose is None else whole | known[:, [pose]]
    return known
