"""What a compiled call reads of Python's objects is checked before it is believed."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from robodyn_ros.kernels import native
from robodyn_ros.kernels.compiled import compile_program
from robodyn_ros.kernels.kernel import Kernel
from robodyn_ros.kernels.layout import ObjectLayout, is_trustworthy
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.target import Target
from robodyn_ros.kernels.trace import trace

SQUARE = Signature("square", (("x", (3,)),), (("y", (3,)),))


@pytest.fixture(scope="module")
def square():
    return trace(lambda x: (x * x,), SQUARE)


def test_this_interpreter_is_as_expected():
    assert is_trustworthy(ObjectLayout())


@pytest.mark.parametrize(
    "field", [field.name for field in fields(ObjectLayout) if field.type == "int"]
)
def test_a_wrong_offset_is_noticed(field):
    layout = ObjectLayout()
    assert not is_trustworthy(replace(layout, **{field: getattr(layout, field) - 8}))


def test_wrong_layout_falls_back_to_copies(square):
    target = Target.host()
    target = replace(target, layout=replace(target.layout, kind=target.layout.kind - 8))
    kernel = Kernel(compile_program(square, target), lambda *a: "fallback", target)
    assert type(kernel.single).__name__ == "function"
    np.testing.assert_array_equal(kernel.single(np.arange(3.0)), [0.0, 1.0, 4.0])
    assert kernel.single([0.0, 1.0, 2.0]) == "fallback"


def test_unknown_numpy_falls_back_to_copies(square, monkeypatch):
    monkeypatch.setattr(native, "_ARRAY_TYPE", 3)
    native._address_table.cache_clear()
    try:
        target = Target.host()
        kernel = Kernel(compile_program(square, target), lambda *a: "fallback", target)
        np.testing.assert_array_equal(kernel.single(np.arange(3.0)), [0.0, 1.0, 4.0])
        assert type(kernel.single).__name__ == "function"
    finally:
        native._address_table.cache_clear()
