"""Results: named arrays, cut out once, unpacking in the order of their fields."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros import algorithms
from robots import random_state

CALLS: dict[str, tuple[str, tuple[str, ...]]] = {
    "body_motion": ("body_motion", algorithms.BodyMotion._fields),
    "center_of_mass_motion": ("center_of_mass_motion", algorithms.CenterOfMassMotion._fields),
}
BATCHES = pytest.mark.parametrize("count", [None, 3])


def result(robot: rd.Robot, name: str, count: int | None) -> Any:
    states = [random_state(robot.model, seed) for seed in range(count or 1)]
    rows = [np.stack(column) for column in zip(*states, strict=True)]
    return getattr(robot, name)(*(rows if count else states[0]))


@pytest.mark.parametrize("name", CALLS)
@BATCHES
def test_they_have_the_fields_of_the_plain_functions(
    robot: rd.Robot, name: str, count: int | None
) -> None:
    fields = CALLS[name][1]
    found = result(robot, name, count)
    assert type(found).fields == fields
    arrays = list(found)
    assert len(arrays) == len(fields)
    for field, array in zip(fields, arrays, strict=True):
        assert getattr(found, field) is array


@pytest.mark.parametrize("name", CALLS)
@BATCHES
def test_they_unpack_again_and_again(robot: rd.Robot, name: str, count: int | None) -> None:
    found = result(robot, name, count)
    first, second = tuple(found), tuple(found)
    assert all(x is y for x, y in zip(first, second, strict=True))
    position, *_ = found
    assert position is found.position


@BATCHES
def test_fields_are_cut_once_in_any_order(robot: rd.Robot, count: int | None) -> None:
    found = result(robot, "body_motion", count)
    last = found.linear_acceleration
    assert found.rotation is found.rotation
    assert found.linear_acceleration is last
    again = result(robot, "body_motion", count)
    for x, y in zip(found, again, strict=True):
        assert np.array_equal(x, y)


@pytest.mark.parametrize("name", CALLS)
@BATCHES
def test_shapes_and_kinds(robot: rd.Robot, name: str, count: int | None) -> None:
    lead, nb = (() if count is None else (count,)), robot.model.nb
    found = result(robot, name, count)
    for field in type(found).fields:
        array = getattr(found, field)
        assert array.shape == (*lead, nb, *((3, 3) if field == "rotation" else (3,)))
        assert array.dtype == np.float64
        assert array.flags.c_contiguous
        assert array.flags.writeable


@BATCHES
def test_calls_share_no_memory(robot: rd.Robot, count: int | None) -> None:
    first, second = (result(robot, "body_motion", count) for _ in range(2))
    kept = [x.copy() for x in second]
    for x in first:
        x[...] = 7.0
    for x, y in zip(second, kept, strict=True):
        assert np.array_equal(x, y)


@BATCHES
def test_fields_share_no_memory_with_each_other(robot: rd.Robot, count: int | None) -> None:
    found = list(result(robot, "body_motion", count))
    for i, x in enumerate(found):
        x[...] = float(i)
    for i, x in enumerate(found):
        assert np.all(x == i)


@pytest.mark.parametrize("name", CALLS)
def test_they_show_their_fields(robot: rd.Robot, name: str) -> None:
    text = repr(result(robot, name, None))
    assert f"position({robot.model.nb}, 3)" in text
    assert "\n" not in text
    assert "object at" not in text


def test_rows_are_bodies(robot: rd.Robot) -> None:
    q = robot.neutral()
    q[:3] = (1.0, 2.0, 3.0)
    motion = robot.body_motion(q)
    assert not motion.position[0].any()
    row = robot.model.body_index("b0")
    assert motion.position[row].tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
@BATCHES
def test_they_can_be_copied_and_sent_to_another_process(
    robot: rd.Robot, count: int | None, way: Callable[[Any], Any]
) -> None:
    found = result(robot, "body_motion", count)
    again = way(found)
    assert type(again).fields == type(found).fields
    for x, y in zip(again, found, strict=True):
        assert np.array_equal(x, y)


def test_fields_are_documented(robot: rd.Robot) -> None:
    kind = type(result(robot, "body_motion", None))
    for field in kind.fields:
        assert "(nb, 3" in getattr(kind, field).__doc__
