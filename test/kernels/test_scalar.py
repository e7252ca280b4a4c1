"""Scalars mix with floats and arrays entry by entry, fold what is known and refuse branches."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels import scalar as sc
from robodyn_ros.kernels.scalar import Scalar


def evaluate(value, **symbols):
    """Return the number that a float or Scalar has for given values of its symbols."""
    import casadi

    if not isinstance(value, Scalar):
        return float(value)
    names = list(symbols)
    free = {s.name(): s for s in casadi.symvar(value.expression)}
    inputs = [free.get(n, casadi.SX.sym(n)) for n in names]
    return float(casadi.Function("f", inputs, [value.expression])(*symbols.values()))


@pytest.fixture
def x():
    return Scalar.symbol("x")


def test_known_factors_and_terms_fold(x):
    assert 0 * x == 0.0
    assert isinstance(0 * x, float)
    assert x * np.float64(0.0) == 0.0
    assert 1 * x is x
    assert x * 1.0 is x
    assert x + 0.0 is x
    assert 0 + x is x
    assert x - 0.0 is x
    assert 0.0 / x == 0.0
    assert x / 1.0 is x
    assert evaluate(-1 * x, x=2.0) == -2.0
    assert evaluate(0.0 - x, x=2.0) == -2.0
    assert x**0 == 1.0


@pytest.mark.parametrize(
    "formula",
    [
        lambda x: 3 + x * x - x / 7.0,
        lambda x: 2.0 - x,
        lambda x: 2.0 / x,
        lambda x: np.float64(2.0) / x - np.float64(3.0) * x,
        lambda x: x**3 - x**-2,
        lambda x: abs(-x) + (+x),
        lambda x: sc.sin(x) * sc.cos(2.0 * x) + sc.sqrt(x * x + 1.0),
        lambda x: sc.where(x < 0.5, x, 1.0 - x),
        lambda x: sc.where((x <= 0.3) | (x > 2.0), x * x, 7.0),
        lambda x: sc.where((x > 0.1) & (x < 1.0), x * x, 7.0),
        lambda x: sc.where(~(x >= 0.3), x, 3.0),
        lambda x: sc.where(x == 0.3, 5.0, 6.0) + sc.where(x != 0.3, 50.0, 60.0),
        lambda x: sc.minimum(x, 0.4) + 10.0 * sc.maximum(x, 0.4),
        lambda x: sc.where(sc.greater(x, 0.4), 1.0, 2.0) + sc.where(sc.greater_equal(x, 0.3), 3, 4),
    ],
)
@pytest.mark.parametrize("value", [0.3, 0.7, 2.5])
def test_same_formula_on_float_and_symbol(formula, value, x):
    assert evaluate(formula(x), x=value) == pytest.approx(
        float(formula(np.float64(value))), rel=1e-15
    )


@pytest.mark.parametrize(
    "formula",
    [
        lambda a, b: a * b + b,
        lambda a, b: a @ b,
        lambda a, b: np.outer(a, b) @ a,
        lambda a, b: np.stack([a[..., 0], b[..., 1], sc.sin(a[..., 2])], axis=-1),
        lambda a, b: sc.where(sc.less(a, b), a, -b),
        lambda a, b: sc.where(sc.less_equal(a, 1.0), sc.cos(b), 0.5),
        lambda a, b: np.eye(3, dtype=object) @ a,
        lambda a, b: np.concatenate([a, b])[1:4] * 2.0,
        lambda a, b: a[0] * b + b * a[1] + np.arange(3.0) * a[0] + a[1] * np.arange(3.0),
    ],
)
def test_arrays_of_symbols_work_entry_by_entry(formula):
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=3), rng.normal(size=3)
    symbols = {f"a{i}": Scalar.symbol(f"a{i}") for i in range(3)}
    result = np.asarray(formula(np.array(list(symbols.values()), dtype=object), b))
    values = dict(zip(symbols, a, strict=True))
    numbers = [evaluate(entry, **values) for entry in result.ravel()]
    expected = np.asarray(formula(a, b), dtype=float)
    assert result.dtype == object
    assert result.shape == expected.shape
    np.testing.assert_allclose(numbers, expected.ravel(), rtol=1e-14, atol=1e-15)


def test_batches_of_floats_use_numpy(x):
    batch = np.linspace(-2.0, 2.0, 12).reshape(4, 3)
    np.testing.assert_array_equal(sc.sin(batch), np.sin(batch))
    np.testing.assert_array_equal(sc.where(sc.less(batch, 0.0), -batch, batch), abs(batch))
    assert sc.where(True, 1.0, 2.0) == 1.0
    assert np.ndim(sc.where(False, 1.0, 2.0)) == 0
    assert not sc.is_symbolic(1.0, batch)
    assert sc.is_symbolic(1.0, x)
    assert sc.is_symbolic(batch.astype(object))


def test_zero_dimensional_object_arrays_unwrap(x):
    vector = np.array([x, 1.0], dtype=object)
    assert isinstance(sc.sin(vector[..., 0]), Scalar)
    assert isinstance(vector[..., 0] * 2.0, Scalar)


def test_branches_and_float_storage_are_refused_with_the_remedy(x):
    with pytest.raises(CompilationError, match="where"):
        bool(x < 1.0)
    with pytest.raises(CompilationError, match="less"):
        np.less(np.array([x], dtype=object), 1.0)
    with pytest.raises(CompilationError, match="object array"):
        np.zeros(3)[0] = x
    with pytest.raises(TypeError):
        x + "1"
    with pytest.raises(TypeError):
        x**0.5
    with pytest.raises(TypeError):
        hash(x)


def test_casadi_is_imported_only_for_a_symbol():
    code = (
        "import sys, numpy as np\n"
        "from robodyn_ros.kernels import scalar as s\n"
        "s.sin(np.ones(2)); s.where(s.less(1.0, 2.0), 1.0, 2.0)\n"
        "assert 'casadi' not in sys.modules\n"
        "s.Scalar.symbol('x')\n"
        "assert 'casadi' in sys.modules\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
