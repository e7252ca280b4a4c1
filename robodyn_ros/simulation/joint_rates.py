"""The rates that friction and limits act on: the coordinates' own, and those of followers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model import Environment, FunctionFollower, Model, TreeJoint
from robodyn_ros.model.lumped import Lump

Floats = NDArray[np.float64]


class JointRates:
    """Rows u = C v: first every coordinate's own rate, then those of followers.

    Attributes:
        count: number of rows.
        lower: (count,) lowest position of each row, -inf where there is none.
        upper: (count,) highest, likewise.
        is_varying: whether C depends on the coordinates.
    """

    def __init__(self, model: Model) -> None:
        """Find the rows of a model."""
        self._model = model
        own = [lump for lump in model.lumped.lumps if not lump.joint.is_follower]
        self._followers = [lump for lump in model.lumped.lumps if lump.joint.is_follower]
        self.count = model.nv + sum(lump.joint.joint.nv for lump in self._followers)
        self.is_varying = any(
            isinstance(lump.joint.coordinates, FunctionFollower) for lump in self._followers
        )
        self._places, self._factors = self._positions_of_own(own)
        self._entries = self._parameter_rows(own)
        self.lower, self.upper = self._bounds(own)
        is_fixed = bool(self._followers) and not self.is_varying
        self._fixed = self._map(model.defaults.q) if is_fixed else None

    def map_at(self, q: Floats) -> Floats | None:
        """Return C (count, nv) at q (nq,); None where it is the identity."""
        if not self._followers:
            return None
        return self._map(q) if self.is_varying else self._fixed

    def positions(self, q: Floats) -> Floats:
        """Return the position (count,) of each row at q (nq,); 0 of rows that have none."""
        own: Floats = q[self._places] * self._factors
        if not self._followers:
            return own
        followers = [lump.joint.coordinates.position(q) for lump in self._followers]
        return np.concatenate([own, *followers])

    def parameters(self, environment: Environment) -> tuple[Floats, Floats]:
        """Return damping and Coulomb friction (count,) of each row."""
        values = environment.joints(self._model)
        rows = np.zeros((self.count, 3))
        known = self._entries >= 0
        rows[known] = values[self._entries[known]]
        return rows[:, 1].copy(), rows[:, 2].copy()

    def _map(self, q: Floats) -> Floats:
        C = np.zeros((self.count, self._model.nv))
        C[: self._model.nv] = np.eye(self._model.nv)
        row = self._model.nv
        for lump in self._followers:
            coordinates, end = lump.joint.coordinates, row + lump.joint.joint.nv
            C[row:end, list(coordinates.columns())] = coordinates.velocity_map(q)
            row = end
        return C

    def _positions_of_own(self, own: Sequence[Lump]) -> tuple[NDArray[np.intp], Floats]:
        """Return the entry of q of each coordinate's rate, and 1, or 0 where there is none."""
        places = np.zeros(self._model.nv, dtype=np.intp)
        factors = np.zeros(self._model.nv)
        for lump in own:
            joint = lump.joint
            for k, place in enumerate(joint.joint.rate_coordinates()):
                if place is not None:
                    places[joint.v_index + k] = joint.q_index + place
                    factors[joint.v_index + k] = 1.0
        return places, factors

    def _parameter_rows(self, own: Sequence[Lump]) -> NDArray[np.intp]:
        """Return the row of the joint parameters of each of our rows, -1 for none."""
        entries = np.full(self.count, -1, dtype=np.intp)
        for lump in own:
            begin = lump.joint.v_index
            entries[begin : begin + lump.joint.joint.nv] = np.arange(
                lump.rates.start, lump.rates.stop
            )
        row = self._model.nv
        for lump in self._followers:
            end = row + lump.joint.joint.nv
            entries[row:end] = np.arange(lump.rates.start, lump.rates.stop)
            row = end
        return entries

    def _bounds(self, own: Sequence[Lump]) -> tuple[Floats, Floats]:
        lower, upper = np.full(self.count, -np.inf), np.full(self.count, np.inf)
        for lump in own:
            _note_limits(lump.joint, lump.joint.v_index, lower, upper)
        row = self._model.nv
        for lump in self._followers:
            _note_limits(lump.joint, row, lower, upper)
            row += lump.joint.joint.nv
        return lower, upper


def _note_limits(joint: TreeJoint, begin: int, lower: Floats, upper: Floats) -> None:
    """Write down a joint's limits; a continuous joint has none."""
    if joint.joint.type_name == "continuous":
        return
    for k, (limits, place) in enumerate(
        zip(joint.rate_limits, joint.joint.rate_coordinates(), strict=True)
    ):
        if place is None:
            continue
        lower[begin + k] = -np.inf if limits.lower is None else limits.lower
        upper[begin + k] = np.inf if limits.upper is None else limits.upper
