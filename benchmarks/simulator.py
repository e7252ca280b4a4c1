"""Figures of the fixed-step simulator: time of a step, beside MuJoCo's where it does the same."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import mujoco
import numpy as np
from numpy.typing import NDArray

import robodyn_ros as rd
from benchmarks.dynamics_mujoco import MujocoArm
from benchmarks.dynamics_robots import Opponent, opponent, without_mimic
from benchmarks.robots import ROBOTS
from benchmarks.timing import in_turn, seconds
from robodyn_ros.simulation import Simulator
from robodyn_ros.simulation.integrators import Integrator

EXAMPLES = Path(__file__).parents[1] / "examples"

STEP = 1e-3
STEPS, QUICK_STEPS = 50, 20
"""So few that a round is seldom interrupted."""
BURST = 8
"""The same of robots whose steps take longer, one round after the other."""
ROUNDS, QUICK_ROUNDS = 60, 2
AGREEMENT = 1e-6
"""rad or m by which both sides may differ after some steps."""
_METHODS = {
    "rk4": mujoco.mjtIntegrator.mjINT_RK4,
    "semi_implicit_euler": mujoco.mjtIntegrator.mjINT_EULER,
}


def simulator_figures(quick: bool) -> Iterator[str]:
    """Yield the table of steps, in µs, and what it means at 1 kHz."""
    load = os.getloadavg()[0]
    yield (
        "Times in µs for a step of 1 ms, medians of rounds run in turn; the real-time factor is"
        f" simulated time by time needed. Load of the machine before: {load:.1f}.\n"
    )
    yield "| | integrator | a step | real-time factor | MuJoCo | MuJoCo / ours |"
    yield "|---|---|---|---|---|---|"
    steps, rounds = (QUICK_STEPS, QUICK_ROUNDS) if quick else (STEPS, ROUNDS)
    arms = (
        opponent("Panda", without_mimic(_text("panda.urdf"))),
        opponent("Talos", _text("talos_reduced.urdf")),
    )
    for one in arms:
        for integrator in get_args(Integrator):
            yield _beside_mujoco(one, integrator, steps, rounds)
            yield _alone(one.name, one.robot, integrator, rounds, busy=True)
    platform = rd.load(EXAMPLES / "stewart_platform.yaml", compile="wait")
    for integrator in get_args(Integrator):
        for busy in (False, True):
            yield _alone("Stewart platform", platform, integrator, rounds, busy=busy)


def _beside_mujoco(one: Opponent, integrator: Integrator, steps: int, rounds: int) -> str:
    """Return the row of a falling arm without friction and limits, on both sides."""
    other = MujocoArm(one)
    other.model.opt.timestep = STEP
    other.model.opt.integrator = _METHODS[integrator]
    ours = Simulator(
        one.robot, step=STEP, integrator=integrator, q=_start(one), friction=False, limits=False
    )
    theirs = other.data
    _begin(ours, theirs, other)
    ours.advance(20)
    mujoco.mj_step(other.model, theirs, 20)
    difference = float(np.abs(theirs.qpos - ours.q[other.order]).max())
    if not difference < AGREEMENT:
        raise SystemExit(f"{one.name}, {integrator}: differs from MuJoCo by {difference:.1e}")

    def we() -> None:
        _begin(ours, None, other)
        ours.advance(steps)

    def they() -> None:
        _begin(ours, theirs, other)
        mujoco.mj_step(other.model, theirs, steps)

    figure = in_turn(we, they, rounds)
    own, their = figure.ours / steps, figure.theirs / steps
    return (
        f"| {one.name}, free of friction and limits | `{integrator}` | {own * 1e6:.1f} |"
        f" {STEP / own:.0f} | {their * 1e6:.1f} | {figure.ratio:.2f} |"
    )


def _begin(ours: Simulator, theirs: mujoco.MjData | None, other: MujocoArm) -> None:
    """Put one side, or both, into the state that they begin with."""
    ours.reset()
    if theirs is not None:
        mujoco.mj_resetData(other.model, theirs)
        theirs.qpos[:] = ours.q[other.order]


def _start(one: Opponent) -> NDArray[np.float64]:
    return np.full(one.robot.model.nq, 0.2)


def _alone(name: str, robot: rd.Robot, integrator: Integrator, rounds: int, *, busy: bool) -> str:
    """Return the row of a robot that MuJoCo does not do the same with."""
    simulator = Simulator(robot, step=STEP, integrator=integrator, friction=busy, limits=busy)
    names = simulator.command_names
    if busy:
        held = [simulator.q[robot.model.position_names.index(each)] for each in names]
        simulator.command_position(names, held)
    simulator.advance(BURST)
    own = seconds(lambda: simulator.advance(BURST), rounds) / BURST
    what = "position servos, friction, limits" if busy else "free of friction and limits"
    return f"| {name}, {what} | `{integrator}` | {own * 1e6:.1f} | {STEP / own:.0f} | | |"


def _text(file: str) -> str:
    return next(ROBOTS.rglob(file)).read_text()
