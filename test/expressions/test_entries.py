"""Formulas of arrays and of symbols: the same numbers as one by one, NaN where there are none."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from robodyn_ros.errors import DescriptionError
from robodyn_ros.expressions import FUNCTIONS, Expression, parse
from robodyn_ros.expressions.nodes import negated
from robodyn_ros.kernels.derivative import jacobian
from robodyn_ros.kernels.scalar import Scalar

FORMULAS = [
    "sin(x)*cos(y) + tan(x*y)",
    "sqrt(x) + log(y + 1)",
    "exp(x/y)",
    "asin(x) + acos(y)",
    "atan(x/y) + atan2(y, x)",
    "abs(x) + sign(y) + min(x, y)*max(x, 2*y)",
    "x^1.5 + pow(x, y) + x^3 + y^-2",
    "radians(x) + degrees(y)",
    "if(x < 0.2, if(y <= x, log(x), y), sqrt(y)) + if(x == y, 1, 2) + if(x != 1, 1, 0)",
    "1/x + 1/(1/y)",
    "sign(log(x)) + min(sqrt(y), 3) + if(sqrt(x) < 1, 1, 2)",
]


def one_by_one(expression, x, y):
    try:
        return expression.evaluate({"x": float(x), "y": float(y)})
    except DescriptionError:
        return np.nan


def test_formulas_have_every_function() -> None:
    assert all(any(f"{name}(" in text for text in FORMULAS) for name in FUNCTIONS)


@pytest.mark.parametrize("text", FORMULAS)
def test_arrays_agree_with_numbers(text: str) -> None:
    expression = parse(text)
    rng = np.random.default_rng(3)
    x, y = rng.uniform(-1.5, 1.5, (2, 40, 3))
    x[0], y[1] = 0.0, 0.0
    x[2] = y[2]
    pairs = zip(x.ravel(), y.ravel(), strict=True)
    wanted = np.array([one_by_one(expression, *pair) for pair in pairs]).reshape(x.shape)
    value = expression.evaluate({"x": x, "y": y})
    assert value.shape == (40, 3)
    np.testing.assert_allclose(value, wanted, rtol=1e-14)
    row = expression.evaluate({"x": x[:, :1], "y": 0.7})
    np.testing.assert_array_equal(row, expression.evaluate({"x": x[:, :1], "y": np.array(0.7)}))
    assert row.shape == (40, 1)
    alone = expression.evaluate({"x": x[5, 1, ...], "y": np.array(y[5, 1])})
    assert np.shape(alone) == ()
    np.testing.assert_allclose(alone, wanted[5, 1], rtol=1e-14)


@pytest.mark.parametrize("text", FORMULAS)
def test_symbols_agree_with_numbers(text: str) -> None:
    import casadi

    expression = parse(text)
    symbols = [Scalar.symbol(name) for name in "xy"]
    entries = np.empty(2, dtype=object)
    entries[:] = symbols
    alone = expression.evaluate(dict(zip("xy", symbols, strict=True)))
    within = expression.evaluate({"x": entries[..., 0], "y": entries[..., 1]})
    inputs = [symbol.expression for symbol in symbols]
    function = casadi.Function("f", inputs, [alone.expression, within.expression])
    rng = np.random.default_rng(4)
    for x, y in rng.uniform(-1.0, 1.5, (40, 2)):
        wanted = one_by_one(expression, x, y)
        if np.isfinite(wanted):
            for value in function(x, y):
                assert float(value) == pytest.approx(wanted, rel=1e-13)


def test_object_arrays_keep_their_shape() -> None:
    entries = np.empty((2, 3), dtype=object)
    for index in np.ndindex(2, 3):
        entries[index] = Scalar.symbol(f"x{index}")
    value = parse("if(x > 1, log(x), x^2.5) + y").evaluate({"x": entries, "y": np.ones(3)})
    assert value.shape == (2, 3)
    assert isinstance(value[1, 2], Scalar)


@pytest.mark.parametrize(
    "text",
    [
        "if(x > 0, sqrt(x)*log(x)/x, 1 + x)",
        "if(x <= 0, 1 + x, x^1.5 + pow(x, x) + 2/x + x^-3)",
        "if(x < 1.5, if(x > -1, asin(x/1.5) - acos(x*2/3), 3*x), exp(-x) + sqrt(x - 1))",
        "if(x == 0, 1, sin(x)/x) + if(x != 0, atan2(x, x)*tan(x/3), 0)",
        "if(if(x > 0, log(x), 2) < 1, abs(x), min(x, sqrt(2 - x)))",
    ],
)
def test_derivatives_of_a_trace_do_not_suffer_from_the_other_branch(text: str) -> None:
    import casadi

    expression, symbol = parse(text), Scalar.symbol("x")
    (slope,) = jacobian(np.array([expression.evaluate({"x": symbol})]), np.array([symbol])).ravel()
    function = casadi.Function("slope", [symbol.expression], [slope.expression])
    exact = expression.derivative("x")
    for x in (-1.2, -0.5, 0.0, 0.3, 1.2, 1.9):
        wanted = exact.evaluate({"x": np.array(x)})
        if np.isfinite(wanted):
            assert float(function(x)) == pytest.approx(float(wanted), rel=1e-12, abs=1e-12)


def test_whole_numbers_count_as_numbers() -> None:
    values = {"x": np.array([2, 3]), "y": 2}
    np.testing.assert_array_equal(parse("pow(x, -y)").evaluate(values), [0.25, 1 / 9])
    assert isinstance(parse("y*2").evaluate({"y": 3}), float)


def test_a_formula_without_the_array_is_a_number() -> None:
    assert parse("2*pi").evaluate({"x": np.zeros(3)}) == 2 * np.pi


def test_derivatives_share_their_parts() -> None:
    """Written out, the third would have millions of parts."""
    expression = parse("*".join(["x"] * 60))
    for _ in range(3):
        expression = expression.derivative("x")
    assert expression.evaluate({"x": 1.0}) == 60 * 59 * 58
    symbol = Scalar.symbol("x")
    assert isinstance(expression.evaluate({"x": symbol}), Scalar)


def test_derivatives_that_grow_without_end_are_refused() -> None:
    expression = parse(" + ".join(["sin(x*exp(x)/(1 + x))^3"] * 20))
    with pytest.raises(DescriptionError, match="has more than 20000 parts"):
        _derived(expression, 12)


def _derived(expression: Expression, times: int) -> Expression:
    for _ in range(times):
        expression = expression.derivative("x")
    return expression


def test_formulas_too_deep_for_this_machine_are_refused() -> None:
    expression = parse("+".join(["x"] * 240))
    assert expression.evaluate({"x": 1.0}) == 240.0
    tree = expression.tree
    for _ in range(2000):
        tree = negated(tree)
    with pytest.raises(DescriptionError, match="nested too deeply"):
        replace(expression, tree=tree).evaluate({"x": 1.0})
    with pytest.raises(DescriptionError, match="nested too deeply"):
        replace(expression, tree=tree).derivative("x")


def test_formulas_compare_by_what_they_say_and_survive_pickling() -> None:
    expression = parse("if(x < 1, x^2, x)")
    again = pickle.loads(pickle.dumps(expression))
    assert again == expression
    assert hash(again) == hash(expression)
    assert repr(expression) == "Expression(text='if(x < 1, x^2, x)')"
    assert expression.derivative("x") != expression
