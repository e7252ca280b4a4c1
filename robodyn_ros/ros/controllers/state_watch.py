"""The watchdog of a controller in its node: which joints it looks at, and by which time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.control import Fault, FaultKind
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.ros.clock_watch import is_simulated
from robodyn_ros.ros.controllers.assembly import Assembly
from robodyn_ros.ros.state_node import StateNode

Floats = NDArray[np.float64]
PATIENCE = 20.0
"""Times `state_timeout` in real time for which a simulation may stand still."""


class StateWatch:
    """Watches the joint states of one controller.

    Times given are monotonic, s. Where the node is on simulated time, states are judged by that, so
    that a slow simulation is no slow driver; but states that do not come at all are missed in real
    time too, since a clock that stands still may be one that nobody publishes.
    """

    def __init__(self, node: StateNode, made: Assembly, path: StatePath) -> None:
        """Find the commanded joints among those that joint states give.

        Raises:
            ArgumentError: joint states do not give one of them.
        """
        self._node, self._path = node, path
        self._names, self._dog = made.commanded.names, made.watchdog
        self._timeout = node.config.number("state_timeout")
        slots = path.plan.slots.names
        missing = [name for name in self._names if name not in slots]
        if missing:
            raise ArgumentError(
                f"joint states do not give {quoted(missing[0])}: it cannot be commanded; name in"
                " command_joints those that can"
            )
        self._slots = np.array([slots.index(name) for name in self._names], dtype=np.intp)
        self._arrival = 0.0

    def begin(self, now: float) -> None:
        """Forget what came before."""
        self._arrival = now
        self._dog.begin(self._judged(now))

    def state(self, now: float, stamp: int) -> tuple[Fault, ...]:
        """Take a state that came, its stamp in ns; return what is found out by it.

        In real time that is also a silence before it, while this process itself was kept waiting.
        Simulated time comes by another thread, and leaps where that one is late.
        """
        judged = self._judged(now)
        silence = self._dog.silence(now) if judged == now else None
        self._arrival = now
        jump = self._dog.state(judged, stamp, self.troubles(stamp))
        return tuple(fault for fault in (silence, jump) if fault is not None)

    def residual(self, now: float, residual: Floats) -> None:
        """Take the residuals (n,) of efforts; NaN where nothing is known."""
        self._dog.residual(self._judged(now), residual)

    def look(self, now: float) -> Iterator[Fault]:
        """Yield what is wrong now."""
        judged = self._judged(now)
        yield from self._dog.look(judged)
        silent = now - self._arrival
        if judged != now and silent > PATIENCE * self._timeout:
            text = (
                f"no joint state for {silent:.1f} s, and simulated time may stand still: is the"
                " simulation paused, or nobody on /clock?"
            )
            yield Fault(FaultKind.STALE_STATE, text)

    def troubles(self, stamp: int) -> dict[str, str]:
        """Return why commanded joints have no valid value at a stamp in ns, by name."""
        usable, age = self._path.usable(stamp)
        slots = self._slots
        good = usable[slots] & (age[slots] >= 0.0) & (age[slots] <= self._timeout)
        if good.all():
            return {}
        reasons = self._path.joints.reasons()
        return {
            self._names[k]: reasons[slots[k]] or f"{age[slots[k]]:.2f} s old"
            for k in np.flatnonzero(~good).tolist()
        }

    def _judged(self, now: float) -> float:
        clock = self._node.get_clock()
        if is_simulated(clock):
            return float(clock.now().nanoseconds) * 1e-9
        return now
