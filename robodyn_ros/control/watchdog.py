"""Is the state of a robot still fit to act on? Found out from what came, and when."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.control.faults import Fault, FaultKind
from robodyn_ros.errors import quoted

Floats = NDArray[np.float64]
_NAMED = 4


@dataclass(frozen=True)
class WatchdogLimits:
    """When a state is not fit any more.

    Attributes:
        state_timeout: s without a state, or of a joint without a valid value.
        min_rate: States a second, over `rate_window`; 0 for any.
        rate_window: s.
        clock_jump: s by which stamps may leap against the time that passed; back not at all.
        residual_limit: (n,) N m or N between model and measured efforts; inf for any.
        residual_time: s for which a residual may be beyond it.
    """

    state_timeout: float
    min_rate: float
    rate_window: float
    clock_jump: float
    residual_limit: Floats
    residual_time: float


class Watchdog:
    """Looks at the states of n commanded joints as they come, and at the time as it passes.

    All times are monotonic, s; one thread at a time.
    """

    def __init__(self, limits: WatchdogLimits, names: tuple[str, ...]) -> None:
        """Take the limits, and the names of the joints."""
        self._limits = limits
        self._names = names
        self.begin(0.0)

    def begin(self, now: float) -> None:
        """Forget what came before."""
        self._arrival = now
        self._begun = now
        self._stamp: int | None = None
        self._arrivals: deque[float] = deque()
        self._invalid: dict[str, tuple[float, str]] = {}
        self._beyond: Floats = np.full(len(self._names), np.nan)

    def state(self, now: float, stamp: int, troubles: Mapping[str, str]) -> Fault | None:
        """Take a state that came.

        Args:
            now: When.
            stamp: Its stamp, ns.
            troubles: Why joints have no valid value in it, by name; those without are not in it.

        Returns:
            What its stamp gives away.
        """
        fault = self._clock_fault(now, stamp)
        self._arrival, self._stamp = now, stamp
        self._arrivals.append(now)
        for name in self._names:
            reason = troubles.get(name)
            if reason is None:
                self._invalid.pop(name, None)
            else:
                since = self._invalid.get(name, (now, ""))[0]
                self._invalid[name] = since, reason
        return fault

    def silence(self, now: float) -> Fault | None:
        """Return whether no state has come for too long, s.

        Before a state is taken it is the silence before that, at which perhaps nobody looked.
        """
        silent, most = now - self._arrival, self._limits.state_timeout
        if silent <= most:
            return None
        text = (
            f"no joint state for {silent * 1e3:.0f} ms (state_timeout is {most * 1e3:g} ms): is the"
            " driver alive, or this computer too busy?"
        )
        return Fault(FaultKind.STALE_STATE, text)

    def _clock_fault(self, now: float, stamp: int) -> Fault | None:
        if self._stamp is None:
            return None
        step = (stamp - self._stamp) * 1e-9
        passed = now - self._arrival
        most = self._limits.clock_jump
        if step < 0.0 or step - passed > most:
            back = "back " if step < 0.0 else ""
            text = (
                f"the stamps of joint states jumped {back}by {abs(step):.3g} s while"
                f" {passed:.3g} s passed: the clock was set, or a simulation reset"
            )
            return Fault(FaultKind.CLOCK_JUMP, text)
        return None

    def residual(self, now: float, residual: Floats) -> None:
        """Take the residuals (n,) of efforts; NaN where nothing is known."""
        with np.errstate(invalid="ignore"):
            beyond = np.abs(residual) > self._limits.residual_limit
        self._beyond = np.where(beyond, np.fmin(self._beyond, now), np.nan)

    def look(self, now: float) -> Iterator[Fault]:
        """Yield what is wrong now."""
        limits = self._limits
        if (silence := self.silence(now)) is not None:
            yield silence
        yield from self._invalid_faults(now)
        rate = self._rate(now)
        if rate < limits.min_rate:
            text = f"{rate:.0f} joint states/s, at least {limits.min_rate:g} are needed (min_rate)"
            yield Fault(FaultKind.LOW_RATE, text)
        with np.errstate(invalid="ignore"):
            rows = np.flatnonzero(now - self._beyond > limits.residual_time)
        if len(rows):
            names = ", ".join(quoted(self._names[row]) for row in rows[:_NAMED])
            text = (
                f"efforts of {names} differ from the model's by more than residual_limit: contact,"
                " a payload that is not known, or a wrong model"
            )
            yield Fault(FaultKind.RESIDUAL, text)

    def _invalid_faults(self, now: float) -> Iterator[Fault]:
        late = [
            (name, reason)
            for name, (since, reason) in self._invalid.items()
            if now - since > self._limits.state_timeout
        ]
        if late:
            listed = ", ".join(f"{quoted(name)} ({reason})" for name, reason in late[:_NAMED])
            yield Fault(FaultKind.INVALID_STATE, f"no valid state of {listed}")

    def _rate(self, now: float) -> float:
        """Return states a second over the window; inf before there is one."""
        window = self._limits.rate_window
        arrivals = self._arrivals
        while arrivals and arrivals[0] < now - window:
            arrivals.popleft()
        if self._limits.min_rate <= 0.0 or now - self._begun < window:
            return np.inf
        return len(arrivals) / window
