"""Dynamics of a tree that mixes joint types, beside Pinocchio and MuJoCo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import robodyn_ros as rd
from benchmarks.dynamics import Amount
from benchmarks.mixed_tree_engines import LINKS, Side, mujocos, ours, pinocchios, random_rows
from benchmarks.timing import Figure, in_turn
from robodyn_ros.robot.catalogue import operation
from robodyn_ros.robot.kernel_source import KernelSource

SAME = {"Pinocchio": 1e-10, "MuJoCo": 1e-9}
"""Largest norm-wise differences; MuJoCo keeps inertias as principal moments and quaternions."""

FUNCTIONS = {"inverse_dynamics": 3, "forward_dynamics": 3, "mass_matrix": 1}
"""How many of q, v and accelerations or efforts each takes."""


def mixed_tree_figures(amount: Amount) -> Iterator[str]:
    """Yield the table, in µs."""
    robot = ours()
    sides = (pinocchios(), mujocos(robot))
    yield "### A tree of mixed joint types, one call\n"
    kinds = sorted({link.joint.type_name for link in LINKS})
    yield f"{len(LINKS)} links, {robot.model.nv} rates; {', '.join(kinds)}. Times in µs.\n"
    yield (
        "| mixed tree | robodyn_ros | Pinocchio | ratio | least | difference | MuJoCo | ratio |"
        " least | difference | instructions |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for name in FUNCTIONS:
        yield _row(name, robot, sides, amount)


def _row(name: str, robot: rd.Robot, sides: tuple[Side, ...], amount: Amount) -> str:
    """Return a row of the table, after the sides were found equal."""
    if not robot.compile(name):
        raise SystemExit(f"mixed tree: no kernel for {name}")
    kernel = KernelSource(robot.model, operation(robot.model, name), "wait").poll(wait=True)
    if kernel is None:
        raise SystemExit(f"mixed tree: the kernel for {name} does not load")
    rows = random_rows(robot.model, amount.single, seed=2)[: FUNCTIONS[name]]
    mine = list(zip(*rows, strict=True))
    call = getattr(robot, name)
    cells, time = [], 0.0
    for side in sides:
        worst = _require_equality(name, robot, side, amount.compared)
        figure = _in_turn(call, mine, side.functions[name], side.rows(rows), amount.rounds)
        time = time or figure.ours
        cells += [f"{figure.theirs * 1e6:.2f}", f"{figure.ratio:.1f}", f"{figure.worst:.1f}"]
        cells.append(f"{worst:.0e}")
    return f"| `{name}` | {time * 1e6:.2f} | {' | '.join(cells)} | {kernel.instructions} |"


def _in_turn(
    ours: Callable[..., Any],
    mine: list[tuple[np.ndarray, ...]],
    theirs: Callable[..., Any],
    others: list[tuple[np.ndarray, ...]],
    rounds: int,
) -> Figure:
    """Return seconds per call, each side called once a row from Python."""

    def run_ours() -> None:
        for row in mine:
            ours(*row)

    def run_theirs() -> None:
        for row in others:
            theirs(*row)

    figure = in_turn(run_ours, run_theirs, rounds)
    count = len(mine)
    return Figure(figure.ours / count, figure.theirs / count, figure.ratio, figure.worst)


def _require_equality(name: str, robot: rd.Robot, side: Side, count: int) -> float:
    """Return the largest norm-wise difference over `count` rows; exit where it is too large.

    Accelerations are judged by the efforts that they need.
    """
    rows = random_rows(robot.model, count, seed=1)
    worst = 0.0
    given = rows[: FUNCTIONS[name]]
    for k, row in enumerate(side.rows(given)):
        own = [x[k] for x in given]
        found, theirs = getattr(robot, name)(*own), np.array(side.functions[name](*row))
        if name == "mass_matrix":
            theirs = np.triu(theirs) + np.triu(theirs, 1).T  # Pinocchio fills the upper half
        if name == "forward_dynamics":
            found, theirs = (robot.inverse_dynamics(*own[:2], a) for a in (found, theirs))
        scale = max(1.0, float(np.max(np.abs(theirs))))
        worst = max(worst, float(np.max(np.abs(found - theirs))) / scale)
    if not worst < SAME[side.name]:
        raise SystemExit(f"mixed tree: {name} differs from {side.name} by {worst:.2e}")
    return worst
