"""What the state path has to tell the operator, as values; the node logs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

LONGEST_LINE = 1000
_MORE = " ..."
SHOWN = 8
"""Of many names alike, so many are told."""
MAX_SUBJECTS = 256
"""Subjects that one complaint has at most."""


class Severity(Enum):
    """How loud it is said."""

    DEBUG = "debug"
    INFO = "info"
    WARN = "warn"
    ERROR = "error"


class Subject(NamedTuple):
    """A joint, or a name, that a complaint is about, for the diagnostics.

    Attributes:
        name: As it is; foreign names may hold anything.
        what: What it did, or what else is known of it: its last value, the name that is meant.
    """

    name: str
    what: str = ""


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
        subjects: The joints or names concerned, counted one by one in diagnostics; the first
            `MAX_SUBJECTS` of many.
    """

    severity: Severity
    kind: str
    text: str
    about: str = ""
    once: bool = True
    subjects: tuple[Subject, ...] = ()


def one_line(text: object, limit: int = LONGEST_LINE) -> str:
    """Return a message as one line that prints, of bounded length, cut between two words."""
    line = " ".join(str(text).split())[: limit + 1]
    line = "".join(x if x.isprintable() else ascii(x)[1:-1] for x in line)
    return line if len(line) <= limit else _cut(line, limit - len(_MORE)) + _MORE


def _cut(line: str, length: int) -> str:
    """Return at most so many characters, up to the end of a word unless that one is very long."""
    words, _, _ = line[: length + 1].rpartition(" ")
    return words.rstrip(" ,;:(") if len(words) > length // 2 else line[:length]


def counted(number: int, noun: str) -> str:
    """Return a number and a noun: "1 publisher", "2 publishers", "0 publishers"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(texts: Sequence[str], shown: int = SHOWN) -> str:
    """Return the first `shown` texts in one, with dots where there are more."""
    return ", ".join(texts[:shown]) + (", ..." if len(texts) > shown else "")


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
