"""Where compiled functions and Python keep what they share while threads serve a batch.

The numbers are offsets in bytes. What several threads change lies on cache lines of its own.
"""

from __future__ import annotations

from typing import Final


class Process:
    """What batches of all kernels have in common: the fields of :class:`rows.Process`."""

    TEAM: Final = 0
    SPARE: Final = 8
    STREAMING: Final = 16
    SHARE: Final = 24
    RELEASE: Final = 32


class Team:
    """Threads that wait: who has them, what they are to do, two semaphores, how many are of use.

    The semaphores are ``work``, a token for each helper that is called, and ``done``, one for each
    that has finished. Their functions are found by Python: not every system has them.
    """

    OWNED: Final = 0
    JOB: Final = 64
    WORK: Final = 128
    DONE: Final = 192
    POST: Final = 256
    WAIT: Final = 264
    TRY_WAIT: Final = 272
    WORKERS: Final = 280
    SIZE: Final = 320


class Job:
    """A batch, in its caller's stack: a function that serves blocks of it, and on what."""

    RUN: Final = 0
    INPUTS: Final = 8
    STRIDES: Final = 16
    OUTPUTS: Final = 24
    WORKSPACE: Final = 32
    ROWS: Final = 40
    PARTS: Final = 48
    STREAMING: Final = 56
    NEXT: Final = 64
    SEATS: Final = 128
    REFUSED: Final = 136
    SIZE: Final = 192
