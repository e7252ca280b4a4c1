"""Passive joints of closed mechanisms from what joint states give, message by message."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from closed.planar_four_bar import CRANK_ROCKER, TRIPLE_ROCKER, last_angle
from closed.turns import BEGIN, Case, four_bar_case
from robodyn_ros import load
from robodyn_ros.conditioning.dynamics_step import Efforts
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.multi_dof_input import MultiStep
from robodyn_ros.conditioning.path_dynamics import PathDynamics
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.stamps import Verdict
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.robot import Robot
from state_path_rig import MS, frames, take, texts

pytestmark = pytest.mark.usefixtures("compiling_here")

EXAMPLES = Path(__file__).parents[2] / "examples"
SETTINGS = Settings(choices=Choices(outlier_rejection=False))
LINKS = {"crank", "coupler", "rocker"}


def path_of(robot: Robot) -> StatePath:
    plain = Robot(robot.model, compile="off")
    return StatePath(plain, FramePlan(plain.model), SETTINGS)


def example(name: str) -> StatePath:
    return path_of(load(EXAMPLES / name, compile="off"))


@pytest.fixture(scope="module", params=[1, -1], ids=["open", "crossed"])
def turning(request, tmp_path_factory) -> Case:
    return four_bar_case(tmp_path_factory.mktemp("four_bar"), CRANK_ROCKER, request.param)


@pytest.fixture(scope="module")
def stopping(tmp_path_factory) -> Case:
    return four_bar_case(tmp_path_factory.mktemp("stopping"), TRIPLE_ROCKER, 1)


def test_a_turn_of_the_crank_alone_moves_all_links_on_its_branch(turning: Case) -> None:
    path = path_of(turning.robot)
    angles = BEGIN + np.linspace(0.0, 2.0 * math.pi, 60)
    rates = np.full_like(angles, 1.5)
    q, v, _ = turning.states(angles, rates, np.zeros_like(angles))
    for k, angle in enumerate(angles):
        step = take(path, {"crank": angle}, 20 * (k + 1), velocity=[1.5])
        assert frames(path, step) == LINKS
        assert not texts(step)
        assert turning.misplaced(path.result.q, q[k]) < 1e-9
        assert path.result.v == pytest.approx(v[k], abs=1e-8)
    valid, age = path.validity(path.stamp)
    assert (valid.all(), age.any()) == (True, False)


def test_noise_does_not_accumulate(turning: Case) -> None:
    path = path_of(turning.robot)
    rng = np.random.default_rng(5)
    angles = BEGIN + 0.05 * rng.normal(size=30)
    q, _, _ = turning.states(angles, 0.0 * angles, 0.0 * angles)
    for k, angle in enumerate(angles):
        take(path, {"crank": angle}, 10 * (k + 1))
        assert turning.misplaced(path.result.q, q[k]) < 1e-9


def test_a_first_message_far_away_is_reached_on_the_branch_of_the_description(
    turning: Case,
) -> None:
    path = path_of(turning.robot)
    step = take(path, {"crank": BEGIN + 2.5}, 1)
    q, _, _ = turning.states([BEGIN + 2.5], [0.0], [0.0])
    assert frames(path, step) == LINKS
    assert turning.misplaced(path.result.q, q[0]) < 1e-9


def test_values_that_cannot_be_keep_the_last_state_and_are_explained(stopping: Case) -> None:
    path = path_of(stopping.robot)
    take(path, {"crank": BEGIN}, 1, velocity=[0.0])
    before = path.result.q.copy()
    beyond = last_angle(TRIPLE_ROCKER) + 0.3
    step = take(path, {"crank": beyond}, 2, velocity=[0.0])
    assert frames(path, step) == {"crank"}
    (text,) = texts(step)
    assert "it cannot close at 'crank' = " in text
    assert "'pin' lacks" in text
    assert path.result.q[1:] == pytest.approx(before[1:])
    assert np.isfinite(path.bodies()).all()
    valid, _ = path.validity(2 * MS)
    names = [path.robot.model.body_names[k] for k in np.flatnonzero(~valid)]
    assert set(names) >= {"coupler", "rocker"}
    assert "crank" not in names
    why = {name: reason for name, _, reason in path.troubles(2 * MS)}
    assert not why["crank"]
    assert "cannot close" in why["rocker"]


def test_it_recovers_with_the_next_message_that_closes(stopping: Case) -> None:
    path = path_of(stopping.robot)
    take(path, {"crank": BEGIN}, 1, velocity=[0.0])
    take(path, {"crank": last_angle(TRIPLE_ROCKER) + 0.3}, 2, velocity=[0.0])
    step = take(path, {"crank": BEGIN + 0.01}, 3, velocity=[0.0])
    q, _, _ = stopping.states([BEGIN + 0.01], [0.0], [0.0])
    assert frames(path, step) == LINKS
    assert not texts(step)
    assert stopping.misplaced(path.result.q, q[0]) < 1e-9
    assert path.validity(3 * MS)[0].all()


def test_nothing_finite_is_lost_on_the_way_through_a_dead_centre(stopping: Case) -> None:
    path = path_of(stopping.robot)
    last = last_angle(TRIPLE_ROCKER)
    for k, angle in enumerate([*np.linspace(BEGIN, last, 12), last - 1e-9, last, last + 1e-9]):
        step = take(path, {"crank": float(angle)}, 10 * (k + 1), velocity=[0.1])
        assert np.isfinite(path.bodies()).all()
        assert np.isfinite(path.result.v).all()
        if not path.passive.is_good:
            assert "rocker" not in frames(path, step)
    assert take(path, {"crank": last - 0.2}, 1000).frames.size


@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e300])
def test_what_is_not_sane_moves_no_passive_joint(stopping: Case, bad: float) -> None:
    path = path_of(stopping.robot)
    take(path, {"crank": BEGIN}, 1, velocity=[0.0])
    before = path.result.q.copy()
    step = take(path, {"crank": bad}, 2)
    assert not len(step.frames)
    assert path.result.q == pytest.approx(before, abs=1e-12)
    assert not path.validity(2 * MS)[0][1:].any()


def test_passive_joints_follow_from_what_is_measured(turning: Case) -> None:
    path = path_of(turning.robot)
    angles = BEGIN - np.linspace(0.0, 0.3, 5)
    q, _, _ = turning.states(angles, 0.0 * angles, 0.0 * angles)
    rocker = path.plan.slots.names.index("rocker")
    for k in range(len(angles)):
        step = take(path, {"rocker": q[k, rocker]}, k + 1)
        assert frames(path, step) == LINKS
        assert turning.misplaced(path.result.q, q[k]) < 1e-8
    assert path.passive.missing(path.received()) == ()


def test_before_the_motor_was_heard_passive_joints_are_not_valid(turning: Case) -> None:
    path = path_of(turning.robot)
    why = {name: reason for name, _, reason in path.troubles(0)}
    assert why["crank"] == "never received"
    assert why["rocker"] == "follows from 'crank': never received"
    assert path.passive.missing(path.received()) == ("crank",)


def test_what_is_measured_beyond_the_mobility_is_not_used(turning: Case) -> None:
    path = path_of(turning.robot)
    q, _, _ = turning.states([BEGIN], [0.0], [0.0])
    take(path, {"crank": BEGIN, "rocker": q[0, 2] + 0.3}, 1, velocity=[0.0, 0.0])
    assert turning.misplaced(path.result.q, q[0]) < 1e-9
    (name,) = [one.name for one in path.redundant() if one.is_off]
    assert name == "rocker"


def test_leg_lengths_place_a_platform() -> None:
    path = example("stewart_platform_rods.yaml")
    legs = {f"leg{k}": 1.115 for k in range(1, 7)}
    robot = path.robot
    first = {**legs, "leg1": 1.12}
    step = take(path, first, 1, velocity=[0.0] * 6)
    assert frames(path, step) == {"platform"}
    expected = robot.assemble(robot.initial_state[0], **first).q
    assert path.result.q == pytest.approx(expected, abs=1e-9)
    # five lengths: the sixth is as it was, and known
    step = take(path, {"leg2": 1.118}, 2, velocity=[0.0])
    assert frames(path, step) == {"platform"}
    valid, age = path.validity(2 * MS)
    platform = robot.model.body_index("platform")
    assert valid[platform]
    assert age[platform] == pytest.approx(1e-3)


def test_control_elements_that_nobody_gives_are_as_described_and_moved_by_parameters() -> None:
    path = example("stewart_platform_rods.yaml")
    step = take(path, {"leg1": 1.12}, 1, velocity=[0.0])
    assert frames(path, step) == {"platform"}
    assert path.validity(MS)[0][path.robot.model.body_index("platform")]
    path.choose(Settings(choices=SETTINGS.choices, controls={"leg2": 1.125}))
    take(path, {"leg1": 1.12}, 2)
    assert path.result.q[path.robot.model.position_names.index("leg2")] == 1.125


def test_the_pose_of_a_platform_gives_the_lengths_of_its_legs() -> None:
    path = example("stewart_platform_rods.yaml")
    position, quaternion = np.array([0.02, -0.01, 1.03]), np.array([0.0, 0.0, 0.0, 1.0])
    for k in range(2):
        stamp = round((k + 1) * 10 * MS)
        twist = np.zeros(6)
        path.rest.merge("platform_free", position, quaternion, twist, stamp, SETTINGS.choices)
        moved = np.array([len(path.plan.slots)])
        step = path.take_poses(MultiStep(stamp, moved, Verdict.NEW, ()))
    assert frames(path, step) == {"platform"}
    legs = path.result.q[[path.robot.model.position_names.index(f"leg{k}") for k in range(1, 7)]]
    assert np.ptp(legs) > 0.01
    assert np.abs(path.robot.constraint_residual(path.result.q)).max() < 1e-12
    at = path.bodies()[path.robot.model.body_index("platform"), :3]
    assert at == pytest.approx(position)


def test_auxiliary_bodies_are_not_seen() -> None:
    path = example("four_bar.yaml")
    names = path.robot.model.body_names
    hidden = {names[k] for k in range(len(names)) if k not in path.plan.visible}
    assert hidden == {"rocker_pin_copy"}
    pairs, _ = path.plan.static()
    assert not pairs
    step = take(path, {"motor": 2.0, "rocker_pin": 1.0}, 1)
    assert hidden.isdisjoint(frames(path, step))


def test_a_kernel_says_the_same_as_plain_functions(tmp_path: Path) -> None:
    case = four_bar_case(tmp_path, CRANK_ROCKER, 1)
    plan = FramePlan(case.robot.model)
    compiled = StatePath(Robot(case.robot.model, compile="wait"), plan, SETTINGS)
    assert compiled.stepper.prepare(wait=True)
    plain = path_of(case.robot)
    for k in range(8):
        for path in (compiled, plain):
            take(path, {"crank": BEGIN + 0.05 * k}, 10 * (k + 1), velocity=[5.0])
        assert compiled.result.q == pytest.approx(plain.result.q, abs=1e-12)
        assert compiled.result.a == pytest.approx(plain.result.a, abs=1e-8)
        assert compiled.bodies() == pytest.approx(plain.bodies(), abs=1e-8)
    take(compiled, {"crank": math.nan}, 1000)
    assert np.isfinite(compiled.bodies()).all()


def test_efforts_are_those_of_the_motor(turning: Case) -> None:
    path = path_of(turning.robot)
    dynamics = PathDynamics(path)
    dynamics.want()
    for k in range(4):
        take(path, {"crank": BEGIN + 0.02 * k}, 10 * (k + 1), velocity=[2.0])
    result, robot = path.result, path.robot
    efforts, _ = dynamics.block()
    total = robot.inverse_dynamics(result.q, result.v, result.a)
    assert efforts[Efforts._fields.index("total")] == pytest.approx(total, abs=1e-9)
    assert not total[1:].any()
    assert dynamics.valid(path.stamp).all()
    take(path, {"crank": math.nan}, 100)
    assert not dynamics.valid(path.stamp).any()


def test_accelerations_follow_from_the_motor_s_effort(turning: Case) -> None:
    choices = Choices(outlier_rejection=False, forward_dynamics=True)
    robot = Robot(turning.robot.model, compile="off")
    path = StatePath(robot, FramePlan(robot.model), Settings(choices=choices))
    for k in range(3):
        take(path, {"crank": BEGIN}, 10 * (k + 1), velocity=[2.0], effort=[1.5])
    result = path.result
    expected = robot.forward_dynamics(result.q, result.v, [1.5, 0.0, 0.0, 0.0], friction=True)
    assert result.a == pytest.approx(expected, abs=1e-8)
    assert path.accelerated(path.stamp).all()
