"""Assembly near closed configurations by a kernel: as the general method does it, in batches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.algorithms.integrate import integrate
from robodyn_ros.constraints.assembly import assemble
from robodyn_ros.errors import ArgumentError
from robodyn_ros.kernels.trace import trace
from robodyn_ros.robot.catalogue import operation
from robodyn_ros.robot.kernel_source import Compile
from robodyn_ros.robot.nearby_assembly import NearbyAssembly

pytestmark = pytest.mark.usefixtures("compiling_here")

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = {
    "four_bar": "four_bar.yaml",
    "squeezer": "benchmarks/andrews_squeezer.yaml",
    "platform": "stewart_platform.yaml",
}
AWAY = 0.04

#: Instructions at most of inverse and forward dynamics, and of closing. Divisions, which take as
#: long as ten others: one for each pivot of each elimination, and those of quaternions.
LIMITS = {
    "four_bar": ((115, 1), (146, 2), (420, 8)),
    "squeezer": ((425, 3), (530, 4), (1350, 24)),
    "platform": ((3800, 24), (6250, 30), (14800, 265)),
}


@pytest.fixture(scope="module", params=FILES)
def robot(request: pytest.FixtureRequest) -> rd.Robot:
    # Of the platform the plain functions: its kernel takes seconds to compile.
    mode: Compile = "off" if request.param == "platform" else "wait"
    return rd.load(EXAMPLES / FILES[request.param], compile=mode)


def guesses(robot: rd.Robot, count: int, away: float = AWAY) -> np.ndarray:
    rng = np.random.default_rng(31)
    step = rng.uniform(-away, away, (count, robot.model.nv))
    return integrate(robot.model, robot.initial_state[0], step)


def held(robot: rd.Robot, q: np.ndarray) -> dict[str, float]:
    names = robot.model.coordinate_names
    places = {joint.v_index: joint.q_index for joint in robot.model.own_joints}
    partition = robot.model.closure.partition
    assert partition is not None
    return {names[k]: float(q[places[k]]) for k in partition.independent}


def test_batch_equals_single_calls_and_general_assembly(robot: rd.Robot) -> None:
    guess = guesses(robot, 5)
    found = robot.closed(guess)
    assert np.max(np.abs(robot.constraint_residual(found))) < 1e-13
    for row, q in zip(guess, found, strict=True):
        assert np.max(np.abs(robot.closed(row) - q)) < 1e-13
    general = assemble(robot.model, guess[0], held(robot, guess[0]))
    assert np.max(np.abs(general.q - found[0])) < 1e-9


def test_assemble_takes_the_kernel_and_says_the_same(robot: rd.Robot) -> None:
    (guess,) = guesses(robot, 1)
    nearby = robot.assemble(guess)
    assert isinstance(nearby, NearbyAssembly)
    assert np.array_equal(nearby.q, robot.closed(guess))
    general = assemble(robot.model, guess, held(robot, guess))
    assert nearby.residual < 1e-13
    assert (nearby.mobility, nearby.rank) == (general.mobility, general.rank)
    moved = {name: value + 0.01 for name, value in held(robot, guess).items()}
    by_input = robot.assemble(guess, **moved)
    assert isinstance(by_input, NearbyAssembly)
    assert held(robot, by_input.q) == moved


def four_bar(mode: Compile = "off") -> rd.Robot:
    return rd.load(EXAMPLES / FILES["four_bar"], compile=mode)


@pytest.mark.parametrize("mode", ["off", "wait"])
def test_rows_that_do_not_close_nearby_are_nan(mode: Compile) -> None:
    robot = four_bar(mode)
    q, _ = robot.initial_state
    far, beyond, undefined = q.copy(), q.copy(), q.copy()
    far[1:] += 1.5
    pivot = robot.model.coordinate_names.index("pivot")
    beyond[pivot] = -q[pivot]  # the other branch, whose rocker is below its range
    undefined[0] = np.nan
    found = robot.closed(np.array([q, far, beyond, undefined]))
    assert np.all(np.isfinite(found), axis=1).tolist() == [True, False, False, False]
    assert np.isnan(found[1:]).all()
    assert np.isnan(robot.closed(far)).all()


def test_what_does_not_close_nearby_is_left_to_the_general_method() -> None:
    robot = four_bar()
    q, _ = robot.initial_state
    far = q.copy()
    far[1:] += 1.0
    found = robot.assemble(far)
    assert not isinstance(found, NearbyAssembly)
    assert found.residual < 1e-10
    names = robot.model.coordinate_names
    passive = robot.assemble(q, pivot=float(q[names.index("pivot")]) + 0.02)
    assert not isinstance(passive, NearbyAssembly)
    assert passive.residual < 1e-10
    assert passive.q[names.index("pivot")] == q[names.index("pivot")] + 0.02


def test_trees_have_nothing_to_close() -> None:
    tree = rd.load(EXAMPLES / "double_pendulum.yaml", compile="off")
    with pytest.raises(ArgumentError, match="is a tree"):
        tree.closed(tree.initial_state[0])


@pytest.mark.parametrize("name", FILES)
def test_instructions_do_not_grow(name: str) -> None:
    model = rd.load(EXAMPLES / FILES[name], compile="off").model
    operations = ("inverse_dynamics", "forward_dynamics", "closing")
    for kind, (most, divisions) in zip(operations, LIMITS[name], strict=True):
        described = operation(model, kind)
        program = trace(described.evaluate, described.signature)
        assert program.instruction_count <= most, kind
        names = [instruction.operation for instruction in program.instructions]
        assert names.count("div") <= divisions, kind
