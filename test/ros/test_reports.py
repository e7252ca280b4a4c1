"""What a node reports of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_ros import load
from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.ros.rates import Traffic
from robodyn_ros.ros.reports import (
    QUIET_AFTER,
    Level,
    clock_report,
    description_report,
    traffic_report,
)

ARM = Path(__file__).parents[2] / "urdf" / "demo_arm.urdf"
TOPIC = "/cell/joint_states"


def report(traffic: Traffic, now: float):
    return traffic_report(traffic, TOPIC, 2, now)


def test_without_a_robot_the_topic_is_named() -> None:
    found = description_report(None, "/cell/robot_description")
    assert found.level is Level.ERROR
    assert "/cell/robot_description" in found.message


def test_a_robot_is_named_with_its_sizes_and_kernels() -> None:
    robot = load(ARM, compile="off")
    robot.body_motion(robot.neutral())
    found = description_report(robot, "")
    assert found.level is Level.OK
    assert "demo_arm" in found.message
    assert found.values["bodies"] == str(robot.model.nb)
    assert found.values["kernel body_motion"] == "plain"


def test_before_the_first_message_the_topic_and_its_publishers_are_named() -> None:
    found = report(Traffic(), 1.0)
    assert found.level is Level.WARN
    assert TOPIC in found.message
    assert "2 publishers" in found.message


def test_rates_and_age_are_reported_while_messages_come() -> None:
    traffic = Traffic()
    report(traffic, 0.0)
    traffic.count("input", 50)
    traffic.last_input = 0.9
    found = report(traffic, 1.0)
    assert found.level is Level.OK
    assert found.message == "50.0 joint states/s"
    assert found.values["input age"] == "0.100 s"


def test_silence_is_stale() -> None:
    traffic = Traffic(last_input=1.0)
    found = report(traffic, 1.1 + QUIET_AFTER)
    assert found.level is Level.STALE
    assert TOPIC in found.message


def test_troubles_are_warned_of_in_the_period_in_which_they_happen() -> None:
    traffic = Traffic(last_input=1.0)
    traffic.note([Complaint(Severity.WARN, "late", "late"), Complaint(Severity.DEBUG, "x", "x")])
    found = report(traffic, 1.0)
    assert found.level is Level.WARN
    assert found.message.endswith("lately: late")
    assert found.values["late"] == "1"
    assert report(traffic, 1.5).level is Level.OK


@pytest.mark.parametrize(("now", "level"), [(0, Level.WARN), (10**9, Level.OK)])
def test_a_clock_that_stands_at_zero_is_named(now: int, level: Level) -> None:
    found = clock_report(now)
    assert found.level is level
    assert found.is_trouble == (level is not Level.OK)
    assert ("/clock" in found.message) == found.is_trouble
