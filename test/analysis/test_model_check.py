"""What a check of the model finds of exact efforts, with one thing wrong at a time."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from effort_records import PERIOD, Recorded
from robodyn_ros.analysis.check_findings import Finding, Severity
from robodyn_ros.analysis.check_records import Sample
from robodyn_ros.analysis.model_check import GAP, LEAST, CheckReport, ModelCheck
from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.robot import Robot
from robots import example, loaded

EXACT = 1e-3
WITHOUT_INERTIA = 5e-3
"""What inertia of a payload, which is not looked for, adds to exact efforts of slow motion."""


def robot() -> Robot:
    return Robot(loaded(example("ur5_robot.urdf")), compile="off")


@cache
def moving() -> Recorded:
    return Recorded(robot())


@cache
def resting() -> Recorded:
    return Recorded(robot(), seconds=2.0, swing=0.0)


def only(report: CheckReport) -> Finding:
    (finding,) = report.findings
    return finding


@pytest.mark.parametrize("recorded", [moving, resting])
def test_where_all_agrees_nothing_is_found(recorded) -> None:
    motion = recorded()
    report = motion.report(motion.efforts(robot()))
    assert report.findings == ()
    joints = report.joints
    assert np.abs(joints.residual_rms).max() < 1e-9
    assert joints.measured_rms == pytest.approx(joints.measured_rms)
    assert (joints.seconds > 0.0).all()


@pytest.mark.parametrize("mass", [1.2, 4.0])
@pytest.mark.parametrize("recorded", [moving, resting])
def test_a_tool_that_is_missing_is_weighed(recorded, mass: float) -> None:
    motion, truth = recorded(), robot()
    com = np.array([0.06, -0.02, 0.03])
    truth.set_payload(motion.frames[0], mass, com, 0.001 * np.eye(3))
    found = only(motion.report(motion.efforts(truth)))
    assert (found.kind, found.names, found.severity) == ("payload", motion.frames, Severity.WARN)
    assert found.mass == pytest.approx(mass, rel=0.05)
    if recorded is moving:
        assert found.mass == pytest.approx(mass, rel=WITHOUT_INERTIA)
        assert found.com == pytest.approx(com, abs=4e-3)
    assert f"a tool of about {mass:.2g} kg at 'ee_link' is missing" in found.text
    assert "set_payload" in found.text


def test_a_payload_that_is_not_there_is_told() -> None:
    model, truth = robot(), robot()
    model.set_payload("ee_link", 2.0, (0.0, 0.0, 0.1))
    motion = Recorded(model)
    found = only(motion.report(motion.efforts(truth)))
    assert found.kind == "payload"
    assert found.mass == pytest.approx(-2.0, rel=WITHOUT_INERTIA)
    assert "too much" in found.text


@pytest.mark.parametrize("recorded", [moving, resting])
def test_a_payload_is_noticed_within_a_second(recorded) -> None:
    motion, truth = recorded(), robot()
    efforts = motion.efforts(truth)
    truth.set_payload("ee_link", 1.2, (0.06, 0.0, 0.0))
    change = len(efforts) * 3 // 5
    efforts[change:] = motion.efforts(truth)[change:]
    check = motion.check()
    motion.feed(check, efforts, slice(None, change))
    assert check.report().findings == ()
    motion.feed(check, efforts, slice(change, change + round(0.8 / PERIOD)))
    found = only(check.report())
    assert found.kind == "payload"
    assert found.mass == pytest.approx(1.2, rel=0.05)


@pytest.mark.parametrize("recorded", [moving, resting])
def test_a_driver_that_holds_the_weight(recorded) -> None:
    motion = recorded()
    efforts = motion.efforts(robot())
    found = only(motion.report(efforts - motion.weight))
    assert found.kind == "compensation"
    assert found.text.startswith("driver seems to compensate gravity already")
    assert "set driver_compensates_gravity to true" in found.text
    check = motion.check()
    check.compensated = True
    motion.feed(check, efforts - motion.weight)
    assert check.report().findings == ()
    check.reset()
    motion.feed(check, efforts)
    assert "measured_efforts_include_gravity to true" in only(check.report()).text


def test_a_reversed_sign() -> None:
    motion = moving()
    signs = np.array([1.0, 1.0, -1.0, 1.0, 1.0, 1.0])
    found = only(motion.report(signs * motion.efforts(robot())))
    assert (found.kind, found.names) == ("sign", ("elbow_joint",))
    assert "set joints.elbow_joint.effort_gain to -1" in found.text


def test_amperes_that_are_taken_for_newton_metres() -> None:
    motion = moving()
    factors = np.array([23.0, 23.0, 23.0, 11.0, 11.0, 11.0])
    report = motion.report(motion.efforts(robot()) / factors)
    told = {finding.names[0]: finding.text for finding in report.findings}
    assert {finding.kind for finding in report.findings} == {"unit"}
    expected = "effort of joint 'elbow_joint' looks like amps: factor 23 N m/A"
    assert told["elbow_joint"].startswith(expected)
    assert "factor 11 N m/A" in told["wrist_1_joint"]


def test_amperes_at_rest_may_be_something_else() -> None:
    motion = resting()
    found = only(motion.report(motion.efforts(robot()) / 23.0))
    assert found.kind == "unit"
    assert "1/23 of the model's" in found.text
    assert "move the robot" in found.text


def test_efforts_in_an_unknown_unit_are_only_looked_at_for_their_factor() -> None:
    motion = moving()
    factors = np.array([1.0, 1.0, -40.0, 1.0, 1.0, 1.0])
    check = motion.check()
    check.raw = factors != 1.0
    motion.feed(check, motion.efforts(robot()) / factors)
    report = check.report()
    found = only(report)
    assert (found.kind, found.names) == ("unit", ("elbow_joint",))
    assert "factor -40 N m/A and a reversed sign" in found.text
    assert np.isnan(report.joints.residual_rms[2])
    assert np.isfinite(report.joints.measured_rms[2])


def test_millimetres_in_newton_metres() -> None:
    motion = moving()
    efforts = motion.efforts(robot())
    efforts[:, 2] *= 1000.0
    found = only(motion.report(efforts))
    assert (found.kind, found.names) == ("unit", ("elbow_joint",))
    assert "is 1e+03 times the model's, as in another unit" in found.text
    assert found.text.endswith("set joints.elbow_joint.effort_gain to 0.001")


@pytest.mark.parametrize(("gain", "text"), [(1.3, "is 1.3 times the model's"), (0.75, "0.75")])
def test_a_gain_that_is_off(gain: float, text: str) -> None:
    motion = moving()
    efforts = motion.efforts(robot())
    efforts[:, 1] *= gain
    found = only(motion.report(efforts))
    assert (found.kind, found.names) == ("gain", ("shoulder_lift_joint",))
    assert text in found.text


def test_friction_that_is_not_modelled() -> None:
    motion, truth = moving(), robot()
    truth.set_joint_parameters("elbow_joint", friction=3.2, damping=4.0)
    report = motion.report(motion.efforts(truth))
    found = only(report)
    assert (found.kind, found.names) == ("friction", ("elbow_joint",))
    assert "is 3.2 N m + 4 N m per rad/s more than modelled" in found.text
    assert report.joints.coulomb[2] == pytest.approx(3.2, rel=EXACT)
    assert report.joints.viscous[2] == pytest.approx(4.0, rel=EXACT)


def test_a_rotor_and_an_offset_and_a_link_that_are_off() -> None:
    motion, truth = moving(), robot()
    truth.set_joint_parameters("wrist_1_joint", armature=0.9)
    efforts = motion.efforts(truth)
    efforts[:, 0] += 5.0
    report = motion.report(efforts)
    assert {(x.kind, x.names[0]) for x in report.findings} == {
        ("inertia", "wrist_1_joint"),
        ("offset", "shoulder_pan_joint"),
    }
    assert report.joints.inertia[3] == pytest.approx(0.9, rel=EXACT)
    assert report.joints.offset[0] == pytest.approx(5.0, rel=EXACT)
    efforts = motion.efforts(robot())
    efforts[:, 1] += 0.1 * motion.weight[:, 1]
    report = motion.report(efforts)
    assert report.joints.weight[1] == pytest.approx(0.1, rel=EXACT)
    # So near to a constant it may be one.
    assert only(report).names == ("shoulder_lift_joint",)
    assert "move it to and fro" in only(report).text


def test_a_joint_at_rest_that_is_off_is_to_be_moved() -> None:
    motion = resting()
    efforts = motion.efforts(robot())
    efforts[:, 0] += 5.0
    found = only(motion.report(efforts))
    assert found.names == ("shoulder_pan_joint",)
    assert found.kind in ("offset", "unexplained")


def test_a_tool_is_found_in_noise_and_friction() -> None:
    motion, truth = moving(), robot()
    truth.set_payload("ee_link", 1.2, (0.06, 0.0, 0.0))
    for name in motion.model.joint_names:
        truth.set_joint_parameters(name, friction=1.0, damping=0.5)
    rng = np.random.default_rng(3)
    efforts = motion.efforts(truth)
    efforts += 0.5 * rng.normal(size=efforts.shape)
    found = motion.report(efforts).findings
    (tool,) = (finding for finding in found if finding.kind == "payload")
    assert tool.mass == pytest.approx(1.2, rel=0.1)
    assert {finding.kind for finding in found} <= {"payload", "friction"}


def test_noise_alone_is_nothing() -> None:
    motion = moving()
    rng = np.random.default_rng(4)
    efforts = motion.efforts(robot())
    efforts += 0.2 * motion.check()._smallest * rng.normal(size=efforts.shape)
    assert motion.report(efforts).findings == ()


def test_what_is_not_finite_is_left_out() -> None:
    motion = moving()
    rng = np.random.default_rng(5)
    efforts = motion.efforts(robot())
    torn = efforts.copy()
    torn[rng.uniform(size=torn.shape) < 0.3] = np.nan
    torn[::7, 2] = np.inf
    torn[::11, 3] = 1e300
    report = motion.report(torn)
    assert report.findings == ()
    assert np.abs(report.joints.residual_rms).max() < 1e-9
    torn[:, 4] = np.nan
    joints = motion.report(torn).joints
    assert np.isnan(joints.residual_rms[4])
    assert np.isnan(joints.coulomb[4])
    assert joints.seconds[4] == 0.0


@pytest.mark.parametrize("row", [5, 120])
def test_one_absurd_sample_is_soon_forgotten(row: int) -> None:
    motion = moving()
    efforts = motion.efforts(robot())
    efforts[row, 2] = 1e9
    assert motion.report(efforts).findings == ()


def test_before_there_is_enough_nothing_is_said() -> None:
    motion = moving()
    efforts = motion.efforts(robot()) * 3.0
    check = motion.check()
    assert check.report().findings == ()
    assert np.isnan(check.report().joints.residual_rms).all()
    motion.feed(check, efforts, slice(round(0.8 * LEAST / PERIOD)))
    assert check.report().findings == ()


def test_gaps_and_time_that_runs_back_do_not_count() -> None:
    check = ModelCheck(moving().model)
    zero = np.zeros(6)
    sample = Sample(zero, zero, zero, zero, zero, np.zeros((0, 6, 4)))
    for dt in (0.0, -1.0, np.nan, np.inf, 1.01 * GAP):
        check.update(sample, dt)
    assert not check.report().joints.seconds.any()


def test_what_it_refuses() -> None:
    model = moving().model
    for window in (0.0, -1.0, np.nan, np.inf, "long"):
        with pytest.raises(ArgumentError, match="window must be a positive number"):
            ModelCheck(model, window=window)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="tool9"):
        ModelCheck(model, frames=["tool9"])
