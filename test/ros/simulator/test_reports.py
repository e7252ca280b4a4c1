"""What the simulator says of itself: what keeps it from moving as asked, and what to do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from robodyn_ros.conditioning.complaints import Complaint, Severity, Subject
from robodyn_ros.ros.rates import Traffic
from robodyn_ros.ros.reports import Level
from robodyn_ros.ros.simulator.reports import Condition, commands_report

WELL = Condition(
    paused=False,
    factor=1.0,
    measured=1.0,
    behind=0.0,
    lost=0.0,
    step=1e-3,
    kernels="compiled",
    failure="",
)


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"paused": True, "measured": 0.0},
        {"factor": 0.0, "measured": 0.3},
        {"measured": 0.97, "lost": 0.1},
        {"behind": 12.0},
        {"kernels": "plain"},
    ],
)
def test_nothing_is_said_where_nothing_is_wrong(changed: dict) -> None:
    assert replace(WELL, **changed).trouble == (Level.OK, "")


def test_one_that_is_too_slow_says_by_how_much_and_what_to_change() -> None:
    slow = replace(WELL, measured=0.437, behind=2.5, lost=0.05)
    level, text = slow.trouble
    assert level is Level.WARN
    assert "0.437 of real time in place of 1, now 2.5 s behind" in text
    assert "set real_time_factor to 0.43 or less" in text
    assert "semi_implicit_euler" in text
    assert "CasADi" in replace(slow, kernels="plain").trouble[1]


@pytest.mark.parametrize("measured", [0.0, 1e-9, 0.01, 0.0999, 55.5])
def test_the_factor_that_is_advised_can_be_set(measured: float) -> None:
    _, text = replace(WELL, factor=100.0, measured=measured, lost=1.0).trouble
    advised = float(text.partition("real_time_factor to ")[2].split()[0])
    assert 0.01 <= advised <= max(0.01, measured)


def test_kernels_that_are_compiled_and_a_failure_come_first() -> None:
    level, text = replace(WELL, kernels="compiling", measured=0.1, lost=1.0).trouble
    assert level is Level.WARN
    assert "compiled" in text
    level, text = replace(WELL, failure="it flew away", kernels="compiling").trouble
    assert level is Level.ERROR
    assert text == "it stands still: it flew away; call ~/reset or ~/set_state"


def test_refused_commands_are_counted_by_kind_with_their_names() -> None:
    traffic = Traffic()
    assert commands_report(traffic, 3, 1.0).level is Level.OK
    names = (Subject("elbow", "no such"),)
    traffic.note([Complaint(Severity.WARN, "unknown", "x", subjects=names)])
    report = commands_report(traffic, 5, 2.0)
    assert report.level is Level.WARN
    assert report.message == "2 messages in this period; lately: unknown"
    assert report.values["unknown"] == "1: elbow: no such"
    assert report.values["rate"] == "2.0 Hz"
