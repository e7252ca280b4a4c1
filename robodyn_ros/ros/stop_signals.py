"""SIGINT and SIGTERM as a flag, from the first line of a program on.

Nothing is raised from a handler: during imports it could land in a callback of the import system,
which prints it and goes on. The flag is looked at between the steps of a start-up instead. A step
that has not ended `GRACE` after the signal (a file that never ends, a robot of many thousand
links) is cut off together with the process, as quietly. Later the node ends by itself; it too is
cut off, after `LATER_GRACE`, if it is busy with something that long.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
from types import FrameType

GRACE = 2.0
LATER_GRACE = 5.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopSignals:
    """Handles both signals from its making on; in the main thread only.

    Attributes:
        asked: Whether a signal has come.
    """

    def __init__(self, later_grace: float = LATER_GRACE) -> None:
        """Take how long what follows the start-up may take to end, s."""
        self.asked = False
        self._starting = True
        self._later_grace = later_grace
        self._before = {number: signal.getsignal(number) for number in _SIGNALS}
        for number in _SIGNALS:
            signal.signal(number, self)
        # Made early, this is called late: behind it the interpreter takes its handlers down, and
        # the alarm would end the process with its own code.
        atexit.register(self._disarm)

    def _disarm(self) -> None:
        if self.asked:
            signal.setitimer(signal.ITIMER_REAL, 0.0)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Note a signal."""
        self.asked = True
        self._leave_after(GRACE if self._starting else self._later_grace)

    def note_only(self) -> None:
        """End the start-up: whatever runs now ends by itself when a signal comes."""
        self._starting = False
        if self.asked:
            self._leave_after(0.0)

    def ignore(self) -> None:
        """Let further signals not disturb the end of the process, which is cut off as well.

        Threads of libraries that do not end would hold it for ever.
        """
        self.note_only()
        if self.asked:
            self._leave_after(self._later_grace)
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)

    def release(self) -> None:
        """Handle signals as before again, if none has come; else the end is not disturbed."""
        if self.asked:
            self.ignore()
            return
        self.note_only()
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @staticmethod
    def _leave_after(grace: float) -> None:
        """End the process in so many s, 0 for not at all.

        The timer is touched only once a signal has come: until then it is free for whoever
        else in the process needs it.
        """
        signal.signal(signal.SIGALRM, _leave)
        signal.setitimer(signal.ITIMER_REAL, grace)


def _leave(number: int, frame: FrameType | None) -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(0)
