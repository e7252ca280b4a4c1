"""Commands on their way to the motors."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from numpy.typing import ArrayLike

from robodyn_ros.simulation.motors import CommandMode

_MOST = 100_000
"""Commands that wait at most; the oldest are lost where more come within the delay."""


class Waiting(NamedTuple):
    """A command, and the step with which it begins to act."""

    due: int
    mode: CommandMode
    names: tuple[str, ...]
    values: ArrayLike


class WaitingCommands:
    """Commands in the order in which they came, each to act the same number of steps later."""

    def __init__(self, delay: int) -> None:
        """Take the delay in steps."""
        self.delay = delay
        self._waiting: deque[Waiting] = deque(maxlen=_MOST)

    def __bool__(self) -> bool:
        """Return whether any waits."""
        return bool(self._waiting)

    def add(self, now: int, mode: CommandMode, names: Sequence[str], values: ArrayLike) -> None:
        """Let a command wait that came before step `now`."""
        self._waiting.append(Waiting(now + self.delay, mode, tuple(names), values))

    def due(self, now: int) -> Iterator[Waiting]:
        """Yield, and forget, those that act in step `now` for the first time."""
        while self._waiting and self._waiting[0].due <= now:
            yield self._waiting.popleft()

    def clear(self) -> None:
        """Forget them."""
        self._waiting.clear()
