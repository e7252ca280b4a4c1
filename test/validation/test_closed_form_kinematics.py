"""Planar four-bar and slider-crank: positions, velocities, accelerations by closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from closed import planar_four_bar, slider_crank
from closed.turns import Case, four_bar_case, slider_crank_case
from differentiation import error

#: Positions to what a residual of 1e-12 m leaves at a transmission angle of 0.4 rad.
PLACED = 1e-10
MOVED = 1e-9


def followed(case: Case, angles: np.ndarray) -> np.ndarray:
    """Return the positions (n, nq) of a crank that is moved from angle to angle."""
    positions = []
    q = case.robot.initial_state[0]
    for angle in angles:
        found = case.robot.assemble(q, crank=float(angle))
        assert found.residual < 1e-10
        assert found.mobility == 1
        q = found.q
        positions.append(q)
    return np.array(positions)


def test_a_turn_of_the_crank_stays_on_its_branch(case: Case):
    angles = np.linspace(0.4, 0.4 + 2 * np.pi, 49)
    expected, _, _ = case.states(angles, np.zeros(49), np.zeros(49))
    assert case.misplaced(followed(case, angles), expected) < PLACED


def test_rates_and_accelerations_of_a_turn(case: Case):
    rng = np.random.default_rng(11)
    angles = np.linspace(0.0, 2 * np.pi, 181)
    q, v, a = case.states(angles, rng.normal(size=181), 3 * rng.normal(size=181))
    independent = case.robot.model.coordinate_names.index("crank")
    given = np.zeros(q.shape[1])
    given[independent] = 1.0
    computed = case.robot.complete(q, v * given, a * given)
    assert error(computed.v, v) < MOVED
    assert error(computed.a, a) < MOVED


@pytest.mark.parametrize("branch", [1, -1])
def test_crank_near_its_last_angle(tmp_path, branch):
    case = four_bar_case(tmp_path, planar_four_bar.TRIPLE_ROCKER, branch)
    last = planar_four_bar.last_angle(planar_four_bar.TRIPLE_ROCKER)
    angles = np.concatenate(
        [np.linspace(0.4, last - 0.05, 12), last - np.geomspace(0.03, 1e-6, 14)]
    )
    expected, _, _ = case.states(angles, np.zeros(26), np.zeros(26))
    # Errors of the lengths grow with the inverse of the sine between coupler and rocker.
    assert case.misplaced(followed(case, angles), expected) < 1e-7


@pytest.mark.parametrize("branch", [1, -1])
def test_crank_beyond_its_last_angle_is_told(tmp_path, branch):
    from robodyn_ros.errors import RobodynError

    case = four_bar_case(tmp_path, planar_four_bar.TRIPLE_ROCKER, branch)
    last = planar_four_bar.last_angle(planar_four_bar.TRIPLE_ROCKER)
    with pytest.raises(RobodynError, match="pin"):
        case.robot.assemble(case.robot.initial_state[0], crank=last + 0.01)


def test_slider_moves_the_crank_up_to_its_dead_centre(tmp_path):
    case = slider_crank_case(tmp_path, 1, actuated="slider")
    dead = slider_crank.dead_centre(slider_crank.PARAMETERS)
    angles = dead + np.concatenate([np.linspace(0.35, 0.05, 8), np.geomspace(0.03, 1e-3, 8)])
    q, v, a = case.states(angles, np.full(16, 0.7), np.full(16, -0.4))
    slider = case.robot.model.coordinate_names.index("slider")
    given = np.eye(q.shape[1])[slider]
    computed = case.robot.complete(q, v * given, a * given)
    # The crank follows a slider that hardly moves: digits are lost with the sine, squared.
    for found, expected in ((computed.v, v), (computed.a, a)):
        errors = np.max(np.abs(found - expected), axis=1)
        assert np.all(errors < 1e-13 / (angles - dead) ** 2)
    guess, placed = q[0], []
    for position in q[:, slider]:
        guess = case.robot.assemble(guess, slider=float(position)).q
        placed.append(guess)
    errors = np.max(np.abs(np.array(placed) - q), axis=1)
    assert np.all(errors < 1e-10 / (angles - dead))
