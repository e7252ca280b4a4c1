"""What a model check found, in words, each with a remedy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.analysis.check_causes import Cause, Means
from robodyn_ros.analysis.check_records import (
    COULOMB,
    INERTIA,
    OFFSET,
    TERMS,
    VISCOUS,
    WEIGHT,
    fitted,
    squares,
)
from robodyn_ros.errors import quoted

Floats = NDArray[np.float64]

UNIQUE = 0.2
"""Share of a joint's squared residual that only one term explains, from which on it is told."""
_SHOWN = 8


class Severity(IntEnum):
    """How bad it is."""

    INFO = 0
    WARN = 1
    ERROR = 2


class Finding(NamedTuple):
    """One thing that measurements say of the model.

    Attributes:
        kind: What kind: "compensation", "unit", "sign", "gain", "payload", "friction", "inertia",
            "offset", "weight", "unexplained", "settings".
        severity: How bad it is.
        names: Coordinates concerned; of a payload the frame.
        text: One line with the remedy.
        mass: Of a payload, kg: more than the model has, or less below 0.
        com: (3,) of it, in the frame, m.
    """

    kind: str
    severity: Severity
    names: tuple[str, ...]
    text: str
    mass: float = 0.0
    com: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def key(self) -> str:
        """What tells it from others, whatever its numbers are."""
        return f"{self.kind} {' '.join(self.names)}"


class Words:
    """Puts causes into words for one robot."""

    def __init__(self, names: Sequence[str], units: Sequence[str]) -> None:
        """Take the coordinates' names and the units of their efforts, "N m" or "N"."""
        self._names = tuple(names)
        self._units = tuple(units)

    def gains(self, factor: Floats, raw: NDArray[np.bool_]) -> Iterator[Finding]:
        """Yield what factors (nv,) from measured to computed efforts mean; NaN says nothing.

        `raw` (nv,) are efforts that are refused so far: their unit is not known, or amperes.
        """
        for k in np.flatnonzero(np.isfinite(factor)).tolist():
            name, f = self._names[k], float(factor[k])
            where = f"joints.{name}.effort_gain"
            if not raw[k] and -1.0 / 0.6 < f < -0.6:
                text = f"sign of joint {quoted(name)} is reversed; set {where} to -1"
                yield Finding("sign", Severity.ERROR, (name,), text)
                continue
            turned = " and a reversed sign" if f < 0.0 else ""
            remedy = f"; set {where} to {f:.3g}"
            told = f"effort of joint {quoted(name)}"
            if raw[k] or abs(f) > 1.5:
                unit = "N m/A" if self._units[k] == "N m" else "N per A"
                text = f"{told} looks like amps: factor {f:.3g} {unit}{turned}"
                yield Finding("unit", Severity.ERROR, (name,), text + remedy)
            elif abs(f) < 0.6:
                text = f"{told} is {1.0 / f:.3g} times the model's, as in another unit{turned}"
                yield Finding("unit", Severity.ERROR, (name,), text + remedy)
            else:
                text = f"{told} is {1.0 / f:.3g} times the model's"
                yield Finding("gain", Severity.WARN, (name,), text + remedy)

    def common_unit(self, factor: float) -> Finding:
        """Return that efforts look like another unit, or like a driver that holds the weight."""
        text = (
            f"measured efforts are alike but small, 1/{factor:.3g} of the model's: amps"
            " (joints.NAME.effort_gain), or a driver that compensates gravity"
            " (driver_compensates_gravity)? move the robot to tell"
        )
        return Finding("unit", Severity.ERROR, (), text)

    def cause(self, cause: Cause, frames: Sequence[str], *, compensated: bool) -> Iterator[Finding]:
        """Yield what a cause is."""
        if cause.kind == "compensation":
            yield _compensation(compensated=compensated)
        elif cause.kind == "gain" and cause.factor is not None:
            yield from self.gains(cause.factor, np.zeros(len(self._names), dtype=bool))
        elif cause.kind == "payload" and cause.com is not None:
            yield _payload(cause.mass, cause.com, frames[cause.frame])

    def of_joints(self, means: Means, left: Floats) -> tuple[Floats, list[Finding]]:
        """Return what the terms of residuals (nv, 5) are, and what is to be said of them.

        Args:
            means: What is looked at.
            left: (nv, c) combination of columns that causes left of the residual.
        """
        chosen = list(range(len(TERMS)))
        found = fitted(means.products, left, chosen)
        total = squares(means.products, left)
        rest = squares(means.products, left - found)
        told: list[Finding] = []
        large = means.known & (total > means.smallest**2)
        without = {
            group: self._without(means, left, [k for k in chosen if k not in group]) - rest
            for group in _GROUPS
        }
        for j in np.flatnonzero(large).tolist():
            shares = {group: float(x[j] / total[j]) for group, x in without.items()}
            named = [group for group, share in shares.items() if share >= UNIQUE]
            told += [self._term(j, group, found[j]) for group in named]
            if named:
                continue
            size = float(np.sqrt(total[j]))
            told.append(self._nameless(j, size, explained=bool(rest[j] < 0.5 * total[j])))
        return found[:, : len(TERMS)], told

    def _without(self, means: Means, left: Floats, chosen: list[int]) -> Floats:
        return squares(means.products, left - fitted(means.products, left, chosen))

    def _term(self, j: int, group: tuple[int, ...], found: Floats) -> Finding:
        name, unit = self._names[j], self._units[j]
        speed = "rad/s" if unit == "N m" else "m/s"
        if group == (COULOMB, VISCOUS):
            coulomb, viscous = float(found[COULOMB]), float(found[VISCOUS])
            text = (
                f"friction of joint {quoted(name)} is {coulomb:.3g} {unit} {_plus(viscous)}"
                f" {unit} per {speed} more than modelled; add that to joints.{name}.friction and"
                " damping"
            )
            return Finding("friction", Severity.WARN, (name,), text)
        if group == (INERTIA,):
            size = "kg m^2" if unit == "N m" else "kg"
            text = (
                f"inertia at joint {quoted(name)} is {found[INERTIA]:.3g} {size} more than"
                f" modelled; is the rotor's missing? add it to joints.{name}.armature"
            )
            return Finding("inertia", Severity.WARN, (name,), text)
        if group == (WEIGHT,):
            text = (
                f"weight at joint {quoted(name)} is {100.0 * found[WEIGHT]:+.0f} % off; look at"
                " masses and centres of mass of the links that it carries"
            )
            return Finding("weight", Severity.WARN, (name,), text)
        text = (
            f"effort of joint {quoted(name)} has an offset of {found[OFFSET]:+.3g} {unit};"
            " calibrate its sensor's zero"
        )
        return Finding("offset", Severity.WARN, (name,), text)

    def _nameless(self, j: int, size: float, *, explained: bool) -> Finding:
        name, unit = self._names[j], self._units[j]
        if explained:
            text = (
                f"effort of joint {quoted(name)} is {size:.3g} {unit} off; move it to and fro"
                " through its range to tell friction, weight and offset from each other"
            )
        else:
            text = (
                f"effort of joint {quoted(name)} is {size:.3g} {unit} off for no simple cause: does"
                " something touch the robot, are velocities noisy, or links wrong?"
            )
        return Finding("unexplained", Severity.WARN, (name,), text)


_GROUPS: tuple[tuple[int, ...], ...] = ((COULOMB, VISCOUS), (INERTIA,), (WEIGHT,), (OFFSET,))


def _plus(number: float) -> str:
    return f"{'-' if number < 0.0 else '+'} {abs(number):.3g}"


def _compensation(*, compensated: bool) -> Finding:
    if compensated:
        text = (
            "measured efforts hold the weight, other than driver_compensates_gravity says; set"
            " measured_efforts_include_gravity to true, or that to false if commands hold it too"
        )
    else:
        text = (
            "driver seems to compensate gravity already: measured efforts lack the weight; set"
            " driver_compensates_gravity to true"
        )
    return Finding("compensation", Severity.ERROR, (), text)


def _payload(mass: float, com: Floats, frame: str) -> Finding:
    x, y, z = com.tolist()
    place = f"centre at ({x:.3f}, {y:.3f}, {z:.3f}) m"
    if mass > 0.0:
        text = (
            f"a tool of about {mass:.2g} kg at {quoted(frame)} is missing in the model, {place};"
            " call set_payload or payloads.NAME with it"
        )
    else:
        text = (
            f"the model has about {-mass:.2g} kg too much at {quoted(frame)}, {place}; is a payload"
            " set that is not there? call set_payload with remove"
        )
    return Finding("payload", Severity.WARN, (frame,), text, mass, (x, y, z))
