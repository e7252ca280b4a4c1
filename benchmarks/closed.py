"""Assembly and forward dynamics of closed mechanisms, beside Pinocchio and MuJoCo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.closed_cases import AWAY, CLOSED, FILES, Case, Engine, States
from benchmarks.closed_mujoco import MujocoSide
from benchmarks.closed_pinocchio import PinocchioSide
from benchmarks.dynamics import Amount
from benchmarks.timing import Figure, in_turn
from robodyn_ros.kernels.rows import available_threads
from robodyn_ros.robot.catalogue import operation
from robodyn_ros.robot.kernel_source import KernelSource

SAME = {"Pinocchio": 1e-8, "MuJoCo": 1e-3}
"""Largest norm-wise difference of accelerations; MuJoCo's constraints give way."""
SAME_PLACE = 1e-9
"""Largest difference of assembled coordinates, rad or m."""
SHARE = 10
"""A loop in Python takes as long for every row: it runs over this share of a batch's rows."""

_SIDE = "{0} | ratio | least | difference | residual"


def closed_figures(amount: Amount) -> Iterator[str]:
    """Yield the tables, in µs."""
    cases = [(case, _engines(case)) for case in map(Case, FILES)]
    sides = " | ".join(_SIDE.format(name) for name in SAME)
    columns = "|---" * 14 + "|"
    threads = available_threads()
    yield (
        "Times in µs; residuals in m/s² of `forward_dynamics`, in m or rad of assembly, which"
        f" begins up to {AWAY} rad or m away.\n"
    )
    yield "### Closed mechanisms, one call\n"
    yield f"| | | robodyn_ros | residual | {sides} | instructions |"
    yield columns + "---|"
    for case, engines in cases:
        yield _row("forward_dynamics", case, [_forward(case, x, amount) for x in engines])
        yield _row("constraint_forces", case, [_forces(case, x, amount) for x in engines])
        yield _row("assemble", case, [_assembly(case, x, amount) for x in engines])
    yield f"\n### Closed mechanisms, a batch of {amount.batch}, {threads} threads, per row\n"
    yield f"| | | robodyn_ros | residual | {sides} |"
    yield columns
    for case, engines in cases:
        for name, batch in (("forward_dynamics", _forward_batch), ("closed", _assembly_batch)):
            yield _row(name, case, [batch(case, x, amount) for x in engines], counted=False)


def _engines(case: Case) -> tuple[Engine, ...]:
    names = ("forward_dynamics", "inverse_dynamics", "complete", "closing")
    names = (*names, "constraint_forces", "constraint_residual")
    if not case.robot.compile(*names):
        raise SystemExit(f"{case.name}: no kernels")
    return PinocchioSide(case).engine(), MujocoSide(case).engine()


Cells = tuple[Figure, float, float, float]
"""Seconds a row, our residual, the difference of the other, its residual."""


def _row(name: str, case: Case, sides: list[Cells], *, counted: bool = True) -> str:
    figure, residual, *_ = sides[0]
    cells = [f"`{name}`", case.name, f"{figure.ours * 1e6:.2f}", f"{residual:.0e}"]
    for figure, _, difference, left in sides:
        cells += [f"{figure.theirs * 1e6:.1f}", f"{figure.ratio:.1f}", f"{figure.worst:.1f}"]
        cells += [f"{difference:.0e}", f"{left:.0e}"]
    if counted:
        cells.append(str(_instructions(case, "closing" if name == "assemble" else name)))
    return f"| {' | '.join(cells)} |"


def _instructions(case: Case, name: str) -> int:
    model = case.robot.model
    kernel = KernelSource(model, operation(model, name), "wait").poll(wait=True)
    if kernel is None:
        raise SystemExit(f"{case.name}: the kernel for {name} does not load")
    return kernel.instructions


def _forward(case: Case, engine: Engine, amount: Amount) -> Cells:
    """Return figures of single calls, after the accelerations were found equal."""
    equal = _equal_accelerations(case, engine, amount.compared)
    states = case.states(amount.single, seed=2)
    theirs = engine.converted(states)
    figure = in_turn(
        _loop(case.robot.forward_dynamics, states[:3]),
        _loop(engine.accelerated, theirs[:3]),
        amount.rounds,
    )
    return (_per_row(figure, amount.single), *equal)


def _forces(case: Case, engine: Engine, amount: Amount) -> Cells:
    """Return figures of the constraints' forces, which come with the other's accelerations."""
    residual, _, left = _equal_accelerations(case, engine, amount.compared)
    difference = _equal_forces(case, engine, amount.compared)
    states = case.states(amount.single, seed=2)
    figure = in_turn(
        _loop(case.robot.constraint_forces, states[:3]),
        _loop(engine.accelerated, engine.converted(states)[:3]),
        amount.rounds,
    )
    return _per_row(figure, amount.single), residual, difference, left


def _forward_batch(case: Case, engine: Engine, amount: Amount) -> Cells:
    """Return figures of a batch: beside a batch of the other side's if it has any."""
    equal = _equal_accelerations(case, engine, amount.compared)
    states = case.states(amount.batch, seed=3)
    theirs = engine.converted(states)
    q, v, tau, _ = states
    out = case.robot.forward_dynamics(q, v, tau)

    def run_ours() -> None:
        case.robot.forward_dynamics(q, v, tau, out=out)

    rounds = max(2, amount.rounds // 2)
    if engine.batch is not None:
        return (_per_row(in_turn(run_ours, engine.batch(theirs), rounds), len(q)), *equal)
    part = max(1, len(q) // SHARE)
    run_theirs = _loop(engine.accelerated, [x[:part] for x in theirs[:3]])
    return (_per_row(in_turn(run_ours, run_theirs, rounds), len(q), part), *equal)


def _assembly(case: Case, engine: Engine, amount: Amount) -> Cells:
    """Return figures of single calls, after the same configurations were reached."""
    equal = _equal_places(case, engine, amount.compared)
    states = case.states(amount.single, seed=2)
    guess = engine.converted(states).guess
    figure = in_turn(
        _loop(case.robot.assemble, [states.guess]), _loop(engine.assembled, [guess]), amount.rounds
    )
    return (_per_row(figure, amount.single), *equal)


def _assembly_batch(case: Case, engine: Engine, amount: Amount) -> Cells:
    """Return figures of a batch beside a loop in Python."""
    equal = _equal_places(case, engine, amount.compared)
    states = case.states(amount.batch, seed=3)
    part = max(1, amount.batch // SHARE)
    guess = engine.converted(states).guess[:part]
    figure = in_turn(
        lambda: case.robot.closed(states.guess),
        _loop(engine.assembled, [guess]),
        max(2, amount.rounds // 4),
    )
    return (_per_row(figure, amount.batch, part), *equal)


def _equal_accelerations(case: Case, engine: Engine, count: int) -> tuple[float, float, float]:
    """Return our residual, the largest difference, and the other's residual, or exit."""
    robot = case.robot
    states = case.states(count, seed=1, moving=not engine.from_rest)
    q, v, tau, _ = states
    ours = robot.forward_dynamics(q, v, tau)
    left = np.einsum("nij,nj->ni", robot.constraint_jacobian(q), ours)
    residual = float(np.max(np.abs(left + robot.constraint_bias(q, v))))
    there = engine.converted(states)
    found = np.array([np.copy(engine.accelerated(*row)) for row in zip(*there[:3], strict=True)])
    expected = ours[:, case.v]
    apart = np.abs(engine.accelerations(there, found) - expected)
    scale = np.maximum(1.0, np.max(np.abs(expected), axis=1, keepdims=True))
    difference = float(np.max(apart / scale))
    if not difference < SAME[engine.name]:
        raise SystemExit(f"{case.name}: {engine.name}'s accelerations differ by {difference:.1e}")
    exact = engine.converted(States(q, ours, tau, q)).v  # ours as theirs are written
    beyond = [engine.jacobian(at) @ x for at, x in zip(there.q, found - exact, strict=True)]
    return residual, difference, float(np.max(np.abs(beyond)))


def _equal_forces(case: Case, engine: Engine, count: int) -> float:
    """Return the largest difference of the constraints' generalised forces, or exit."""
    robot = case.robot
    states = case.states(count, seed=1, moving=not engine.from_rest)
    q, v, tau, _ = states
    forces = robot.constraint_forces(q, v, tau)
    exerted = np.einsum("nji,nj->ni", robot.constraint_jacobian(q), forces)
    expected = engine.converted(States(q, v, exerted, q)).tau
    worst = 0.0
    for *row, ours in zip(*engine.converted(states)[:3], expected, strict=True):
        engine.accelerated(*row)
        apart = float(np.max(np.abs(engine.forces() - ours)))
        worst = max(worst, apart / max(1e-3, float(np.max(np.abs(ours)))))
    if not worst < SAME[engine.name]:
        raise SystemExit(f"{case.name}: {engine.name}'s forces differ by {worst:.1e}")
    return worst


def _equal_places(case: Case, engine: Engine, count: int) -> tuple[float, float, float]:
    """Return our residual, the largest difference of coordinates, the other's residual, or exit."""
    robot = case.robot
    states = case.states(count, seed=1)
    assembled = np.array([robot.assemble(guess).q for guess in states.guess])
    if not np.max(np.abs(assembled - robot.closed(states.guess))) < SAME_PLACE:
        raise SystemExit(f"{case.name}: a batch is closed in another way than its rows")
    there = engine.converted(states)
    found = np.array([engine.assembled(guess) for guess in there.guess])
    expected = engine.converted(States(assembled, states.v, states.tau, assembled)).q
    difference = float(np.max(np.abs(found - expected)))
    if not difference < SAME_PLACE:
        raise SystemExit(f"{case.name}: {engine.name} assembles it {difference:.1e} away")
    left = max(float(np.max(np.abs(engine.gaps(q)))) for q in found)
    residual = float(np.max(np.abs(robot.constraint_residual(assembled))))
    if not max(left, residual) < CLOSED:
        raise SystemExit(f"{case.name}: not closed: {residual:.1e}, {engine.name} {left:.1e}")
    return residual, difference, left


def _loop(call: Callable[..., Any], arrays: Any) -> Callable[[], None]:
    rows = list(zip(*arrays, strict=True))

    def run() -> None:
        for row in rows:
            call(*row)

    return run


def _per_row(figure: Figure, ours: int, theirs: int | None = None) -> Figure:
    """Return seconds a row where the sides had as many rows as given."""
    share = ours / (theirs or ours)
    return Figure(
        figure.ours / ours,
        figure.theirs * share / ours,
        figure.ratio * share,
        figure.worst * share,
    )
