"""dJ/dt v: what is missing between J a and the acceleration of a frame."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, SECOND_TOLERANCE, derivatives, error
from environments import random_environment
from robodyn_ros.algorithms import body_motion, integrate, jacobian
from robodyn_ros.algorithms.jacobian_bias import jacobian_bias
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.model import Environment
from robodyn_ros.spatial import apply
from robots import every_base, random_state, random_tree
from tracing import TRACE_TOLERANCE, traced

#: Sums over a dozen bodies of products of order 1.
ROUNDING = 1e-13


@every_base
@pytest.mark.parametrize("seed", range(3))
def test_it_completes_every_bodys_acceleration(seed: int, base: str) -> None:
    model = random_tree(seed, base=base)
    q, v, a = random_state(model, seed)
    given = random_environment(model, seed)
    motion = body_motion(model, q, v, a, environment=given)
    for i, name in enumerate(model.body_names):
        J = jacobian(model, q, name, environment=given)
        found = J @ a + jacobian_bias(model, q, v, name, environment=given)
        truth = [motion.angular_acceleration[i], motion.linear_acceleration[i]]
        assert error(found, np.concatenate(truth)) < ROUNDING


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_jacobians_derivative_times_the_rates(seed: int, base: str) -> None:
    model = random_tree(seed, base=base)
    q, v, _ = random_state(model, seed)
    for name in ("tool", "b4"):

        def along(t: np.ndarray, name: str = name) -> np.ndarray:
            return jacobian(model, integrate(model, q, v * t[:, None]), name)

        rate, _ = derivatives(along)
        assert error(rate @ v, jacobian_bias(model, q, v, name)) < FIRST_TOLERANCE


def test_linear_rows_are_the_second_derivative_of_a_position_off_the_axis() -> None:
    """Classical, not spatial: the tool's origin turns about the joints before it."""
    model = random_tree(2)
    q, v, _ = random_state(model, 2)
    frame = model.frame("tool")

    def along(t: np.ndarray) -> np.ndarray:
        motion = body_motion(model, integrate(model, q, v * t[:, None]))
        here = motion.position[:, frame.body]
        return here + apply(motion.rotation[:, frame.body], frame.position)

    _, second = derivatives(along)
    assert error(jacobian_bias(model, q, v, "tool")[3:], second) < SECOND_TOLERANCE


@every_base
def test_batches_equal_singles(base: str) -> None:
    model = random_tree(3, base=base)
    states = [random_state(model, seed)[:2] for seed in range(4)]
    q, v = (np.stack(rows) for rows in zip(*states, strict=True))
    given = random_environment(model, 3)
    whole = jacobian_bias(model, q, v, "tool", environment=given)
    assert whole.shape == (4, 6)
    for row, state in enumerate(states):
        one = jacobian_bias(model, *state, model.frame("tool"), environment=given)
        assert error(whole[row], one) < ROUNDING


@every_base
def test_symbols_equal_floats(base: str) -> None:
    model = random_tree(4, base=base)
    q, v, _ = random_state(model, 4)
    given = random_environment(model, 4)
    found = traced(lambda q, v: jacobian_bias(model, q, v, "tool", environment=given), q, v)[0]
    truth = jacobian_bias(model, q, v, "tool", environment=given)
    assert error(found, truth) < 10 * TRACE_TOLERANCE


def test_a_resting_robot_has_none() -> None:
    model = random_tree(0)
    q, v, _ = random_state(model, 0)
    assert not jacobian_bias(model, q, 0.0 * v, "tool", environment=Environment()).any()


def test_an_unknown_frame_is_named() -> None:
    model = random_tree(0)
    q, v, _ = random_state(model, 0)
    with pytest.raises(UnknownNameError, match=r"no frame is called 'tol'.*tool"):
        jacobian_bias(model, q, v, "tol")
