"""A batch that compiled code takes by itself: equal to Python's, and Python's where it is not."""

from __future__ import annotations

import sys
import threading

import numpy as np
import pytest

from robodyn_ros.kernels.rows import PROCESS
from robodyn_ros.kernels.scalar import sin
from robodyn_ros.kernels.table import ANY_ROWS, NEW_ROWS, NO_ROWS

ROWS = 23
INPUTS = (("q", (3,)), ("v", (3,)), ("g", ()))


def fallback(*arguments, **keywords):
    return "fallback", arguments, keywords


def formula(q, v, g):
    return (np.stack([sin(q[k]) * v[2 - k] + g for k in range(3)] * 2).reshape(2, 3),)


@pytest.fixture(scope="module", params=[1, 4])
def kernel(request, kernel_of):
    return kernel_of(formula, INPUTS, (("y", (2, 3)),), width=request.param)


@pytest.fixture
def call(kernel):
    return kernel.bind(fallback, rows=ANY_ROWS)[0]


def arguments(rows=ROWS, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(rows, 3)), rng.normal(size=(rows, 3)), rng.normal(size=rows)]


def expected(kernel, *given):
    """Return what single calls make of rows."""
    depths = [len(shape) for _, shape in INPUTS]
    batched = [x.ndim > depth for x, depth in zip(given, depths, strict=True)]
    rows = max(len(x) for x, several in zip(given, batched, strict=True) if several)
    whole = [x if s else [x] * rows for x, s in zip(given, batched, strict=True)]
    return np.stack([kernel.single(*map(np.array, sample)) for sample in zip(*whole, strict=True)])


@pytest.mark.parametrize("rows", [1, 2, 3, 5, 8, 200])
def test_rows_equal_single_calls(kernel, call, rows):
    given = arguments(rows)
    result = call(*given)
    assert result.shape == (rows, 2, 3)
    assert result.flags.owndata
    np.testing.assert_array_equal(result, expected(kernel, *given))
    out = np.zeros((rows, 2, 3))
    assert call(*given, out=out) is out
    np.testing.assert_array_equal(out, result)


@pytest.mark.parametrize("shared", [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)])
def test_inputs_of_one_sample_serve_all_rows(kernel, call, shared):
    given = [np.array(x[4]) if k in shared else x for k, x in enumerate(arguments())]
    np.testing.assert_array_equal(call(*given), expected(kernel, *given))


def test_a_single_sample_fills_an_array_too(kernel, call):
    given = [np.array(x[0]) for x in arguments()]
    out = np.zeros((2, 3))
    assert call(*given, out=out) is out
    np.testing.assert_array_equal(out, kernel.single(*given))


def test_kept_inputs_serve_all_rows(kernel):
    q, v, g = arguments()
    one, g = v[0].copy(), np.array(g[0])
    call, end = kernel.bind(fallback, (), [g], [one], ANY_ROWS)
    np.testing.assert_array_equal(call(q, v), expected(kernel, q, v, g))
    out = np.zeros((ROWS, 2, 3))
    np.testing.assert_array_equal(call(q, out=out), expected(kernel, q, one, g))
    assert call(q, v, g)[0] == "fallback"
    end()
    assert call(q, v)[0] == "fallback"


def unaligned(array):
    memory = np.zeros(array.nbytes + 1, dtype=np.uint8)
    view = memory[1:].view(np.float64).reshape(array.shape)
    view[...] = array
    return view


class Subclass(np.ndarray):
    """An array that is not exactly an ndarray."""


def with_q(change):
    return lambda q, v, g: ((change(q), v, g), {})


def with_out(out):
    return lambda q, v, g: ((q, v, g), {"out": out})


def frozen():
    out = np.zeros((ROWS, 2, 3))
    out.flags.writeable = False
    return out


def over(q, v, g):
    memory = np.zeros(ROWS * 9)
    return (memory[: ROWS * 3].reshape(ROWS, 3), v, g), {
        "out": memory[ROWS * 3 - 1 :][: ROWS * 6].reshape(ROWS, 2, 3)
    }


UNUSUAL = {
    "list": with_q(lambda q: q.tolist()),
    "float32": with_q(lambda q: q.astype(np.float32)),
    "big-endian": with_q(lambda q: q.astype(">f8")),
    "strided": with_q(lambda q: np.repeat(q, 2, axis=0)[::2]),
    "Fortran": with_q(np.asfortranarray),
    "unaligned": with_q(unaligned),
    "subclass": with_q(lambda q: q.view(Subclass)),
    "deep": with_q(lambda q: q[None]),
    "wide": with_q(lambda q: np.hstack([q, q])),
    "one row": with_q(lambda q: q[:1]),
    "fewer rows": with_q(lambda q: q[:-1]),
    "None": with_q(lambda _: None),
    "not finite": with_q(lambda q: q * np.nan),
    "far": with_q(lambda q: q * 2.0**60),
    "no rows": lambda q, v, g: ((q[:0], v[:0], g[:0]), {}),
    "no rows to fill": lambda q, v, g: ((q[:0], v[:0], g[:0]), {"out": np.zeros((0, 2, 3))}),
    "nothing": lambda *_: ((), {}),
    "too few": lambda q, v, g: ((q, v), {}),
    "too many": lambda q, v, g: ((q, v, g, q), {}),
    "a keyword": lambda q, v, g: ((q, v), {"g": g}),
    "another keyword": lambda q, v, g: ((q, v, g), {"into": np.zeros((ROWS, 2, 3))}),
    "two keywords": lambda q, v, g: ((q, v), {"out": np.zeros((ROWS, 2, 3)), "g": g}),
    "out None": with_out(None),
    "out a list": with_out(np.zeros((ROWS, 2, 3)).tolist()),
    "out float32": with_out(np.zeros((ROWS, 2, 3), np.float32)),
    "out too short": with_out(np.zeros((ROWS - 1, 2, 3))),
    "out too long": with_out(np.zeros((ROWS + 1, 2, 3))),
    "out flat": with_out(np.zeros((ROWS, 6))),
    "out single": with_out(np.zeros((2, 3))),
    "out strided": with_out(np.zeros((2 * ROWS, 2, 3))[::2]),
    "out Fortran": with_out(np.zeros((ROWS, 2, 3), order="F")),
    "out unaligned": with_out(unaligned(np.zeros((ROWS, 2, 3)))),
    "out subclass": with_out(np.zeros((ROWS, 2, 3)).view(Subclass)),
    "out read-only": with_out(frozen()),
    "out over an input": over,
    "rows for a single": lambda q, v, g: (
        (q[0], v[0], np.array(g[0])),
        {"out": np.zeros((ROWS, 2, 3))},
    ),
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_everything_unusual_goes_to_the_fallback_untouched(call, name):
    given, keywords = UNUSUAL[name](*arguments())
    word, received, named = call(*given, **keywords)
    assert word == "fallback"
    assert len(received) == len(given)
    assert all(x is y for x, y in zip(received, given, strict=True))
    assert list(named) == list(keywords)
    assert all(named[key] is value for key, value in keywords.items())


def test_what_is_not_allowed_goes_to_the_fallback(kernel):
    given, out = arguments(), np.zeros((ROWS, 2, 3))
    for mode, new, filled in (
        (NO_ROWS, False, False),
        (NEW_ROWS, True, False),
        (ANY_ROWS, True, True),
    ):
        call = kernel.bind(fallback, rows=mode)[0]
        assert isinstance(call(*given), np.ndarray) == new
        assert (call(*given, out=out) is out) == filled
    wrapped = kernel.bind(fallback, (type("Carrier", (), {}), "flat"), rows=ANY_ROWS)[0]
    assert wrapped(*given)[0] == "fallback"


def test_a_refused_row_is_left_to_python(call):
    q, v, g = arguments()
    q[3, 1] = np.nan
    out = np.zeros((ROWS, 2, 3))
    assert call(q, v, g)[0] == "fallback"
    assert call(q, v, g, out=out)[0] == "fallback"


@pytest.mark.parametrize("release", [0, 1 << 60])
@pytest.mark.parametrize("share", [1, 1 << 60])
def test_neither_lock_nor_threads_change_a_result(kernel, call, monkeypatch, release, share):
    monkeypatch.setattr(PROCESS, "release", release)
    monkeypatch.setattr(PROCESS, "share", share)
    given = arguments(1000)
    wanted = expected(kernel, *given)
    out = np.zeros((1000, 2, 3))
    kernel.batch(given, [out])  # starts what threads there are
    for _ in range(20):
        out[...] = 0.0
        assert call(*given, out=out) is out
        np.testing.assert_array_equal(out, wanted)


def test_without_a_team_python_starts_one(call, kernel, monkeypatch):
    monkeypatch.setattr(PROCESS, "team", None)
    monkeypatch.setattr(PROCESS, "share", 1)
    given, out = arguments(), np.zeros((ROWS, 2, 3))
    assert call(*given)[0] == "fallback"
    assert kernel.batch(given, [out]) == 0
    assert PROCESS.team is not None
    np.testing.assert_array_equal(call(*given), out)


def test_callers_in_several_threads(call, monkeypatch):
    monkeypatch.setattr(PROCESS, "release", 0)
    monkeypatch.setattr(PROCESS, "share", 1)
    cases = [arguments(300, seed) for seed in range(4)]
    wanted = [call(*case) for case in cases]
    results = [[] for _ in cases]

    def work(k):
        results[k] += [call(*cases[k]) for _ in range(200)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(cases))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for found, right in zip(results, wanted, strict=True):
        assert len(found) == 200
        assert all(np.array_equal(x, right) for x in found)


def test_reference_counts_do_not_change(call):
    given, out = arguments(), np.zeros((ROWS, 2, 3))
    refused = [given[0] * np.nan, *given[1:]]
    watched = [*given, refused[0], out, np.dtype(np.float64), np.ndarray, None]
    before = [sys.getrefcount(x) for x in watched]
    for _ in range(500):
        call(*given)
        call(*given, out=out)
        call(*refused)
        call(*refused, out=out)
    assert [sys.getrefcount(x) for x in watched] == pytest.approx(before, abs=3)
    assert sys.getrefcount(call(*given)) == sys.getrefcount(np.zeros(1))


def test_several_outputs_are_served_for_the_kernel(chain_kernel, example):
    """`Kernel.batch` asks compiled code first; None means that it wrote nothing."""
    inputs, outputs = example.inputs(9), example.outputs(example.signature, 9)
    plain = example.outputs(example.signature, 9)
    chain_kernel.batch(inputs, plain, threads=1)
    without = [k for k, x in enumerate(outputs) if x.size]
    served = chain_kernel.rows(*inputs, *outputs)
    assert served == 0
    np.testing.assert_array_equal(example.flat(outputs), example.flat(plain))
    inputs[0][2, 0] = np.inf
    assert chain_kernel.rows(*inputs, *outputs) == 1
    for bad in (inputs[0].tolist(), inputs[0][:-1], inputs[0][:, :-1]):
        assert chain_kernel.rows(bad, *inputs[1:], *outputs) is None
    for k in without:
        changed = [x[:-1] if i == k else x for i, x in enumerate(outputs)]
        assert chain_kernel.rows(*inputs, *changed) is None
    assert chain_kernel.rows(*inputs, *outputs[:-1]) is None
    assert chain_kernel.rows() is None


def test_an_output_over_an_input_is_left_to_python(chain_kernel, example):
    inputs, outputs = example.inputs(9), example.outputs(example.signature, 9)
    assert chain_kernel.rows(outputs[-1], *inputs[1:], *outputs) is None
    outputs[-1][...] = inputs[0]
    plain = example.outputs(example.signature, 9)
    chain_kernel.batch(inputs, plain)
    chain_kernel.batch([outputs[-1], *inputs[1:]], outputs)
    np.testing.assert_array_equal(example.flat(outputs), example.flat(plain))
