"""What is said to the operator, how often, and that a flood stays bounded."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.conditioning.complaints import (
    LONGEST_LINE,
    MAX_SUBJECTS,
    Complaint,
    Memory,
    Severity,
    Subject,
    counted,
    one_line,
)
from robodyn_ros.conditioning.joint_layout import JointSlots
from robodyn_ros.conditioning.joint_states import Bad
from robodyn_ros.conditioning.sample_complaints import about_samples
from robodyn_ros.ros.rates import MAX_MENTIONED, Mention, Traffic

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


def about(*names: str, what: str = "") -> Complaint:
    subjects = tuple(Subject(name, what) for name in names)
    return Complaint(Severity.WARN, "outliers", "x", subjects=subjects)


def test_what_complaints_are_about_is_counted_by_name_and_period() -> None:
    traffic = Traffic()
    traffic.note([about("elbow", what="1"), about("elbow", "hand", what="2")])
    traffic.rates(0.0)
    assert traffic.mentioned["outliers"] == {
        "elbow": Mention(2, 2, "2"),
        "hand": Mention(1, 1, "2"),
    }
    traffic.note([about("hand", what="3")])
    traffic.rates(1.0)
    assert traffic.mentioned["outliers"] == {
        "elbow": Mention(2, 0, "2"),
        "hand": Mention(2, 1, "3"),
    }
    traffic.forget()
    traffic.rates(2.0)
    assert traffic.mentioned == {}


def test_of_a_flood_of_names_the_newest_are_remembered() -> None:
    traffic = Traffic()
    for k in range(10 * MAX_MENTIONED):
        traffic.note([about(f"j{k}")])
    traffic.rates(0.0)
    mentioned = traffic.mentioned["outliers"]
    assert len(mentioned) == MAX_MENTIONED
    assert f"j{10 * MAX_MENTIONED - 1}" in mentioned


def test_names_and_outliers_are_subjects_within_bounds() -> None:
    slots = JointSlots(["a"])
    (complaint,) = (
        each
        for each in slots.layout(["a", *(f"x{k}" for k in range(5000))]).complaints
        if each.kind == "unknown names"
    )
    assert len(complaint.subjects) == MAX_SUBJECTS
    assert complaint.subjects[0] == Subject("x0")
    (complaint,) = (
        each for each in slots.layout(["a", "left/a"]).complaints if each.kind == "unknown names"
    )
    assert complaint.subjects == (Subject("left/a", "a"),)


def test_a_line_on_many_outliers_stays_short_and_its_subjects_have_all() -> None:
    none = np.zeros(0, dtype=np.intp)
    names = [f"left_arm_shoulder_joint_{k}" for k in range(400)]
    bad = Bad(none, none, np.arange(400), none)
    (complaint,) = about_samples(names, np.full((4, 400), -1.23456), bad)
    assert "'left_arm_shoulder_joint_0' (-1.23456 rad or m)" in complaint.text
    assert len(complaint.text) < 250
    assert len(complaint.subjects) == MAX_SUBJECTS
    assert complaint.subjects[3] == Subject(names[3], "position -1.23456 rad or m")


@pytest.mark.parametrize(("number", "text"), [(0, "0 nodes"), (1, "1 node"), (2, "2 nodes")])
def test_a_number_and_its_noun_agree(number: int, text: str) -> None:
    assert counted(number, "node") == text


@pytest.mark.parametrize("limit", [20, 100, LONGEST_LINE])
def test_a_long_line_ends_with_a_whole_word(limit: int) -> None:
    words = [f"word{k % 7}" for k in range(1000)]
    line = one_line(" ".join(words), limit)
    assert len(line) <= limit
    *kept, more = line.split()
    assert more == "..."
    assert kept == words[: len(kept)]
    assert len(line) > limit - 8
    assert one_line(line, limit) == line


@pytest.mark.parametrize("text", ["a\nb", "a\r\x1b[31mb", "x" * 100_000, "\u2028", "\ud800"])
def test_what_is_said_is_one_line_that_prints(text: str) -> None:
    line = one_line(text)
    assert line.isprintable()
    assert len(line) <= LONGEST_LINE
    assert one_line(line) == line


def test_what_is_one_line_stays_as_it_is() -> None:
    assert one_line("robot 'é' has \"x\"") == "robot 'é' has \"x\""
