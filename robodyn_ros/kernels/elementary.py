"""Exponentials, logarithms, arcs and powers of numbers that may be symbols (see :mod:`scalar`)."""

from __future__ import annotations

import numpy as np

from robodyn_ros.kernels.scalar import Numeric, Scalar, by_entry, is_symbolic, wrapped


def _power_entry(base: Numeric, exponent: Numeric) -> Numeric:
    if not isinstance(base, Scalar) and not isinstance(exponent, Scalar):
        return np.power(float(base), float(exponent))
    import casadi

    pair = (x.expression if isinstance(x, Scalar) else float(x) for x in (base, exponent))
    return wrapped(casadi.power(*pair))


_exp_entries = by_entry("exp", np.exp)
_log_entries = by_entry("log", np.log)
_arctan_entries = by_entry("arctan", np.arctan)
_arcsin_entries = by_entry("arcsin", np.arcsin)
_arccos_entries = by_entry("arccos", np.arccos)
_power_entries = np.frompyfunc(_power_entry, 2, 1)


def exp(x: Numeric) -> Numeric:
    """Return e to the power of `x`, entry by entry."""
    return _exp_entries(x) if is_symbolic(x) else np.exp(x)


def log(x: Numeric) -> Numeric:
    """Return the natural logarithm of `x`, entry by entry; NaN below 0, -inf at 0."""
    return _log_entries(x) if is_symbolic(x) else np.log(x)


def arctan(x: Numeric) -> Numeric:
    """Return the angle (rad, within +-pi/2) whose tangent is `x`, entry by entry."""
    return _arctan_entries(x) if is_symbolic(x) else np.arctan(x)


def arcsin(x: Numeric) -> Numeric:
    """Return the angle (rad, within +-pi/2) whose sine is `x`, entry by entry; NaN beyond +-1."""
    return _arcsin_entries(x) if is_symbolic(x) else np.arcsin(x)


def arccos(x: Numeric) -> Numeric:
    """Return the angle (rad, 0 to pi) whose cosine is `x`, entry by entry; NaN beyond +-1."""
    return _arccos_entries(x) if is_symbolic(x) else np.arccos(x)


def power(base: Numeric, exponent: Numeric) -> Numeric:
    """Return `base` to the power of `exponent`, entry by entry.

    NaN where the base is negative and the exponent not whole. The derivative with respect to the
    exponent is defined for positive bases only.
    """
    if is_symbolic(base, exponent):
        return _power_entries(base, exponent)
    return np.power(base, exponent)
