"""A single call that wraps its result, and hands keywords on."""

from __future__ import annotations

import sys

import numpy as np
import pytest


class Carrier:
    """Takes the array."""

    flat: np.ndarray


class Refusing:
    """Has no place for it."""

    __slots__ = ()


class Unmakeable:
    """Cannot be made without arguments."""

    def __init__(self, needed) -> None:
        self.needed = needed


@pytest.fixture(params=["native", "copying"])
def kernel(request, kernel_of):
    ports = (("x", (2,)),)
    native = request.param == "native"
    return kernel_of(lambda x: (2.0 * x,), ports, (("y", (2,)),), native=native)


def test_the_result_carries_the_array(kernel):
    call = kernel.call_with(lambda *a, **k: ("fallback", a, k), (Carrier, "flat"))
    result = call(np.array([1.0, 2.0]))
    assert type(result) is Carrier
    assert result.flat.tolist() == [2.0, 4.0]
    assert kernel.single(np.array([1.0, 2.0])).tolist() == [2.0, 4.0]


def test_keywords_go_to_the_fallback(kernel):
    call = kernel.call_with(lambda *a, **k: ("fallback", a, k), (Carrier, "flat"))
    x = np.ones(2)
    if kernel.takes_keywords:
        assert call(x, out=None) == ("fallback", (x,), {"out": None})
        assert call(x=3) == ("fallback", (), {"x": 3})
    else:
        with pytest.raises(TypeError, match="keyword"):
            call(x, out=None)


@pytest.mark.parametrize(
    ("wrap", "error"), [((Refusing, "flat"), AttributeError), ((Unmakeable, "flat"), TypeError)]
)
def test_what_the_class_raises_passes_through(kernel, wrap, error):
    call = kernel.call_with(lambda *a: a, wrap)
    for _ in range(100):
        with pytest.raises(error):
            call(np.ones(2))


def test_nothing_is_kept_of_a_result(kernel):
    call = kernel.call_with(lambda *a: a, (Carrier, "flat"))
    x = np.ones(2)
    result = call(x)
    plain, array = Carrier(), np.ones(2)
    plain.flat = array
    del array
    counts = [(sys.getrefcount(each), sys.getrefcount(each.flat)) for each in (result, plain)]
    assert counts[0] == counts[1]
    before = sys.getrefcount(x), sys.getrefcount(Carrier)
    for _ in range(1000):
        call(x)
    assert (sys.getrefcount(x), sys.getrefcount(Carrier)) == before
