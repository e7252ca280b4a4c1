"""Formulas of coordinates and of time, in which the parameters are numbers already."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from robodyn_ros.description.mechanism.kinds import Kind, Number, Scope
from robodyn_ros.description.mechanism.nodes import Place, Scalar
from robodyn_ros.errors import DescriptionError
from robodyn_ros.expressions import Expression, parse, substituted
from robodyn_ros.expressions.tokens import tokens_of

TIME = "t"
MOST_WORDS = 200
"""Words of a formula of coordinates at most: it is differentiated twice."""


class Formula(NamedTuple):
    """A formula as it was read.

    Attributes:
        value: a number, or a formula of coordinates alone.
        place: where it stands.
        names: all names as written, those of parameters too.
        above: what its value must exceed.
    """

    value: float | Expression
    place: Place
    names: tuple[str, ...] = ()
    above: float = -math.inf

    @property
    def expression(self) -> Expression:
        """It as a formula, a number too."""
        return self.value if isinstance(self.value, Expression) else parse(repr(self.value))

    def require_value(self, start: Mapping[str, float], controls: Collection[str]) -> None:
        """Raise where it has no value or rate, or one that is too small, in the initial state.

        Too small it can only be called where it depends on `controls` alone: the other coordinates
        may begin elsewhere, when the mechanism is closed.
        """
        formula = self.value
        if not isinstance(formula, Expression):
            return
        try:
            value = formula.evaluate(start)
            for name in formula.names:
                formula.derivative(name).evaluate(start)
        except DescriptionError as error:
            raise self.place.failure(
                f"has no value or rate in the initial state: {error}"
            ) from None
        if value <= self.above and all(name in controls for name in formula.names):
            raise self.place.failure(
                f"comes to {value:g} in the initial state and must exceed {self.above:g}"
            )


@dataclass(frozen=True)
class OfCoordinates(Kind):
    """A number, or a formula of parameters, control elements and joints with one coordinate."""

    unit: str = ""
    positive: bool = False

    @property
    def text(self) -> str:
        """Say so with the unit."""
        return f"{self._number.text}, or a formula of coordinates"

    @property
    def _number(self) -> Number:
        return Number(self.unit, positive=self.positive)

    def read(self, place: Place, scope: Scope) -> Formula:
        """Return the formula; whether its coordinates exist shows when all are known."""
        node = place.node
        above = 0.0 if self.positive else -math.inf
        if not isinstance(node, Scalar) or node.kind != "text":
            return Formula(self._number.read(place, scope), place, above=above)
        expression = _parsed(place, node.text, self.text)
        if all(name in scope.values for name in expression.names):
            return Formula(self._number.read(place, scope), place, above=above)
        if len(tokens_of(node.text)) > MOST_WORDS:
            raise place.failure(
                f"has more than {MOST_WORDS} words; a formula of coordinates must be shorter"
            )
        reduced = substituted(expression, scope.values)
        return Formula(reduced, place, expression.names, above)


class OfTime(Kind):
    """A formula of the time."""

    text = f"a formula of the time {TIME} in s"

    def read(self, place: Place, scope: Scope) -> Expression:
        """Return the formula, in which t is the only name; it moves smoothly from t = 0 on."""
        if TIME in scope.values:
            raise place.failure(
                f"{TIME} is the time here, and a parameter too; rename the parameter"
            )
        node = place.node
        if not isinstance(node, Scalar) or node.kind in ("null", "bool"):
            raise place.failure(f"must be {self.text}")
        drive = substituted(_parsed(place, node.text, self.text), scope.values)
        speed = drive.derivative(TIME)
        known = {TIME: 0.0, **scope.values}
        try:
            for formula in (drive, speed, speed.derivative(TIME)):
                formula.evaluate(known)
        except DescriptionError as error:
            raise place.failure(
                f"must be {self.text}, with rate and acceleration from t = 0 on: {error}"
            ) from None
        return drive


def _parsed(place: Place, text: str, wanted: str) -> Expression:
    try:
        return parse(text)
    except DescriptionError as error:
        raise place.failure(f"must be {wanted}: {error}") from None
