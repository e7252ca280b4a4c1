"""What is said to the operator, how often, and that a flood stays bounded."""

from __future__ import annotations

import pytest

from robodyn_ros.conditioning.complaints import LONGEST_LINE, Complaint, Memory, Severity, one_line
from robodyn_ros.ros.rates import Traffic

ONCE = Complaint(Severity.WARN, "repeated names", "joint 'a' twice", about="a")
OFTEN = Complaint(Severity.WARN, "late", "late", once=False)


def test_what_is_said_once_is_said_again_only_after_a_change() -> None:
    memory = Memory()
    assert [memory.allows(ONCE, t) for t in (0.0, 1.0, 100.0)] == [True, False, False]
    memory.forget()
    assert memory.allows(ONCE, 101.0)


def test_the_rest_is_throttled() -> None:
    memory = Memory()
    said = sum(memory.allows(OFTEN, 0.1 * k) for k in range(201))
    assert said == 1 + 20.0 // Memory.PERIOD


def test_a_flood_of_things_is_bounded() -> None:
    memory = Memory()
    flood = [Complaint(Severity.WARN, "unknown", "x", about=str(k)) for k in range(5000)]
    assert sum(memory.allows(c, 0.0) for c in flood) == Memory.CAPACITY
    assert sum(memory.allows(c, 5.0 * k) for k in (1, 2) for c in flood) == 2
    assert memory.allows(OFTEN, 11.0)


def test_traffic_counts_complaints_and_tells_troubles_from_facts() -> None:
    traffic = Traffic()
    traffic.note([ONCE, OFTEN, Complaint(Severity.DEBUG, "unknown names", "x")])
    assert traffic.total == {"repeated names": 1, "late": 1, "unknown names": 1}
    assert traffic.troubled == {"repeated names", "late"}


def test_rates_are_those_since_the_last_report() -> None:
    traffic = Traffic()
    traffic.rates(0.0)
    for _ in range(50):
        traffic.count("input")
    assert traffic.rates(2.0)["input"] == 25.0
    assert traffic.rates(3.0)["input"] == 0.0


@pytest.mark.parametrize("text", ["a\nb", "a\r\x1b[31mb", "x" * 100_000, "\u2028", "\ud800"])
def test_what_is_said_is_one_line_that_prints(text: str) -> None:
    line = one_line(text)
    assert line.isprintable()
    assert len(line) <= LONGEST_LINE
    assert one_line(line) == line


def test_what_is_one_line_stays_as_it_is() -> None:
    assert one_line("robot 'é' has \"x\"") == "robot 'é' has \"x\""
