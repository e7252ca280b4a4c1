"""The single call: fast for plain arrays, Python for all else, and no leaks."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest


def plain_arguments(example, row=0):
    q, v, length = example.inputs(row + 1)
    return [q[row].copy(), v[row].copy(), np.array(length[row])]


@pytest.fixture(params=["native", "copying"])
def kernel(request, kernel_of, example):
    from robodyn_ros.kernels.scalar import less, where

    return kernel_of(
        example.function,
        example.signature.inputs,
        example.signature.outputs,
        guard=lambda q, v, length: where(less(length, 0.0), 1.0, 0.0),
        native=request.param == "native",
    )


def test_native_and_copying_calls_agree(kernel, chain_kernels, example):
    arguments = plain_arguments(example)
    result = kernel.single(*arguments)
    np.testing.assert_array_equal(result, chain_kernels[1].single(*arguments))
    assert type(result) is np.ndarray
    assert result.dtype == np.float64
    assert result.ndim == 1
    assert result.flags.owndata
    assert result.flags.carray
    assert kernel.single(*arguments) is not result


def test_native_call_is_in_use_here(chain_kernel):
    assert type(chain_kernel.single).__name__ == "builtin_function_or_method"
    assert chain_kernel.single.__name__ == "chain"


class Subclass(np.ndarray):
    """An array that is not exactly an ndarray."""


def unaligned(array):
    memory = np.zeros(array.nbytes + 1, dtype=np.uint8)
    view = memory[1:].view(np.float64).reshape(array.shape)
    view[...] = array
    return view


@pytest.mark.parametrize(
    "spoil",
    [
        lambda a: [a[0].tolist(), *a[1:]],
        lambda a: [a[0].astype(np.float32), *a[1:]],
        lambda a: [a[0].astype(">f8"), *a[1:]],
        lambda a: [np.repeat(a[0], 2)[::2], *a[1:]],
        lambda a: [unaligned(a[0]), *a[1:]],
        lambda a: [a[0].view(Subclass), *a[1:]],
        lambda a: [a[0][None], *a[1:]],
        lambda a: [a[0][:-1], *a[1:]],
        lambda a: [None, *a[1:]],
        lambda a: [*a[:2], float(a[2])],
        lambda a: [*a[:2], a[2][None]],
        lambda a: a[:2],
        lambda a: [*a, a[0]],
        lambda a: [],
        lambda a: [a[0] * np.nan, *a[1:]],
        lambda a: [a[0], a[1] * np.inf, a[2]],
        lambda a: [a[0] * 2.0**60, *a[1:]],
        lambda a: [*a[:2], np.array(-1.0)],
    ],
)
def test_everything_unusual_goes_to_the_fallback_untouched(kernel, example, spoil):
    arguments = spoil(plain_arguments(example))
    name, *received = kernel.single(*arguments)
    assert name == "fallback"
    assert len(received) == len(arguments)
    assert all(a is b for a, b in zip(received, arguments, strict=True))


def test_errors_of_the_fallback_pass_through(kernel_of):
    def fallback(*arguments):
        raise ValueError(f"{len(arguments)} arguments")

    kernel = kernel_of(lambda x: (x,), (("x", (2,)),), (("y", (2,)),), fallback=fallback)
    with pytest.raises(ValueError, match="3 arguments"):
        kernel.single(1, 2, 3)


def test_keywords_are_refused(chain_kernel, example):
    q, v, length = plain_arguments(example)
    with pytest.raises(TypeError, match="keyword"):
        chain_kernel.single(q, v, length=length)


def test_reference_counts_do_not_change(kernel, example):
    arguments = plain_arguments(example)
    refused = [arguments[0] * np.nan, *arguments[1:]]
    watched = [*arguments, *refused, np.dtype(np.float64), np.ndarray]
    before = [sys.getrefcount(x) for x in watched]
    for _ in range(500):
        kernel.single(*arguments)
        kernel.single(*refused)
    assert [sys.getrefcount(x) for x in watched] == pytest.approx(before, abs=2)


def test_memory_stays_flat_over_a_million_calls():
    code = """
import resource
import numpy as np
from robodyn_ros.kernels.compiled import compile_program
from robodyn_ros.kernels.kernel import load
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.target import Target
from robodyn_ros.kernels.trace import trace

target = Target.host()
program = trace(lambda x: (x * x,), Signature("square", (("x", (64,)),), (("y", (64,)),)))
call = load(compile_program(program, target), lambda *a: None, target).single
good, bad = np.ones(64), np.full(64, np.nan)

def work(count):
    for _ in range(count):
        call(good)
        call(bad)

work(10_000)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
work(500_000)
growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
assert growth < 1024, f"{growth} KiB"
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_call_outlives_its_kernel(kernel_of, example):
    kernel = kernel_of(example.function, example.signature.inputs, example.signature.outputs)
    arguments = plain_arguments(example)
    call, expected = kernel.single, kernel.single(*arguments)
    alive = weakref.ref(kernel)
    del kernel
    gc.collect()
    assert alive() is None
    np.testing.assert_array_equal(call(*arguments), expected)


def test_fallback_and_code_are_let_go(kernel_of):
    class Fallback:
        def __call__(self, *arguments):
            return arguments

    fallback = Fallback()
    alive = weakref.ref(fallback)
    kernel = kernel_of(lambda x: (x,), (("x", (2,)),), (("y", (2,)),), fallback=fallback)
    assert kernel.single(1) == (1,)
    del fallback
    gc.collect()
    assert alive() is not None
    del kernel
    gc.collect()
    assert alive() is None
