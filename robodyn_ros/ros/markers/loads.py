"""Wrenches on the robot: forces as arrows, moments as arcs, where they act.

External wrenches at their frames, as told and as estimated, the weight of payloads and what their
inertia adds at their centres of mass, and what constraint elements exert on their second body.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from visualization_msgs.msg import Marker

from robodyn_ros.algorithms.kinematics import State
from robodyn_ros.constraints.equations import equations_of
from robodyn_ros.model import Element, Model, Payload, Weld
from robodyn_ros.model.effort_arcs import ARC_POINTS, arcs
from robodyn_ros.model.inertia_ellipsoid import REACH
from robodyn_ros.ros.markers.acting import Acting, Push
from robodyn_ros.ros.markers.geometry import (
    ANGULAR_ACCELERATION,
    ANGULAR_VELOCITY,
    LINEAR_ACCELERATION,
    Bodies,
    Floats,
    Indices,
    cut,
)
from robodyn_ros.ros.markers.prototype import Rgba, action, marker, point_fields, points
from robodyn_ros.ros.markers.settings import ACTING, VisualizationSettings
from robodyn_ros.spatial import axis_alignment, cross

MOST = 64
"""External wrenches that are shown, and payloads."""
_EXTERNAL: Rgba = (1.0, 0.45, 0.0, 0.95)
_WEIGHT: Rgba = (0.75, 0.6, 0.35, 0.95)
_INERTIA: Rgba = (0.95, 0.35, 0.3, 0.9)
_CONSTRAINT: Rgba = (0.35, 0.85, 0.9, 0.95)
_ESTIMATED: Rgba = (0.95, 0.8, 0.1, 0.95)
_TOUCHED: Rgba = (0.95, 0.1, 0.45, 1.0)
_ARC = 0.75 * math.tau
_HEAD_WIDTH, _HEAD_LENGTH, _HEAD_SHARE = 2.0, 3.0, 0.4
_ARC_WIDTH = 0.6


class Slots:
    """The wrenches that a message has places for, and where they act at one instant.

    A row each: external wrenches, weights of payloads, inertia of payloads, constraint elements;
    estimated wrenches, first those without contact, then with it: of these one is shown.

    Attributes:
        point: (n, 3) where, m.
        force, moment: (n, 3) world axes, N and N m; zero in rows that are not used.
        places: (namespace, id, colour) of the force of every row; its moment has the next id.
    """

    def __init__(
        self,
        model: Model,
        settings: VisualizationSettings,
        pushes: int,
        payloads: int,
        estimates: int = 0,
    ) -> None:
        """Make places for so many external wrenches, payloads and estimates; none if off."""
        self._model = model
        wanted = (pushes, payloads, estimates) if settings.wrenches else (0, 0, 0)
        self.pushes, self.payloads, self.estimates = wanted
        self._elements: tuple[Element, ...] = model.closure.elements if settings.wrenches else ()
        external, payload, constraint, estimated = ACTING["wrenches"]
        loads, guesses = range(self.payloads), range(self.estimates)
        self.places: list[tuple[str, int, Rgba]] = [
            *((external, 2 * k, _EXTERNAL) for k in range(self.pushes)),
            *((payload, 4 * k, _WEIGHT) for k in loads),
            *((payload, 4 * k + 2, _INERTIA) for k in loads),
            *((constraint, 2 * k, _CONSTRAINT) for k in range(len(self._elements))),
            *((estimated, 4 * k, _ESTIMATED) for k in guesses),
            *((estimated, 4 * k + 2, _TOUCHED) for k in guesses),
        ]
        count = len(self.places)
        self._guessed = count - 2 * self.estimates
        self.turning: list[int] = [
            *range(self.pushes),
            *(
                self.pushes + 2 * self.payloads + k
                for k, element in enumerate(self._elements)
                if isinstance(element, Weld)
            ),
            *range(self._guessed, count),
        ]
        self._rows: Floats = np.zeros((count, 9))
        self.point, self.force, self.moment = np.split(self._rows, 3, axis=1)
        self._known: dict[tuple[str, ...], tuple[Indices, Floats, Floats]] = {}
        self._seen: Bodies | None = None

    def serves(self, acting: Acting) -> bool:
        """Return whether there is a place for all that acts, as far as it is shown."""
        pushes, payloads, estimates = needed(acting)
        enough = pushes <= self.pushes and payloads <= self.payloads
        return enough and estimates <= self.estimates

    def update(self, bodies: Bodies) -> None:
        """Take what acts at an instant."""
        if bodies is self._seen:
            return
        self._seen = bodies
        self._rows[:] = 0.0
        acting = bodies.acting
        self._push(acting.pushes[: self.pushes], bodies, 0)
        first = self._guessed + self.estimates * acting.in_contact
        self._push(acting.estimates[: self.estimates], bodies, first)
        self._carry(acting.payloads[: self.payloads], bodies)
        first = self.pushes + 2 * self.payloads
        if acting.multipliers is not None:
            begin = 0
            for row, element in enumerate(self._elements, first):
                shares = acting.multipliers[begin : begin + element.rows]
                begin += element.rows
                self._hold(row, element, shares, bodies)
        near = np.isfinite(self._rows).all(axis=1) & (np.abs(self.point) <= REACH).all(axis=1)
        if not near.all():
            self._rows[~near] = 0.0

    def _push(self, pushes: tuple[Push, ...], bodies: Bodies, first: int) -> None:
        """Show external wrenches in rows from the first one on."""
        if not pushes:
            return
        body, offset, rotation = self._frames(tuple(push.frame for push in pushes))
        sound = bodies.sound[body]
        turn = bodies.rotation[body]
        wrench = np.array([push.wrench for push in pushes])
        wrench[~sound] = 0.0
        turned = turn @ rotation
        rows = slice(first, first + len(pushes))
        self.point[rows] = bodies.block[body, :3] + _applied(turn, offset)
        self.moment[rows] = _applied(turned, wrench[:, :3])
        self.force[rows] = _applied(turned, wrench[:, 3:])

    def _carry(self, payloads: tuple[Payload, ...], bodies: Bodies) -> None:
        """Show the weight of payloads, and what their inertia exerts on the robot."""
        if not payloads:
            return
        body, offset, rotation = self._frames(tuple(load.frame for load in payloads))
        mass = np.array([load.mass for load in payloads]) * bodies.sound[body]
        block = bodies.block[body]
        com = offset + _applied(rotation, np.array([load.com for load in payloads]))
        arm = _applied(bodies.rotation[body], com)
        w, dw, dv = (
            block[:, k : k + 3]
            for k in (ANGULAR_VELOCITY, ANGULAR_ACCELERATION, LINEAR_ACCELERATION)
        )
        a = dv + cross(dw, arm)
        a += w * _dot(w, arm) - arm * _dot(w, w)
        weights = slice(self.pushes, self.pushes + len(payloads))
        first = self.pushes + self.payloads
        inertial = slice(first, first + len(payloads))
        self.point[weights] = self.point[inertial] = block[:, :3] + arm
        self.force[weights] = mass[:, None] * bodies.acting.gravity
        self.force[inertial] = -mass[:, None] * a

    def _frames(self, names: tuple[str, ...]) -> tuple[Indices, Floats, Floats]:
        """Return body (n,), position (n, 3) and rotation (n, 3, 3) in it of frames of the model."""
        found = self._known.get(names)
        if found is None:
            frames = [self._model.frame(name) for name in names]
            found = (
                np.array([frame.body for frame in frames], dtype=np.intp),
                np.array([frame.position for frame in frames]),
                np.array([frame.rotation for frame in frames]),
            )
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[names] = found
        return found

    def _hold(self, row: int, element: Element, shares: Floats, bodies: Bodies) -> None:
        """Show what an element exerts on its second body."""
        ends = element.body_1, element.body_2
        if not bodies.sound[list(ends)].all():
            return
        zero = np.zeros(3)
        first, second = (
            State(bodies.block[body, :3], bodies.rotation[body], zero, zero, zero, zero)
            for body in ends
        )
        equations = equations_of(element, first, second)
        self.point[row] = equations[-1].point_2
        for equation, share in zip(equations, shares.tolist(), strict=True):
            if equation.force is not None:
                self.force[row] += share * equation.force
            if equation.moment is not None:
                self.moment[row] += share * equation.moment


def _dot(a: Floats, b: Floats) -> Floats:
    """Return the products (n, 1) of vectors (n, 3)."""
    return np.einsum("ij,ij->i", a, b)[:, None]


def _applied(matrices: Floats, vectors: Floats) -> Floats:
    """Return the products (n, 3) of matrices (n, 3, 3) with vectors (n, 3)."""
    return np.einsum("ijk,ik->ij", matrices, vectors)


def needed(acting: Acting) -> tuple[int, int, int]:
    """Return how many external wrenches, payloads and estimated wrenches are to be shown."""
    pushes, payloads, estimates = acting.pushes, acting.payloads, acting.estimates
    return min(len(pushes), MOST), min(len(payloads), MOST), min(len(estimates), MOST)


class ForceArrows:
    """An arrow for every force, from where it acts."""

    fields = (*point_fields(2), "scale.z")

    def __init__(self, slots: Slots, settings: VisualizationSettings) -> None:
        """Make them."""
        self._slots, self._scale = slots, settings.force_scale
        width = settings.arrow_width
        self._head = _HEAD_LENGTH * width
        self._shortest, self._longest = settings.arrow_min_length, settings.arrow_max_length
        self.markers: list[Marker] = []
        for namespace, number, color in slots.places:
            scale = (width, _HEAD_WIDTH * width, self._head)
            made = marker(Marker.ARROW, namespace, number, scale, color)
            made.points = points(np.zeros((2, 3)))
            self.markers.append(made)

    def write(self, bodies: Bodies, numbers: Floats, actions: NDArray[np.int32]) -> None:
        """Write start, end and length of head (n, 7), and the actions (n,)."""
        slots = self._slots
        if not self.markers:
            return
        slots.update(bodies)
        every = np.ones(len(slots.force), dtype=bool)
        tip, length, shown = cut(self._scale * slots.force, every, self._shortest, self._longest)
        numbers[:, :3] = slots.point
        numbers[:, 3:6] = slots.point + tip
        numbers[:, 6] = np.minimum(self._head, _HEAD_SHARE * length)
        actions[:] = action(shown)


class MomentArcs:
    """Three quarters of a circle for every moment, about it and to the side to which it turns."""

    fields = point_fields(ARC_POINTS)

    def __init__(self, slots: Slots, settings: VisualizationSettings) -> None:
        """Make them."""
        self._slots, self._scale = slots, settings.moment_scale
        self._arc: Floats = arcs(np.array([_ARC]), np.ones(1))[0]
        self._rows: Indices = np.array(slots.turning, dtype=np.intp)
        self._shortest, self._longest = settings.arrow_min_length, settings.arrow_max_length
        self.markers: list[Marker] = []
        for row in slots.turning:
            namespace, number, color = slots.places[row]
            scale = (_ARC_WIDTH * settings.arrow_width, 0.0, 0.0)
            made = marker(Marker.LINE_STRIP, namespace, number + 1, scale, color)
            made.points = points(np.zeros((ARC_POINTS, 3)))
            self.markers.append(made)

    def write(self, bodies: Bodies, numbers: Floats, actions: NDArray[np.int32]) -> None:
        """Write the points (n, 3 ARC_POINTS) and the actions (n,)."""
        slots = self._slots
        if not self.markers:
            return
        slots.update(bodies)
        moment = self._scale * slots.moment[self._rows]
        every = np.ones(len(moment), dtype=bool)
        tip, radius, shown = cut(moment, every, self._shortest, self._longest)
        for row in np.flatnonzero(shown).tolist():
            basis = axis_alignment(tip[row] / radius[row])
            around = slots.point[self._rows[row]] + radius[row] * self._arc @ basis[:, :2].T
            numbers[row] = around.reshape(-1)
        actions[:] = action(shown)
