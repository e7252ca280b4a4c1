"""Counters of what passes through a node."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from robodyn_ros.conditioning.complaints import Complaint, Severity

_TROUBLES = (Severity.WARN, Severity.ERROR)


@dataclass
class Traffic:
    """What passed since the node is up.

    One thread may count while another asks for the rates.

    Attributes:
        total: Events by name since the start.
        last_input: Monotonic time of the last message, s; None before the first.
        troubled: Names of what went wrong since the last report.
        recent: Events by name between the last two calls of `rates`.
    """

    total: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    last_input: float | None = None
    troubled: set[str] = field(default_factory=set)
    recent: dict[str, int] = field(default_factory=dict)
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
        return {name: count / period if period > 0.0 else 0.0 for name, count in recent.items()}
