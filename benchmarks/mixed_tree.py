"""Dynamics of a tree that mixes joint types, beside Pinocchio and MuJoCo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import robodyn_ros as rd
from benchmarks.dynamics import MOST_BYTES, Amount
from benchmarks.mixed_tree_mujoco import MujocoTree
from benchmarks.mixed_tree_pinocchio import pinocchios
from benchmarks.mixed_tree_robot import LINKS, Rows, Side, one_by_one, ours, random_rows
from benchmarks.timing import Figure, in_turn
from robodyn_ros.kernels.rows import available_threads
from robodyn_ros.robot.catalogue import operation
from robodyn_ros.robot.kernel_source import KernelSource

SAME = {"Pinocchio": 1e-10, "MuJoCo": 1e-9}
"""Largest norm-wise differences; MuJoCo keeps inertias as principal moments and quaternions."""

SAME_SLOPE = 1e-8
"""Largest norm-wise difference of derivatives, as with the robots of `dynamics`."""

FUNCTIONS = {
    "inverse_dynamics": 3,
    "forward_dynamics": 3,
    "mass_matrix": 1,
    "inverse_dynamics_derivatives": 3,
    "forward_dynamics_derivatives": 3,
}
"""How many of q, v and accelerations or efforts each takes."""


def mixed_tree_figures(amount: Amount) -> Iterator[str]:
    """Yield the tables, in µs."""
    robot = ours()
    sides = (pinocchios(), MujocoTree(robot).side())
    yield "### A tree of mixed joint types, one call\n"
    kinds = sorted({link.joint.type_name for link in LINKS})
    yield f"{len(LINKS)} links, {robot.model.nv} rates; {', '.join(kinds)}. Times in µs.\n"
    yield (
        "| mixed tree | robodyn_ros | Pinocchio | ratio | least | difference | MuJoCo | ratio |"
        " least | difference | instructions |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for name in FUNCTIONS:
        yield _single_row(name, robot, sides, amount)
    threads = available_threads()
    yield f"\n### A tree of mixed joint types, a batch, `out=`, {threads} threads, per row\n"
    yield (
        "| mixed tree | rows | robodyn_ros | Pinocchio | ratio | least | its side | difference |"
        " MuJoCo | ratio | least | its side | difference |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for name in FUNCTIONS:
        yield _batch_row(name, robot, sides, amount)


def _single_row(name: str, robot: rd.Robot, sides: tuple[Side, ...], amount: Amount) -> str:
    """Return a row of the table of single calls, after the sides were found equal."""
    if not robot.compile(name):
        raise SystemExit(f"mixed tree: no kernel for {name}")
    kernel = KernelSource(robot.model, operation(robot.model, name), "wait").poll(wait=True)
    if kernel is None:
        raise SystemExit(f"mixed tree: the kernel for {name} does not load")
    rows = random_rows(robot.model, amount.single, seed=2)[: FUNCTIONS[name]]
    run_ours = _loop(getattr(robot, name), one_by_one(rows))
    checked = random_rows(robot.model, amount.compared, seed=1)[: FUNCTIONS[name]]
    found = [getattr(robot, name)(*row) for row in one_by_one(checked)]
    cells, time = [], 0.0
    for side in sides:
        if name not in side.functions:
            cells += ["-"] * 4
            continue
        worst = _require_equality(name, robot, side, checked, found, _answers(name, side, checked))
        run_theirs = _loop(side.functions[name], side.rows(rows))
        figure = in_turn(run_ours, run_theirs, amount.rounds)
        time = time or figure.ours / amount.single
        cells += [*_times(figure, amount.single), f"{worst:.0e}"]
    return f"| `{name}` | {time * 1e6:.2f} | {' | '.join(cells)} | {kernel.instructions} |"


def _batch_row(name: str, robot: rd.Robot, sides: tuple[Side, ...], amount: Amount) -> str:
    """Return a row of the table of batches, after the sides were found equal."""
    call = getattr(robot, name)
    count = min(amount.batch, MOST_BYTES // sum(x.nbytes for x in _first(name, robot)))
    rows = random_rows(robot.model, count, seed=3)[: FUNCTIONS[name]]
    out = call(*rows)
    found = list(zip(*map(np.copy, _arrays(out)), strict=True))  # `out` is written again

    def run_ours() -> None:
        call(*rows, out=out)

    cells, time = [], 0.0
    for side in sides:
        if name not in side.functions:
            cells += ["-"] * 5
            continue
        if batch := side.batches.get(name):
            run_theirs, label = batch.prepare(rows), f"`{batch.name}`"
            answers = list(run_theirs())
        else:
            run_theirs, label = _loop(side.functions[name], side.rows(rows)), "Python loop"
            answers = _answers(name, side, tuple(x[: amount.compared] for x in rows))
        worst = _require_equality(name, robot, side, rows, found, answers)
        figure = in_turn(run_ours, run_theirs, max(2, amount.rounds // 2))
        time = time or figure.ours / count
        cells += [*_times(figure, count), label, f"{worst:.0e}"]
    return f"| `{name}` | {count} | {time * 1e6:.3f} | {' | '.join(cells)} |"


def _loop(call: Callable[..., Any], rows: list[Rows]) -> Callable[[], None]:
    def run() -> None:
        for row in rows:
            call(*row)

    return run


def _times(figure: Figure, count: int) -> list[str]:
    """Return the other side's time of each of `count` rows, the ratio, and the least ratio."""
    return [f"{figure.theirs / count * 1e6:.2f}", f"{figure.ratio:.1f}", f"{figure.worst:.1f}"]


def _first(name: str, robot: rd.Robot) -> list[np.ndarray]:
    """Return our answer for one row."""
    row = [x[0] for x in random_rows(robot.model, 1, seed=3)[: FUNCTIONS[name]]]
    return _arrays(getattr(robot, name)(*row))


def _answers(name: str, side: Side, rows: Rows) -> list[Any]:
    """Return another side's answers, one by one; it may give them in storage of its own."""
    call = side.functions[name]
    return [[np.copy(x) for x in _arrays(call(*row))] for row in side.rows(rows)]


def _require_equality(
    name: str, robot: rd.Robot, side: Side, rows: Rows, found: list[Any], answers: list[Any]
) -> float:
    """Return the largest norm-wise difference; exit where it is too large.

    Args:
        name: The function.
        robot: Our side.
        side: The other.
        rows: What the functions were given.
        found: Our answers, row by row.
        answers: Theirs, of the first rows or all.
    """
    worst = 0.0
    for k, (mine, their) in enumerate(zip(found, answers, strict=False)):
        own, theirs = _arrays(mine), _arrays(their)
        if name == "mass_matrix" or name.endswith("derivatives"):
            theirs[-1] = np.triu(theirs[-1]) + np.triu(theirs[-1], 1).T  # Pinocchio's upper half
        if name == "forward_dynamics":  # judged by the efforts that accelerations need
            q, v = rows[0][k], rows[1][k]
            own, theirs = ([robot.inverse_dynamics(q, v, a) for a in x] for x in (own, theirs))
        for x, y in zip(own, theirs, strict=True):
            scale = max(1.0, float(np.max(np.abs(y))))
            worst = max(worst, float(np.max(np.abs(x - y))) / scale)
    least = SAME_SLOPE if name.endswith("derivatives") else SAME[side.name]
    if not worst < least:
        raise SystemExit(f"mixed tree: {name} differs from {side.name} by {worst:.2e}")
    return worst


def _arrays(result: Any) -> list[np.ndarray]:
    return [result] if isinstance(result, np.ndarray) else list(result)
