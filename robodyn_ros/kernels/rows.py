"""Threads that share the rows of a batch: what compiled code (:mod:`sharing`) knows of a process.

The threads are Python's, so that they have names and end with it, but they wait and work in
compiled code, without the interpreter: a caller wakes them by a semaphore.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading

from robodyn_ros.kernels.records import Team as Fields

STREAMING = 2 << 20
"""Outputs of so many bytes are written past the cache: they would not stay in it."""

SHARE = 250_000
"""Instructions and results for which another thread pays, about 40 us: to wake it takes some 20."""

RELEASE = 300_000
"""Instructions and results for which the interpreter lock is released: some 50 us. To get it back
from a busy thread may take 5 ms."""


class Process(ctypes.Structure):
    """What batches of all kernels share; there is one, which never moves.

    Attributes:
        team: Address of the `Team`'s memory, 0 before its threads have started.
        spare: Scratch memory between calls.
        streaming: `STREAMING`.
        share: `SHARE`.
        release: `RELEASE`.
    """

    _fields_ = (
        ("team", ctypes.c_void_p),
        ("spare", ctypes.c_void_p),
        ("streaming", ctypes.c_int64),
        ("share", ctypes.c_int64),
        ("release", ctypes.c_int64),
    )


_FUNCTIONS = {Fields.POST: "sem_post", Fields.WAIT: "sem_wait", Fields.TRY_WAIT: "sem_trywait"}

PROCESS = Process(None, None, STREAMING, SHARE, RELEASE)


class Team:
    """Threads that wait for batches; without any where there are no semaphores for them.

    Attributes:
        address: Of the memory that compiled code reads.
    """

    def __init__(self) -> None:
        """Make a team without threads."""
        self._memory = ctypes.create_string_buffer(Fields.SIZE + 64)
        self.address = -(-ctypes.addressof(self._memory) // 64) * 64
        self._started = 0
        self._lock = threading.Lock()
        self._usable: bool | None = None

    def _set_up(self) -> bool:
        """Return whether there are semaphores that compiled code may use: on Linux."""
        if sys.platform != "linux":
            return False
        library = ctypes.CDLL(None)
        for offset, name in _FUNCTIONS.items():
            place = ctypes.c_void_p.from_address(self.address + offset)
            place.value = ctypes.cast(library[name], ctypes.c_void_p).value
        semaphores = [ctypes.c_void_p(self.address + x) for x in (Fields.WORK, Fields.DONE)]
        return all(library.sem_init(semaphore, 0, 0) == 0 for semaphore in semaphores)

    def grow(self, workers: int, entry: int, code: object) -> int:
        """Return how many threads there are, after there should be so many `workers`.

        `entry` is the address of ``@worker`` in `code`, which is never let go: threads may wait in
        it until the process has ended.
        """
        with self._lock:
            if self._usable is None:
                self._usable = self._set_up()
            while self._usable and self._started < workers:
                work = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(entry)
                name = f"robodyn-kernel-{self._started}"
                thread = threading.Thread(target=work, args=(self.address,), name=name, daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # no more threads, or the interpreter is about to end
                    self._usable = False
                    break
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(code))
                self._started += 1
            useful = ctypes.c_int64.from_address(self.address + Fields.WORKERS)
            useful.value = min(self._started, available_threads() - 1)
            return self._started


_teams = [Team()]


def available_threads() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def helpers(count: int, entry: int, code: object) -> int:
    """Return how many threads may help with a batch: at most `count`.

    They are started where there are too few; see `Team.grow` for `entry` and `code`.
    """
    team = _teams[0]
    workers = team.grow(count, entry, code)
    PROCESS.team = team.address
    return min(count, workers)


def _leave_team() -> None:
    """Forget the threads, which do not survive a fork: the child starts its own."""
    PROCESS.team = None
    _teams[:] = [Team()]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_team)
