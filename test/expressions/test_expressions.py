"""Formulas: what they come to, their derivatives, and how bad ones are refused."""

from __future__ import annotations

import ast
import math
import operator

import numpy as np
import pytest

from robodyn_ros.errors import DescriptionError
from robodyn_ros.expressions import FUNCTIONS, parse
from robodyn_ros.kernels.scalar import Scalar

VALUES = {"m": 2.0, "r": 3.0, "x": 0.4, "y": -0.7, "long_name_1": 5.0}

GOOD = {
    "1+2*3": 7.0,
    "7-2-1": 4.0,
    "8/4/2": 1.0,
    "-2**2": -4.0,
    "2^3^2": 512.0,
    "2**-1": 0.5,
    "--3": 3.0,
    "m*r^2/3": 6.0,
    "m*(r + 1)": 8.0,
    " long_name_1 ": 5.0,
    "sin(pi/2)": 1.0,
    "4**0.5": 2.0,
    "atan2(1, 2)": math.atan2(1, 2),
    "max(m, min(r, 1))": 2.0,
    ".5e-3": 5e-4,
    "1e3": 1000.0,
    "abs(y)+sign(y)": -0.3,
    "radians(180)": math.pi,
    "tan(x)": math.tan(0.4),
    "4^1.5": 8.0,
    "pow(r, m)": 9.0,
    "pow(y, 3)": -0.343,
    "y^m": 0.49,
    "m^x": 2.0**0.4,
    "if(x < 0.5, m, r)": 2.0,
    "if(x>=0.5, m, r)": 3.0,
    "if(m <= 2, 1, 0) + if(m > 2, 10, 20) + if(m == 2, 100, 0) + if(m != 2, 0, 1000)": 1121.0,
    "if(y < 0, if(y < -1, 1, 2), log(y))": 2.0,
}


@pytest.mark.parametrize("text", GOOD)
def test_value(text: str) -> None:
    assert parse(text).evaluate(VALUES) == pytest.approx(GOOD[text], rel=1e-15)


def test_agrees_with_python_on_random_formulas() -> None:
    rng = np.random.default_rng(5)

    def formula(depth: int) -> str:
        if depth == 0:
            return str(rng.choice(["m", "r", "x", "y", "2", "0.5", "3e-1"]))
        kind = rng.integers(5)
        left, right = formula(depth - 1), formula(depth - 1)
        if kind == 4:
            return f"-({left})**{rng.integers(1, 4)}"
        return f"({left}{'+-*/'[kind]}{right})"

    for _ in range(300):
        text = formula(4)
        wanted = _by_python(text)
        if wanted is None:
            continue
        assert parse(text).evaluate(VALUES) == pytest.approx(wanted, rel=1e-12, abs=1e-300)


def _by_python(text: str) -> float | None:
    """Return Python's own value of an arithmetic formula, None where it divides by zero."""
    table = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
    table |= {ast.Div: operator.truediv, ast.Pow: operator.pow}

    def value(node: ast.expr) -> float:
        match node:
            case ast.Constant(value=number):
                return float(number)  # type: ignore[arg-type]
            case ast.Name(id=name):
                return VALUES[name]
            case ast.UnaryOp(operand=inner):
                return -value(inner)
            case ast.BinOp(left=left, op=op, right=right):
                return float(table[type(op)](value(left), value(right)))
        raise AssertionError(ast.dump(node))

    try:
        return value(ast.parse(text, mode="eval").body)
    except ZeroDivisionError:
        return None


DIFFERENTIABLE = [
    "x",
    "3*x - y/x",
    "x**3 * y**-2",
    "sin(x)*cos(y)+tan(x*y)",
    "sqrt(1+x*x)",
    "exp(x)*log(2+y)",
    "asin(x)+acos(y)+atan(x/y)",
    "atan2(y, x*x)",
    "abs(y*x)+min(x, y)*max(x, 2*y)",
    "radians(x)+degrees(y)",
    "(x-y)/(x+y)/(x*y)",
    "2**3 + sign(x)",
    "x^1.7 + x^(2-y) + pow(2 - y, x*y) + pow(x, 3)",
    "if(x*y < 0, x^2*y, exp(x)) - if(y == 2, x, y*y)",
]


@pytest.mark.parametrize("text", DIFFERENTIABLE)
@pytest.mark.parametrize("name", ["x", "y"])
def test_derivative(text: str, name: str) -> None:
    expression = parse(text)
    exact = expression.derivative(name).evaluate(VALUES)
    h = 1e-3
    samples = [expression.evaluate({**VALUES, name: VALUES[name] + k * h}) for k in (-2, -1, 1, 2)]
    differences = (samples[0] - 8 * samples[1] + 8 * samples[2] - samples[3]) / (12 * h)
    assert exact == pytest.approx(differences, rel=1e-8, abs=1e-9)


def test_every_function_has_a_derivative_under_test() -> None:
    assert all(any(f"{name}(" in text for text in DIFFERENTIABLE) for name in FUNCTIONS)


def test_a_choice_has_the_derivative_of_its_branch_on_both_sides_and_at_the_switch() -> None:
    slope = parse("if(x < 1, x^2, 3*x)").derivative("x")
    assert [slope.evaluate({"x": x}) for x in (0.5, 1.0, 1.5)] == [1.0, 3.0, 3.0]
    assert parse("if(x < 1, 2, 3)").derivative("x").evaluate({"x": 1.0}) == 0.0


def test_gradient() -> None:
    along_y, along_x = parse("x^2*y").gradient(["y", "x"])
    assert (along_y.evaluate(VALUES), along_x.evaluate(VALUES)) == pytest.approx((0.16, -0.56))


def test_symbols_pass_through() -> None:
    import casadi

    symbols = {name: Scalar.symbol(name) for name in ("x", "y")}
    text = "sin(x)*x**3/(1+abs(y)) + max(x, y)"
    traced = parse(text).evaluate(symbols)
    inputs = [symbol.expression for symbol in symbols.values()]
    function = casadi.Function("f", inputs, [traced.expression])
    assert float(function(0.4, -0.7)) == pytest.approx(parse(text).evaluate(VALUES), rel=1e-14)


BAD = {
    "": "empty",
    "  ": "empty",
    "x y": "column 3",
    "1 +": "found the end",
    "m*(r": "expected ')'",
    "sin": "write sin(...)",
    "sin()": "column 5",
    "sin(1, 2)": "takes 1 argument(s), got 2",
    "sine(1)": "did you mean 'sin'?",
    "zzz(1)": "no function 'zzz'",
    "masss": "no value is called 'masss'",
    "long_name_2": "did you mean 'long_name_1'",
    "1/0": "division by zero",
    "sqrt(-1)": "sqrt(-1) is not defined",
    "log(0)": "log(0) is not defined",
    "asin(2)": "asin(2) is not defined",
    "exp(1000)": "exp(1000) is too large",
    "sin(1e300*1e300)": "sin(inf) is not defined",
    "cos(1e300*1e300)": "cos(inf) is not defined",
    "tan(1e300*1e300)": "tan(inf) is not defined",
    "9**9**9": "a known exponent must be at most 100 in size, not 3.8742e+08",
    "x**(1/0)": "a known exponent must be at most 100",
    "y**1.5": "pow(-0.7, 1.5) is not defined",
    "y**x": "pow(-0.7, 0.4) is not defined",
    "if": "write if(...)",
    "if(x, 1, 2)": "column 5: if begins with a comparison, as in if(x < 1, a, b)",
    "if(x < 1, 2)": "column 12: expected ',', found ')'",
    "if(x < 1, 2, 3, 4)": "expected ')', found ','",
    "if(x = 1, 2, 3)": "cannot read '='",
    "if(0 < x < 1, 2, 3)": "expected ',', found '<'",
    "x < 1": "expected an operator or the end, found '<'",
    "if(x < 1, log(y), 1)": "log(-0.7) is not defined",
    "1e999": "too large",
    "1e300*1e300": "comes to inf",
    "(" * 60 + "1" + ")" * 60: "nested more than 50 levels",
    "+".join(["1"] * 600): "more than 500 words",
    "1" * 3000: "3000 characters",
    "__import__('os')": "cannot read",
    "a.b": "cannot read '.'",
    "x[0]": "cannot read '['",
    "x;y": "cannot read ';'",
    "é": "cannot read 'é'",
    "٣": "cannot read",
    "1\x00": "cannot read",
    "lambda: 1": "cannot read ':'",
}


@pytest.mark.parametrize("text", BAD)
def test_bad_formulas_are_refused(text: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        parse(text).evaluate(VALUES)
    assert BAD[text] in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_only_text_is_a_formula() -> None:
    with pytest.raises(DescriptionError, match="is text"):
        parse(3.0)  # type: ignore[arg-type]


def test_noise_is_refused_or_a_number() -> None:
    rng = np.random.default_rng(11)
    alphabet = [*"0123456789.eE+-*/^(),xymr sincopt_", "**", "sin(", "max(", "if(", "<"]
    for _ in range(3000):
        text = "".join(rng.choice(alphabet, size=rng.integers(1, 25)))
        try:
            value = parse(text).evaluate(VALUES)
        except DescriptionError:
            continue
        assert math.isfinite(value)
