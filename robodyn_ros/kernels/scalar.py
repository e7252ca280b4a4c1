"""Numbers that may be symbols: one source for floats, batches and traces.

An algorithm written with the operators of Python and the functions of this module runs unchanged on

* Python floats,
* float64 arrays with any leading axes (a batch), and
* object arrays whose entries are floats or :class:`Scalar` (a trace).

A :class:`Scalar` stands for a number that is not known yet. To NumPy it is any Python object, so
``float64_array * scalar``, ``object_array @ object_array`` and ``np.stack`` work entry by entry;
it is *not* a CasADi SX, which would turn a product with an array into an SX matrix.

Because the value is unknown, a branch on it cannot be traced: ``bool(scalar)`` raises. Write both
sides and choose with :func:`where`. Both sides are evaluated, so make divisors safe first.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from robodyn_ros.errors import CompilationError

Numeric: TypeAlias = Any
"""A float, a :class:`Scalar`, a float64 array, or an object array of floats and Scalars."""

_PLAIN = (int, float, np.integer, np.floating, np.bool_)


class Scalar:
    """A number in a trace: a thin wrapper round one CasADi SX scalar.

    It has arithmetic, comparisons (which give conditions for :func:`where`) and the methods behind
    this module's functions, nothing else. What is known already is folded: ``0 * x`` is the float
    0.0, ``1 * x`` and ``x + 0`` are ``x`` itself, and whatever CasADi reduces to a constant comes
    back as a float.
    """

    __slots__ = ("expression",)
    __hash__ = None  # type: ignore[assignment]  # equality is a condition, not known to Python

    def __init__(self, expression: Any) -> None:
        """Wrap `expression`, a CasADi SX of shape (1, 1)."""
        self.expression = expression

    @classmethod
    def symbol(cls, name: str) -> Scalar:
        """Return a fresh independent symbol; `name` serves only to be read."""
        import casadi

        return cls(casadi.SX.sym(name))

    def __repr__(self) -> str:
        return f"Scalar({self.expression})"

    def __add__(self, other: Numeric) -> Numeric:
        if isinstance(other, Scalar):
            return wrapped(self.expression + other.expression)
        if not isinstance(other, _PLAIN):
            return NotImplemented
        return self if other == 0 else wrapped(self.expression + float(other))

    __radd__ = __add__

    def __sub__(self, other: Numeric) -> Numeric:
        if isinstance(other, Scalar):
            return wrapped(self.expression - other.expression)
        if not isinstance(other, _PLAIN):
            return NotImplemented
        return self if other == 0 else wrapped(self.expression - float(other))

    def __rsub__(self, other: Numeric) -> Numeric:
        if not isinstance(other, _PLAIN):
            return NotImplemented
        return -self if other == 0 else wrapped(float(other) - self.expression)

    def __mul__(self, other: Numeric) -> Numeric:
        if isinstance(other, Scalar):
            return wrapped(self.expression * other.expression)
        if not isinstance(other, _PLAIN):
            return NotImplemented
        if other == 0:
            return 0.0
        if other == 1:
            return self
        return -self if other == -1 else wrapped(self.expression * float(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Numeric) -> Numeric:
        if isinstance(other, Scalar):
            return wrapped(self.expression / other.expression)
        if not isinstance(other, _PLAIN):
            return NotImplemented
        if other == 1:
            return self
        return -self if other == -1 else wrapped(self.expression / float(other))

    def __rtruediv__(self, other: Numeric) -> Numeric:
        if not isinstance(other, _PLAIN):
            return NotImplemented
        return 0.0 if other == 0 else wrapped(float(other) / self.expression)

    def __pow__(self, exponent: Numeric) -> Numeric:
        """Whole powers only, as products."""
        if not isinstance(exponent, _PLAIN) or exponent != int(exponent):
            return NotImplemented
        if exponent < 0:
            return 1.0 / self ** -int(exponent)
        result: Numeric = 1.0
        for bit in bin(int(exponent))[2:]:
            result = result * result * (self if bit == "1" else 1.0)
        return result

    def __neg__(self) -> Numeric:
        return wrapped(-self.expression)

    def __pos__(self) -> Scalar:
        return self

    def __abs__(self) -> Numeric:
        return wrapped(self.expression.fabs())

    def __lt__(self, other: Numeric) -> Numeric:
        return _condition(self, other, "__lt__")

    def __le__(self, other: Numeric) -> Numeric:
        return _condition(self, other, "__le__")

    def __gt__(self, other: Numeric) -> Numeric:
        return _condition(self, other, "__gt__")

    def __ge__(self, other: Numeric) -> Numeric:
        return _condition(self, other, "__ge__")

    def __eq__(self, other: object) -> Numeric:
        return _condition(self, other, "__eq__")

    def __ne__(self, other: object) -> Numeric:
        return _condition(self, other, "__ne__")

    def __and__(self, other: Numeric) -> Numeric:
        return where(self, other, False)

    __rand__ = __and__

    def __or__(self, other: Numeric) -> Numeric:
        return where(self, True, other)

    __ror__ = __or__

    def __invert__(self) -> Numeric:
        return where(self, False, True)

    def __bool__(self) -> bool:
        raise CompilationError(
            f"{self!r} has no truth value while an algorithm is traced: replace the branch by "
            "where(condition, a, b), and compare arrays with less(a, b) and its kin"
        )

    def __float__(self) -> float:
        raise CompilationError(
            f"{self!r} has no value while an algorithm is traced: keep it in an object array, do "
            "not store it in a float array"
        )


def wrapped(expression: Any) -> Numeric:
    """Return a float for a constant expression, else a Scalar."""
    return float(expression) if expression.is_constant() else Scalar(expression)


def _condition(left: Scalar, right: object, operator: str) -> Numeric:
    """Return the Scalar (1.0 or 0.0) of a comparison."""
    if isinstance(right, Scalar):
        return wrapped(getattr(left.expression, operator)(right.expression))
    if not isinstance(right, _PLAIN):
        return NotImplemented
    return wrapped(getattr(left.expression, operator)(float(right)))


def _where_entry(condition: Numeric, a: Numeric, b: Numeric) -> Numeric:
    if not isinstance(condition, Scalar):
        return a if condition else b
    import casadi

    a, b = (x.expression if isinstance(x, Scalar) else float(x) for x in (a, b))
    return wrapped(casadi.if_else(condition.expression, a, b))


def _arctan2_entry(y: Numeric, x: Numeric) -> Numeric:
    if not isinstance(y, Scalar) and not isinstance(x, Scalar):
        return np.arctan2(y, x)
    import casadi

    y, x = (z.expression if isinstance(z, Scalar) else float(z) for z in (y, x))
    return wrapped(casadi.atan2(y, x))


def by_entry(name: str, ufunc: np.ufunc) -> np.ufunc:
    """Return an entry-by-entry ufunc: CasADi's method on Scalars, `ufunc` on plain numbers."""

    def entry(x: Numeric) -> Numeric:
        return wrapped(getattr(x.expression, name)()) if isinstance(x, Scalar) else ufunc(x)

    return np.frompyfunc(entry, 1, 1)


_sin_entries = by_entry("sin", np.sin)
_cos_entries = by_entry("cos", np.cos)
_sqrt_entries = by_entry("sqrt", np.sqrt)
_where_entries = np.frompyfunc(_where_entry, 3, 1)
_arctan2_entries = np.frompyfunc(_arctan2_entry, 2, 1)
_less_entries = np.frompyfunc(lambda a, b: a < b, 2, 1)
_less_equal_entries = np.frompyfunc(lambda a, b: a <= b, 2, 1)


def is_symbolic(*operands: Numeric) -> bool:
    """Return whether any operand is a Scalar or an object array."""
    for x in operands:
        if x.dtype.char == "O" if isinstance(x, np.ndarray) else isinstance(x, Scalar):
            return True
    return False


def sin(x: Numeric) -> Numeric:
    """Return the sine of `x` (rad), entry by entry."""
    return _sin_entries(x) if is_symbolic(x) else np.sin(x)


def cos(x: Numeric) -> Numeric:
    """Return the cosine of `x` (rad), entry by entry."""
    return _cos_entries(x) if is_symbolic(x) else np.cos(x)


def sqrt(x: Numeric) -> Numeric:
    """Return the square root of `x`, entry by entry; its derivative is infinite at 0."""
    return _sqrt_entries(x) if is_symbolic(x) else np.sqrt(x)


def less(a: Numeric, b: Numeric) -> Numeric:
    """Return the condition ``a < b``, entry by entry, for :func:`where`.

    On object arrays the operator ``<`` itself would ask each Scalar for its truth and raise.
    """
    return _less_entries(a, b) if is_symbolic(a, b) else np.less(a, b)


def less_equal(a: Numeric, b: Numeric) -> Numeric:
    """Return the condition ``a <= b``, entry by entry, for :func:`where`."""
    return _less_equal_entries(a, b) if is_symbolic(a, b) else np.less_equal(a, b)


def greater(a: Numeric, b: Numeric) -> Numeric:
    """Return the condition ``a > b``, entry by entry, for :func:`where`."""
    return less(b, a)


def greater_equal(a: Numeric, b: Numeric) -> Numeric:
    """Return the condition ``a >= b``, entry by entry, for :func:`where`."""
    return less_equal(b, a)


def arctan2(y: Numeric, x: Numeric) -> Numeric:
    """Return the angle (rad) of the point (x, y), entry by entry."""
    return _arctan2_entries(y, x) if is_symbolic(y, x) else np.arctan2(y, x)


def where(condition: Numeric, a: Numeric, b: Numeric) -> Numeric:
    """Return `a` where `condition` holds, else `b`, entry by entry with broadcasting.

    Both are evaluated: a division that is only right on one side needs a divisor that is safe on
    the other, ``where(c, x / where(c, d, 1.0), series)``.
    """
    if is_symbolic(condition, a, b):
        return _where_entries(condition, a, b)
    result = np.where(condition, a, b)
    return result if result.ndim else result[()]


def minimum(a: Numeric, b: Numeric) -> Numeric:
    """Return the smaller of `a` and `b`, entry by entry."""
    return where(less(b, a), b, a)


def maximum(a: Numeric, b: Numeric) -> Numeric:
    """Return the larger of `a` and `b`, entry by entry."""
    return where(less(a, b), b, a)
