"""Document D's joints: the DH elements as printed, the screw, and the rotation vector."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, derivatives, error, vee
from robodyn_ros.joints import (
    DhCylindrical,
    DhElement,
    DhHelical,
    DhPrismatic,
    DhRevolute,
    Global,
    Helical,
    Spherical,
)
from robodyn_ros.spatial import axis_rotation, quaternion_exponential

ROUNDING = 4e-15
NUMBERS = {"a": 0.4, "alpha": -1.1, "s": 0.3, "theta": 0.7}
X, Z = np.eye(3)[0], np.eye(3)[2]
#: x_C = y_T, y_C = z_T, z_C = x_T: document D's axes (T) by Craig's (C).
RELABELLED = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])


def printed(a: float, alpha: float, s: float, theta: float) -> np.ndarray:
    """Return D (4, 4), equations 3-5 to 3-7."""
    ca, sa, ct, st = np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
    return np.array(
        [
            [ca, sa * st, sa * ct, s * ca],
            [0.0, ct, -st, a],
            [-sa, ca * st, ca * ct, -s * sa],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


def homogeneous(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    return np.vstack([np.column_stack([R, p]), [0.0, 0.0, 0.0, 1.0]])


def craig(a: float, alpha: float, d: float, theta: float) -> np.ndarray:
    """Return Rot_x(alpha) Trans_x(a) Rot_z(theta) Trans_z(d)."""
    turned = homogeneous(axis_rotation(X, np.array(alpha)), np.zeros(3))
    along = homogeneous(axis_rotation(Z, np.array(theta)), d * Z)
    return turned @ homogeneous(np.eye(3), a * X) @ along


ELEMENTS = {
    "revolute": (DhRevolute(**NUMBERS), lambda q: {"theta": NUMBERS["theta"] + q[0]}),
    "prismatic": (DhPrismatic(**NUMBERS), lambda q: {"s": NUMBERS["s"] + q[0]}),
    "cylindrical": (
        DhCylindrical(**NUMBERS),
        lambda q: {"theta": NUMBERS["theta"] + q[0], "s": NUMBERS["s"] + q[1]},
    ),
    "helical": (
        DhHelical(**NUMBERS, pitch=-0.2),
        lambda q: {"theta": NUMBERS["theta"] + q[0], "s": NUMBERS["s"] - 0.2 * q[0]},
    ),
}


@pytest.mark.parametrize("kind", ELEMENTS)
def test_dh_elements_are_as_printed(kind: str) -> None:
    joint, variables = ELEMENTS[kind]
    assert isinstance(joint, DhElement)
    for q in np.random.default_rng(0).uniform(-2.0, 2.0, (3, joint.nq)):
        numbers = {**NUMBERS, **variables(q)}
        found = homogeneous(*joint.pose(q))
        assert error(found, printed(**numbers)) < ROUNDING
        modified = craig(numbers["a"], numbers["alpha"], numbers["s"], numbers["theta"])
        P = homogeneous(RELABELLED, np.zeros(3))
        assert error(found, P.T @ modified @ P) < ROUNDING


def test_right_angles_of_dh_elements_are_exact() -> None:
    """So that what is 0 drops out of kernels."""
    joint = DhRevolute(a=0.3, alpha=-0.5 * np.pi, theta=np.pi)
    R, p = joint.pose(np.zeros(1))
    assert R.tolist() == [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]]
    assert p.tolist() == [0.0, 0.3, 0.0]


def test_a_dh_helical_whose_displacement_is_pitch_times_the_whole_angle() -> None:
    """Document D's element H: s = p theta, as the class says."""
    joint = DhHelical(theta=0.7, s=0.05 * 0.7, pitch=0.05)
    R, p = joint.pose(np.array([1.1]))
    assert error(homogeneous(R, p), printed(0.0, 0.0, 0.05 * 1.8, 1.8)) < ROUNDING


@pytest.mark.parametrize("pitch", [0.02, -3.0])
def test_a_turn_of_a_screw_advances_by_two_pi_pitch(pitch: float) -> None:
    joint = Helical((0.0, 3.0, 4.0), pitch=pitch)
    R, p = joint.pose(np.array([2.0 * np.pi]))
    assert error(R, np.eye(3)) < ROUNDING
    assert error(p, 2.0 * np.pi * pitch * np.array([0.0, 0.6, 0.8])) < ROUNDING
    for turns in (0.0, 0.3, 0.5, 7.8, -4.1):
        q = np.array([2.0 * np.pi * turns])
        assert error(joint.coordinates_at(*joint.pose(q)), q) < 10 * ROUNDING


def rodrigues(q: np.ndarray) -> np.ndarray:
    """Return T of joint G as printed, for |q| > 0."""
    angle = np.sqrt(q @ q)
    u = q / angle
    tilde = np.array([[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]])
    return np.eye(3) + np.sin(angle) * tilde + (1.0 - np.cos(angle)) * (tilde @ tilde)


DIRECTION = np.array([0.6, -0.48, 0.64])
ANGLES = [1e-6, 1e-3, 0.1, 0.999, 1.0, 1.001, 2.0, 3.0, np.pi, 4.0, 6.0]
JOINT = Global()


@pytest.mark.parametrize("angle", ANGLES)
def test_global_turns_by_the_rotation_vector(angle: float) -> None:
    q = angle * DIRECTION
    R, p = JOINT.pose(q)
    assert error(R, rodrigues(q)) < ROUNDING
    assert error(R @ q, q) < 2 * ROUNDING
    assert error(p, np.zeros(3)) == 0.0


@pytest.mark.parametrize("angle", [0.0, *ANGLES, -1e-9])
def test_global_rates_by_differentiation(angle: float) -> None:
    """R^T dR/dt along q + t rate(q, v) has the axial vector v, in child axes, right at 0 too."""
    q = angle * DIRECTION
    v = np.array([0.3, 0.9, -0.5])
    rate = JOINT.rate(q, v)
    h = 0.03 * max(0.02, min(1.0, 1.0 / np.linalg.norm(rate)))
    moving, _ = derivatives(lambda t: JOINT.pose(q + rate * t[:, None])[0], h=h)
    R = JOINT.pose(q)[0]
    assert error(vee(R.T @ moving), v) < FIRST_TOLERANCE
    # In the predecessor's axes: J_l = 1 + (1 - cos)/t^2 q~ + (t - sin)/t^3 q~^2 as printed.
    if angle > 1e-3:
        tilde = np.cross(np.eye(3), q)
        J = np.eye(3) + (1.0 - np.cos(angle)) / angle**2 * tilde
        J = J + (angle - np.sin(angle)) / angle**3 * (tilde @ tilde)
        assert error(J @ rate, R @ v) < 1e-9


def test_second_derivatives_of_global_at_zero() -> None:
    """The acceleration's part that is quadratic in the rates, by turning the quaternion instead."""
    v, dv = np.array([0.3, 0.9, -0.5]), np.array([-0.7, 0.2, 0.4])
    for size in (0.0, 1e-9, 1e-4, 1e-2):
        q = size * DIRECTION
        turn = quaternion_exponential(q)

        def by_quaternion(t: np.ndarray, turn: np.ndarray = turn) -> np.ndarray:
            step = v * t[:, None] + 0.5 * dv * t[:, None] ** 2
            return Spherical().pose(Spherical().integrate(turn, step))[0]

        def by_vector(t: np.ndarray, q: np.ndarray = q) -> np.ndarray:
            step = v * t[:, None] + 0.5 * dv * t[:, None] ** 2
            return JOINT.pose(JOINT.integrate(q, step))[0]

        for found, expected in zip(derivatives(by_vector), derivatives(by_quaternion), strict=True):
            assert error(found, expected) < 1e-10


def test_global_is_singular_at_a_whole_turn_only() -> None:
    """There one rate of the rotation vector is enough to turn by nothing at all."""
    v = np.array([0.8, 0.0, -0.75]) / np.hypot(0.8, 0.75)  # along the direction nothing is lost
    sizes = [
        np.linalg.norm(JOINT.rate((2.0 * np.pi - off) * DIRECTION, v)) for off in (1, 0.1, 1e-3)
    ]
    assert sizes[0] > 5.0
    assert sizes[1] == pytest.approx(2.0 * np.pi / 0.1, rel=0.1)
    assert sizes[2] == pytest.approx(2.0 * np.pi / 1e-3, rel=1e-3)
    assert np.linalg.norm(JOINT.rate(2.0 * np.pi * DIRECTION, v)) > 1e12
    along = JOINT.rate(2.0 * np.pi * DIRECTION, DIRECTION)
    assert np.isfinite(along).all()


@pytest.mark.parametrize("angle", [3.0, np.pi, 4.0, 2.0 * np.pi, 2.0 * np.pi + 1e-12, 7.0, 60.0])
@pytest.mark.parametrize("size", [0.0, 1e-3, 1.0, 3.0, 10.0])
def test_global_integrates_anywhere_and_wraps(angle: float, size: float) -> None:
    """By rotations: whatever |q| was, it ends within half a turn at the right place."""
    q, step = angle * DIRECTION, size * np.array([0.0, 0.6, 0.8])
    moved = JOINT.integrate(q, step)
    assert np.linalg.norm(moved) <= np.pi + ROUNDING
    expected = JOINT.pose(q)[0] @ JOINT.pose(step)[0]
    assert error(JOINT.pose(moved)[0], expected) < 20 * ROUNDING
    assert error(JOINT.difference(q, moved), JOINT.difference(np.zeros(3), step)) < 60 * ROUNDING


def test_global_difference_takes_the_shorter_way() -> None:
    """Wrapped or not."""
    q0, q1 = 3.0 * DIRECTION, -3.0 * DIRECTION
    assert error(JOINT.difference(q0, q1), (2.0 * np.pi - 6.0) * DIRECTION) < 4 * ROUNDING
    assert error(JOINT.difference(q1, q0), -(2.0 * np.pi - 6.0) * DIRECTION) < 4 * ROUNDING


@pytest.mark.parametrize("steps", [10, 1000])
def test_global_may_turn_for_ever(steps: int) -> None:
    q = np.zeros(3)
    step = np.array([0.02, -0.09, 0.05])
    for _ in range(steps):
        q = JOINT.integrate(q, step)
        assert np.linalg.norm(q) <= np.pi + ROUNDING
    assert error(JOINT.pose(q)[0], JOINT.pose(steps * step)[0]) < steps * 1e-15 + ROUNDING
