"""How often each service was asked, and why it did not answer: for the diagnostics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from robodyn_ros.conditioning.complaints import Complaint, Severity, Subject, counted, one_line
from robodyn_ros.ros.rates import Traffic
from robodyn_ros.ros.reports import Level, Report

KIND = "refused requests"
_LONGEST_REASON = 160


class RequestLog:
    """Counts the requests of one node."""

    def __init__(self, services: Iterable[str]) -> None:
        """Begin with none of any of these services."""
        self._traffic = Traffic()
        for name in services:
            self._traffic.count(name, 0)

    def asked(self, service: str) -> None:
        """Count a request."""
        self._traffic.count(service)

    def refused(self, service: str, why: str) -> None:
        """Note why a request was not answered."""
        told = Complaint(Severity.WARN, KIND, why, about=service, subjects=(Subject(service, why),))
        self._traffic.note([told])

    def report(self, now: float, clients: Mapping[str, int]) -> Report:
        """Report on the requests since the last report.

        Args:
            now: Monotonic time, s.
            clients: Number of clients of each service.
        """
        traffic = self._traffic
        rates = traffic.rates(now)
        refusals = traffic.mentioned.get(KIND, {})
        values: dict[str, str] = {}
        for name, number in clients.items():
            total = traffic.total[name]
            row = f"{rates.get(name, 0.0):.1f} Hz, {total} in all, {counted(number, 'client')}"
            refusal = refusals.get(name)
            if refusal is not None:
                why = one_line(refusal.what, _LONGEST_REASON)
                row += f"; {refusal.total} refused, {refusal.recent} in this period: {why}"
            values[name] = row
        recent = sum(traffic.recent.get(name, 0) for name in clients)
        text = f"{counted(recent, 'request')} in this period"
        lately = {name: x for name, x in refusals.items() if x.recent}
        if not lately:
            return Report("services", Level.OK, text, values=values)
        reasons = "; ".join(f"{name}: {x.what}" for name, x in lately.items())
        text += f", {sum(x.recent for x in lately.values())} refused: {reasons}"
        return Report("services", Level.WARN, text, values=values)
