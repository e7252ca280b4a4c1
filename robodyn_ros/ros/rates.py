"""Counters of what passes through a node."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from robodyn_ros.conditioning.complaints import Complaint, Severity

_TROUBLES = (Severity.WARN, Severity.ERROR)
MAX_MENTIONED = 256
"""Joints or names of one kind of complaint that are remembered; of more the newest."""


class Mention(NamedTuple):
    """How often complaints of one kind were about one joint, or name.

    Attributes:
        total: Since the start, or since it was forgotten.
        recent: Between the last two calls of `Traffic.rates`.
        what: What was known of it the last time.
    """

    total: int
    recent: int
    what: str


@dataclass(slots=True)
class _Tally:
    count: int = 0
    reported: int = 0
    what: str = ""


@dataclass
class Traffic:
    """What passed since the node is up.

    One thread may count while another asks for the rates.

    Attributes:
        total: Events by name since the start.
        last_input: Monotonic time of the last message, s; None before the first.
        troubled: Names of what went wrong since the last report.
        recent: Events by name between the last two calls of `rates`.
        mentioned: What complaints were about, by kind and by name, as of the last call of `rates`.
    """

    total: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    last_input: float | None = None
    troubled: set[str] = field(default_factory=set)
    recent: dict[str, int] = field(default_factory=dict)
    mentioned: Mapping[str, Mapping[str, Mention]] = field(default_factory=dict)
    _tallies: dict[str, dict[str, _Tally]] = field(default_factory=dict)
    _reported: dict[str, int] = field(default_factory=dict)
    _reported_at: float | None = None

    def count(self, name: str, number: int = 1) -> None:
        """Count events."""
        self.total[name] += number

    def note(self, complaints: Iterable[Complaint]) -> None:
        """Count complaints by kind; warnings and errors are troubles."""
        for complaint in complaints:
            self.total[complaint.kind] += 1
            if complaint.severity in _TROUBLES:
                self.troubled.add(complaint.kind)
            if complaint.subjects:
                self._mention(complaint)

    def forget(self) -> None:
        """Forget what complaints were about, as after a change of the description."""
        self._tallies = {}

    def take_troubles(self) -> list[str]:
        """Return the names of what went wrong since the last call, in order."""
        # Another set takes over, so that one that grows is never iterated over.
        troubled, self.troubled = self.troubled, set()
        return sorted(troubled)

    def rates(self, now: float) -> dict[str, float]:
        """Return events per second by name since the last call; `now` is monotonic, s."""
        total = dict(self.total)
        recent = {name: count - self._reported.get(name, 0) for name, count in total.items()}
        period = 0.0 if self._reported_at is None else now - self._reported_at
        self.recent, self._reported, self._reported_at = recent, total, now
        self.mentioned = {kind: _read(tallies) for kind, tallies in dict(self._tallies).items()}
        return {name: count / period if period > 0.0 else 0.0 for name, count in recent.items()}

    def _mention(self, complaint: Complaint) -> None:
        tallies = self._tallies.setdefault(complaint.kind, {})
        for name, what in complaint.subjects:
            tally = tallies.get(name)
            if tally is None:
                if len(tallies) >= MAX_MENTIONED:
                    tallies.pop(next(iter(tallies)), None)
                tally = tallies[name] = _Tally()
            tally.count += 1
            tally.what = what


def _read(tallies: Mapping[str, _Tally]) -> dict[str, Mention]:
    """Return what tallies say, and note how far they were read."""
    read = {}
    for name, tally in dict(tallies).items():
        count = tally.count
        read[name] = Mention(count, count - tally.reported, tally.what)
        tally.reported = count
    return read
