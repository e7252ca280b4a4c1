"""Motion and derivatives against differences, on random trees that mix every joint type."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from differentiation import FIRST_TOLERANCE, SECOND_TOLERANCE, derivatives, error, vee
from mixed_trees import around, mixed_state, trees
from robodyn_ros import algorithms
from robodyn_ros.algorithms import body_motion, integrate, marker_motion
from robodyn_ros.model import BaseMotion, Environment, Model
from robodyn_ros.spatial import quaternion_exponential, quaternion_to_matrix
from sampling import bounded

#: Chains of 30 bodies bend more sharply than the curves that the tolerances were made for.
STEP = 0.01
DIFFERENCE = 10 * FIRST_TOLERANCE
SECOND = 100 * SECOND_TOLERANCE
ROUNDING = 1e-11

#: Derivatives of forward dynamics are those of the accelerations that are found, of which M^-1
#: makes much: no more than 10 bodies.
short = settings(bounded, max_examples=12)


class Course:
    """A robot on the curve integrate(q, v t + a t^2 / 2), its base on one with given motion."""

    def __init__(self, model: Model, seed: int) -> None:
        self.model = model
        self.q, self.v, self.a = mixed_state(model, seed)
        base = around(model, seed).base_motion
        self.base = base if model.base == "prescribed" else BaseMotion()

    def place(self, t: np.ndarray) -> np.ndarray:
        """Return the coordinates (n, nq) at times t (n,)."""
        t = t[:, None]
        return integrate(self.model, self.q, self.v * t + 0.5 * self.a * t * t)

    def around(self, t: np.ndarray) -> Environment:
        """Return the surroundings at times t (n,), their rates those of t = 0."""
        t, base = t[:, None], self.base
        w, dw = base.angular_velocity, base.angular_acceleration
        dp, ddp = base.linear_velocity, base.linear_acceleration
        turn = quaternion_to_matrix(quaternion_exponential(w * t + 0.5 * dw * t * t))
        p = base.position + dp * t + 0.5 * ddp * t * t
        return Environment(base_motion=BaseMotion(p, turn @ base.rotation, w, dp, dw, ddp))

    def now(self) -> dict[str, Environment]:
        """Return the keyword that says what surrounds the robot at t = 0."""
        return {"environment": Environment(base_motion=self.base)}


@bounded
@given(trees())
def test_motion_is_what_positions_do(drawn: tuple[Model, int]) -> None:
    model, seed = drawn
    course = Course(model, seed)
    q, v, a = course.q, course.v, course.a

    def bodies(t: np.ndarray) -> algorithms.BodyMotion:
        return body_motion(model, course.place(t), environment=course.around(t))

    motion = body_motion(model, q, v, a, **course.now())
    velocity, acceleration = derivatives(lambda t: bodies(t).position, h=STEP)
    assert error(motion.linear_velocity, velocity) < DIFFERENCE
    assert error(motion.linear_acceleration, acceleration) < SECOND
    back = np.swapaxes(motion.rotation, -1, -2)
    rate, second = derivatives(lambda t: bodies(t).rotation, h=STEP)
    assert error(motion.angular_velocity, vee(rate @ back)) < DIFFERENCE
    # The skew part of R'' R^T is the angular acceleration: (omega~)^2 is symmetric.
    assert error(motion.angular_acceleration, vee(second @ back)) < SECOND


@bounded
@given(trees())
def test_markers_and_jacobians_go_with_it(drawn: tuple[Model, int]) -> None:
    model, seed = drawn
    course = Course(model, seed)
    q, v, a = course.q, course.v, course.a

    def markers(t: np.ndarray) -> np.ndarray:
        return marker_motion(model, course.place(t), environment=course.around(t)).value

    found = marker_motion(model, q, v, a, **course.now())
    rate, acceleration = derivatives(markers, h=STEP)
    assert error(found.rate, rate) < DIFFERENCE
    assert error(found.acceleration, acceleration) < SECOND

    J = algorithms.jacobian(model, q, "tool", **course.now())
    remainder = algorithms.jacobian_bias(model, q, v, "tool", **course.now())
    body = model.frame("tool").body
    motion = body_motion(model, q, v, a, **course.now())
    resting = body_motion(model, q, 0.0 * v, **course.now())
    spin = motion.angular_velocity[body] - resting.angular_velocity[body]
    assert error(J[:3] @ v, spin) < ROUNDING
    assert error(J[:3] @ a + remainder[:3], motion.angular_acceleration[body]) < ROUNDING


@bounded
@given(trees(most=16))
def test_derivatives_of_inverse_dynamics(drawn: tuple[Model, int]) -> None:
    model, seed = drawn
    q, v, a = mixed_state(model, seed)
    here = around(model, seed)
    unit = np.random.default_rng(seed).normal(size=model.nv)
    tau_q, tau_v, tau_a = algorithms.inverse_dynamics_derivatives(model, q, v, a, environment=here)

    def along_q(t: np.ndarray) -> np.ndarray:
        there = integrate(model, q, unit * t[:, None])
        return algorithms.inverse_dynamics(model, there, v, a, environment=here)

    assert error(tau_q @ unit, derivatives(along_q, h=STEP)[0]) < DIFFERENCE
    ahead, behind = (
        algorithms.inverse_dynamics(model, q, v + s * unit, a, environment=here) for s in (1, -1)
    )
    assert error(tau_v @ unit, 0.5 * (ahead - behind)) < ROUNDING  # exact, of a quadratic function
    assert error(tau_a, algorithms.mass_matrix(model, q, environment=here)) < ROUNDING


@short
@given(trees(most=10))
def test_derivatives_of_forward_dynamics(drawn: tuple[Model, int]) -> None:
    """a_q = -M^-1 tau_q and so on: judged by what M makes of them."""
    model, seed = drawn
    q, v, a = mixed_state(model, seed)
    here = around(model, seed)
    tau = algorithms.inverse_dynamics(model, q, v, a, environment=here)
    tau_q, tau_v, M = algorithms.inverse_dynamics_derivatives(model, q, v, a, environment=here)
    a_q, a_v, a_tau = algorithms.forward_dynamics_derivatives(model, q, v, tau, environment=here)
    scale = max(1.0, np.linalg.cond(M) * 1e-4) if model.nv else 1.0
    assert error(M @ a_q, -tau_q) < ROUNDING * scale
    assert error(M @ a_v, -tau_v) < ROUNDING * scale
    assert error(M @ a_tau, np.eye(model.nv)) < ROUNDING * scale
