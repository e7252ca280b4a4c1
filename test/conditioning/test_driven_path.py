"""Accelerations of a state path from forward dynamics of measured efforts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from differentiation import error
from effort_paths import DEMO_ARM, UNFILTERED, move, on_every_base, surrounded
from robodyn_ros import load
from robodyn_ros.algorithms import body_motion
from robodyn_ros.conditioning.driven_step import NAME, WITH_EFFORTS, evaluate_of
from robodyn_ros.conditioning.dynamics_step import Efforts
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.path_dynamics import PathDynamics
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.joints import Revolute
from robodyn_ros.model import ModelBuilder
from robodyn_ros.robot import Robot
from state_path_rig import MS

pytestmark = pytest.mark.usefixtures("compiling_here")

TOLERANCE = 1e-10  # of numbers of some 100, norm-wise
DRIVEN = Settings(
    choices=Choices(filter_time_constant=0.0, outlier_rejection=False, forward_dynamics=True)
)


def path_of(robot: Robot, settings: Settings = DRIVEN) -> StatePath:
    path = StatePath(robot, FramePlan(robot.model), settings)
    assert path.stepper.prepare(wait=True) is (robot.compile_mode == "wait")
    return path


def moved(path: StatePath, effort: np.ndarray | None = None, *, last: int = 0) -> np.ndarray:
    """Give messages with efforts (none for the last joints); return those of all joints."""
    sent = np.linspace(-3.0, 4.0, len(path.plan.slots)) if effort is None else effort
    move(path, sent.tolist(), without=last)
    return sent


def tau_of(path: StatePath, sent: np.ndarray) -> np.ndarray:
    """Return efforts (nv,) of the coordinates from those of joint slots."""
    tau = np.zeros(path.robot.model.nv)
    joints = {joint.name: joint for joint in path.robot.model.own_joints}
    for name, value in zip(path.plan.slots.names, sent, strict=True):
        tau[joints[name].v_index] = value
    return tau


@pytest.mark.parametrize("compile", ["wait", "off"])
@on_every_base
def test_accelerations_are_those_that_the_efforts_cause(
    file: Path, base: str, compile: str
) -> None:
    robot = surrounded(file, compile, base)
    path = path_of(robot)
    tau = tau_of(path, moved(path))
    q, v, a = path.result.q, path.result.v, path.result.a
    assert not path.result.forward.any()
    found = robot.inverse_dynamics(q, v, a, friction=True)
    driven = [j.v_index for j in robot.model.own_joints if j.name in path.plan.slots.names]
    assert len(driven) == len(path.plan.slots)
    assert error(found[driven], tau[driven]) <= TOLERANCE
    if base == "fixed":
        assert error(a, robot.forward_dynamics(q, v, tau, friction=True)) <= TOLERANCE
    others = np.setdiff1d(np.arange(robot.model.nv), driven)
    assert not a[others].any()  # a base of which nothing came rests
    motion = body_motion(robot.model, q, v, a, environment=robot.environment)
    assert error(path.bodies()[:, 13:16], motion.linear_acceleration) <= TOLERANCE


def test_the_kernel_gives_what_plain_functions_do_and_efforts_come_along() -> None:
    paths = []
    for mode in ("wait", "off"):
        path = path_of(surrounded(DEMO_ARM, mode))
        dynamics = PathDynamics(path)
        assert dynamics.want(wait=True) is (mode == "wait")
        sent = moved(path)
        assert (path.result.dynamics is not None) is (mode == "wait")
        efforts = Efforts(*dynamics.block().efforts)
        # What forward dynamics took is what inverse dynamics gives back.
        assert error(efforts.total, tau_of(path, sent)) <= TOLERANCE
        assert dynamics.valid(path.stamp or 0).all()
        paths.append(path)
    for name in ("q", "v", "a", "bodies", "relative"):
        x, y = (getattr(path.result, name) for path in paths)
        assert error(x, y) <= TOLERANCE, name


@pytest.mark.parametrize("compile", ["wait", "off"])
def test_a_joint_without_effort_keeps_its_filtered_acceleration_and_is_told(compile: str) -> None:
    robot = surrounded(DEMO_ARM, compile)
    path, filtered = path_of(robot), path_of(robot, UNFILTERED)
    sent = moved(path, last=2)
    moved(filtered)
    q, v, a = path.result.q, path.result.v, path.result.a
    assert error(a[-2:], filtered.result.a[-2:]) <= TOLERANCE
    assert np.abs(filtered.result.a[-2:]).min() > 0.1
    found = robot.inverse_dynamics(q, v, a, friction=True)
    assert error(found[:-2], sent[:-2]) <= TOLERANCE
    stamp = path.stamp or 0
    names = path.plan.slots.names
    reasons = path.acceleration_troubles(stamp)
    assert reasons == dict.fromkeys(names[-2:], "no effort in its joint states")
    assert path.accelerated(stamp).tolist() == [name not in reasons for name in names]
    assert not PathDynamics(path).valid(stamp)[-1]


def test_efforts_of_a_driver_that_compensates_gravity_are_without_it() -> None:
    robot = surrounded(DEMO_ARM)
    path = path_of(robot)
    path.drive.scale(np.ones(len(path.plan.slots)), compensated=True)
    tau = moved(path)
    q, v = path.result.q, path.result.v
    whole = tau + robot.gravity_force(q)
    expected = robot.forward_dynamics(q, v, whole, friction=True)
    assert error(path.result.a, expected) <= TOLERANCE


def test_units_and_gains_count_and_a_refused_one_is_told() -> None:
    robot = surrounded(DEMO_ARM)
    path = path_of(robot)
    names = path.plan.slots.names
    factor = np.linspace(0.5, 2.0, len(names))
    path.drive.scale(factor)
    tau = factor * moved(path)
    expected = robot.forward_dynamics(path.result.q, path.result.v, tau, friction=True)
    assert error(path.result.a, expected) <= TOLERANCE
    factor[1] = 0.0
    path.drive.scale(factor, {names[1]: "unit unknown"})
    moved(path)
    assert path.acceleration_troubles(path.stamp or 0) == {names[1]: "unit unknown"}
    assert path.drive.known.tolist() == [k != 1 for k in range(len(names))]


@pytest.mark.parametrize("compile", ["wait", "off"])
def test_payloads_gravity_and_friction_may_change_and_leave_no_trace(compile: str) -> None:
    robot = load(DEMO_ARM, compile=compile)  # type: ignore[arg-type]
    path = path_of(robot)

    def accelerations() -> np.ndarray:
        path.joints.reset()
        path.drive.follow(robot.environment)
        tau = moved(path)
        state = path.result.q, path.result.v
        expected = robot.forward_dynamics(*state, tau, friction=True)
        assert error(path.result.a, expected) <= TOLERANCE
        return path.result.a

    before = accelerations()
    robot.set_payload(robot.model.body_names[-1], 2.0, (0.0, 0.0, 0.1))
    robot.gravity = (0.0, 9.81, 0.0)
    robot.set_joint_parameters(robot.model.joint_names[0], damping=2.0, armature=0.3)
    assert error(accelerations(), before) > 0.1
    robot.clear_payload()
    robot.gravity = (0.0, 0.0, -9.81)
    robot.reset_joint_parameters()
    assert np.array_equal(accelerations(), before)


@pytest.mark.parametrize("compile", ["wait", "off"])
def test_a_singular_mass_matrix_leaves_filtered_accelerations_with_the_reason(
    compile: str,
) -> None:
    builder = ModelBuilder("odd")
    builder.add_body("base", mass=1.0)
    builder.add_body("arm", mass=1.0, com=(0.2, 0.0, 0.0), inertia=0.1 * np.eye(3))
    builder.add_body("flag")
    builder.add_joint("shoulder", Revolute((0.0, 0.0, 1.0)), "base", "arm")
    builder.add_joint("spin", Revolute((1.0, 0.0, 0.0)), "arm", "flag")
    robot = Robot(builder.build(), compile=compile)  # type: ignore[arg-type]
    path, filtered = path_of(robot), path_of(robot, UNFILTERED)
    moved(path)
    moved(filtered)
    assert error(path.result.a, filtered.result.a) <= TOLERANCE
    stamp = path.stamp or 0
    assert not path.accelerated(stamp).any()
    reasons = path.acceleration_troubles(stamp)
    assert set(reasons) == {"shoulder", "spin"}
    assert all("the mass matrix is singular at joint 'spin'" in x for x in reasons.values())
    robot.set_payload("flag", 1.0, (0.0, 0.1, 0.0))
    path.drive.follow(robot.environment)
    moved(path)
    assert path.accelerated(path.stamp or 0).all()


@pytest.mark.parametrize("compile", ["wait", "off"])
def test_absurd_efforts_are_refused_and_said(compile: str) -> None:
    robot = load(DEMO_ARM, compile=compile)  # type: ignore[arg-type]
    path = path_of(robot)
    count = len(path.plan.slots)
    path.drive.scale(np.full(count, 1e9))
    moved(path, np.full(count, 9e8))
    assert np.isfinite(path.bodies()).all()
    assert np.abs(path.result.a).max() < 1e9
    reasons = path.acceleration_troubles(path.stamp or 0)
    assert set(reasons.values()) == {"forward dynamics gives accelerations beyond all bounds"}
    path.drive.scale(np.ones(count))
    bad = np.ones(count)
    bad[0] = np.nan
    moved(path, bad)
    reasons = path.acceleration_troubles(path.stamp or 0)
    assert reasons == {path.plan.slots.names[0]: "effort not finite or beyond all bounds"}
    assert np.isfinite(path.bodies()).all()


def test_old_efforts_and_unknown_joints_are_told() -> None:
    path = path_of(load(DEMO_ARM, compile="off"))
    names = path.plan.slots.names
    known = len(names) - 1
    path.take(names[:-1], [0.1] * known, [0.0] * known, [1.0] * known, 10 * MS)
    reasons = path.acceleration_troubles(10 * MS)
    assert reasons[names[-1]] == "no effort in its joint states"
    assert reasons[names[0]] == f"the state of joint '{names[-1]}' is not known"
    moved(path)
    assert not path.acceleration_troubles(path.stamp or 0)
    later = (path.stamp or 0) + 2000 * MS
    path.take(names, [0.1] * len(names), [0.0] * len(names), (), later)
    assert set(path.acceleration_troubles(later).values()) == {"effort is 2.0 s old"}
    assert not path.accelerated(later).any()
    path.drive.trouble = "gravity is not known"
    moved(path)
    assert set(path.acceleration_troubles(path.stamp or 0).values()) == {"gravity is not known"}


@pytest.mark.parametrize("compile", ["wait", "off"])
def test_the_source_may_change_while_it_runs(compile: str) -> None:
    robot = load(DEMO_ARM, compile=compile)  # type: ignore[arg-type]
    path, filtered = path_of(robot, UNFILTERED), path_of(robot, UNFILTERED)
    path.choose(DRIVEN)
    path.stepper.prepare(wait=True)
    tau = moved(path)
    expected = robot.forward_dynamics(path.result.q, path.result.v, tau, friction=True)
    assert error(path.result.a, expected) <= TOLERANCE
    path.choose(UNFILTERED)
    path.joints.reset()
    for each in (path, filtered):
        moved(each)
    for name in ("q", "v", "a", "bodies"):
        assert np.array_equal(getattr(path.result, name), getattr(filtered.result, name)), name


def test_operations_by_name() -> None:
    model = load(DEMO_ARM, compile="off").model
    assert callable(evaluate_of(model, NAME))
    assert callable(evaluate_of(model, WITH_EFFORTS))
    with pytest.raises(UnknownNameError):
        evaluate_of(model, "state_step")
