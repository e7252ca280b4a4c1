"""What the state path has to tell the operator, as values; the node logs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

LONGEST_LINE = 1000
SHOWN = 8
"""Of many names alike, so many are told."""


class Severity(Enum):
    """How loud it is said."""

    DEBUG = "debug"
    INFO = "info"
    WARN = "warn"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing to say.

    Attributes:
        severity: How loud.
        kind: What kind of trouble it is; counted under this name in diagnostics.
        text: One line.
        about: What it is about. The same kind about the same thing is not said again (or not for
            a while).
        once: Whether it is said once for a description; else at most every few seconds.
    """

    severity: Severity
    kind: str
    text: str
    about: str = ""
    once: bool = True


def one_line(text: object) -> str:
    """Return a message as one line that prints, of bounded length."""
    line = " ".join(str(text).split())
    if len(line) > LONGEST_LINE:
        line = line[: LONGEST_LINE - 3] + "..."
    return "".join(x if x.isprintable() else ascii(x)[1:-1] for x in line)


def listed(texts: Sequence[str]) -> str:
    """Return the first `SHOWN` texts in one, with dots where there are more."""
    return ", ".join(texts[:SHOWN]) + (", ..." if len(texts) > SHOWN else "")


class Memory:
    """Decides what is said: each thing once, or at most once in `PERIOD` seconds."""

    PERIOD = 5.0
    CAPACITY = 64
    """Things of one kind that are remembered."""

    def __init__(self) -> None:
        self._said: dict[str, dict[str, float]] = {}
        self._newest: dict[str, float] = {}

    def allows(self, complaint: Complaint, now: float) -> bool:
        """Return whether to say it at monotonic time `now` (s), and remember that it was said.

        When `CAPACITY` things of a kind are remembered, another of that kind is said once in
        `PERIOD` seconds only, and the oldest forgotten: a flood of names must not become a flood of
        lines, nor silence what is new.
        """
        kind, about = complaint.kind, complaint.about
        said = self._said.setdefault(kind, {})
        last = said.get(about)
        if last is None:
            if len(said) >= self.CAPACITY:
                if now - self._newest[kind] < self.PERIOD:
                    return False
                del said[next(iter(said))]
        elif complaint.once or now - last < self.PERIOD:
            return False
        said[about] = self._newest[kind] = now
        return True

    def forget(self) -> None:
        """Start over, as after a change of the description."""
        self._said.clear()
