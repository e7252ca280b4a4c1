"""A running comparison of measured with computed efforts, and what the difference looks like.

Residuals are regressed on what may cause them over the last seconds: on the weight of links, the
sign of velocities, velocities, accelerations and a constant, joint by joint; on a payload at the
ends of the robot and on another unit, sign or gravity compensation, for joints together. The record
begins anew where the last fraction of a second no longer follows from it: a payload that is taken
up is seen at once, not when the window has gone by.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.analysis.check_causes import (
    Means,
    best_cause,
    common_unit,
    odd_gains,
    something_else_explains_more,
    with_gain,
)
from robodyn_ros.analysis.check_findings import Finding, Words
from robodyn_ros.analysis.check_records import (
    COMPUTED,
    LAST,
    MEASURED,
    PAYLOAD,
    RESIDUAL,
    TERMS,
    Record,
    Sample,
    fitted,
    squares,
)
from robodyn_ros.analysis.contact import smallest_efforts
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model import Model

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LEAST = 0.3
"""Seconds of data before anything is said."""
GAP = 0.5
"""Seconds without a sample that are not counted."""
_LATELY = 0.1
"""Time constant of the short record, s."""
_LOOK = 0.1
"""Seconds between two looks whether something has changed."""
_SETTLED = 1.0
"""Seconds of data before a change of them is looked for."""
_LOOKS = 4
"""How many looks old the record is that the last samples are to follow from."""
_CHANGED = 3.0
"""How many times what does not follow from it is larger than what was left of it then."""
_EXACT = 0.05
"""Share of residuals to which terms are known: in another unit they may be thousands."""
_ABSURD = 100.0
"""How many times what is left of the whole record may be larger than what counts."""
_APART = 2.0
"""How many times what no terms explain is larger in the last samples than in those before."""


class JointCheck(NamedTuple):
    """How measured efforts compare with computed ones, by coordinate; NaN where nothing is known.

    Attributes:
        measured_rms: (nv,) N m or N.
        residual_mean: (nv,) measured less computed, N m or N.
        residual_rms: (nv,) N m or N.
        weight: (nv,) weight of links and payloads that is missing, as a share of the modelled.
        coulomb: (nv,) Coulomb friction that is missing, N m or N.
        viscous: (nv,) viscous friction that is missing, N m s/rad or N s/m.
        inertia: (nv,) inertia that is missing, kg m^2 or kg.
        offset: (nv,) constant that is left, N m or N.
        seconds: (nv,) time that counts, s.
    """

    measured_rms: Floats
    residual_mean: Floats
    residual_rms: Floats
    weight: Floats
    coulomb: Floats
    viscous: Floats
    inertia: Floats
    offset: Floats
    seconds: Floats


class CheckReport(NamedTuple):
    """What a check says at one moment.

    Attributes:
        joints: By coordinate. Terms are those of what the first findings leave: another unit,
            compensated gravity or a payload are taken off before.
        findings: What it looks like, the gravest first; none where all agrees.
    """

    joints: JointCheck
    findings: tuple[Finding, ...]


class ModelCheck:
    """Compares measured efforts with those of a model."""

    def __init__(
        self,
        model: Model,
        *,
        window: float = 10.0,
        frames: Sequence[str] = (),
        smallest: ArrayLike | None = None,
    ) -> None:
        """Begin with nothing.

        Args:
            model: The model.
            window: Time constant with which older samples count less, s.
            frames: Frames that payloads are looked for on, see `tool_frames`.
            smallest: (nv,) efforts that count, N m or N; `smallest_efforts` by default.

        Raises:
            ArgumentError: a window that is not positive.
            UnknownNameError: no such frame.
        """
        if not isinstance(window, (int, float)) or not 0.0 < window < math.inf:
            raise ArgumentError(f"window must be a positive number of s, got {quoted(window)}")
        self.frames = tuple(model.frame(name).name for name in frames)
        count = len(TERMS) + PAYLOAD * len(self.frames) + LAST
        self._record = Record(model.nv, count, window)
        self._lately = Record(model.nv, count, _LATELY)
        self._smallest = (
            smallest_efforts(model) if smallest is None else np.array(smallest, dtype=np.float64)
        )
        units = [
            "N m" if turning else "N"
            for joint in model.own_joints
            for turning in joint.joint.turning()
        ]
        self._words = Words(model.coordinate_names, units)
        self._since_look = 0.0
        #: Which joints were settled, what terms left of residuals, and how much that was, by look.
        self._before: deque[tuple[Flags, Floats, Floats]] = deque(maxlen=_LOOKS)
        self.compensated = False
        self.raw: Flags = np.zeros(model.nv, dtype=bool)

    @property
    def compensated(self) -> bool:
        """Whether weights were taken off computed efforts: the driver is said to hold them."""
        return self._compensated

    @compensated.setter
    def compensated(self, compensated: bool) -> None:
        self._compensated = compensated
        self.reset()

    @property
    def raw(self) -> Flags:
        """Coordinates (nv,) whose measured efforts are as reported, in an unknown unit."""
        return self._raw

    @raw.setter
    def raw(self, raw: Flags) -> None:
        self._raw = np.array(raw, dtype=bool)
        self.reset()

    def reset(self) -> None:
        """Forget all, as after a change of the model or its surroundings."""
        self._record.forget()
        self._lately.forget()
        self._before.clear()

    def update(self, sample: Sample, dt: float) -> None:
        """Take a sample, `dt` s after the one before; nothing of it where that is a gap."""
        if not 0.0 < dt <= GAP:
            return
        columns = sample.columns()
        self._record.add(columns, dt)
        self._lately.add(columns, dt)
        self._since_look += dt
        if self._since_look >= _LOOK:
            self._since_look = 0.0
            self._begin_anew_where_changed()

    def _begin_anew_where_changed(self) -> None:
        """Forget the record where the last samples do not go with those before them.

        They do not follow from what the record was a moment ago, whose terms and payloads may not
        have been told apart yet; and no terms of single joints explain them and those before alike.
        """
        means, lately = self._record.means(), self._lately.means()
        plain = np.zeros(means.shape[:2])
        plain[:, RESIDUAL] = 1.0
        of_joint = [*range(len(TERMS)), means.shape[1] + COMPUTED]
        left = plain - fitted(means, plain, of_joint)
        whole, joint = squares(means, left), squares(lately, left)
        if len(self._before) == _LOOKS:
            settled, expected, usual = self._before[0]
            now, new = squares(lately, expected), self._lately.seconds
            before = np.maximum(whole * self._record.seconds - joint * new, 0.0)
            before /= np.maximum(self._record.seconds - new, _LOOK)
            counts = self._smallest + _EXACT * np.sqrt(squares(lately, plain))
            changed = settled & (np.sqrt(now) > _CHANGED * np.sqrt(usual) + counts)
            changed &= np.sqrt(joint) > _APART * np.sqrt(before) + 0.1 * self._smallest
            # One absurd sample would outweigh all others for many windows.
            absurd = settled & (np.sqrt(whole) > _ABSURD * (self._smallest + np.sqrt(joint)))
            if (changed | absurd).any():
                self._record.forget()
                self._before.clear()
                return
        of_all = range(len(TERMS), means.shape[1] - LAST)
        expected = plain - fitted(means, plain, [*of_joint, *of_all])
        settled = (self._record.seconds >= _SETTLED) & ~self._raw
        self._before.append((settled, expected, squares(means, expected)))

    def record(self) -> Record:
        """Return what is remembered, for a `report` while further samples come."""
        return self._record.copy()

    def report(self, record: Record | None = None) -> CheckReport:
        """Return what the last seconds say, or those of a `record`."""
        taken = self._record if record is None else record
        products, seconds = taken.means(), taken.seconds.copy()
        enough = seconds >= LEAST
        means = Means(products, enough & ~self._raw, self._smallest, self._compensated)
        factor = odd_gains(means._replace(known=enough))
        if something_else_explains_more(means, factor, len(self.frames)):
            factor = np.where(self._raw, factor, np.nan)
        findings = list(self._words.gains(factor, self._raw))
        left = with_gain(means, factor)
        rest = means._replace(known=means.known & ~np.isfinite(factor))
        unit = common_unit(rest)
        if math.isfinite(unit):
            findings.append(self._words.common_unit(unit))
            terms: Floats = np.full((len(seconds), len(TERMS)), np.nan)
        else:
            cause = best_cause(rest, len(self.frames))
            findings += self._words.cause(cause, self.frames, compensated=self._compensated)
            left = np.where(np.isfinite(factor)[:, None], left, cause.left)
            terms, more = self._words.of_joints(means, left)
            findings += more
        joints = _joints(products, enough, ~self._raw & enough, terms, seconds)
        findings.sort(key=lambda finding: -finding.severity)
        return CheckReport(joints, tuple(findings))


def _joints(
    products: Floats, told: Flags, known: Flags, terms: Floats, seconds: Floats
) -> JointCheck:
    """Return the numbers by joint; NaN where there are none."""
    offset = TERMS.index("offset")

    def shown(which: Flags, values: Floats) -> Floats:
        return np.where(which, values, np.nan)

    of_terms = {name: shown(known, terms[:, k]) for k, name in enumerate(TERMS)}
    return JointCheck(
        measured_rms=shown(told, np.sqrt(np.maximum(products[:, MEASURED, MEASURED], 0.0))),
        residual_mean=shown(known, products[:, RESIDUAL, offset]),
        residual_rms=shown(known, np.sqrt(np.maximum(products[:, RESIDUAL, RESIDUAL], 0.0))),
        seconds=seconds,
        **of_terms,
    )
