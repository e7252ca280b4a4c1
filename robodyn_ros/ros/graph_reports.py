"""The state publisher's reports on the nodes at the other ends of its topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from robodyn_ros.conditioning.complaints import counted
from robodyn_ros.ros.graph_watch import Connections
from robodyn_ros.ros.reports import FIRST, MAX_ROWS, Level, Report, listed


class RivalryReporter:
    """Finds publishers of one topic that contradict each other.

    Messages of one publisher may be late or flagged now and then. Where a topic has several
    publishers and that happens in one report after the other, they move the same joints.
    """

    SIGNS = ("late", "outliers", "clock resets")
    """Kinds of complaints that two publishers of the same joints cause."""
    ENOUGH = 5
    """Such events, in at least two periods on end, that are no accident."""

    def __init__(self) -> None:
        self._periods = 0
        self._events = 0

    def report(self, recent: Mapping[str, int], topic: str, publishers: Sequence[str]) -> Report:
        """Report on a topic, once a period.

        Args:
            recent: Events of this period by kind, as `Traffic.recent` has them.
            topic: Full name.
            publishers: Full names of the nodes that publish it, as often as they do.
        """
        events = sum(recent.get(sign, 0) for sign in self.SIGNS)
        if events == 0 or len(publishers) < 2:
            self._periods = self._events = 0
        else:
            self._periods += 1
            self._events += events
        names = listed(publishers, len(publishers))
        values = {"topic": topic, "publishers": names or "none"}
        if self._periods < 2 or self._events < self.ENOUGH:
            text = f"{counted(len(publishers), 'publisher')} of {topic}"
            return Report("joint state publishers", Level.OK, text, values=values)
        signs = ", ".join(f"{recent[sign]} {sign}" for sign in self.SIGNS if recent.get(sign))
        text = (
            f"publishers of {topic} contradict each other ({signs} in this period): {names};"
            " let one of them go, or give each robot a namespace of its own"
        )
        return Report("joint state publishers", Level.WARN, text, values=values)


def connections_report(found: Connections) -> Report:
    """Report on what does not come together between the node's topics and their other ends.

    Where this node gets nothing from a publisher the level is ERROR, else WARN.
    """
    troubles = [each.text for each in found.mismatches]
    troubles += [
        f"{topic} ought to have one publisher and has others: {listed(names, len(names))}; keep one"
        " of them, or give each robot a namespace of its own"
        for topic, names in found.rivals.items()
    ]
    if found.namesakes:
        verb = "has" if found.namesakes == 1 else "have"
        troubles.append(
            f"{counted(found.namesakes, 'other node')} {verb} this node's name: give it another"
            " (-r __node:=...) or a namespace (-r __ns:=...)"
        )
    troubles += [f"{topic}: cannot be looked at: {why}" for topic, why in found.unread.items()]
    values = {f"mismatch {n}": text for n, text in enumerate(troubles[:MAX_ROWS], 1)}
    for topic, names in found.publishers.items():
        values[f"publishers of {topic}"] = listed(names, len(names)) or "none"
    for topic, count in found.subscribers.items():
        values[f"subscriptions of {topic}"] = str(count)
    if not troubles:
        return Report("connections", Level.OK, "all ends of topics fit", values=values)
    level = Level.ERROR if any(each.inward for each in found.mismatches) else Level.WARN
    more = len(troubles) - FIRST
    text = "; ".join(troubles[:FIRST]) + (f"; and {more} more" if more > 0 else "")
    return Report("connections", level, text, values=values)
