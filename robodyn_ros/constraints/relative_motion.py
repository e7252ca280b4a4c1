"""Bodies as seen from the innermost body that they share: all that a constraint depends on.

Where two bodies are on a tree, the way between them leads over the last body that carries both. A
constraint between them does not notice how that body moves, so it is looked at as if that body,
the *anchor*, were at rest: fewer joints take part, and none that moves both alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms.kinematics import State, moved_outward, outward, resting_state
from robodyn_ros.model import Model
from robodyn_ros.spatial import Array, apply, carried, compose, cross, invert, transpose


class Column(NamedTuple):
    """What one joint rate does, in the anchor's axes: how its body turns, and its origin moves.

    Attributes:
        lump: the lump that the joint moves.
        rate: which of the joint's own rates.
        turn: (..., 3) angular velocity per unit of it.
        slide: (..., 3) velocity of the lump's origin.
        origin: (..., 3) where that is.
    """

    lump: int
    rate: int
    turn: Array
    slide: Array
    origin: Array


class RelativeMotion:
    """Motion of the bodies of a model for q and v, with accelerations zero, from any anchor."""

    def __init__(self, model: Model, q: Array, v: Array | None = None) -> None:
        """Compute nothing yet."""
        self._model = model
        self._q = q
        self._v = np.zeros(model.nv) if v is None else v
        self._zero = np.zeros(model.nv)
        self._states: dict[tuple[int, int], State] = {}
        self._columns: dict[tuple[int, int], tuple[Column, ...]] = {}

    def path(self, lump: int, anchor: int) -> tuple[int, ...]:
        """Return the lumps from a lump, included, inward to an anchor, excluded."""
        found = []
        while lump != anchor:
            found.append(lump)
            lump = self._model.lumped.lumps[lump - 1].parent
        return tuple(found)

    def anchor(self, body_1: int, body_2: int) -> int:
        """Return the innermost lump that carries both bodies."""
        places = self._model.lumped.places
        first = (*self.path(places[body_1].lump, 0), 0)
        second = {*self.path(places[body_2].lump, 0), 0}
        return next(lump for lump in first if lump in second)

    def lump_state(self, lump: int, anchor: int) -> State:
        """Return a lump's motion in the anchor's axes; see `kinematics.State`."""
        key = (lump, anchor)
        if key not in self._states:
            if lump == anchor:
                self._states[key] = resting_state()
            else:
                own = self._model.lumped.lumps[lump - 1]
                parent = self.lump_state(own.parent, anchor)
                mount = (own.rotation, own.position)
                self._states[key] = outward(parent, own.joint, mount, self._q, self._v, self._zero)
        return self._states[key]

    def copy_state(self, lump: int, anchor: int, at: State) -> State:
        """Return the motion of a lump that is where a body at `at` is: its pose is not computed."""
        own = self._model.lumped.lumps[lump - 1]
        parent = self.lump_state(own.parent, anchor)
        place = (at.R, at.p, at.p - parent.p)
        return moved_outward(parent, own.joint, place, self._q, self._v, self._zero)

    def body_state(self, body: int, anchor: int) -> State:
        """Return a body's motion in the anchor's axes."""
        place = self._model.lumped.places[body]
        state = self.lump_state(place.lump, anchor)
        if not np.any(place.position) and np.array_equal(place.rotation, np.eye(3)):
            return state
        arm = apply(state.R, place.position)
        return State(
            state.p + arm,
            state.R @ place.rotation,
            state.w,
            state.v + cross(state.w, arm),
            state.dw,
            state.dv + cross(state.dw, arm) + cross(state.w, cross(state.w, arm)),
        )

    def columns(self, lump: int, anchor: int) -> tuple[Column, ...]:
        """Return what the rates of a lump's own joint do, in the anchor's axes."""
        key = (lump, anchor)
        if key not in self._columns:
            joint = self._model.lumped.lumps[lump - 1].joint
            S = joint.joint.motion_subspace(joint.coordinates.position(self._q))
            state = self.lump_state(lump, anchor)
            self._columns[key] = tuple(
                Column(
                    lump,
                    k,
                    apply(state.R, S[..., :3, k]),
                    apply(state.R, S[..., 3:, k]),
                    state.p,
                )
                for k in range(joint.joint.nv)
            )
        return self._columns[key]

    def columns_in_body(self, body: int, anchor: int) -> Iterator[tuple[int, Array]]:
        """Yield what moves a body, from the anchor: lump, and columns (..., nv, 6) of its rates.

        They are twists of the body at its origin in its own axes, angular first, as rows: those of
        the joint that carries it are constant, however it stands.
        """
        place = self._model.lumped.places[body]
        pose = (place.rotation, place.position)  # of the body in the lump
        for lump in self.path(place.lump, anchor):
            yield lump, carried(invert(pose), transpose(self.own_columns(lump)))
            own = self._model.lumped.lumps[lump - 1]
            moved = own.joint.joint.pose(own.joint.coordinates.position(self._q))
            pose = compose(compose((own.rotation, own.position), moved), pose)

    def own_columns(self, lump: int) -> Array:
        """Return S (..., 6, nv) of a lump's own joint, in the lump's axes, at its origin."""
        joint = self._model.lumped.lumps[lump - 1].joint
        S: Array = joint.joint.motion_subspace(joint.coordinates.position(self._q))
        return S
