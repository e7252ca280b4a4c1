"""Counters of what passes through a node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from robodyn_ros.conditioning.complaints import Complaint, Severity


@dataclass
class Traffic:
    """What passed since the node is up.

    Attributes:
        total: Events by name since the start.
        last_input: Monotonic time of the last message, s; None before the first.
        troubled: Names of what went wrong since the last report.
    """

    total: Counter[str] = field(default_factory=Counter)
    last_input: float | None = None
    troubled: set[str] = field(default_factory=set)
    _reported: Counter[str] = field(default_factory=Counter)
    _reported_at: float | None = None

    def count(self, name: str, number: int = 1) -> None:
        """Count events."""
        self.total[name] += number

    def note(self, complaints: Iterable[Complaint]) -> None:
        """Count complaints by kind; warnings and errors are troubles."""
        for complaint in complaints:
            self.total[complaint.kind] += 1
            if complaint.severity in (Severity.WARN, Severity.ERROR):
                self.troubled.add(complaint.kind)

    def rates(self, now: float) -> dict[str, float]:
        """Return events per second by name since the last call; `now` is monotonic, s."""
        period = None if self._reported_at is None else now - self._reported_at
        rates = {
            name: (count - self._reported[name]) / period if period else 0.0
            for name, count in self.total.items()
        }
        self._reported = Counter(self.total)
        self._reported_at = now
        return rates
