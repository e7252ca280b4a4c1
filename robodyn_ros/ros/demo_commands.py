"""Coordinates of a played motion that are told where to go: they leave it smoothly, and stay.

A coordinate goes from one curve a(t) to another b(t), which is constant where it was told to stay
and the played motion where it is let go, as p = (1 - s) a + s b. Here s goes from 0 to 1 as
10 x^3 - 15 x^4 + 6 x^5, with x the share of the time that has passed. So p never leaves the range
that a and b are in, whatever s is, and its velocity is (1 - s) da/dt + s db/dt + ds/dt (b - a). A
command that comes meanwhile goes on from there in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Curve = Callable[[Floats], tuple[Floats, Floats]]
"""Positions and velocities (...) of one coordinate at times (...) of the clock, s."""

SHORTEST = 0.5
"""Seconds that a coordinate takes to get anywhere, at least."""
LONGEST = 60.0
"""Seconds after which it is there, whatever its limit of speed says."""
MOST_CHANGES = 24
"""Changes of one coordinate that are under way; of more the newest waits."""
_LOOKS: Floats = np.arange(41) / 40.0
"""Moments of a change at which its speed is looked at, as shares of its duration."""
_LONGER = 1.25


class Change(NamedTuple):
    """One coordinate on its way to another curve.

    Attributes:
        start: Time of the clock at which it begins, s.
        duration: How long it takes, s.
        target: Where it goes, None for back to the played motion.
    """

    start: float
    duration: float
    target: float | None

    def share(self, now: Floats) -> tuple[Floats, Floats]:
        """Return s and its derivative, 1/s, at times (...)."""
        x = np.clip((now - self.start) / self.duration, 0.0, 1.0)
        s: Floats = x * x * x * (10.0 + x * (6.0 * x - 15.0))
        ds: Floats = 30.0 * (x * (1.0 - x)) ** 2 / self.duration
        return s, ds

    def is_over(self, now: float) -> bool:
        """Return whether the other curve is reached."""
        return now >= self.start + self.duration


class CommandedCoordinate:
    """One coordinate of a motion, played or commanded."""

    def __init__(self, played: Curve, speed: float) -> None:
        """Begin with the played motion.

        Args:
            played: That motion.
            speed: Highest speed of the coordinate, inf for any.
        """
        self._played = played
        self._speed = speed
        self._changes: list[Change] = []
        self._waiting: list[float | None] = []

    @property
    def is_played(self) -> bool:
        """Whether nothing but the played motion moves it."""
        return not self._changes and not self._waiting

    def go(self, target: float | None, now: float) -> None:
        """Go to a position and stay there, or (None) back to the played motion."""
        if target is None and self.is_played:
            return
        self._waiting[:] = [target]
        self._begin(now)

    def at(self, now: float) -> tuple[float, float]:
        """Return position and velocity."""
        self._tidy(now)
        position, velocity = self._values(np.array(now), self._changes)
        return float(position), float(velocity)

    def _values(self, now: Floats, changes: Sequence[Change]) -> tuple[Floats, Floats]:
        played = position, velocity = self._played(now)
        for change in changes:
            s, ds = change.share(now)
            goal, rate = played if change.target is None else (change.target, 0.0)
            velocity = (1.0 - s) * velocity + s * rate + ds * (goal - position)
            position = (1.0 - s) * position + s * goal
        return position, velocity

    def _tidy(self, now: float) -> None:
        """Forget what lies behind the last change that is over; begin the one that waits."""
        over = [k for k, change in enumerate(self._changes) if change.is_over(now)]
        if over:
            del self._changes[: over[-1]]
            if self._changes[0].target is None:
                del self._changes[0]
        self._begin(now)

    def _begin(self, now: float) -> None:
        if not self._waiting or len(self._changes) >= MOST_CHANGES:
            return
        target = self._waiting.pop()
        duration = SHORTEST
        while duration < LONGEST:
            change = Change(now, duration, target)
            moments = now + duration * _LOOKS
            _, velocity = self._values(moments, [*self._changes, change])
            if float(np.abs(velocity).max()) <= self._speed:
                break
            duration *= _LONGER
        self._changes.append(Change(now, duration, target))


class CommandedMotion:
    """The coordinates of a played motion by name, each played or commanded."""

    def __init__(self, curves: Mapping[str, Curve], speeds: Sequence[float]) -> None:
        """Begin with the played motion.

        Args:
            curves: That motion of each coordinate.
            speeds: Highest speed of each, inf for any.
        """
        self._curves = {
            name: (curve, speed)
            for (name, curve), speed in zip(curves.items(), speeds, strict=True)
        }
        self._commanded: dict[str, CommandedCoordinate] = {}

    def go(self, targets: Mapping[str, float], now: float) -> None:
        """Send coordinates to positions, by name."""
        for name, target in targets.items():
            if name not in self._commanded:
                self._commanded[name] = CommandedCoordinate(*self._curves[name])
            self._commanded[name].go(target, now)

    def release(self, now: float) -> None:
        """Send all coordinates back to the played motion."""
        for coordinate in self._commanded.values():
            coordinate.go(None, now)

    def at(self, now: float) -> dict[str, tuple[float, float]]:
        """Return position and velocity of those that are not only played, by name."""
        found = {name: coordinate.at(now) for name, coordinate in self._commanded.items()}
        kept = {name: x for name, x in self._commanded.items() if not x.is_played}
        self._commanded = kept
        return found
