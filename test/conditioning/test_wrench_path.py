"""External wrenches on a state path: which act, what they do to efforts and to accelerations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from differentiation import error
from effort_paths import DEMO_ARM, UNFILTERED, move, on_every_base, surrounded
from robodyn_ros import Robot, load
from robodyn_ros.algorithms import body_motion
from robodyn_ros.conditioning.acting_wrenches import ActingWrenches
from robodyn_ros.conditioning.driven_step import WITH_EFFORTS
from robodyn_ros.conditioning.driven_step import evaluate_of as driven
from robodyn_ros.conditioning.dynamics_step import EXTERNAL, EXTERNAL_ROW, NAME, Efforts
from robodyn_ros.conditioning.dynamics_step import evaluate_of as undriven
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.path_dynamics import PathDynamics
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.errors import UnknownNameError
from state_path_rig import MS, take

TOLERANCE = 1e-12  # a few roundings of numbers of order 1, norm-wise
EXAMPLES = Path(__file__).parents[2] / "examples"
DRIVEN = Settings(
    choices=Choices(filter_time_constant=0.0, outlier_rejection=False, forward_dynamics=True)
)
FOR_EVER = 0.0


def path_of(robot: Robot, settings: Settings = UNFILTERED) -> StatePath:
    path = StatePath(robot, FramePlan(robot.model), settings)
    path.wrenches.timeout = FOR_EVER
    return path


def pushed(robot: Robot, seed: int = 1) -> dict[str, np.ndarray]:
    """Return wrenches at the last link and at one amid the robot."""
    names = robot.model.body_names
    rng = np.random.default_rng(seed)
    return {name: rng.uniform(-5.0, 5.0, 6) for name in (names[-1], names[len(names) // 2])}


def tell(path: StatePath, wrenches: dict[str, np.ndarray], source: str = "/push") -> None:
    for frame, wrench in wrenches.items():
        path.wrenches.tell(source, frame, wrench, 0)


@pytest.mark.parametrize("compile", ["wait", "off"])
@on_every_base
def test_efforts_balance_the_wrenches(file: Path, base: str, compile: str) -> None:
    robot = surrounded(file, compile, base)
    path, wrenches = path_of(robot), pushed(robot)
    dynamics = PathDynamics(path)
    assert dynamics.want(wait=True) is (compile == "wait")
    tell(path, wrenches)
    move(path)
    result, block = path.result, dynamics.block()
    assert (dynamics.computed() is not None) is (compile == "wait")
    state = (result.q, result.v, result.a)
    options = {"external_wrenches": wrenches, "wrench_axes": "local"}
    expected = robot.effort_terms(*state, **options)
    assert error(block.efforts[EXTERNAL_ROW], expected.external) <= TOLERANCE
    assert np.abs(expected.external).max() > 1.0
    found = Efforts(*block.efforts[:EXTERNAL_ROW])
    for name in Efforts._fields[:-1]:
        assert error(getattr(found, name), getattr(expected, name)) <= TOLERANCE, name
    whole = robot.inverse_dynamics(*state, friction=True, **options)
    assert error(found.total, whole) <= TOLERANCE
    turn = body_motion(robot.model, result.q, environment=robot.environment).rotation
    pushes = np.zeros(robot.model.nv)
    for frame, wrench in wrenches.items():
        R = turn[robot.model.body_names.index(frame)]
        pushes += robot.jacobian(result.q, frame).T @ np.concatenate(
            [R @ wrench[:3], R @ wrench[3:]]
        )
    assert error(block.efforts[EXTERNAL_ROW], -pushes) <= TOLERANCE


def test_the_kernel_is_another_one_only_while_a_wrench_acts() -> None:
    robot = surrounded(DEMO_ARM, "wait")
    path = path_of(robot)
    dynamics = PathDynamics(path)

    def rows() -> int:
        dynamics.want()
        move(path)
        assert path.result.dynamics is not None
        return len(path.result.dynamics.efforts)

    assert rows() == EXTERNAL_ROW
    before = path.stepper._compiled
    frame = robot.model.body_names[-1]
    path.wrenches.tell("/push", frame, np.ones(6), 0)
    assert rows() == EXTERNAL_ROW + 1
    path.wrenches.tell("/push", frame, np.zeros(6), 0)
    assert rows() == EXTERNAL_ROW
    assert path.stepper._compiled is not None
    without, _ = dynamics.block()
    alone = PathDynamics(path_of(robot))
    alone.want(wait=True)
    for _ in range(3):
        move(alone.path)
    assert np.array_equal(without, alone.block().efforts), "no trace is left"
    assert type(before) is type(path.stepper._compiled)


def test_motion_is_the_same_bit_for_bit_with_and_without_a_wrench() -> None:
    robot = load(DEMO_ARM, compile="wait")
    paths = [path_of(robot), path_of(robot)]
    tell(paths[1], pushed(robot))
    for path in paths:
        PathDynamics(path).want(wait=True)
        move(path)
    for name in ("memory", "q", "v", "a", "relative", "bodies"):
        x, y = (getattr(path.result, name) for path in paths)
        assert np.array_equal(x, y), name


@pytest.mark.parametrize("compile", ["wait", "off"])
@on_every_base
def test_accelerations_of_forward_dynamics_know_of_the_push(
    file: Path, base: str, compile: str
) -> None:
    robot = surrounded(file, compile, base)
    path, wrenches = path_of(robot, DRIVEN), pushed(robot, 2)
    tell(path, wrenches)
    count = len(path.plan.slots)
    sent = np.linspace(-3.0, 4.0, count)
    dynamics = PathDynamics(path)
    dynamics.want(wait=True)
    move(path, sent.tolist())
    q, v, a = path.result.q, path.result.v, path.result.a
    assert not path.result.forward.any()
    options = {"external_wrenches": wrenches, "wrench_axes": "local"}
    found = robot.inverse_dynamics(q, v, a, friction=True, **options)
    slots = [j.v_index for j in robot.model.own_joints if j.name in path.plan.slots.names]
    assert error(found[slots], sent) <= 1e-10
    total = Efforts(*dynamics.block().efforts[:EXTERNAL_ROW]).total
    assert error(total[slots], sent) <= 1e-10


@pytest.mark.parametrize("compile", ["wait", "off"])
def test_the_motor_of_a_closed_mechanism_holds_against_the_push(compile: str) -> None:
    robot = load(EXAMPLES / "four_bar.yaml", compile=compile)
    path = path_of(robot)
    dynamics = PathDynamics(path)
    dynamics.want(wait=True)
    body = next(x.name for x in robot.model.bodies[2:] if not x.auxiliary)
    wrench = np.array([0.5, -1.0, 2.0, 3.0, -4.0, 5.0])
    path.wrenches.tell("/push", body, wrench, 0)
    q0 = robot.initial_state[0]
    slot = path.plan.slots.names[0]
    for k in range(4):
        take(path, {slot: q0[0] + 0.02 * k}, 10 * (k + 1), velocity=[2.0])
    result = path.result
    state = (result.q, result.v, result.a)
    options = {"external_wrenches": {body: wrench}, "wrench_axes": "local"}
    block = dynamics.block()
    pushed = robot.inverse_dynamics(*state, **options)
    alone = robot.inverse_dynamics(*state)
    assert block.efforts[EXTERNAL_ROW] == pytest.approx(pushed - alone, abs=1e-9)
    assert np.abs(pushed - alone).max() > 0.01
    assert Efforts(*block.efforts[:-1]).total == pytest.approx(pushed, abs=1e-9)


def test_a_wrench_acts_near_its_stamp_and_the_newest_of_a_frame_counts() -> None:
    model = load(DEMO_ARM, compile="off").model
    wrenches = ActingWrenches(model, timeout=0.2)
    frame = model.body_names[-1]
    assert wrenches.acting_at(0) == ()
    one = np.arange(1.0, 7.0)
    wrenches.tell("/a", frame, one, 1000 * MS)
    assert [bool(wrenches.acting_at(at * MS)) for at in (799, 800, 1000, 1200, 1201)] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert not wrenches.is_acting
    (array,) = wrenches.acting_at(1000 * MS)
    first = array.copy()
    wrenches.tell("/b", frame, one, 1000 * MS)
    (again,) = wrenches.acting_at(1000 * MS)
    assert again is array, "kernels are bound to it"
    assert array == pytest.approx(2.0 * first)
    wrenches.tell("/a", frame, np.zeros(6), 1000 * MS)
    wrenches.tell("/b", frame, 3.0 * one, 1100 * MS)
    (array,) = wrenches.acting_at(1100 * MS)
    assert array == pytest.approx(3.0 * first)
    assert [(x.source, acts) for x, acts in wrenches.told()] == [("/a", False), ("/b", True)]
    wrenches.timeout = FOR_EVER
    assert wrenches.acting_at(10**18)


def test_a_frame_that_there_is_not_is_refused() -> None:
    wrenches = ActingWrenches(load(DEMO_ARM, compile="off").model)
    with pytest.raises(UnknownNameError, match="nowhere"):
        wrenches.tell("/a", "nowhere", np.ones(6), 0)
    assert wrenches.acting_at(0) == ()


@pytest.mark.parametrize(
    ("evaluate_of", "name"), [(undriven, NAME), (driven, NAME), (driven, WITH_EFFORTS)]
)
def test_a_compiling_process_finds_the_variants_by_name(evaluate_of, name: str) -> None:
    model = load(DEMO_ARM, compile="off").model
    if evaluate_of is driven and name == NAME:
        name = "driven_step"
    assert callable(evaluate_of(model, name + EXTERNAL))
    with pytest.raises(UnknownNameError):
        evaluate_of(model, f"nothing{EXTERNAL}")
