"""Numbers in the place of names: value, derivative and text, and what cannot be worked out."""

from __future__ import annotations

import pytest

from robodyn_ros.errors import DescriptionError
from robodyn_ros.expressions import parse, substituted

VALUES = {"r": 0.5, "n": -2.0}


@pytest.mark.parametrize(
    "text",
    [
        "r + u",
        "u*r/n - r^2",
        "-(n) * sin(r * u) ^ 2",
        "max(u, n) / exp(r)",
        "atan2(r, n) + u * w",
        "w",
    ],
)
def test_value_and_derivative_are_those_with_all_values(text: str) -> None:
    free = {"u": 0.7, "w": -1.3}
    whole, left = parse(text), substituted(parse(text), VALUES)
    assert set(left.names) <= free.keys()
    assert left.evaluate(free) == pytest.approx(whole.evaluate(free | VALUES), rel=1e-15)
    for name in free:
        slope = whole.derivative(name).evaluate(free | VALUES)
        assert left.derivative(name).evaluate(free) == pytest.approx(slope, rel=1e-15)


def test_the_text_has_the_numbers_and_reads_as_what_it_is() -> None:
    left = substituted(parse("r*u + sin(n) * u - r2"), VALUES)
    assert left.text == "0.5*u + sin((-2.0)) * u - r2"
    assert left.columns == {"u": 5, "r2": 27}
    again = parse(left.text)
    assert again.columns == left.columns
    assert again.evaluate({"u": 3.0, "r2": 1.0}) == left.evaluate({"u": 3.0, "r2": 1.0})


def test_a_formula_without_these_names_stays() -> None:
    formula = parse("2 * u")
    assert substituted(formula, VALUES) is formula


def test_what_has_no_value_stays_and_is_told_where_it_is_asked() -> None:
    left = substituted(parse("u + 1 / (r - 0.5) + log(n)"), VALUES)
    assert left.names == ("u",)
    with pytest.raises(DescriptionError, match="expression 'u \\+ 1 / "):
        left.evaluate({"u": 1.0})


def test_parts_without_names_are_worked_out() -> None:
    assert substituted(parse("u * exp(2 * r)"), VALUES).tree == parse("u * 2.718281828459045").tree
