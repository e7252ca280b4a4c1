"""Where an evaluator's kernel comes from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from robodyn_ros.model import Model


class KernelSource:
    """Plain for now."""

    def __init__(self, model: Model, name: str, compile: str) -> None:
        self.kernel: Any = None
        self.state = "plain"

    def poll(self, fallback: Callable[..., Any], *, wait: bool = False) -> bool:
        return False
