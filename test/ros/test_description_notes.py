"""What a description's notes become in the log: cases of limits without effort and foreign tags."""

from __future__ import annotations

from robodyn_ros.conditioning.complaints import LONGEST_LINE, Severity
from robodyn_ros.description.load import load_model
from robodyn_ros.ros.description_notes import about_notes

LINKS = "<link name='a'/><link name='b'/>"


def robot(inside: str) -> str:
    return f"<robot name='r'>{LINKS}{inside}</robot>"


def joint(inside: str = "", kind: str = "revolute") -> str:
    return (
        f"<joint name='j' type='{kind}'><parent link='a'/><child link='b'/>{inside}"
        "<axis xyz='0 0 1'/></joint>"
    )


def test_a_limit_without_effort_is_told_as_information() -> None:
    model = load_model(robot(joint("<limit lower='-1' upper='1' velocity='2'/>")))
    (told,) = about_notes(model.notes)
    assert told.severity is Severity.INFO
    assert "'j'" in told.text
    assert "effort" in told.text


def test_two_hundred_foreign_tags_are_one_line_for_debugging() -> None:
    foreign = "".join(f"<foreign{k}/>" for k in range(200))
    limits = "<limit lower='-1' upper='1' velocity='2' effort='3'/>"
    model = load_model(robot(joint(limits) + foreign))
    (told,) = about_notes(model.notes)
    assert told.severity is Severity.DEBUG
    assert len(told.text) <= LONGEST_LINE


def test_nothing_to_note_is_nothing_to_say() -> None:
    limits = "<limit lower='-1' upper='1' velocity='2' effort='3'/>"
    assert about_notes(load_model(robot(joint(limits))).notes) == []
