"""The rates that friction and limits act on: the coordinates' own, and those of followers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model import Environment, FunctionFollower, Model, TreeJoint
from robodyn_ros.model.coordinates import AffineFollower

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]


class JointRates:
    """Rows u = C v: first every coordinate's own rate, then those of followers.

    A row that has a position z of its own, of which u is the derivative, can have limits.

    Attributes:
        count: number of rows.
        lower: (count,) lowest position of each row, -inf where there is none.
        upper: (count,) highest, likewise.
        is_varying: whether C depends on the coordinates.
    """

    def __init__(self, model: Model) -> None:
        """Find the rows of a model."""
        self._model = model
        lumps = model.lumped.lumps
        self._followers = [lump for lump in lumps if lump.joint.is_follower]
        self.count = model.nv + sum(lump.joint.joint.nv for lump in self._followers)
        self.is_varying = any(
            isinstance(lump.joint.coordinates, FunctionFollower) for lump in self._followers
        )
        self.lower, self.upper = np.full(self.count, -np.inf), np.full(self.count, np.inf)
        self._parameters: Numbers = np.zeros(self.count, dtype=np.intp)
        self._places: Numbers = np.full(self.count, -1, dtype=np.intp)
        self._factors: Floats = np.ones(self.count)
        self._offsets: Floats = np.zeros(self.count)
        row = model.nv
        for lump in lumps:
            joint, size = lump.joint, lump.joint.joint.nv
            begin = row if joint.is_follower else joint.v_index
            row += size if joint.is_follower else 0
            self._parameters[begin : begin + size] = np.arange(lump.rates.start, lump.rates.stop)
            self._place(joint, begin)
        is_fixed = bool(self._followers) and not self.is_varying
        self._fixed = self._map(model.defaults.q) if is_fixed else None

    def _place(self, joint: TreeJoint, begin: int) -> None:
        """Write down positions and limits of a joint's rows; a continuous joint has no limits."""
        if not _has_positions(joint):
            return
        for k, limits in enumerate(joint.rate_limits):
            row, place = begin + k, joint.joint.rate_coordinates()[k]
            if place is None:
                continue
            self._places[row] = joint.q_index + place
            if isinstance(joint.coordinates, AffineFollower):
                self._factors[row] = joint.coordinates.multiplier
                self._offsets[row] = joint.coordinates.offset
            if joint.joint.type_name != "continuous":
                self.lower[row] = -np.inf if limits.lower is None else limits.lower
                self.upper[row] = np.inf if limits.upper is None else limits.upper

    def map_at(self, q: Floats) -> Floats | None:
        """Return C (count, nv) at q (nq,); None where it is the identity."""
        if not self._followers:
            return None
        return self._map(q) if self.is_varying else self._fixed

    def positions(self, rows: Numbers, q: Floats) -> Floats:
        """Return the positions (k,) of rows that have limits, at q (nq,)."""
        values: Floats = q[self._places[rows]] * self._factors[rows] + self._offsets[rows]
        if self.is_varying:
            values = np.where(rows < self._model.nv, values, self._of_followers(q)[rows])
        return values

    def parameters(self, environment: Environment) -> tuple[Floats, Floats]:
        """Return damping and Coulomb friction (count,) of each row."""
        rows = environment.joints(self._model)[self._parameters]
        return rows[:, 1].copy(), rows[:, 2].copy()

    def _of_followers(self, q: Floats) -> Floats:
        """Return the positions (count,) of followers, whatever they follow by; 0 of others."""
        values = [lump.joint.coordinates.position(q) for lump in self._followers]
        return np.concatenate([np.zeros(self._model.nv), *values])

    def _map(self, q: Floats) -> Floats:
        C = np.zeros((self.count, self._model.nv))
        C[: self._model.nv] = np.eye(self._model.nv)
        row = self._model.nv
        for lump in self._followers:
            coordinates, end = lump.joint.coordinates, row + lump.joint.joint.nv
            C[row:end, list(coordinates.columns())] = coordinates.velocity_map(q)
            row = end
        return C


def _has_positions(joint: TreeJoint) -> bool:
    """Return whether the rates of a joint are those of the coordinates of their names.

    They are not where a rate is taken along axes that turn with others, as in a planar joint.
    """
    kind = joint.joint
    rng = np.random.default_rng(0)
    q, v = kind.random(rng, joint.rate_limits), rng.normal(size=kind.nv)
    slope = kind.rate(q, v)
    pairs = enumerate(kind.rate_coordinates())
    return all(place is None or slope[place] == v[k] for k, place in pairs)
