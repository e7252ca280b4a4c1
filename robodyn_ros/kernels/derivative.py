"""Derivatives of a trace with respect to its symbols, exact: CasADi's automatic differentiation.

A function that is traced may call :func:`jacobian` on what it has computed so far; the derivatives
are then arithmetic of the same program.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.scalar import Numeric, Scalar, wrapped


def jacobian(outputs: Numeric, inputs: Numeric) -> npt.NDArray[Any]:
    """Return d outputs / d inputs, an object array (number of outputs, number of inputs).

    Both are taken in C order. Derivatives that are zero whatever the values are the float 0.0, so
    that products with them fold.

    Args:
        outputs: Array of Scalars and floats.
        inputs: Array of symbols: of what a trace hands to the function, no results of arithmetic.

    Raises:
        CompilationError: An input is no symbol. Floats remember nothing of how they were computed:
            outside a trace there is nothing to differentiate.
    """
    results = np.asarray(outputs, dtype=object).ravel()
    symbols = [_symbol(entry) for entry in np.asarray(inputs, dtype=object).ravel()]
    derivatives = np.full((len(results), len(symbols)), 0.0, dtype=object)
    unknown = [row for row, entry in enumerate(results) if isinstance(entry, Scalar)]
    if not unknown or not symbols:
        return derivatives
    import casadi

    expressions = casadi.vertcat(*(results[row].expression for row in unknown))
    matrix = casadi.jacobian(expressions, casadi.vertcat(*symbols))
    rows, columns = matrix.sparsity().get_triplet()
    for row, column, entry in zip(rows, columns, matrix.nonzeros(), strict=True):
        derivatives[unknown[row], column] = wrapped(entry)
    return derivatives


def _symbol(entry: Numeric) -> Any:
    """Return the expression of a symbol."""
    if not isinstance(entry, Scalar):
        raise CompilationError(
            f"the derivative with respect to {entry!r} is asked for, which is a number: numbers"
            " have no derivatives outside a trace, where symbols take their place"
        )
    if not entry.expression.is_symbolic():
        raise CompilationError(
            f"the derivative with respect to {entry!r} is asked for, which is computed: only"
            " symbols that the trace began with can be differentiated by"
        )
    return entry.expression
