"""Commands to joints: numbers by coordinate name in a JointState, checked; from anybody."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from robodyn_ros.conditioning.complaints import Complaint, Severity, Subject, counted
from robodyn_ros.errors import quoted

Field = Literal["position", "velocity", "effort"]
MOST_NAMES = 4096
"""Entries of one command; no robot of ours has as many coordinates."""
REFUSED, UNKNOWN = "refused commands", "unknown names in commands"


class Command(NamedTuple):
    """What of a message is to be done.

    Attributes:
        values: Numbers by coordinate name, SI; empty where nothing is.
        complaints: What is wrong with the rest, or all, of it.
    """

    values: dict[str, float]
    complaints: tuple[Complaint, ...]


class CommandReader:
    """Reads the commands of one topic.

    Attributes:
        topic: Its full name.
    """

    def __init__(self, topic: str, field: Field) -> None:
        """Take its full name, and which array of a JointState has the numbers."""
        self.topic = topic
        self._field = field

    def read(self, message: Any, refusal: Callable[[str], str]) -> Command:
        """Return the command that a sensor_msgs/JointState holds.

        It is refused as a whole where the array has another length than the names, or a number that
        is not finite. Names that cannot be commanded are left out.

        Args:
            message: The message.
            refusal: Returns why a name cannot be commanded, "" for one that can.
        """
        names, numbers = message.name, getattr(message, self._field)
        wrong = self._misfit(names, numbers)
        if wrong:
            return Command({}, (self._complaint(REFUSED, wrong, once=False),))
        reasons = {name: refusal(name) for name in dict.fromkeys(names)}
        values = {
            name: value for name, value in zip(names, numbers, strict=True) if not reasons[name]
        }
        complaints = [*self._about(reasons)]
        if len(reasons) < len(names):
            twice = Counter(names).most_common(1)[0][0]
            text = f"{quoted(twice)} is named more than once; the last value counts"
            complaints.append(self._complaint("repeated names in commands", text))
        return Command(values, tuple(complaints))

    def _misfit(self, names: Sequence[str], numbers: Sequence[float]) -> str:
        field = self._field
        if len(names) > MOST_NAMES:
            return f"it has {len(names)} names; give at most {MOST_NAMES}"
        if len(numbers) != len(names):
            return (
                f"{field} has length {len(numbers)}, but there {_are(len(names))}; give one number"
                f" for each name, in {field}"
            )
        for name, value in zip(names, numbers, strict=True):
            if not math.isfinite(value):
                return f"{field} of {quoted(name)} is {value}; give a finite number"
        return ""

    def _about(self, reasons: dict[str, str]) -> Iterator[Complaint]:
        for name, why in reasons.items():
            if why:
                text = f"{why}; it is ignored"
                yield self._complaint(UNKNOWN, text, about=name, subjects=(Subject(name, why),))

    def _complaint(self, kind: str, text: str, **more: Any) -> Complaint:
        verb = " is refused" if kind == REFUSED else ""
        more.setdefault("about", self.topic)
        return Complaint(Severity.WARN, kind, f"a command on {self.topic}{verb}: {text}", **more)


def _are(count: int) -> str:
    return f"{'is' if count == 1 else 'are'} {counted(count, 'name')}"
