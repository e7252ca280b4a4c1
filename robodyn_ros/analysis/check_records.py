"""What a model check remembers of measured and computed efforts: products, by joint."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.joint_friction import friction_effort

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

TERMS = ("weight", "coulomb", "viscous", "inertia", "offset")
"""What a residual is made of, in the order of the first columns of a record."""
WEIGHT, COULOMB, VISCOUS, INERTIA, OFFSET = range(len(TERMS))
PAYLOAD = 4
"""Columns of a payload: mass and first moments."""
LAST = 3
"""Columns behind those of payloads: residual, computed and measured effort."""
RESIDUAL, COMPUTED, MEASURED = -3, -2, -1


RIDGE = 1e-6
"""Of columns of size 1: well below what data of a second tell apart."""
_LEAST = (1e-3, 0.05, 1e-3, 1e-2, 1e-3)
"""Sizes of the terms' columns below which nothing follows from them: N m, 1, rad/s, rad/s^2, 1."""
_LEAST_PAYLOAD = 1e-3


class Sample(NamedTuple):
    """Efforts and motion at one instant, by coordinate.

    Attributes:
        measured: (nv,) N m or N; NaN where not known.
        computed: (nv,) what they ought to be, N m or N; NaN where not known.
        weight: (nv,) efforts that hold the weight of links and payloads, N m or N.
        v: (nv,) rad/s or m/s.
        a: (nv,) rad/s^2 or m/s^2.
        payloads: (f, nv, 4) efforts per kg and per kg m of a payload on each of the frames.
    """

    measured: Floats
    computed: Floats
    weight: Floats
    v: Floats
    a: Floats
    payloads: Floats

    def columns(self) -> Floats:
        """Return the columns (nv, 5 + 4 f + 3) of all coordinates."""
        payloads = np.moveaxis(self.payloads, 0, 1).reshape(len(self.v), -1)
        ones = np.ones(len(self.v))
        sign = friction_effort(self.v, 0.0 * ones, ones)
        first = (self.weight, sign, self.v, self.a)
        last = (self.measured - self.computed, self.computed, self.measured)
        return np.column_stack([*first, ones, payloads, *last])


class Record:
    """Means of products of columns, older samples forgotten by degrees.

    Attributes:
        seconds: (nv,) time that counts in the means, s; no more than the window.
    """

    def __init__(self, count: int, columns: int, window: float) -> None:
        """Begin with nothing.

        Args:
            count: Number of coordinates.
            columns: Number of columns.
            window: Time constant with which samples are forgotten, s.
        """
        self._window = window
        self._sums: Floats = np.zeros((count, columns, columns))
        self.seconds: Floats = np.zeros(count)

    def add(self, columns: Floats, dt: float) -> None:
        """Take columns (nv, columns) that hold for `dt` s; rows that are not finite are left out.

        A product beyond the floats counts as not finite.
        """
        with np.errstate(all="ignore"):
            products = columns[:, :, None] * columns[:, None, :]
        sane = np.isfinite(products).all(axis=(1, 2))
        kept = math.exp(-dt / self._window)
        self._sums[sane] = kept * self._sums[sane] + dt * products[sane]
        self.seconds[sane] = kept * self.seconds[sane] + dt

    def copy(self) -> Record:
        """Return one of its own that nothing is added to by others."""
        count, columns, _ = self._sums.shape
        made = Record(count, columns, self._window)
        made._sums, made.seconds = self._sums.copy(), self.seconds.copy()
        return made

    def forget(self, which: Flags | None = None) -> None:
        """Begin anew, in all coordinates or in these."""
        rows = slice(None) if which is None else which
        self._sums[rows] = 0.0
        self.seconds[rows] = 0.0

    def means(self) -> Floats:
        """Return the mean products (nv, columns, columns); 0 where there is nothing yet."""
        total = np.where(self.seconds > 0.0, self.seconds, 1.0)
        found: Floats = self._sums / total[:, None, None]
        return found


def fitted(means: Floats, target: Floats, chosen: list[int]) -> Floats:
    """Return coefficients (nv, columns) of some columns that make up a target best, 0 elsewhere.

    Where columns cannot be told apart, as of a joint at rest, they share alike.

    Args:
        means: (nv, columns, columns) mean products.
        target: (nv, columns) which combination of columns is to be made up.
        chosen: The columns that may be used.
    """
    found = np.zeros(target.shape)
    G = means[:, chosen][:, :, chosen]
    b = np.einsum("jkc,jc->jk", means[:, chosen], target)
    size = np.sqrt(np.maximum(np.einsum("jkk->jk", G), 0.0))
    least = np.full(means.shape[1], _LEAST_PAYLOAD)
    least[: len(TERMS)] = _LEAST
    unit = np.maximum(size, least[chosen])
    # In columns of size 1 all coefficients are efforts: the ridge prefers none of them.
    normal = G / (unit[:, :, None] * unit[:, None, :])
    normal += RIDGE * np.eye(len(chosen))
    found[:, chosen] = np.linalg.solve(normal, (b / unit)[:, :, None])[:, :, 0] / unit
    return found


def squares(means: Floats, combination: Floats) -> Floats:
    """Return the mean square (nv,) of a combination (nv, columns) of columns, (N m)^2 or N^2."""
    found: Floats = np.einsum("jc,jcd,jd->j", combination, means, combination)
    return np.maximum(found, 0.0)
