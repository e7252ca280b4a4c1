"""Planar four-bar and slider-crank: dynamics by Lagrange's equation of their one coordinate."""

from __future__ import annotations

import numpy as np
import pytest

from closed import slider_crank
from closed.turns import Case, slider_crank_case
from differentiation import error

COUNT = 181
ACCURACY = 1e-9


class Turn:
    """A case at positions all round, with random rates and accelerations."""

    def __init__(self, case: Case, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.case, self.parameters = case, case.parameters
        self.angles = np.linspace(0.0, 2 * np.pi, COUNT)
        self.rates = 4 * rng.normal(size=COUNT)
        self.seconds = 20 * rng.normal(size=COUNT)
        self.q, self.v, self.a = case.states(self.angles, self.rates, self.seconds)
        self.crank = case.robot.model.coordinate_names.index("crank")

    def samples(self) -> zip[tuple[float, float, float]]:
        """Return angle, rate and acceleration of the crank at every position."""
        return zip(self.angles, self.rates, self.seconds, strict=True)


@pytest.fixture
def turn(case: Case) -> Turn:
    return Turn(case, 21)


def test_inverse_dynamics(turn: Turn):
    oracle, p = turn.case.oracle, turn.parameters
    efforts = turn.case.robot.inverse_dynamics(turn.q, turn.v, turn.a)
    expected = [oracle.inverse_dynamics(*sample, p) for sample in turn.samples()]
    assert error(efforts[:, turn.crank], np.array(expected)) < ACCURACY
    assert np.all(np.delete(efforts, turn.crank, axis=1) == 0.0)


def test_forward_dynamics(turn: Turn):
    oracle, p = turn.case.oracle, turn.parameters
    tau = np.zeros_like(turn.q)
    tau[:, turn.crank] = np.linspace(-5, 5, COUNT)
    seconds = [
        oracle.forward_dynamics(angle, rate, effort, p)
        for (angle, rate, _), effort in zip(turn.samples(), tau[:, turn.crank], strict=True)
    ]
    _, _, expected = turn.case.states(turn.angles, turn.rates, seconds)
    assert error(turn.case.robot.forward_dynamics(turn.q, turn.v, tau), expected) < ACCURACY


def test_efforts_at_all_joints_move_it(turn: Turn):
    oracle, p, robot = turn.case.oracle, turn.parameters, turn.case.robot
    tau = 3 * np.random.default_rng(22).normal(size=turn.q.shape)
    seconds = []
    for (angle, rate, _), efforts in zip(turn.samples(), tau, strict=True):
        slopes = oracle.slopes(angle, p)
        effort = sum(
            slopes[name] * value
            for name, value in zip(robot.model.coordinate_names, efforts, strict=True)
        )
        seconds.append(oracle.forward_dynamics(angle, rate, effort, p))
    _, _, expected = turn.case.states(turn.angles, turn.rates, seconds)
    assert error(robot.forward_dynamics(turn.q, turn.v, tau), expected) < ACCURACY


def test_energy(turn: Turn):
    oracle, p = turn.case.oracle, turn.parameters
    energy = turn.case.robot.energy(turn.q, turn.v)
    expected = np.array([oracle.energy(angle, rate, p) for angle, rate, _ in turn.samples()])
    assert error(energy.kinetic, expected[:, 0]) < ACCURACY
    change = expected[:, 1] - expected[0, 1]
    assert error(energy.potential - energy.potential[0], change) < ACCURACY


@pytest.mark.parametrize("branch", [1, -1])
def test_slider_that_pushes(tmp_path, branch):
    case = slider_crank_case(tmp_path, branch, actuated="slider")
    dead = slider_crank.dead_centre(slider_crank.PARAMETERS)
    # Both sides of both dead centres, up to 0.01 rad from the outer one.
    angles = dead + np.concatenate([np.linspace(0.01, 3.0, 40), np.linspace(3.3, 6.27, 40)])
    rng = np.random.default_rng(23)
    rates, seconds = rng.normal(size=80), rng.normal(size=80)
    q, v, a = case.states(angles, rates, seconds)
    slider = case.robot.model.coordinate_names.index("slider")
    efforts = case.robot.inverse_dynamics(q, v, a)[:, slider]
    slopes = [case.oracle.slopes(angle, case.parameters)["slider"] for angle in angles]
    expected = np.array(
        [
            case.oracle.inverse_dynamics(*sample, case.parameters)
            for sample in zip(angles, rates, seconds, strict=True)
        ]
    )
    # Its effort times its slope is the crank's; near the dead centre it must push without end.
    assert error(efforts * np.array(slopes), expected) < ACCURACY
    tau = np.zeros_like(q)
    tau[:, slider] = expected / np.array(slopes)
    assert error(case.robot.forward_dynamics(q, v, tau), a) < 1e-8
