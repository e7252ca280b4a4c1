"""What explains that measured efforts are not the computed ones: causes that concern many joints.

Each cause takes columns of the records and leaves a residual; the best that explains enough is
told.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.analysis.check_records import (
    COMPUTED,
    COULOMB,
    MEASURED,
    PAYLOAD,
    RESIDUAL,
    TERMS,
    VISCOUS,
    WEIGHT,
    fitted,
    squares,
)

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

EXPLAINS = 0.75
"""Share of the squares of residuals that a cause must explain to be told."""
_ALIKE = 0.9
"""Squared correlation of measured and computed efforts from which on one is a multiple of the
other."""
_LOOSELY = 0.8
"""The same of all joints together, whose units may differ."""
_UNIT = 3.0
"""Factor between the two from which on it is no matter of the model, but of the unit."""
_OFF = 0.15
"""Share by which a factor must differ from 1 to be told, and -1 may differ for gravity."""
_FARTHEST = 1.5
"""Centre of mass, m from its frame, beyond which a payload is no explanation."""
_LIGHTEST = 0.01
"""kg below which it is none either."""


class Means(NamedTuple):
    """What is looked at.

    Attributes:
        products: (nv, c, c) mean products of a record's columns.
        known: (nv,) which joints have enough of them.
        smallest: (nv,) efforts that count, N m or N.
        compensated: Whether weights were taken off the computed efforts.
    """

    products: Floats
    known: Flags
    smallest: Floats
    compensated: bool

    @property
    def share(self) -> Floats:
        """Weights (nv,) of squares: in units of what counts, 0 for joints that are not known."""
        return np.where(self.known, 1.0 / self.smallest**2, 0.0)

    def plain(self) -> Floats:
        """Return the combination (nv, c) that is the residual itself."""
        found = np.zeros(self.products.shape[:2])
        found[:, RESIDUAL] = 1.0
        return found


class Cause(NamedTuple):
    """One explanation.

    Attributes:
        kind: "none", "compensation", "gain" or "payload".
        left: (nv, c) combination of columns that it leaves of the residual.
        explains: Share of the squares, 0 to 1.
        factor: (nv,) of "gain": what takes measured efforts to computed ones; NaN elsewhere.
        frame: Of "payload": which frame.
        mass: Of it, kg.
        com: (3,) of it, in the frame, m.
    """

    kind: str
    left: Floats
    explains: float = 0.0
    factor: Floats | None = None
    frame: int = 0
    mass: float = 0.0
    com: Floats | None = None


def odd_gains(means: Means) -> Floats:
    """Return factors (nv,) from measured to computed efforts where sign or unit is plainly another.

    NaN where it is not: a factor near 1 may as well be a matter of masses.
    """
    factor, alike = _gains(means)
    odd = alike & ((factor < 0.0) | (factor > _UNIT) | (factor < 1.0 / _UNIT))
    return np.where(odd, factor, np.nan)


def something_else_explains_more(means: Means, factor: Floats, frames: int) -> bool:
    """Return whether another cause of many joints leaves less than factors (nv,) of single ones.

    Small efforts in amperes may look like efforts without weight, and the other way round; what a
    payload does to a joint that carries nothing else may look like a reversed sign.
    """
    total = float(means.share @ squares(means.products, means.plain()))
    if total <= 0.0:
        return False
    others = [_compensation(means, total), *(_payload(means, k) for k in range(frames))]
    best = max(cause.explains for cause in others)
    return best >= max(EXPLAINS, _explained(means, with_gain(means, factor), total))


def with_gain(means: Means, factor: Floats) -> Floats:
    """Return the combination (nv, c) that is left where factors (nv,) are right; NaN for none."""
    left = means.plain()
    scaled = np.isfinite(factor)
    left[scaled] = 0.0
    left[scaled, MEASURED] = factor[scaled]
    left[scaled, COMPUTED] = -1.0
    return left


def common_unit(means: Means) -> float:
    """Return the factor to computed efforts where all measured ones are small; NaN elsewhere.

    They are alike then, as in another unit. At rest a driver that compensates gravity may look the
    same: joint by joint every effort is a multiple of every other.
    """
    G, share = means.products, means.share
    mm, cm, cc = (
        float(share @ G[:, i, k])
        for i, k in ((MEASURED, MEASURED), (COMPUTED, MEASURED), (COMPUTED, COMPUTED))
    )
    loaded = means.known & (G[:, COMPUTED, COMPUTED] > means.smallest**2)
    if loaded.sum() < 2 or mm <= 0.0 or cm <= 0.0 or cm**2 < _LOOSELY * mm * cc:
        return float("nan")
    return cm / mm if cm / mm > _UNIT else float("nan")


def best_cause(means: Means, frames: int) -> Cause:
    """Return what explains the residuals best, of all that explains enough of them.

    Args:
        means: What is looked at.
        frames: How many frames have columns of a payload.
    """
    plain = means.plain()
    total = float(means.share @ squares(means.products, plain))
    if total <= float(means.known.sum()):  # all in all less than what counts
        return Cause("none", plain)
    held = _compensation(means, total)
    if held.explains >= EXPLAINS:
        return held
    found = [_scaled(means, total), *(_payload(means, k) for k in range(frames))]
    best = max(found, key=lambda cause: cause.explains)
    return best if best.explains >= EXPLAINS else Cause("none", plain)


def _compensation(means: Means, total: float) -> Cause:
    """Return how well it explains the residuals that a driver holds the weight, or does not."""
    G, share = means.products, means.share
    weight = float(share @ G[:, WEIGHT, WEIGHT])
    factor = float(share @ G[:, RESIDUAL, WEIGHT]) / weight if weight > 0.0 else 0.0
    expected = 1.0 if means.compensated else -1.0
    if abs(factor - expected) > _OFF:
        return Cause("none", means.plain())
    left = means.plain()
    left[:, WEIGHT] = -expected
    return Cause("compensation", left, _explained(means, left, total))


def _gains(means: Means) -> tuple[Floats, Flags]:
    """Return factors (nv,) from measured to computed efforts, and where these are multiples."""
    G = means.products
    offset = TERMS.index("offset")
    m, c = G[:, MEASURED, offset], G[:, COMPUTED, offset]
    # Of what varies only: at rest every effort is a multiple of every other.
    mm = G[:, MEASURED, MEASURED] - m * m
    cc = G[:, COMPUTED, COMPUTED] - c * c
    cm = G[:, COMPUTED, MEASURED] - c * m
    varies = means.known & (cc > np.maximum(means.smallest**2, 0.01 * G[:, COMPUTED, COMPUTED]))
    alike = varies & (mm > 0.0) & (cm * cm >= _ALIKE * mm * cc)
    return np.where(alike, cm / np.where(mm > 0.0, mm, 1.0), np.nan), alike


def _scaled(means: Means, total: float) -> Cause:
    """Return how well factors of single joints explain the residuals."""
    factor, alike = _gains(means)
    factor = np.where(alike & (np.abs(factor - 1.0) > _OFF), factor, np.nan)
    left = with_gain(means, factor)
    return Cause("gain", left, _explained(means, left, total), factor=factor)


def _payload(means: Means, frame: int) -> Cause:
    """Return how well a payload more, or less, on a frame explains the residuals.

    Friction of every joint is free meanwhile: it may not pass for weight.
    """
    G, share = means.products, means.share
    chosen = [COULOMB, VISCOUS]
    first = len(TERMS) + PAYLOAD * frame
    columns = np.arange(first, first + PAYLOAD)
    residual = means.plain()
    residual -= fitted(G, residual, chosen)
    targets = []
    for column in columns.tolist():
        alone = np.zeros(residual.shape)
        alone[:, column] = 1.0
        targets.append(alone - fitted(G, alone, chosen))
    free = np.stack(targets, axis=1)
    normal = np.einsum("j,jpc,jcd,jqd->pq", share, free, G, free)
    right = np.einsum("j,jpc,jcd,jd->p", share, free, G, residual)
    nothing = Cause("none", means.plain())
    mass, *moments = _parameters(normal, right).tolist()
    if abs(mass) < _LIGHTEST:
        return nothing
    com = np.array(moments) / mass
    if np.linalg.norm(com) > _FARTHEST:
        return nothing
    left = means.plain()
    left[:, columns] = -np.array([mass, *moments])
    before = float(share @ squares(G, residual))
    after = float(share @ squares(G, left - fitted(G, left, chosen)))
    # Of one joint alone any offset is a payload.
    felt = squares(G, left - means.plain()) > means.smallest**2
    if before <= 0.0 or (felt & means.known).sum() < 2:
        return nothing
    return Cause("payload", left, 1.0 - after / before, frame=frame, mass=mass, com=com)


def _parameters(normal: Floats, right: Floats) -> Floats:
    """Return mass and first moments (4,); what cannot be told is left at 0."""
    size = np.sqrt(np.maximum(np.diag(normal), 0.0))
    unit = np.where(size > 0.0, size, 1.0)
    scaled = normal / np.outer(unit, unit) + 1e-4 * np.eye(PAYLOAD)
    found: Floats = np.linalg.solve(scaled, right / unit) / unit
    return found


def _explained(means: Means, left: Floats, total: float) -> float:
    return 1.0 - float(means.share @ squares(means.products, left)) / total
