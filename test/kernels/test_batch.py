"""A batch equals single calls bit by bit, keeps rows apart, and takes what arrays there are."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from robodyn_ros.errors import ArgumentError
from robodyn_ros.kernels import kernel as kernel_module
from robodyn_ros.kernels.rows import PROCESS

ROUNDING = 1e-12


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 7, 8, 9, 16, 37, 200])
@pytest.mark.parametrize("streaming", [False, True])
def test_every_width_and_tail_equals_single_calls(
    chain_kernels, example, rows, streaming, monkeypatch
):
    monkeypatch.setattr(PROCESS, "streaming", 0 if streaming else 1 << 40)
    inputs = example.inputs(rows)
    single = chain_kernels[1].single
    expected = np.array([single(q, v, np.array(a)) for q, v, a in zip(*inputs, strict=True)])
    for kernel in chain_kernels.values():
        outputs = example.outputs(example.signature, rows)
        assert kernel.batch(inputs, outputs) == 0
        np.testing.assert_array_equal(example.flat(outputs), expected)


def test_results_are_the_plain_functions(chain_kernel, example):
    inputs = example.inputs(50)
    outputs = example.outputs(example.signature, 50)
    chain_kernel.batch(inputs, outputs)
    for output, plain in zip(outputs, example.function(*inputs), strict=True):
        np.testing.assert_allclose(output, plain, rtol=ROUNDING, atol=ROUNDING)


@pytest.mark.parametrize("offset", range(8))
def test_streaming_writes_any_alignment_and_nothing_else(
    chain_kernel, example, offset, monkeypatch
):
    monkeypatch.setattr(PROCESS, "streaming", 0)
    rows = 43
    inputs = example.inputs(rows)
    expected = example.outputs(example.signature, rows)
    chain_kernel.batch(inputs, expected)
    frames, outputs = [], []
    for array in expected:
        frame = np.full(array.size + 16, -1.0)
        frames.append(frame)
        outputs.append(frame[offset : offset + array.size].reshape(array.shape))
    chain_kernel.batch(inputs, outputs)
    for frame, output, array in zip(frames, outputs, expected, strict=True):
        np.testing.assert_array_equal(output, array)
        assert (frame[:offset] == -1.0).all()
        assert (frame[offset + array.size :] == -1.0).all()


@pytest.mark.parametrize("threads", [2, 3, 5, 64])
def test_threads_change_nothing(chain_kernel, example, threads):
    rows = 203
    inputs = example.inputs(rows)
    inputs[0][[0, 100, 202], 3] = np.nan
    expected, outputs = (example.outputs(example.signature, rows) for _ in range(2))
    assert chain_kernel.batch(inputs, expected, threads=1) == 3
    assert chain_kernel.batch(inputs, outputs, threads=threads) == 3
    np.testing.assert_array_equal(example.flat(outputs), example.flat(expected))


def test_much_work_is_shared_without_being_told(chain_kernel, example, monkeypatch):
    told = []
    monkeypatch.setattr(kernel_module, "available_threads", lambda: told.append(1) or 3)
    inputs = example.inputs(100)
    expected, outputs = (example.outputs(example.signature, 100) for _ in range(2))
    chain_kernel.batch(inputs, expected)
    assert not told
    monkeypatch.setattr(PROCESS, "team", None)
    monkeypatch.setattr(PROCESS, "share", 10 * chain_kernel.instructions)
    chain_kernel.batch(inputs, outputs)
    assert told
    np.testing.assert_array_equal(example.flat(outputs), example.flat(expected))


def test_callers_in_several_threads(chain_kernel, example):
    cases = []
    for seed in range(4):
        inputs, outputs = example.inputs(500, seed), example.outputs(example.signature, 500)
        cases.append((inputs, outputs))
    workers = [
        threading.Thread(target=lambda c=case: [chain_kernel.batch(*c) for _ in range(20)])
        for case in cases
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for inputs, outputs in cases:
        expected = example.outputs(example.signature, 500)
        chain_kernel.batch(inputs, expected, threads=1)
        np.testing.assert_array_equal(example.flat(outputs), example.flat(expected))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 2.0**51])
@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("chosen", [[0], [6], [1, 2, 5], list(range(7)), [3, 4]])
def test_refused_rows_are_nan_and_alone(chain_kernel, example, bad, streaming, chosen, monkeypatch):
    monkeypatch.setattr(PROCESS, "streaming", 0 if streaming else 1 << 40)
    inputs = example.inputs(7)
    expected, outputs = (example.outputs(example.signature, 7) for _ in range(2))
    chain_kernel.batch(inputs, expected)
    inputs[0][chosen, 2] = bad
    assert chain_kernel.batch(inputs, outputs) == len(chosen)
    wanted = example.flat(expected)
    wanted[chosen] = np.nan
    np.testing.assert_array_equal(example.flat(outputs), wanted)


def test_guard_refuses_rows(chain_kernel, example):
    inputs, outputs = example.inputs(9), example.outputs(example.signature, 9)
    inputs[2][[2, 8]] = -1.0
    assert chain_kernel.batch(inputs, outputs) == 2
    refused = np.isnan(example.flat(outputs))
    assert refused[[2, 8]].all()
    assert not np.delete(refused, [2, 8], axis=0).any()


def test_unused_inputs_are_checked_too(kernel_of):
    kernel = kernel_of(
        lambda x, unused: (x + 1.0,), (("x", (2,)), ("unused", (2,))), (("y", (2,)),)
    )
    unused, y = np.zeros((3, 2)), np.zeros((3, 2))
    unused[1, 0] = np.nan
    assert kernel.batch([np.ones((3, 2)), unused], [y]) == 1
    np.testing.assert_array_equal(y, [[2, 2], [np.nan, np.nan], [2, 2]])


def test_one_row_may_serve_all(chain_kernel, example):
    q, v, length = example.inputs(6)
    repeated = [np.tile(q[:1], (6, 1)), v, np.full(6, length[0])]
    expected, outputs = (example.outputs(example.signature, 6) for _ in range(2))
    chain_kernel.batch(repeated, expected)
    for shared in ([q[0], v, length[0]], [q[:1], v, length[:1]], [q[0], v, float(length[0])]):
        chain_kernel.batch(shared, outputs)
        np.testing.assert_array_equal(example.flat(outputs), example.flat(expected))


def unaligned(array):
    memory = np.zeros(array.nbytes + 1, dtype=np.uint8)
    view = memory[1:].view(np.float64).reshape(array.shape)
    view[...] = array
    assert not view.flags.aligned
    return view


@pytest.mark.parametrize(
    "disguise",
    [
        lambda x: np.repeat(x, 2, axis=0)[::2],
        lambda x: x[::-1].copy()[::-1],
        np.asfortranarray,
        lambda x: x.astype(">f8"),
        lambda x: x.tolist(),
        unaligned,
        lambda x: np.broadcast_to(x[:1], x.shape) if (x == x[:1]).all() else x,
    ],
)
def test_any_array_is_taken(chain_kernel, example, disguise):
    inputs = example.inputs(11)
    expected, outputs = (example.outputs(example.signature, 11) for _ in range(2))
    chain_kernel.batch(inputs, expected)
    chain_kernel.batch([disguise(x) for x in inputs], outputs)
    np.testing.assert_array_equal(example.flat(outputs), example.flat(expected))


def test_an_output_may_lie_over_an_input(kernel_of):
    kernel = kernel_of(
        lambda x: (np.stack([x[1], x[2], x[0] + 0.0]) * 2.0,), (("x", (3,)),), (("y", (3,)),)
    )
    memory = np.arange(33.0)
    x, y = memory[:30].reshape(10, 3), memory[3:].reshape(10, 3)
    expected = 2.0 * x[:, [1, 2, 0]]
    kernel.batch([x], [y])
    np.testing.assert_array_equal(y, expected)


def test_no_rows(chain_kernel, example):
    assert chain_kernel.batch(example.inputs(0), example.outputs(example.signature, 0)) == 0


@pytest.mark.parametrize("width", [1, 4])
def test_no_coordinates(kernel_of, width):
    kernel = kernel_of(
        lambda q: (np.eye(3), np.arange(5.0)),
        (("q", (0,)),),
        (("rotation", (3, 3)), ("numbers", (5,))),
        width=width,
    )
    rotation, numbers = np.zeros((6, 3, 3)), np.zeros((6, 5))
    assert kernel.batch([np.zeros((6, 0))], [rotation, numbers]) == 0
    np.testing.assert_array_equal(rotation, np.tile(np.eye(3), (6, 1, 1)))
    np.testing.assert_array_equal(numbers, np.tile(np.arange(5.0), (6, 1)))
    np.testing.assert_array_equal(
        kernel.single(np.zeros(0)), np.concatenate([np.eye(3).ravel(), np.arange(5.0)])
    )


@pytest.mark.parametrize("outputs", [(), (("y", (0, 4)),)])
def test_no_results(kernel_of, outputs):
    kernel = kernel_of(lambda x: [np.zeros(shape) for _, shape in outputs], (("x", (2,)),), outputs)
    x = np.ones((5, 2))
    x[3] = np.inf
    assert kernel.batch([x], [np.zeros((5, *shape)) for _, shape in outputs]) == 1
    assert kernel.single(x[0]).shape == (outputs[0][1] if outputs else (0,))
    assert kernel.single(x[3])[0] == "fallback"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda i, o: i.pop(), "takes 3 inputs, got 2"),
        (lambda i, o: o.pop(), "takes 6 outputs, got 5"),
        (lambda i, o: i.__setitem__(0, i[0][:, :5]), r"input q must have shape \(7,\)"),
        (lambda i, o: i.__setitem__(0, i[0][:3]), "rows of chain do not agree"),
        (lambda i, o: i.__setitem__(0, "seven"), "input q must be numbers"),
        (lambda i, o: o.__setitem__(0, o[0][:3]), "rows of chain do not agree"),
        (lambda i, o: o.__setitem__(0, o[0].astype(np.float32)), "output position must be"),
        (lambda i, o: o.__setitem__(0, np.asfortranarray(o[0])), "C-contiguous"),
        (lambda i, o: o[1].setflags(write=False), "output rotation must be .*writable"),
        (lambda i, o: o.__setitem__(2, o[2][:, :2]), "output velocity must be"),
        (lambda i, o: o.__setitem__(2, o[2].tolist()), "output velocity must be"),
    ],
)
def test_unfit_arguments_are_refused(chain_kernel, example, spoil, message):
    inputs, outputs = example.inputs(5), example.outputs(example.signature, 5)
    spoil(inputs, outputs)
    with pytest.raises(ArgumentError, match=message):
        chain_kernel.batch(inputs, outputs)
