"""Every function of the room: batches equal singles, object arrays and symbols equal floats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from differentiation import error
from robodyn_ros import spatial
from tracing import TRACE_TOLERANCE, as_arrays, symbols, traced

#: BLAS and plain loops add three products in another order.
ORDER_TOLERANCE = 2e-15

SKEW_AXIS = np.array([0.6, -0.48, 0.64])


class Case(NamedTuple):
    """A function of arrays whose single shapes are `shapes`."""

    function: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]
    symbolic: bool = True


VECTOR, MATRIX, QUATERNION, MOTION, ROWS = (3,), (3, 3), (4,), (6,), (2, 6)

CASES = {
    "adjoint": Case(lambda R, p: spatial.adjoint((R, p)), (MATRIX, VECTOR)),
    "angle_about": Case(lambda R: spatial.angle_about(R, SKEW_AXIS), (MATRIX,)),
    "apply": Case(spatial.apply, (MATRIX, VECTOR)),
    "apply_adjoint": Case(
        lambda R, p, V: spatial.apply_adjoint((R, p), V), (MATRIX, VECTOR, MOTION)
    ),
    "axis_rotation": Case(lambda t: spatial.axis_rotation(SKEW_AXIS, t), ((),)),
    "carried": Case(lambda R, p, M: spatial.carried((R, p), M), (MATRIX, VECTOR, ROWS)),
    "compose": Case(
        lambda R, p, S, r: spatial.compose((R, p), (S, r)), (MATRIX, VECTOR, MATRIX, VECTOR)
    ),
    "cross": Case(spatial.cross, (VECTOR, VECTOR)),
    "exponential_coefficients": Case(
        lambda r: spatial.exponential_coefficients((r * r).sum(axis=-1)), (VECTOR,)
    ),
    "force_cross": Case(spatial.force_cross, (ROWS, MOTION)),
    "forces_carried": Case(
        lambda R, p, F: spatial.forces_carried((R, p), F), (MATRIX, VECTOR, ROWS)
    ),
    "invert": Case(lambda R, p: spatial.invert((R, p)), (MATRIX, VECTOR)),
    "joined": Case(spatial.joined, (VECTOR, QUATERNION)),
    "left_jacobian": Case(spatial.left_jacobian, (VECTOR,)),
    "left_jacobian_inverse": Case(spatial.left_jacobian_inverse, (VECTOR,)),
    "mirrored": Case(spatial.mirrored, ((5, 5),)),
    "motion_cross": Case(spatial.motion_cross, (MOTION, ROWS)),
    "quaternion_exponential": Case(spatial.quaternion_exponential, (VECTOR,)),
    "quaternion_from_matrix": Case(spatial.quaternion_from_matrix, (MATRIX,), symbolic=False),
    "quaternion_inverse": Case(spatial.quaternion_inverse, (QUATERNION,)),
    "quaternion_logarithm": Case(spatial.quaternion_logarithm, (QUATERNION,)),
    "quaternion_moved": Case(spatial.quaternion_moved, (QUATERNION, VECTOR)),
    "quaternion_product": Case(spatial.quaternion_product, (QUATERNION, QUATERNION)),
    "quaternion_rate": Case(spatial.quaternion_rate, (QUATERNION, VECTOR)),
    "quaternion_to_matrix": Case(spatial.quaternion_to_matrix, (QUATERNION,)),
    "rotation_exponential": Case(spatial.rotation_exponential, (VECTOR,)),
    "skew": Case(spatial.skew, (VECTOR,)),
    "successive_angles": Case(lambda R: spatial.successive_angles(R, np.eye(3)), (MATRIX,)),
    "transpose": Case(spatial.transpose, (MATRIX,)),
}
SYMBOLIC = sorted(name for name, case in CASES.items() if case.symbolic)

#: Functions of constants only, and names that other tests cover.
NO_CASE = {"Array", "axis_alignment", "rotation_from_rpy", "sin", "cos", "sqrt", "where"} | {
    "Factors",
    "inverted",
    "ltdl",
    "safe_inverse",
    "solved",
    "total",
    "Triangles",
    "lu_solved",
    "lu_solved_transposed",
    "triangles",
}


def sample(shape: tuple[int, ...], lead: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Return random values of a single shape behind leading axes; matrices are rotations."""
    if shape in (QUATERNION, MATRIX):
        quaternion = rng.normal(size=(*lead, 4))
        quaternion /= np.linalg.norm(quaternion, axis=-1, keepdims=True)
        return quaternion if shape == QUATERNION else spatial.quaternion_to_matrix(quaternion)
    return rng.normal(size=lead + shape)


def samples(case: Case, lead: tuple[int, ...]) -> list[np.ndarray]:
    rng = np.random.default_rng(len(case.shapes) + len(lead))
    return [sample(shape, lead, rng) for shape in case.shapes]


def rows(arrays: list[np.ndarray], lead: tuple[int, ...]) -> Iterator[tuple[Any, ...]]:
    return ((index, [array[index] for array in arrays]) for index in np.ndindex(lead))


def test_every_public_name_has_a_case() -> None:
    assert set(CASES) | NO_CASE == set(spatial.__all__)


@pytest.mark.parametrize("name", sorted(CASES))
@pytest.mark.parametrize("lead", [(1,), (4,), (2, 3), (0,)])
def test_batches_equal_singles(name: str, lead: tuple[int, ...]) -> None:
    case = CASES[name]
    arguments = samples(case, lead)
    whole = as_arrays(case.function(*arguments))
    assert all(array.shape[: len(lead)] == lead for array in whole)
    for index, single in rows(arguments, lead):
        for array, expected in zip(whole, as_arrays(case.function(*single)), strict=True):
            assert error(array[index], expected) < ORDER_TOLERANCE


@pytest.mark.parametrize("name", [name for name in sorted(CASES) if len(CASES[name].shapes) > 1])
def test_singles_are_broadcast_against_batches(name: str) -> None:
    case = CASES[name]
    whole, single = samples(case, (5,)), samples(case, ())
    for k in range(len(whole)):
        mixed = [*single[:k], whole[k], *single[k + 1 :]]
        for row in range(5):
            one = [*single[:k], whole[k][row], *single[k + 1 :]]
            found = as_arrays(case.function(*mixed))
            for array, expected in zip(found, as_arrays(case.function(*one)), strict=True):
                # A pose's rotation need not take over the batch axis of its position.
                here = array[row] if array.ndim > expected.ndim else array
                assert error(here, expected) < ORDER_TOLERANCE


@pytest.mark.parametrize("name", SYMBOLIC)
@pytest.mark.parametrize("lead", [(), (3,)])
def test_object_arrays_of_floats_equal_floats(name: str, lead: tuple[int, ...]) -> None:
    case = CASES[name]
    arguments = samples(case, lead)
    found = as_arrays(case.function(*(np.asarray(x).astype(object) for x in arguments)))
    for array, expected in zip(found, as_arrays(case.function(*arguments)), strict=True):
        assert error(array.astype(float), expected) < ORDER_TOLERANCE


@pytest.mark.parametrize("name", SYMBOLIC)
@pytest.mark.parametrize("lead", [(), (3,)])
@pytest.mark.parametrize("size", [0.1, 1.0, 3.0])
def test_symbols_equal_floats(name: str, lead: tuple[int, ...], size: float) -> None:
    """At several sizes, so that both sides of every `where` are compared."""
    case = CASES[name]
    arguments = [np.asarray(size * x) for x in samples(case, lead)]
    found = traced(case.function, *arguments)
    for array, expected in zip(found, as_arrays(case.function(*arguments)), strict=True):
        assert error(array, expected) < TRACE_TOLERANCE


@pytest.mark.parametrize("name", SYMBOLIC)
def test_what_is_known_stays_known_in_a_trace(name: str) -> None:
    """A trace of constants folds to floats: nothing symbolic appears from nowhere."""
    case = CASES[name]
    arguments = [np.asarray(x).astype(object) for x in samples(case, ())]
    for array in as_arrays(case.function(*arguments)):
        assert all(isinstance(entry, float | int) for entry in array.ravel())


def test_joined_stacks_rows_too() -> None:
    upper, lower = np.ones((2, 3)), np.zeros((4, 1, 3))
    stacked = spatial.joined(upper, lower, axis=-2)
    assert stacked.shape == (4, 3, 3)
    assert np.array_equal(stacked[2], [[1, 1, 1], [1, 1, 1], [0, 0, 0]])


def test_joined_takes_empty_parts() -> None:
    empty = np.zeros((5, 0))
    assert spatial.joined(empty).shape == (5, 0)
    assert spatial.joined(empty, symbols((2,))).shape == (5, 2)
