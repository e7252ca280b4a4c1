"""Loose values turned into arrays of real numbers, and values that keep arrays read-only."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from robodyn_ros.errors import ArgumentError
from robodyn_ros.spatial.arrays import FrozenArrays, real_array


@pytest.mark.parametrize(
    "value",
    [
        (1, 2.0, True),
        [Fraction(1), np.float32(2.0), 1],
        np.array([1, 2, 1], dtype=np.int8),
        np.array([1.0, 2.0, 1.0], dtype=">f8"),
        np.array([1, 2.0, 1], dtype=object),
    ],
)
def test_real_numbers_of_any_kind_become_float64(value: object) -> None:
    array = real_array("it", value)  # type: ignore[arg-type]
    assert array.dtype == np.float64
    assert array.dtype.isnative
    assert array.tolist() == [1.0, 2.0, 1.0]


def test_a_float64_array_is_handed_back_itself() -> None:
    array = np.zeros((2, 3))
    assert real_array("it", array) is array


def test_numbers_need_not_be_finite_nor_in_rows() -> None:
    assert real_array("it", 3).shape == ()
    assert real_array("it", []).shape == (0,)
    assert np.isnan(real_array("it", [float("nan"), float("inf")])[0])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("1", "real numbers, got str"),
        (b"1", "real numbers, got bytes"),
        (["1", "2"], "real numbers, got str"),
        (1j, "real numbers, got complex128"),
        (np.zeros(2, dtype=complex), "real numbers, got complex128"),
        (None, "real numbers, got objects"),
        ([1.0, None], "real numbers, got objects"),
        ([Decimal(1)], "real numbers, got objects"),
        ([object()], "real numbers, got objects"),
        (np.array(["1"], dtype=object), "real numbers, got objects"),
        (np.zeros(1, dtype="datetime64[s]"), "real numbers, got datetime64"),
        ([[1.0], [1.0, 2.0]], "an array of numbers"),
        (10**400, "numbers that a float64 can hold"),
        ([1, -(10**400)], "numbers that a float64 can hold"),
    ],
)
def test_what_is_no_real_number_is_refused_by_name(value: object, words: str) -> None:
    with pytest.raises(ArgumentError, match=f"^it must be {words}") as caught:
        real_array("it", value)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


@dataclass(frozen=True, eq=False)
class Pair(FrozenArrays):
    """A value with one read-only and one ordinary field."""

    array: np.ndarray
    name: str


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_keep_their_arrays_read_only(way) -> None:  # type: ignore[no-untyped-def]
    array = np.arange(3.0)
    array.setflags(write=False)
    again = way(Pair(array, "a"))
    assert again.name == "a"
    assert again.array.tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        again.array[0] = 7.0
