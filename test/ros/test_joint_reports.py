"""What is reported of each joint, within bounds."""

from __future__ import annotations

import math

import pytest

from robodyn_ros.ros.diagnostics import diagnostic_array
from robodyn_ros.ros.joint_reports import joints_report
from robodyn_ros.ros.rates import Mention
from robodyn_ros.ros.reports import FIRST, MAX_ROWS, Level

REASONS = ("never received", "stale: 2.3 s", "position not finite", "velocity unknown", "outlier")


def test_valid_joints_are_counted_and_have_their_ages() -> None:
    found = joints_report({"elbow": (0.0125, ""), "wrist": (0.5, "")})
    assert found.level is Level.OK
    assert found.message == "all 2 joints valid"
    assert found.values["joint 'elbow'"] == "age 0.013 s"
    assert found.values["invalid joints"] == "0"


@pytest.mark.parametrize("reason", REASONS)
def test_an_invalid_joint_is_named_with_its_reason(reason: str) -> None:
    found = joints_report({"elbow": (0.01, ""), "wrist": (2.3, reason)})
    assert found.level is Level.WARN
    assert found.message == f"1 of 2 joints invalid: 'wrist' ({reason})"
    assert found.values["joint 'wrist'"] == f"invalid, {reason}; age 2.300 s"


@pytest.mark.parametrize("age", [math.inf, math.nan, -math.inf, -1.0])
def test_a_joint_that_was_never_seen_has_no_age(age: float) -> None:
    found = joints_report({"wrist": (age, "never received")})
    assert found.values["joint 'wrist'"] == "invalid, never received; no age"


def test_a_robot_without_joints_has_nothing_invalid() -> None:
    assert joints_report({}).level is Level.OK


def test_of_many_invalid_joints_the_first_are_named() -> None:
    found = joints_report({f"j{k}": (math.inf, "never received") for k in range(20)})
    assert found.message.count("never received") == FIRST
    assert found.message.endswith(f"and {20 - FIRST} more")


def test_invalid_joints_are_listed_before_valid_ones() -> None:
    joints = {f"j{k}": (0.0, "" if k < 1000 else "outlier") for k in range(1002)}
    found = joints_report(joints)
    assert [key for key, text in found.values.items() if "outlier" in text] == [
        "joint 'j1000'",
        "joint 'j1001'",
    ]
    assert found.values["joints not listed"] == str(1002 - MAX_ROWS)


def test_outliers_are_counted_by_joint_with_their_last_value() -> None:
    outliers = {"elbow": Mention(12, 3, "position 1.5 rad or m"), "hand": Mention(1, 0, "")}
    found = joints_report(
        {"wrist": (0.0, ""), "elbow": (0.01, "position is an outlier"), "hand": (0.0, "")}, outliers
    ).values
    assert found["joint 'elbow'"] == (
        "invalid, position is an outlier; age 0.010 s;"
        " 12 outliers, 3 in this period, the last with position 1.5 rad or m"
    )
    assert found["joint 'hand'"] == "age 0.000 s; 1 outlier, 0 in this period"
    assert found["joint 'wrist'"] == "age 0.000 s"
    assert found["joints with outliers"] == "2"
    assert list(found)[-3:] == ["joint 'elbow'", "joint 'hand'", "joint 'wrist'"]


def test_one_joint_is_no_joints() -> None:
    assert joints_report({"a": (0.0, "")}).message == "the joint is valid"
    assert joints_report({"a": (0.0, "x")}).message.startswith("1 of 1 joint invalid")


def test_a_long_reason_is_cut_between_words() -> None:
    found = joints_report({"a": (0.0, "word " * 100)}).message
    assert found.endswith("word ...)")


@pytest.mark.parametrize("count", [200, 20_000])
def test_a_report_stays_small_however_many_and_long_the_names(count: int) -> None:
    joints = {f"{k}" + "ü\n" * 5000: (math.inf, "x" * 5000) for k in range(count)}
    outliers = dict.fromkeys(joints, Mention(10**9, 10**9, "position -1.23457e+08 rad or m"))
    message = diagnostic_array("/cell/state_publisher", [joints_report(joints, outliers)])
    size = sum(len(x.key) + len(x.value) for x in message.status[0].values)
    assert size < 150_000
    assert len(message.status[0].message) < 2000
