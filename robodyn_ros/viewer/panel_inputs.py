"""Controls of a page: told apart are what people do with them and what programs do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def on_user(handle: Any, call: Callable[[], None]) -> None:
    """Call `call` when somebody on a page uses a control, not when a program sets it.

    The page's threads deliver the changes of a control in any order: `call` is to read its value.
    """
    attach = handle.on_click if hasattr(handle, "on_click") else handle.on_update

    def used(event: Any) -> None:
        if event.client_id is not None:
            call()

    attach(used)


def show_value(handle: Any, value: object) -> None:
    """Let a control have a value, as if somebody had chosen it, but without consequences."""
    # viser's types have the value of a control read-only by mistake.
    handle.value = value
