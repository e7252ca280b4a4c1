"""Controls of a page: told apart are what people do with them and what programs do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

HOLD = 1.0
"""Seconds after somebody used a control for which only people move it."""


def on_user(handle: Any, call: Callable[[], None]) -> None:
    """Call `call` when somebody on a page uses a control, not when a program sets it.

    A page that uses a grey one is no page of ours, and not heard.
    The page's threads deliver the changes of a control in any order: `call` is to read its value.
    """
    attach = handle.on_click if hasattr(handle, "on_click") else handle.on_update

    def used(event: Any) -> None:
        if event.client_id is not None and not handle.disabled:
            call()

    attach(used)


def show_value(handle: Any, value: object) -> None:
    """Let a control have a value, as if somebody had chosen it, but without consequences."""
    # viser's types have the value of a control read-only by mistake.
    handle.value = value


class Hold:
    """Keeps a control to whoever uses it: what comes back of it comes late, and would undo it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin as nobody's.

        Args:
            clock: Returns the time in s.
        """
        self._clock = clock
        self._until = float("-inf")

    def begin(self) -> None:
        """Hold from now on, for `HOLD` s."""
        self._until = self._clock() + HOLD

    @property
    def is_over(self) -> bool:
        """Whether a program may move the control."""
        return self._clock() >= self._until
