"""Single calls with inputs that are bound or may be left out, and the shape of their results."""

from __future__ import annotations

import gc
import sys
import weakref

import numpy as np
import pytest

from robodyn_ros.errors import ArgumentError

PORTS = (("x", (2,)), ("y", (2,)), ("z", ()), ("m", (2, 2)))


class Carrier:
    """Takes the array."""

    flat: np.ndarray


def together(x, y, z, m):
    """Return what depends on every input."""
    return (m @ x + z * y,)


def plain(rng):
    return rng.normal(size=2), rng.normal(size=2), np.array(rng.normal()), rng.normal(size=(2, 2))


def fallback(*arguments, **keywords):
    return ("fallback", arguments, keywords)


@pytest.fixture(scope="module", params=["native", "copying"])
def native(request):
    return request.param == "native"


@pytest.fixture(scope="module")
def kernel(kernel_of, native):
    return kernel_of(together, PORTS, (("result", (2,)),), native=native)


@pytest.mark.parametrize(
    ("bound", "optional"), [(b, o) for b in range(5) for o in range(5) if b + o <= 4]
)
def test_any_number_may_be_bound_or_left_out(kernel, bound, optional):
    inputs, others = plain(np.random.default_rng(1)), plain(np.random.default_rng(2))
    most = 4 - bound
    least = most - optional
    call = kernel.call_with(fallback, bound=others[most:], defaults=others[least:most])
    for count in range(6):
        given = (*inputs, inputs[0])[:count]
        result = call(*given)
        if least <= count <= most:
            expected = kernel.single(*given, *others[count:])
            np.testing.assert_array_equal(result, expected)
        else:
            assert result[0] == "fallback"
            assert len(result[1]) == count
            assert all(a is b for a, b in zip(result[1], given, strict=True))


def test_the_fallback_gets_what_the_caller_gave(kernel):
    x, y, z, m = plain(np.random.default_rng(1))
    call = kernel.call_with(fallback, bound=(z, m), defaults=(y,))
    unusual = [(x.tolist(),), (x * np.nan,), (x, y.tolist()), (), (x, None), (x, y, z)]
    for given in unusual:
        name, arguments, keywords = call(*given)
        assert (name, keywords) == ("fallback", {})
        assert all(a is b for a, b in zip(arguments, given, strict=True))
    if kernel.takes_keywords:
        assert call(x, y=3) == ("fallback", (x,), {"y": 3})


def test_a_kept_array_that_is_not_finite_refuses(kernel):
    x, y, z, m = plain(np.random.default_rng(1))
    call = kernel.call_with(fallback, bound=(z, m * np.inf))
    assert call(x, y)[0] == "fallback"


def test_what_is_written_into_a_kept_array_counts(kernel):
    x, y, z, m = plain(np.random.default_rng(1))
    call = kernel.call_with(fallback, bound=(m,))
    before = call(x, y, z)
    m *= 2.0
    assert not np.array_equal(call(x, y, z), before)
    np.testing.assert_array_equal(call(x, y, z), kernel.single(x, y, z, m))


@pytest.mark.parametrize(
    "unfit",
    [
        np.zeros((2, 2), dtype=np.float32),
        np.zeros((2, 3)),
        np.zeros((2, 2)).T[::-1],
        np.zeros((2, 2)).view(np.recarray),
        [[0.0, 0.0], [0.0, 0.0]],
    ],
)
def test_unfit_arrays_are_refused_by_name(kernel, unfit):
    with pytest.raises(ArgumentError, match=r"input m must be .* of shape \(2, 2\)"):
        kernel.call_with(fallback, bound=(unfit,))
    with pytest.raises(ArgumentError, match="input m"):
        kernel.call_with(fallback, defaults=(unfit,))


def test_more_arrays_than_inputs_are_refused(kernel):
    x, y, z, m = plain(np.random.default_rng(1))
    with pytest.raises(ArgumentError, match="takes 4 inputs, but 3 are bound and 2 have defaults"):
        kernel.call_with(fallback, bound=(y, z, m), defaults=(x, x))


def test_kept_arrays_live_as_long_as_the_function(kernel):
    class Memory(bytearray):
        """What can be watched."""

    memory = Memory(32)
    m = np.frombuffer(memory, dtype=np.float64).reshape(2, 2)
    m[...] = np.eye(2)
    alive = weakref.ref(memory)
    x, y, z, _ = plain(np.random.default_rng(1))
    call = kernel.call_with(fallback, bound=(m,))
    del m, memory
    gc.collect()
    assert alive() is not None
    np.testing.assert_array_equal(call(x, y, z), kernel.single(x, y, z, np.eye(2)))
    del call
    gc.collect()
    assert alive() is None


def test_reference_counts_do_not_change(kernel):
    x, y, z, m = plain(np.random.default_rng(1))
    call = kernel.call_with(fallback, bound=(m,), defaults=(z,))
    watched = [x, y, z, m, fallback]
    before = [sys.getrefcount(each) for each in watched]
    for _ in range(500):
        call(x, y)
        call(x, y, z)
        call(x * np.nan, y)
    assert [sys.getrefcount(each) for each in watched] == pytest.approx(before, abs=2)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 3, 2), (0, 3), (0,)])
def test_an_only_output_has_its_own_shape(kernel_of, native, shape):
    size = int(np.prod(shape))

    def reshaped(x):
        return (x[:size].reshape(shape),)

    kernel = kernel_of(reshaped, (("x", (12,)),), (("y", shape),), native=native)
    x = np.arange(12.0)
    result = kernel.single(x)
    assert type(result) is np.ndarray
    assert result.shape == shape
    assert result.flags.owndata
    assert result.flags.carray
    np.testing.assert_array_equal(result, x[:size].reshape(shape))
    wrapped = kernel.call_with(fallback, (Carrier, "flat"))(x)
    assert wrapped.flat.shape == (size,)
    np.testing.assert_array_equal(wrapped.flat, x[:size])


def test_several_outputs_stay_flat(kernel_of, native):
    outputs = (("y", (2, 2)), ("z", ()))
    kernel = kernel_of(lambda x: (x.reshape(2, 2), x[0]), (("x", (4,)),), outputs, native=native)
    assert kernel.single(np.arange(4.0)).tolist() == [0.0, 1.0, 2.0, 3.0, 0.0]


def test_after_its_end_every_call_goes_to_the_fallback(kernel):
    inputs = plain(np.random.default_rng(1))
    call, end = kernel.bind(fallback, bound=inputs[2:])
    other, _ = kernel.bind(fallback, bound=inputs[2:])
    expected = kernel.single(*inputs)
    np.testing.assert_array_equal(call(*inputs[:2]), expected)
    end()
    end()
    for given in ((), inputs[:2], inputs):
        kind, arguments, keywords = call(*given)
        assert (kind, len(arguments), keywords) == ("fallback", len(given), {})
    np.testing.assert_array_equal(other(*inputs[:2]), expected)
    del call
    gc.collect()
    end()  # what it writes to lives as long as it does
