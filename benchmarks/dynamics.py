"""Dynamics against Pinocchio, and MuJoCo on arms: one call, batches, compile times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks.dynamics_compiling import compile_times
from benchmarks.dynamics_functions import (
    EXCLUDED,
    FUNCTIONS,
    Function,
    absent,
    require_equality,
    require_kernel,
    rival,
)
from benchmarks.dynamics_mujoco import ARMS, MujocoArm
from benchmarks.dynamics_robots import Opponent, opponents
from benchmarks.timing import Figure, in_turn
from robodyn_ros.kernels.rows import available_threads

Rows = list[tuple[np.ndarray, ...]]

MOST_BYTES = 400 << 20
"""Outputs of a batch take no more than this: then it has fewer rows."""


SAME_THING = 1e-6
"""Batches are the functions that were found equal row by row: this is to see that rows match."""


@dataclass(frozen=True)
class Amount:
    """How much is measured: rows of single calls and of a batch, rounds, rows compared."""

    single: int = 256
    batch: int = 10_000
    rounds: int = 25
    compared: int = 200


QUICK = Amount(20, 100, 2, 10)
"""Enough to see that everything runs; the figures mean nothing."""


def dynamics_figures(amount: Amount) -> Iterator[str]:
    """Yield the tables, in µs and seconds."""
    robots = list(opponents())
    yield "Times in µs; ratios are medians of rounds run in turn. " + EXCLUDED + "\n"
    yield from _missing(robots)
    yield "### Dynamics, one call\n"
    yield (
        "| | | robodyn_ros | Pinocchio | ratio | least | MuJoCo | ratio | difference |"
        " instructions |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for function in FUNCTIONS:
        for one in robots:
            if not absent(function, one):
                yield single_row(function, one, amount)
    threads = available_threads()
    yield f"\n### Dynamics, a batch of {amount.batch}, `out=`, {threads} threads, per row\n"
    yield "| | | rows | robodyn_ros | Pinocchio | ratio | least | Pinocchio's side |"
    yield "|---|---|---|---|---|---|---|---|"
    for function in FUNCTIONS:
        for one in robots:
            if not absent(function, one):
                yield batch_row(function, one, amount)
    yield "\n### Dynamics, trace and compile, seconds\n"
    yield "Cold: an empty cache, one kernel after the other. Warm: from the cache.\n"
    names = [f.name for f in FUNCTIONS if hasattr(type(robots[0].robot), f.name)]
    yield f"| | {' | '.join(names)} | warm, slowest |"
    yield "|---|" + "---|" * (len(names) + 1)
    for one in robots:
        cold, warm = compile_times(one.text, one.base, names)
        cells = [f"{cold[name]:.2f}" for name in names] + [f"{max(warm.values()):.3f}"]
        yield f"| {one.name} | {' | '.join(cells)} |"


def _missing(robots: list[Opponent]) -> Iterator[str]:
    """Yield a line for each function that our side does not have."""
    for function in FUNCTIONS:
        if not hasattr(type(robots[0].robot), function.name):
            yield f"- {absent(function, robots[0])}\n"


def single_row(function: Function, one: Opponent, amount: Amount) -> str:
    """Return a row of the table of single calls, after the sides were found equal."""
    instructions = require_kernel(function, one)
    worst = require_equality(function, one, amount.compared)
    rows = one.rows(amount.single, seed=2)[: function.arguments]
    ours = list(zip(*rows, strict=True))
    other, in_theirs = rival(function, one)
    theirs = list(zip(*one.theirs(rows), strict=True)) if in_theirs else ours
    call = getattr(one.robot, function.name)
    figure = _calls(call, ours, other, theirs, amount.rounds)
    third = "- | -"
    if one.name in ARMS:
        arm = MujocoArm(one)
        if found := arm.functions().get(function.name):
            arm.require_equality(function.name, one, amount.compared)
            beside = _calls(call, ours, found, arm.rows(rows), amount.rounds)
            third = f"{beside.theirs * 1e6:.2f} | {beside.ratio:.1f}"
    return (
        f"| `{function.name}` | {one.name} | {figure.ours * 1e6:.2f} | {figure.theirs * 1e6:.2f} |"
        f" {figure.ratio:.1f} | {figure.worst:.1f} | {third} | {worst:.0e} | {instructions} |"
    )


def _calls(
    call: Callable[..., Any], ours: Rows, other: Callable[..., Any], theirs: Rows, rounds: int
) -> Figure:
    """Return seconds per call, each side called once a row from Python."""

    def run_ours() -> None:
        for row in ours:
            call(*row)

    def run_theirs() -> None:
        for row in theirs:
            other(*row)

    return _per_row(in_turn(run_ours, run_theirs, rounds), len(ours))


def batch_row(function: Function, one: Opponent, amount: Amount) -> str:
    """Return a row of the table of batches."""
    require_kernel(function, one)
    call = getattr(one.robot, function.name)
    size = sum(np.size(x) for x in _arrays(call(*one.rows(1, seed=3)[: function.arguments])))
    count = min(amount.batch, MOST_BYTES // (8 * size))
    rows = one.rows(count, seed=3)[: function.arguments]
    out = call(*rows)

    def run_ours() -> None:
        call(*rows, out=out)

    run_theirs, side = _their_batch(function, one, rows)
    figure = _per_row(in_turn(run_ours, run_theirs, max(2, amount.rounds // 2)), count)
    return (
        f"| `{function.name}` | {one.name} | {count} | {figure.ours * 1e6:.3f} |"
        f" {figure.theirs * 1e6:.2f} | {figure.ratio:.1f} | {figure.worst:.1f} | {side} |"
    )


def _their_batch(
    function: Function, one: Opponent, rows: tuple[np.ndarray, ...]
) -> tuple[Callable[[], object], str]:
    """Return what Pinocchio does with a batch, and what it is called."""
    if function.parallel is not None:
        return _their_parallel_batch(function.parallel, function, one, rows)
    other, in_theirs = rival(function, one)
    theirs = list(zip(*(one.theirs(rows) if in_theirs else rows), strict=True))

    def loop() -> None:
        for row in theirs:
            other(*row)

    return loop, f"Python loop of {function.rival}"


def _their_parallel_batch(
    parallel: str, function: Function, one: Opponent, rows: tuple[np.ndarray, ...]
) -> tuple[Callable[[], object], str]:
    """Return Pinocchio's batch on as many threads as ours, into an array of its own."""
    run = getattr(pin, parallel)
    threads = available_threads()
    pool = pin.ModelPool(one.other, threads)
    result = np.zeros((one.other.nv, len(rows[0])), order="F")  # a column is a row of ours
    columns = [x.T for x in one.theirs(rows)]

    def batch() -> np.ndarray:
        run(threads, pool, *columns, result)
        return result.T

    def projected() -> np.ndarray:
        run(threads, pool, *(x.T for x in one.theirs(rows)), result)
        return result.T @ one.rates

    found = projected()
    expected = getattr(one.robot, function.name)(*rows)
    scale = max(1.0, float(np.max(np.abs(expected))))
    if not float(np.max(np.abs(found - expected))) / scale < SAME_THING:
        raise SystemExit(f"{one.name}: {parallel} does another thing")
    return (projected, f"{parallel}, NumPy projection") if one.coupled else (batch, parallel)


def _arrays(result: object) -> tuple[np.ndarray, ...]:
    return (result,) if isinstance(result, np.ndarray) else tuple(result)  # type: ignore[arg-type]


def _per_row(figure: Figure, rows: int) -> Figure:
    return Figure(figure.ours / rows, figure.theirs / rows, figure.ratio, figure.worst)
