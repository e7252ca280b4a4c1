"""Run a function on symbols and read its numbers back through CasADi."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import casadi
import numpy as np

from robodyn_ros.kernels.scalar import Scalar

#: A trace folds constants and sums in another order than NumPy does: a few roundings.
TRACE_TOLERANCE = 4e-15


def symbols(shape: tuple[int, ...], name: str = "x") -> np.ndarray:
    """Return an object array of fresh symbols."""
    array = np.empty(shape, dtype=object)
    for index in np.ndindex(shape):
        array[index] = Scalar.symbol(name + "_".join(map(str, index)))
    return array


def as_arrays(result: Any) -> list[np.ndarray]:
    """Return a result, an array or a tuple of (tuples of) arrays, as a flat list of arrays."""
    if isinstance(result, tuple):
        return [array for part in result for array in as_arrays(part)]
    return [np.asarray(result)]


def expressions(arrays: Sequence[np.ndarray]) -> casadi.SX:
    """Return the entries of all arrays, floats and Scalars, as one SX column."""
    entries = [entry for array in arrays for entry in array.ravel()]
    column = [e.expression if isinstance(e, Scalar) else casadi.SX(float(e)) for e in entries]
    return casadi.vertcat(*column) if column else casadi.SX(0, 1)


def traced(function: Callable[..., Any], *arguments: np.ndarray) -> list[np.ndarray]:
    """Return what `function` gives for `arguments`, computed by way of a symbolic trace."""
    inputs = [symbols(argument.shape, f"x{k}_") for k, argument in enumerate(arguments)]
    results = as_arrays(function(*inputs))
    evaluate = casadi.Function("traced", [expressions(inputs)], [expressions(results)])
    point = np.concatenate([np.zeros(0), *(argument.ravel() for argument in arguments)])
    flat = np.asarray(evaluate(point)).reshape(-1)
    ends = np.cumsum([result.size for result in results])
    pieces = zip(np.split(flat, ends[:-1]), results, strict=True)
    return [piece.reshape(result.shape) for piece, result in pieces]


def scalar_derivatives(function: Callable[[Any], Any], at: Sequence[float]) -> np.ndarray:
    """Return value, first and second derivative (3, len(at)) of a function of one number.

    They come from algorithmic differentiation of the trace, that is of the very formula.
    """
    x = Scalar.symbol("x")
    value = function(x).expression
    first = casadi.jacobian(value, x.expression)
    second = casadi.jacobian(first, x.expression)
    evaluate = casadi.Function("d", [x.expression], [casadi.vertcat(value, first, second)])
    return np.column_stack([np.asarray(evaluate(point)).reshape(3) for point in at])
