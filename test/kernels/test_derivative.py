"""Derivatives inside a trace."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.derivative import jacobian
from robodyn_ros.kernels.scalar import Scalar, arctan2, cos, less, sin, sqrt, where
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.trace import trace


def symbols(count):
    return np.array([Scalar.symbol(f"x{k}") for k in range(count)], dtype=object)


def curve(x):
    """Return values that use every operation with a derivative."""
    a, b, c = (x[..., k] for k in range(3))
    return np.stack(
        [
            a * sin(b) / sqrt(c),
            where(less(a * b, c), cos(a * b), a * c),
            arctan2(a, c) - abs(b),
            a * 0.0 + b,
        ],
        axis=-1,
    )


def test_compiled_derivatives_equal_finite_differences(kernel_of):
    kernel = kernel_of(
        lambda x: (curve(x), jacobian(curve(x), x)),
        (("x", (3,)),),
        (("y", (4,)), ("dy", (4, 3))),
    )
    rng, step = np.random.default_rng(3), 1e-6
    for _ in range(20):
        x = rng.uniform([-1.0, -1.0, 0.5], [1.0, 1.0, 2.0])
        flat = kernel.single(x)
        exact = flat[4:].reshape(4, 3)
        with np.errstate(all="ignore"):
            sides = [curve(x + side * step * np.eye(3)) for side in (1.0, -1.0)]
            np.testing.assert_allclose(flat[:4], curve(x), rtol=0, atol=1e-15)
        np.testing.assert_allclose(exact, (sides[0] - sides[1]).T / (2 * step), atol=1e-8)


def test_structural_zeros_are_floats():
    x = symbols(3)
    result = jacobian(np.array([x[0] * x[0], x[1], 2.5, 3.0 * x[2]], dtype=object), x)
    assert result.shape == (4, 3)
    assert isinstance(result[0, 0], Scalar)
    numbers = list(result.ravel()[1:])
    assert all(type(entry) is float for entry in numbers)
    assert numbers == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3]


def test_arrays_of_any_shape_are_taken_in_c_order():
    x = symbols(4).reshape(2, 2)
    result = jacobian(x.T.copy(), x)
    np.testing.assert_array_equal(result, np.eye(4)[[0, 2, 1, 3]])
    assert jacobian(np.empty(0, dtype=object), x).shape == (0, 4)
    assert jacobian(x, np.empty(0, dtype=object)).shape == (4, 0)


def test_only_symbols_can_be_differentiated_by():
    x = symbols(2)
    with pytest.raises(CompilationError, match="numbers have no derivatives outside a trace"):
        jacobian(np.ones(2), np.ones(2))
    with pytest.raises(CompilationError, match="only symbols"):
        jacobian(x, np.array([x[0] + x[1]], dtype=object))


def test_what_is_differentiated_shares_the_work_of_the_function():
    signature = Signature("test", (("x", (1,)),), (("y", ()), ("dy", (1, 1))))
    program = trace(
        lambda x: (sin(x[0]) * cos(x[0]), jacobian(sin(x[0]) * cos(x[0]), x)), signature
    )
    assert program.operation_counts["sin"] == program.operation_counts["cos"] == 1
