"""What measured efforts look like beside computed ones, in words: units, signs, gravity twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import quoted

Floats = NDArray[np.float64]

ALIKE = 0.9
"""Share of the squares of one quantity that another one explains, from which on it is told."""
LARGE = 0.1
"""Residual, as a share of the measured efforts, below which nothing needs an explanation."""
_LISTED = 8


class EffortHints:
    """Compares measured efforts with those of the model, and residuals with gravity's."""

    def __init__(self, names: Sequence[str]) -> None:
        """Begin with nothing; names are those of the nv coordinates."""
        self._names = tuple(names)
        #: Sums of measured^2, model^2, measured * model, residual^2, gravity^2, residual * gravity.
        self._sums: Floats = np.zeros((6, len(self._names)))

    def add(self, measured: Floats, effort: Floats, residual: Floats, gravity: Floats) -> None:
        """Take rows (n, nv) in: efforts measured and computed, their residual, gravity's part."""
        there = np.isfinite(residual)
        m, e, r, g = (np.where(there, x, 0.0) for x in (measured, effort, residual, gravity))
        products = (m * m, e * e, m * e, r * r, g * g, r * g)
        self._sums += [x.sum(axis=0) for x in products]

    @property
    def silent(self) -> tuple[str, ...]:
        """Coordinates whose measured efforts are all 0 although the model needs some."""
        measured, needed = self._sums[:2]
        return tuple(self._names[k] for k in np.flatnonzero((measured == 0.0) & (needed > 0.0)))

    @property
    def heard(self) -> bool:
        """Whether any measured effort is another number than 0."""
        return bool((self._sums[0] > 0.0).any())

    def hints(self, *, weighs: bool = True, most_gain: float = 1.0) -> Iterator[str]:
        """Yield what the numbers look like.

        Args:
            weighs: Whether another weight is told, which is none where masses are looked for.
            most_gain: Multiples up to that, and down to one over it, are not told.
        """
        m2, e2, me, r2, g2, rg = self._sums
        with np.errstate(all="ignore"):
            odd = r2 > LARGE**2 * m2
            weight, gain = rg / g2, me / e2
            by_gravity = odd & (rg * rg > ALIKE * r2 * g2)
            # By the residual: efforts with friction are alike the model's, and no multiple.
            by_gain = odd & ~by_gravity & ((me - e2) ** 2 > ALIKE * r2 * e2)
            by_gain &= ~((gain <= most_gain) & (gain >= 1.0 / most_gain))
        yield from self._told(
            (m2 == 0.0) & (e2 > 0.0),
            "measured efforts are 0 throughout",
            "does the driver measure them?",
        )
        held = by_gravity & (np.abs(weight + 1.0) < 0.2)
        yield from self._told(
            held,
            "residuals are as if the driver held the weight itself",
            "try driver_compensates_gravity",
        )
        yield from self._told(
            by_gravity & ~held & weighs,
            "residuals are as if links or a payload had another weight",
            "is a payload or tool missing, or there twice?",
            [f" ({100.0 * x:+.0f} %)" for x in weight],
        )
        yield from self._told(
            by_gain,
            "measured efforts are a multiple of the model's",
            "is it another unit or sign? effort_unit and effort_gain say which",
            [f" ({x:.2g})" for x in gain],
        )

    def _told(
        self,
        which: NDArray[np.bool_],
        text: str,
        remedy: str,
        factors: Sequence[str] | None = None,
    ) -> Iterator[str]:
        places = np.flatnonzero(which).tolist()
        if places:
            told = [quoted(self._names[k]) + (factors[k] if factors else "") for k in places]
            more = ", ..." if len(told) > _LISTED else ""
            yield f"{text}: {', '.join(told[:_LISTED])}{more}; {remedy}"
