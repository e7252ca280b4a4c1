"""Slopes and curvatures of samples at any times: a parabola fitted round each, without lag.

Savitzky and Golay's filter (1964) for stamps that are not even: at each sample the parabola of
least squares through it and its neighbours up to a distance h on both sides, so that nothing is
delayed. Motions of constant acceleration come out exactly. At the ends it is one-sided.

What a parabola needs are sums over its window, of powers of the times and of these times the
samples. They are differences of running sums, taken in blocks so short that no digits are lost; the
few samples whose window is far shorter than their block are fitted one by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

REACH = 1.001
"""The window reaches at least so many times as far as the neighbours that a parabola needs."""
EDGE = 1.0 + 1e-6
"""Samples at a distance of just h are inside, on both sides."""
_BLOCK = 4
"""Length of a block in windows."""
_SHORT = 0.02
"""Share of a block's length below which a window's sums would lose digits."""
_SINGULAR = 1e-7
_AT_ONCE = 1024
"""Samples that are worked on at a time: what they need stays in the processor's cache."""


class Fit(NamedTuple):
    """First and second derivatives (n, k), and from how many samples (n,) of a piece each is."""

    slope: Floats
    bend: Floats
    samples: Indices


class _Windows(NamedTuple):
    """Of every sample (n,): its time, its window's half width, and what is in it.

    Times are those of the samples without the pauses between pieces.
    """

    time: Floats
    half_width: Floats
    low: Indices
    high: Indices


def local_fit(t: Floats, x: Floats, pieces: Indices, half_width: float) -> Fit:
    """Fit parabolas.

    Args:
        t: (n,) rising, s.
        x: (n, k) samples.
        pieces: (n,) rising numbers; samples of different ones have nothing to do with each other.
        half_width: h, s; larger where samples are further apart.

    Returns:
        Derivatives; 0 in pieces of one sample, bends 0 in those of two.
    """
    begin = np.searchsorted(pieces, pieces, "left")
    end = np.searchsorted(pieces, pieces, "right")
    samples = end - begin
    if len(t) == 0:
        return Fit(np.zeros_like(x), np.zeros_like(x), samples)
    time = np.zeros(len(t))
    np.cumsum(np.where(np.diff(pieces) == 0, np.diff(t), 0.0), out=time[1:])
    h = np.maximum(half_width * EDGE, REACH * _needed(time, begin, end))
    low = np.maximum(np.searchsorted(time, time - h, "left"), begin)
    high = np.minimum(np.searchsorted(time, time + h, "right"), end)
    windows = _Windows(time, h, low, high)
    slope, bend, short = _by_running_sums(windows, x)
    for row in np.flatnonzero(short).tolist():
        slope[row], bend[row] = _one_by_one(windows, x, row)
    slope[samples < 2] = 0.0
    bend[samples < 3] = 0.0
    return Fit(slope, bend, samples)


def _needed(t: Floats, begin: Indices, end: Indices) -> Floats:
    """Return how far (n,) the two neighbours are that a parabola needs; 1 where there is none."""
    own = np.arange(len(t))
    left = t - t[np.maximum(own - 1, begin)]
    right = t[np.minimum(own + 1, end - 1)] - t
    further = np.maximum(t - t[np.maximum(own - 2, begin)], t[np.minimum(own + 2, end - 1)] - t)
    inside = (own > begin) & (own < end - 1)
    needed = np.where(inside, np.maximum(left, right), further)
    return np.where(needed > 0.0, needed, 1.0)


def _by_running_sums(windows: _Windows, x: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return slopes and bends (n, k), and whose digits (n,) were lost."""
    time, h, low, high = windows
    own = np.arange(len(time))
    before, after = int(np.max(own - low)), int(np.max(high - own))
    rows = max(16, _BLOCK * (before + after))
    slope, bend, short = np.empty_like(x), np.empty_like(x), np.empty(len(time), bool)
    step = rows * max(1, _AT_ONCE // rows)
    for first in range(0, len(time), step):
        part = slice(first, min(first + step, len(time)))
        sums, middle, scale = _running_sums(time, x, part, rows, before, after)
        block = (own[part] - first) // rows
        origin = block * (sums.shape[1] - rows) - first + before
        flat = sums.reshape(-1, sums.shape[-1])
        window = flat[origin + high[part]] - flat[origin + low[part]]
        size = scale[block]
        a = (time[part] - time[middle][block]) / size
        found = _parabola(window, a, x[part] - x[middle][block])
        np.divide(found[0], size[:, None], out=slope[part])
        np.divide(found[1], (size * size)[:, None], out=bend[part])
        short[part] = h[part] < _SHORT * size
    return slope, bend, short


def _running_sums(
    time: Floats, x: Floats, part: slice, rows: int, before: int, after: int
) -> tuple[Floats, Indices, Floats]:
    """Return running sums (blocks, length, 5 + 3 k), the middle and the scale of each block."""
    last = len(time) - 1
    first = np.arange(part.start, part.stop, rows)[:, None]
    places = np.clip(first - before + np.arange(rows + before + after), 0, last)
    middle = np.minimum(first + rows // 2, last)
    tau = time[places] - time[middle]
    scale = np.abs(tau[:, [0, -1]]).max(axis=1)
    scale[scale == 0.0] = 1.0
    tau /= scale[:, None]
    k = x.shape[1]
    sums = np.zeros((len(first), places.shape[1] + 1, 5 + 3 * k))
    inner = sums[:, 1:]
    inner[..., 0] = 1.0
    np.subtract(x[places], x[middle], out=inner[..., 5 : 5 + k])
    for power in range(1, 5):
        np.multiply(inner[..., power - 1], tau, out=inner[..., power])
    for begin in (5, 5 + k):
        np.multiply(
            inner[..., begin : begin + k], tau[..., None], out=inner[..., begin + k : begin + 2 * k]
        )
    np.cumsum(inner, axis=1, out=inner)
    return sums, middle[:, 0], scale


def _parabola(window: Floats, a: Floats, x: Floats) -> tuple[Floats, Floats]:
    """Return slope and bend (n, k) from the sums (n, 5 + 3 k) of windows, moved to times a (n,)."""
    s0, s1, s2, s3, s4 = window.T[:5]
    m1 = s1 - a * s0
    m2 = s2 - a * (2.0 * s1 - a * s0)
    m3 = s3 - a * (3.0 * s2 - a * (3.0 * s1 - a * s0))
    m4 = s4 - a * (4.0 * s3 - a * (6.0 * s2 - a * (4.0 * s1 - a * s0)))
    b0, b1, b2 = np.moveaxis(window[:, 5:].reshape(len(a), 3, -1), 1, 0)
    a_ = a[:, None]
    y0 = b0 - x * s0[:, None]
    y1 = b1 - a_ * b0 - x * m1[:, None]
    y2 = b2 - a_ * (2.0 * b1 - a_ * b0) - x * m2[:, None]
    c0, c1, c2, c3 = m1 * m4 - m2 * m3, s0 * m4 - m2 * m2, s0 * m3 - m1 * m2, s0 * m2 - m1 * m1
    determinant = s0 * (m2 * m4 - m3 * m3) - m1 * c0 + m2 * (m1 * m3 - m2 * m2)
    curved = (s0 > 2.5) & (np.abs(determinant) > _SINGULAR * np.abs(s0 * m2 * m4))
    whole = np.where(curved, determinant, 1.0)
    line = np.where(c3 > 0.0, c3, 1.0)
    p0, p1, p2 = (
        np.where(curved, -c0 / whole, -m1 / line)[:, None],
        np.where(curved, c1 / whole, s0 / line)[:, None],
        np.where(curved, -c2 / whole, 0.0)[:, None],
    )
    twice = np.where(curved, 2.0 / whole, 0.0)
    q0, q1, q2 = (
        (twice * (m1 * m3 - m2 * m2))[:, None],
        (-twice * c2)[:, None],
        (twice * c3)[:, None],
    )
    return p0 * y0 + p1 * y1 + p2 * y2, q0 * y0 + q1 * y1 + q2 * y2


def _one_by_one(windows: _Windows, x: Floats, row: int) -> tuple[Floats, Floats]:
    """Return slope and bend (k,) of one sample."""
    time, h, low, high = windows
    inside = slice(low[row], high[row])
    u = (time[inside] - time[row]) / h[row]
    order = min(len(u), 3)
    found = np.linalg.lstsq(np.vander(u, order, increasing=True), x[inside] - x[row], rcond=None)[0]
    slope = found[1] / h[row] if order > 1 else np.zeros(x.shape[1])
    bend = 2.0 * found[2] / h[row] ** 2 if order > 2 else np.zeros(x.shape[1])
    return slope, bend
