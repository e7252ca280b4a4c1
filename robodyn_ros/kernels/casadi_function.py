"""A plain function as a CasADi Function, for optimisation and model predictive control."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.c_names import argument_names, unique_identifiers
from robodyn_ros.kernels.scalar import Numeric, Scalar
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.trace import symbols_of


def casadi_function(
    function: Callable[..., Sequence[Numeric]], signature: Signature, name: str
) -> Any:
    """Return ``casadi.Function`` with the inputs and outputs of `signature` by name.

    Vectors are columns, matrices are matrices; of arrays with more axes, all but the last are one:
    (nb, 3, 3) is (3 nb, 3), body by body.

    Args:
        function: As for :func:`~robodyn_ros.kernels.trace.trace`; a verdict is left out.
        signature: Its inputs and outputs.
        name: The Function's name, made an identifier.

    Raises:
        CompilationError: CasADi is missing, or the function cannot be traced.
    """
    try:
        import casadi
    except ImportError as error:
        raise CompilationError(
            f"a CasADi Function needs the package casadi (pip install casadi): {error}"
        ) from error
    symbols = [symbols_of(port) for port in signature.inputs]
    results = function(*symbols)[: len(signature.outputs)]
    inputs, outputs = argument_names(signature)
    (title,) = unique_identifiers([name], taken=("null", "jac", "hess"))
    return casadi.Function(
        title,
        [_matrix(casadi, array) for array in symbols],
        [casadi.cse(_matrix(casadi, np.asarray(array, dtype=object))) for array in results],
        inputs,
        outputs,
    )


def _matrix(casadi: Any, array: npt.NDArray[Any]) -> Any:
    """Return the SX matrix of an object array; known zeros are no part of its structure."""
    columns = array.shape[-1] if array.ndim > 1 else 1
    rows = array.size // columns if columns else int(np.prod(array.shape[:-1]))
    if not array.size:
        return casadi.SX(rows, columns)
    values = [x.expression if isinstance(x, Scalar) else float(x) for x in array.ravel()]
    by_column = casadi.reshape(casadi.SX(casadi.vertcat(*values)), columns, rows)
    return casadi.sparsify(by_column.T)
