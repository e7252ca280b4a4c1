"""The momentum observer: exact on exact data, a first-order filter, deaf to bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.analysis.momentum_observer import GAP, MomentumObserver
from robodyn_ros.errors import ArgumentError
from robodyn_ros.model import Model
from robodyn_ros.robot import Robot
from robots import every_base, example, loaded, random_state, random_tree

EXAMPLES = Path(__file__).parents[2] / "examples"
ROUNDING = 1e-9
STEP = 1e-3
SECOND_ORDER = 5e-3
"""What a step of 1 ms leaves in motion of order 1, in N m or N, beside efforts of order 100."""


@pytest.fixture
def arm() -> Robot:
    return Robot(loaded(example("ur5_robot.urdf")), compile="off")


def disturbed(model: Model, seed: int) -> tuple[Robot, np.ndarray, np.ndarray, np.ndarray]:
    """Return a robot with all that counts set, a state, and rates whose derivative is known."""
    robot = Robot(model, compile="off")
    robot.gravity = (1.0, -2.0, -9.0)
    robot.set_payload(model.body_names[-1], 0.7, (0.1, 0.2, -0.1), np.diag([0.02, 0.03, 0.04]))
    for joint in model.own_joints:
        if joint.joint.nv:
            robot.set_joint_parameters(joint.name, armature=0.3, damping=0.5, friction=0.2)
    return robot, *random_state(model, seed)


@every_base
@pytest.mark.parametrize("compensated", [False, True])
def test_the_residual_is_what_acts_from_outside(base: str, compensated: bool) -> None:
    """Whatever the joints: trees with mimics, planar and floating joints, on every base."""
    model = random_tree(3, bodies=9, base=base)
    robot, q, v_0, a_0 = disturbed(model, 4)
    if base == "prescribed":
        robot.set_base_motion(
            linear_acceleration=(0.3, -0.2, 0.5), angular_acceleration=(0.1, 0.4, -0.3)
        )
    frame = "tool"
    wrench = np.array([1.0, -2.0, 0.5, 10.0, 4.0, -6.0])
    observer = MomentumObserver(robot, gain=400.0, driver_compensates_gravity=compensated)
    motors = observer._motors
    external = np.zeros(model.nv)
    for k in range(40):
        t = k * STEP
        v = v_0 + a_0 * t
        external = robot.jacobian(q, frame).T @ wrench
        tau = robot.inverse_dynamics(q, v, a_0, {frame: wrench}, friction=True)
        if compensated:
            tau = tau - motors * robot.gravity_force(q)
        found = observer.update(q, v, tau, STEP)
        q = robot.integrate(q, v + 0.5 * STEP * a_0, STEP)
    assert observer.known.all()
    assert np.abs(found - external).max() < SECOND_ORDER * np.abs(tau).max()
    assert np.abs(external).max() > 1.0


def test_it_answers_like_a_filter_of_first_order_whatever_the_steps(arm: Robot) -> None:
    gain, rng = 7.0, np.random.default_rng(1)
    q, v = np.linspace(-1.0, 1.0, 6), np.zeros(6)
    external = rng.uniform(-9.0, 9.0, 6)
    tau = arm.gravity_force(q) - external
    observer = MomentumObserver(arm, gain=gain)
    assert not observer.update(q, v, tau, 0.0).any()
    time = 0.0
    for dt in rng.uniform(1e-4, 0.1, 50):
        time += dt
        found = observer.update(q, v, tau, dt)
        expected = external * (1.0 - np.exp(-gain * time))
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=ROUNDING)
    assert observer.age == pytest.approx(time)


def test_payloads_and_gravity_are_those_of_the_moment(arm: Robot) -> None:
    q, v = np.linspace(-1.0, 1.0, 6), np.zeros(6)
    arm.set_payload("tool0", 2.0, (0.0, 0.0, 0.1))
    tau = arm.gravity_force(q)
    observer = MomentumObserver(arm, gain=100.0)
    for _ in range(20):
        assert np.abs(observer.update(q, v, tau, 0.01)).max() < ROUNDING
    arm.clear_payload()
    for _ in range(20):
        found = observer.update(q, v, tau, 0.01)
    assert np.abs(found - (arm.gravity_force(q) - tau)).max() < 1e-6
    assert np.abs(found).max() > 1.0


def test_what_is_not_finite_never_enters(arm: Robot) -> None:
    q, v = np.linspace(-1.0, 1.0, 6), np.zeros(6)
    tau = arm.gravity_force(q) - 3.0
    observer = MomentumObserver(arm)
    for _ in range(30):
        before = observer.update(q, v, tau, 0.01)
    for bad in (np.nan, np.inf, 1e308):
        for name in ("q", "v"):
            state = {"q": q.copy(), "v": v.copy()}
            state[name][2] = bad
            found = observer.update(state["q"], state["v"], tau, 0.01)
            assert np.isfinite(found).all()
    assert np.isfinite(observer.residual).all()
    observer.reset()
    for _ in range(30):
        before = observer.update(q, v, tau, 0.01)
    torn = tau.copy()
    torn[1] = np.nan
    found = observer.update(q, v, torn, 0.01)
    assert observer.known.tolist() == [True, False, True, True, True, True]
    assert found[1] == 0.0
    assert np.all(found[[0, 2]] > before[[0, 2]])
    observer.update(q, v, tau, 0.01)
    assert not observer.known[1]
    for _ in range(60):
        found = observer.update(q, v, tau, 0.01)
    assert observer.known.all()
    np.testing.assert_allclose(found, 3.0, atol=1e-5)


def test_an_instant_that_is_left_out_counts_as_time(arm: Robot) -> None:
    q, v = np.linspace(-1.0, 1.0, 6), np.zeros(6)
    tau = arm.gravity_force(q) - 3.0
    torn, whole = MomentumObserver(arm), MomentumObserver(arm)
    for observer in (torn, whole):
        observer.update(q, v, tau, 0.0)
    torn.update(np.full(6, np.nan), v, tau, 0.03)
    torn.update(q, v, tau, 0.0)
    np.testing.assert_allclose(torn.residual, whole.update(q, v, tau, 0.03), atol=ROUNDING)
    before = torn.residual
    assert torn.update(q, v, 5.0 * tau, 0.0).tolist() == before.tolist()


@pytest.mark.parametrize("dt", [-1e-3, GAP * 1.01, np.nan, np.inf])
def test_a_gap_or_time_that_runs_back_begins_anew(arm: Robot, dt: float) -> None:
    q, v = np.linspace(-1.0, 1.0, 6), np.zeros(6)
    tau = arm.gravity_force(q) - 3.0
    observer = MomentumObserver(arm)
    for _ in range(10):
        observer.update(q, v, tau, 0.01)
    assert np.abs(observer.residual).max() > 1.0
    assert not observer.update(q, v, tau, dt).any()
    assert observer.age == 0.0
    assert not observer.known.any()
    found = observer.update(q, v, tau, 0.01)
    np.testing.assert_allclose(found, 3.0 * (1.0 - np.exp(-0.25)), atol=ROUNDING)


def test_a_residual_is_nobody_elses(arm: Robot) -> None:
    q, v = np.linspace(-1.0, 1.0, 6), np.zeros(6)
    observer = MomentumObserver(arm)
    observer.update(q, v, np.zeros(6), 0.0)
    found = observer.update(q, v, np.zeros(6), 0.01)
    found[:] = np.nan
    observer.residual[:] = np.nan
    assert np.isfinite(observer.residual).all()


def test_what_it_refuses(arm: Robot) -> None:
    for gain in (0.0, -1.0, np.nan, np.inf, "fast", None):
        with pytest.raises(ArgumentError, match="gain must be a positive number of 1/s"):
            MomentumObserver(arm, gain=gain)  # type: ignore[arg-type]
    observer = MomentumObserver(arm)
    with pytest.raises(ArgumentError, match=r"effort must have shape \(6,\), got \(5,\)"):
        observer.update(np.zeros(6), np.zeros(6), np.zeros(5), 0.01)
    with pytest.raises(ArgumentError, match="q must be"):
        observer.update("zero", np.zeros(6), np.zeros(6), 0.01)  # type: ignore[arg-type]
    closed = rd.load(EXAMPLES / "four_bar.yaml", compile="off")
    with pytest.raises(ArgumentError, match="closed mechanism"):
        MomentumObserver(closed)
