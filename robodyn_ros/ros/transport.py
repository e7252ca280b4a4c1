"""Which way a process talks that must not be kept waiting by others."""

from __future__ import annotations

import os

TRANSPORTS = "FASTDDS_BUILTIN_TRANSPORTS"
"""The variable by which Fast DDS is told; other middlewares do not look at it."""


def avoid_shared_memory() -> None:
    """Have Fast DDS send by UDP alone, unless the user has said something else.

    Where it hands messages over in shared memory, a process that another one sends to for the first
    time, or that was killed at a bad moment, keeps all senders of that other one waiting: for
    0.33 s, or 1 s. To be called before rclpy is initialised. It has no effect where the discovery
    range is LOCALHOST, for which rmw_fastrtps chooses transports itself.
    """
    os.environ.setdefault(TRANSPORTS, "UDPv4")
