"""Names that the robot lacks, and the joints that they may stand for."""

from __future__ import annotations

import pytest

from robodyn_ros.conditioning.joint_states import NEVER_RECEIVED
from robodyn_ros.ros.diagnostics import diagnostic_array
from robodyn_ros.ros.name_reports import MAX_NAMES, NameReporter, nearest_joint
from robodyn_ros.ros.rates import Mention
from robodyn_ros.ros.reports import Level

ONCE = Mention(1, 1, "")
GOOD, SILENT = (0.01, ""), (-1.0, NEVER_RECEIVED)
ARM = ("shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint")


@pytest.mark.parametrize(
    ("name", "joint"),
    [
        ("elbow_jont", "elbow_joint"),
        ("Elbow_Joint", "elbow_joint"),
        ("elbowjoint", "elbow_joint"),
        ("elbow", "elbow_joint"),
        ("ur5_elbow_joint", "elbow_joint"),
        ("robot_of_the_left_side_elbow_joint", "elbow_joint"),
        ("shoulder_pam_joint", "shoulder_pan_joint"),
        ("wrist_1_joint ", "wrist_1_joint"),
        ("gripper_finger", ""),
        ("wheel_left", ""),
        ("e", ""),
        ("ow", ""),
        ("j2", ""),
        ("", ""),
        ("x" * 100_000, ""),
    ],
)
def test_the_nearest_joint_is_the_one_that_a_reader_would_take(name: str, joint: str) -> None:
    assert nearest_joint(name, ARM) == joint


def test_a_misspelt_joint_is_named_with_the_one_that_is_meant() -> None:
    reporter = NameReporter()
    joints = {"elbow_joint": SILENT, "wrist_1_joint": GOOD}
    unknown = {"elbow_jont": Mention(120, 100, "")}
    first = reporter.report(unknown, joints)
    assert first.values["unknown name 'elbow_jont'"] == (
        "did you mean 'elbow_joint'? (120 messages, 100 lately)"
    )
    assert first.level is Level.OK
    assert reporter.complaints == ()
    second = reporter.report(unknown, joints)
    assert second.level is Level.WARN
    assert "'elbow_jont': did you mean 'elbow_joint'?" in second.message
    (complaint,) = reporter.complaints
    assert complaint.once
    assert "'elbow_jont': did you mean 'elbow_joint'?" in complaint.text
    assert reporter.explained(joints) == {
        "elbow_joint": (-1.0, f"{NEVER_RECEIVED}, but 'elbow_jont' is"),
        "wrist_1_joint": GOOD,
    }


@pytest.mark.parametrize(
    ("joints", "mention", "hint"),
    [
        ({"joint6": GOOD}, ONCE, "the nearest joint is 'joint6'"),
        ({"joint6": (0.1, "position is an outlier")}, ONCE, "the nearest joint is 'joint6'"),
        ({"wheel": SILENT}, ONCE, "resembles no joint"),
        ({"joint6": SILENT}, Mention(3, 0, ""), "did you mean 'joint6'?"),
        ({"wheel": GOOD}, Mention(1, 1, "wheel"), "the nearest joint is 'wheel'"),
        ({}, ONCE, "resembles no joint"),
    ],
)
def test_other_joints_of_a_driver_are_no_trouble(joints, mention: Mention, hint: str) -> None:
    reporter = NameReporter()
    for _ in range(3):
        found = reporter.report({"joint7": mention}, joints)
        assert found.level is Level.OK
        assert found.message == "1 unknown name, ignored"
        assert found.values["unknown name 'joint7'"].startswith(hint)
        assert reporter.complaints == ()
        assert reporter.explained(joints) in (joints, {"joint6": SILENT})


def test_once_the_joint_comes_nothing_is_wrong() -> None:
    reporter = NameReporter()
    for joint, level in ((SILENT, Level.OK), (SILENT, Level.WARN), (GOOD, Level.OK)):
        assert reporter.report({"elbow_jont": ONCE}, {"elbow_joint": joint}).level is level
    assert reporter.complaints == ()


def test_a_joint_whose_samples_are_not_finite_is_not_missing() -> None:
    reporter = NameReporter()
    for _ in range(3):
        found = reporter.report({"elbow_jont": ONCE}, {"elbow_joint": (-1.0, "not finite")})
        assert found.level is Level.OK


def test_without_unknown_names_nothing_is_said() -> None:
    found = NameReporter().report({}, {"a": SILENT})
    assert (found.level, found.message) == (Level.OK, "all names are known")


@pytest.mark.parametrize("length", [1, 60_000])
def test_a_report_on_a_flood_of_names_stays_small(length: int) -> None:
    reporter = NameReporter()
    joints = {f"joint_{k}" + "\n" * length: SILENT for k in range(500)}
    unknown = {f"jont_{k}" + "\n" * length: ONCE for k in range(256)}
    for _ in range(2):
        found = reporter.report(unknown, joints)
    assert found.values["unknown names not listed"] == str(256 - MAX_NAMES)
    status = diagnostic_array("/n", [found]).status[0]
    assert sum(len(x.key) + len(x.value) for x in status.values) < 15_000
    assert len(status.message) <= 1000
