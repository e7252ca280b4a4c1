"""`out=`: results written where the caller says, or refused before anything is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.robot import LazyBodyMotion, LazyCenterOfMassMotion
from robots import random_state


def state(robot: rd.Robot, count: int | None = None, seed: int = 0) -> tuple[np.ndarray, ...]:
    if count is None:
        return random_state(robot.model, seed)
    states = [random_state(robot.model, seed + row) for row in range(count)]
    return tuple(np.stack(column) for column in zip(*states, strict=True))


BATCHES = pytest.mark.parametrize("count", [None, 1, 4])
CALLS = pytest.mark.parametrize("name", ["body_motion", "center_of_mass_motion"])


@CALLS
@BATCHES
def test_an_earlier_result_is_filled_and_returned(
    robot: rd.Robot, name: str, count: int | None
) -> None:
    call = getattr(robot, name)
    out = call(*state(robot, count))
    held = list(out)
    later = state(robot, count, seed=50)
    assert call(*later, out=out) is out
    expected = call(*later)
    for before, x, y in zip(held, out, expected, strict=True):
        assert np.shares_memory(before, x)
        assert np.array_equal(x, y)


@BATCHES
def test_arrays_of_ones_own_are_filled(robot: rd.Robot, count: int | None) -> None:
    lead, nb = (() if count is None else (count,)), robot.model.nb
    shapes = [(*lead, nb, 3), (*lead, nb, 3, 3), *[(*lead, nb, 3)] * 4]
    arrays = [np.full(shape, 7.0) for shape in shapes]
    out = LazyBodyMotion.of(arrays)
    robot.body_motion(*state(robot, count), out=out)
    for x, y in zip(arrays, robot.body_motion(*state(robot, count)), strict=True):
        assert np.array_equal(x, y)


@BATCHES
def test_a_jacobian_is_filled(robot: rd.Robot, count: int | None) -> None:
    q = state(robot, count)[0]
    out = np.full_like(robot.jacobian(q, "tool"), 7.0)
    assert robot.jacobian(q, "tool", out=out) is out
    assert np.array_equal(out, robot.jacobian(q, "tool"))


def test_rows_that_are_not_finite_are_masked_in_out_too(robot: rd.Robot) -> None:
    q, v, a = state(robot, 3)
    out = robot.body_motion(q, v, a)
    v[1, 0] = np.nan
    robot.body_motion(q, v, a, out=out)
    for x in out:
        assert np.isnan(x[1]).all()
        assert np.isfinite(x[[0, 2]]).all()
    v[1, 0] = 0.0
    robot.body_motion(q, v, a, out=out)
    assert all(np.isfinite(x).all() for x in out)


def strided(x: np.ndarray) -> np.ndarray:
    return np.repeat(x, 2, axis=-1)[..., ::2]


def read_only(x: np.ndarray) -> np.ndarray:
    copy = x.copy()
    copy.setflags(write=False)
    return copy


UNFIT: dict[str, Callable[[np.ndarray], Any]] = {
    "too few rows": lambda x: x[:-1],
    "too many rows": lambda x: np.concatenate([x, x]),
    "single": lambda x: x[0],
    "one row": lambda x: x[:1],
    "an axis too many": lambda x: x[None],
    "flat": lambda x: x.reshape(-1),
    "float32": lambda x: x.astype(np.float32),
    "big-endian": lambda x: x.astype(">f8"),
    "complex": lambda x: x.astype(complex),
    "objects": lambda x: x.astype(object),
    "strided": strided,
    "Fortran order": np.asfortranarray,
    "read-only": read_only,
    "list": lambda x: x.tolist(),
    "None": lambda _: None,
}


@pytest.mark.parametrize("unfit", UNFIT)
def test_an_unfit_field_is_refused_by_name(robot: rd.Robot, unfit: str) -> None:
    q, v, a = state(robot, 4)
    arrays = list(robot.body_motion(q, v, a))
    for k, field in enumerate(LazyBodyMotion.fields):
        given = [np.full_like(x, 7.0) for x in arrays]
        given[k] = UNFIT[unfit](given[k])
        with pytest.raises(rd.ArgumentError, match=rf"out\.{field} must be .*\(4, "):
            robot.body_motion(q, v, a, out=LazyBodyMotion.of(given))
        untouched = [x for i, x in enumerate(given) if i != k]
        assert all(np.all(x == 7.0) for x in untouched)


@pytest.mark.parametrize("unfit", [u for u in UNFIT if u != "None"])
def test_an_unfit_array_for_a_jacobian_is_refused(robot: rd.Robot, unfit: str) -> None:
    q = state(robot, 4)[0]
    out = UNFIT[unfit](np.full((4, 6, robot.model.nv), 7.0))
    with pytest.raises(rd.ArgumentError, match=r"out.* must be .*\(4, 6, "):
        robot.jacobian(q, "tool", out=out)


@pytest.mark.parametrize("out", ["text", 3, (), np.zeros(3), {"position": None}, object()])
def test_what_is_no_result_is_refused(robot: rd.Robot, out: Any) -> None:
    with pytest.raises(rd.ArgumentError, match=r"^out"):
        robot.body_motion(*state(robot), out=out)


def test_a_result_of_another_kind_is_refused(robot: rd.Robot) -> None:
    with pytest.raises(rd.ArgumentError, match=r"^out"):
        robot.body_motion(*state(robot), out=robot.center_of_mass_motion(*state(robot)))  # type: ignore[arg-type]


def test_bad_arguments_are_refused_before_anything_is_written(robot: rd.Robot) -> None:
    q, v, a = state(robot)
    out = robot.body_motion(q, v, a)
    before = [x.copy() for x in out]
    for wrong in (q[:-1], 2.0 * q, ["x"] * q.size):
        with pytest.raises(rd.ArgumentError):
            robot.body_motion(wrong, v, a, out=out)
    for x, y in zip(out, before, strict=True):
        assert np.array_equal(x, y)


def test_the_classes_of_results_are_public() -> None:
    assert LazyBodyMotion.fields[0] == LazyCenterOfMassMotion.fields[0] == "position"
