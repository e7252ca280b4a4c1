"""Real-time priority for a controller's process: a busy machine does not keep it waiting."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_TASKS = Path("/proc/self/task")


def prefer(priority: int) -> str:
    """Schedule all threads of this process first in, first out (SCHED_FIFO).

    All of them, those of DDS too: a thread that is kept waiting while it has Python's lock, or a
    message, keeps the others waiting. Processes and threads that they start later have no priority.

    Args:
        priority: 1 to 99; that of interrupts of a kernel with PREEMPT_RT is 50.

    Returns:
        What is wrong, and what to do about it; "" where nothing is.
    """
    if not hasattr(os, "sched_setscheduler") or not _TASKS.is_dir():
        return "thread_priority has no effect: this system has no SCHED_FIFO; set it to 0"
    try:
        _schedule(os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, priority)
    except OSError as error:
        return (
            f"thread_priority {priority} cannot be had ({error.strerror}), and a busy machine may"
            f" delay the controller: let the user have it (rtprio {priority} in"
            " /etc/security/limits.conf, or CAP_SYS_NICE), or set it to 0"
        )
    return ""


def leave() -> None:
    """Go back to what `prefer` changed."""
    with contextlib.suppress(OSError, AttributeError):
        _schedule(os.SCHED_OTHER, 0)


def _schedule(policy: int, priority: int) -> None:
    for task in _TASKS.iterdir():
        with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
            os.sched_setscheduler(int(task.name), policy, os.sched_param(priority))
