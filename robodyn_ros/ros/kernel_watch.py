"""Tells the operator that kernels are compiled for a robot, and when they are ready."""

from __future__ import annotations

import time
from collections.abc import Callable

from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from robodyn_ros.errors import quoted

PERIOD = 0.25
"""Seconds between two looks while a kernel is compiled."""


class KernelWatch:
    """Says when the first start of a robot is slow, and when that is over.

    A robot whose kernels are kept from an earlier start is not spoken of.
    """

    def __init__(self, node: Node, state: Callable[[], str]) -> None:
        """Watch nothing yet.

        Args:
            node: The node; its executor calls `state`.
            state: Returns "plain", "compiling" or "compiled", and takes what is ready into use.
        """
        self._logger = node.get_logger()
        self._state = state
        self._robot = ""
        self._since = 0.0
        # It looks while somebody's simulated time stands still, too.
        clock = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(PERIOD, self._look, clock=clock)
        self._timer.cancel()

    def begin(self, robot: str) -> None:
        """Watch the kernels of another robot, by name, from now on."""
        self._timer.cancel()
        if self._state() != "compiling":
            return
        self._robot, self._since = quoted(robot), time.monotonic()
        self._timer.reset()
        self._logger.info(
            f"robot {self._robot}: kernels are being compiled for it, as none are kept from an"
            " earlier start; plain functions serve meanwhile, more slowly"
        )

    def _look(self) -> None:
        state = self._state()
        if state == "compiling":
            return
        self._timer.cancel()
        if state == "compiled":
            took = time.monotonic() - self._since
            self._logger.info(f"robot {self._robot}: kernels ready after {took:.1f} s")
        else:
            self._logger.warning(
                f"robot {self._robot}: no kernels to be had; plain functions go on serving,"
                " more slowly"
            )
