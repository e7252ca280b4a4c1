"""Rates of a base's file are doubted where they do not go with its poses, and only there."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.conditioning.base_program import COLUMNS, BaseProgram
from robodyn_ros.spatial import (
    cross,
    left_jacobian,
    quaternion_exponential,
    quaternion_product,
    quaternion_to_matrix,
)

Rows = dict[str, np.ndarray]
ATTITUDE = np.asarray(quaternion_exponential(np.array([0.4, -0.7, 1.1])))


def swinging(count: int, *, pause: float = 0.0) -> Rows:
    """Return rows of a smooth motion over one period of 4 s, with exact rates."""
    time = np.linspace(0.0, 4.0, count)
    w = 0.5 * np.pi
    size, phase = np.array([0.5, 1.0, 0.2]), np.array([0.0, 1.0, 2.0])
    along = np.array([0.6, 0.0, 0.8])
    angle = np.sin(w * time)[:, None] * along
    turn = np.asarray(quaternion_exponential(angle))
    s = w * time[:, None] + phase
    return {
        "time": time + pause,
        "position": size * np.sin(s),
        "quaternion": np.array([quaternion_product(x, ATTITUDE) for x in turn]),
        "velocity": size * w * np.cos(s),
        "acceleration": -size * w**2 * np.sin(s),
        "angular_velocity": w * np.cos(w * time)[:, None] * along,
        "angular_acceleration": -(w**2) * np.sin(w * time)[:, None] * along,
    }


@pytest.mark.parametrize("loop", [False, True])
@pytest.mark.parametrize("count", [6, 9, 33, 400])
def test_exact_rates_are_not_doubted_however_few_the_rows(count: int, loop: bool) -> None:
    assert BaseProgram(**swinging(count), loop=loop).doubts == ()


@pytest.mark.parametrize("count", [2, 3])
def test_from_rest_to_rest_in_a_step_is_not_doubted(count: int) -> None:
    time = np.arange(float(count))
    turns = np.outer(time, [0.0, 0.3, 1.0])
    still = np.zeros((count, 3))
    rates = dict.fromkeys(COLUMNS, still)
    program = BaseProgram(time, turns, np.asarray(quaternion_exponential(turns)), **rates)
    assert program.doubts == ()


def test_noise_of_a_gyro_is_not_doubted() -> None:
    rows = swinging(200)
    rng = np.random.default_rng(5)
    rows["angular_velocity"] = rows["angular_velocity"] + 0.02 * rng.normal(size=(200, 3))
    del rows["angular_acceleration"]
    assert BaseProgram(**rows).doubts == ()


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("factor", [-1.0, 180.0 / np.pi, 1e-3])
def test_another_sign_or_unit_is_doubted(name: str, factor: float) -> None:
    rows = swinging(60)
    rows[name] = factor * rows[name]
    doubts = BaseProgram(**rows).doubts
    first = next(doubt for doubt in doubts if doubt.split()[1] in COLUMNS[name])
    assert " at time " in first
    assert "(row " in first
    assert "the column is followed" in first


def test_axes_of_the_body_are_doubted_with_column_time_and_both_numbers() -> None:
    rows = swinging(60)
    w = rows["angular_velocity"]
    R_WB = np.array([quaternion_to_matrix(q) for q in rows["quaternion"]])
    rows["angular_velocity"] = np.einsum("nji,nj->ni", R_WB, w)
    del rows["angular_acceleration"]
    (doubt,) = BaseProgram(**rows).doubts
    column, given = doubt.split()[1], float(doubt.split()[3])
    row = int(doubt.split("(row ")[1].split(")")[0]) - 1
    k = COLUMNS["angular_velocity"].index(column)
    assert given == pytest.approx(rows["angular_velocity"][row, k], rel=1e-3)
    assert f"at time {rows['time'][row]:g} s" in doubt
    assert "rad/s and in world axes" in doubt


def test_turning_about_changing_axes_has_the_rates_of_its_rotation_vector() -> None:
    """The curve's own formula against that of the rotation vector r(t) = (a + b t) with J_l."""
    a, b = np.array([0.3, -1.0, 0.5]), np.array([0.7, 0.9, -0.4])
    time = np.linspace(0.0, 1.0, 41)
    r = a + np.outer(time, b)
    w = np.array([left_jacobian(x) @ b for x in r])
    program = BaseProgram(time, 0.0 * r, np.asarray(quaternion_exponential(r)), angular_velocity=w)
    assert program.doubts == ()
    step = 1e-5
    for t in (0.2125, 0.7875):  # between rows
        expected = np.asarray(left_jacobian(a + b * t)) @ b
        assert program.at(t).angular_velocity == pytest.approx(expected, abs=1e-4)
        ahead, behind = (np.asarray(left_jacobian(a + b * x)) @ b for x in (t + step, t - step))
        assert program.at(t).angular_acceleration == pytest.approx(
            (ahead - behind) / (2.0 * step), abs=1e-2
        )
        assert np.linalg.norm(cross(expected, b)) > 0.0
