"""What the facade takes for an array, and what it refuses, by name."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error
from robots import random_state

#: NumPy multiplies matrices in another order for a batch and for memory that is not contiguous.
ROUNDING = 1e-13


def rows(robot: rd.Robot, count: int) -> tuple[np.ndarray, ...]:
    states = [random_state(robot.model, seed) for seed in range(count)]
    return tuple(np.stack(column) for column in zip(*states, strict=True))


def assert_same(result: Any, expected: Any, tolerance: float = ROUNDING) -> None:
    for x, y in zip(result, expected, strict=True):
        assert x.dtype == np.float64
        assert x.flags.c_contiguous
        assert error(x, y) <= tolerance


def unaligned(x: np.ndarray) -> np.ndarray:
    memory = np.zeros(x.nbytes + 1, dtype=np.uint8)
    result = memory[1:].view(np.float64).reshape(x.shape)
    result[...] = x
    assert not result.flags.aligned
    return result


def read_only(x: np.ndarray) -> np.ndarray:
    copy = x.copy()
    copy.setflags(write=False)
    return copy


class Own(np.ndarray):
    """A subclass, as units packages have them."""


FORMS: dict[str, Callable[[np.ndarray], Any]] = {
    "array": lambda x: x,
    "list": lambda x: x.tolist(),
    "tuple": lambda x: tuple(x.tolist()),
    "objects": lambda x: x.astype(object),
    "every other entry": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "backwards": lambda x: x[..., ::-1].copy()[..., ::-1],
    "Fortran order": np.asfortranarray,
    "unaligned": unaligned,
    "read-only": read_only,
    "big-endian": lambda x: x.astype(">f8"),
    "subclass": lambda x: x.view(Own),
    "long double": lambda x: x.astype(np.longdouble),
    "broadcast": lambda x: np.broadcast_to(x, x.shape),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_the_same_numbers_gives_the_same(robot: rd.Robot, form: str) -> None:
    make = FORMS[form]
    single = random_state(robot.model, 0)
    assert_same(robot.body_motion(*map(make, single)), robot.body_motion(*single))
    q = make(single[0])
    assert_same([robot.jacobian(q, "tool")], [robot.jacobian(single[0], "tool")])
    many = rows(robot, 3)
    assert_same(robot.body_motion(*map(make, many)), robot.body_motion(*many))
    assert_same(robot.center_of_mass_motion(*map(make, many)), robot.center_of_mass_motion(*many))


@pytest.mark.parametrize("kind", [np.float32, np.float16, np.int8, np.int64, np.uint16, bool])
def test_numbers_of_other_kinds_are_converted(robot: rd.Robot, kind: type) -> None:
    q = robot.neutral()
    v = np.arange(robot.model.nv) % 2
    assert_same(
        robot.body_motion(q.astype(kind), v.astype(kind)), robot.body_motion(q, v.astype(float))
    )


def test_python_numbers_of_other_kinds_are_converted(robot: rd.Robot) -> None:
    q = robot.neutral()
    halves = [Fraction(1, 2)] * robot.model.nv
    mixed: list[object] = [1, True, 0.5, *[np.float32(0.25)] * (robot.model.nv - 3)]
    for v in (halves, mixed):
        assert_same(robot.body_motion(q, v), robot.body_motion(q, np.array(v, dtype=float)))


def test_arguments_are_left_alone_and_not_handed_out(robot: rd.Robot) -> None:
    for state in (random_state(robot.model, 1), rows(robot, 2)):
        before = [x.copy() for x in state]
        results = [*robot.body_motion(*state), robot.jacobian(state[0], "tool")]
        for x, y in zip(state, before, strict=True):
            assert np.array_equal(x, y)
            assert not any(np.shares_memory(x, result) for result in results)
            assert all(result.flags.writeable for result in results)


@pytest.mark.parametrize("count", [0, 1, 2, 17])
def test_batches_of_any_size(robot: rd.Robot, count: int) -> None:
    model = robot.model
    state = rows(robot, max(count, 1))
    state = tuple(x[:count] for x in state)
    motion = robot.body_motion(*state)
    assert motion.position.shape == (count, model.nb, 3)
    assert motion.rotation.shape == (count, model.nb, 3, 3)
    assert robot.center_of_mass_motion(*state).position.shape == (count, model.nb, 3)
    J = robot.jacobian(state[0], "tool")
    assert J.shape == (count, 6, model.nv)
    for row in range(count):
        single = [x[row] for x in state]
        assert_same([x[row] for x in motion], robot.body_motion(*single))
        assert error(J[row], robot.jacobian(single[0], "tool")) < ROUNDING


@pytest.mark.parametrize("batched", ["q", "v", "a", "qv", "qa", "va"])
def test_single_arguments_go_with_every_row(robot: rd.Robot, batched: str) -> None:
    many = rows(robot, 3)
    one = random_state(robot.model, 9)
    mixed = [x if name in batched else y for name, x, y in zip("qva", many, one, strict=True)]
    motion = robot.body_motion(*mixed)
    assert motion.position.shape == (3, robot.model.nb, 3)
    for row in range(3):
        state = [x[row] if x.ndim == 2 else x for x in mixed]
        assert_same([x[row] for x in motion], robot.body_motion(*state))


def test_rates_may_be_left_out(robot: rd.Robot) -> None:
    q, v, _ = random_state(robot.model, 2)
    zero = np.zeros(robot.model.nv)
    assert_same(robot.body_motion(q), robot.body_motion(q, zero, zero), 0.0)
    assert_same(robot.body_motion(q, v), robot.body_motion(q, v, zero), 0.0)
    assert_same(robot.body_motion(q, a=v), robot.body_motion(q, zero, v), 0.0)
    many = rows(robot, 2)[0]
    zeros = np.zeros((2, robot.model.nv))
    assert_same(robot.body_motion(many), robot.body_motion(many, zeros, zeros), 0.0)


def refusals(robot: rd.Robot, call: Callable[[Any], Any], name: str, size: int) -> None:
    """Assert that values which are no (size,) or (N, size) numbers are refused by name."""
    good = np.zeros(size)
    wrong: dict[str, Any] = {
        "too short": good[:-1],
        "too long": np.zeros(size + 1),
        "a number": 0.5,
        "a column": good[:, None],
        "two batch axes": np.zeros((1, 1, size)),
        "transposed": np.zeros((size, 2)),
        "empty": [],
        "text": "0 1 2",
        "bytes": b"012",
        "numbers as text": ["0"] * size,
        "text among numbers": [*good[:-1].tolist(), "x"],
        "text among objects": np.array([*good[:-1].tolist(), "1"], dtype=object),
        "None": [None] * size,
        "None among numbers": [*good[:-1].tolist(), None],
        "ragged": [good.tolist(), good[:-1].tolist()],
        "complex": good + 0j,
        "complex among numbers": [*good[:-1].tolist(), 1j],
        "dates": np.zeros(size, dtype="datetime64[s]"),
        "a mapping": {"j1": 0.0},
        "a set": {0.0},
        "an object": object(),
        "records": np.zeros(size, dtype=[("x", float)]),
    }
    for what, value in wrong.items():
        with pytest.raises(rd.ArgumentError) as caught:
            call(value)
        text = str(caught.value)
        assert isinstance(caught.value, ValueError)
        assert text.startswith(f"{name} "), (what, text)
        assert "\n" not in text
        assert len(text) < 200


@pytest.mark.parametrize("name", ["q", "v", "a"])
def test_what_is_no_array_of_numbers_is_refused_by_name(robot: rd.Robot, name: str) -> None:
    model = robot.model
    state = dict(zip("qva", random_state(model, 0), strict=True))
    size = model.nq if name == "q" else model.nv
    refusals(robot, lambda x: robot.body_motion(**{**state, name: x}), name, size)
    refusals(robot, lambda x: robot.center_of_mass_motion(**{**state, name: x}), name, size)


def test_the_other_calls_refuse_alike(robot: rd.Robot) -> None:
    nq, nv = robot.model.nq, robot.model.nv
    q, v, _ = random_state(robot.model, 0)
    refusals(robot, lambda x: robot.jacobian(x, "tool"), "q", nq)
    refusals(robot, lambda x: robot.integrate(x, v), "q", nq)
    refusals(robot, lambda x: robot.integrate(q, x), "v", nv)
    refusals(robot, lambda x: robot.difference(x, q), "q0", nq)
    refusals(robot, lambda x: robot.difference(q, x), "q1", nq)


def test_a_wrong_shape_is_told_with_the_right_one(robot: rd.Robot) -> None:
    nq = robot.model.nq
    expected = rf"q must have shape \({nq},\) or \(N, {nq}\), got \(3,\)"
    with pytest.raises(rd.ArgumentError, match=expected):
        robot.body_motion(np.zeros(3))


def test_batches_of_unequal_size_are_told_with_their_sizes(robot: rd.Robot) -> None:
    q, v, a = rows(robot, 3)
    with pytest.raises(rd.ArgumentError, match=r"q has 3, v has 2, a has 3"):
        robot.body_motion(q, v[:2], a)
    with pytest.raises(rd.ArgumentError, match=r"q has 3, v has 1"):
        robot.integrate(q, v[:1])
    with pytest.raises(rd.ArgumentError, match=r"q0 has 3, q1 has 2"):
        robot.difference(q, q[:2])


@pytest.mark.parametrize("option", ["sometimes", "", None, True])
def test_an_unknown_compile_option_is_refused(option: Any) -> None:
    model = rd.ModelBuilder("m")
    model.add_body("b")
    with pytest.raises(rd.ArgumentError, match=r"background.*wait.*off"):
        rd.Robot(model.build(), compile=option)
