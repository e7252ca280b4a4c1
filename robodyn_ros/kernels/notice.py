"""Warnings that are given once: work goes on without a kernel, only slower."""

from __future__ import annotations

import logging

logger = logging.getLogger("robodyn_ros.kernels")

_said: set[str] = set()


def warn_once(message: str) -> None:
    """Log `message` as a warning of logger ``robodyn_ros.kernels``, the first time only."""
    if message not in _said:
        _said.add(message)
        logger.warning(message)
