"""Tracing: run an algorithm once on symbols and keep the arithmetic that it did."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.program import Program, ProgramBuilder
from robodyn_ros.kernels.scalar import Numeric, Scalar
from robodyn_ros.kernels.signature import Port, Signature

OPERATIONS = {
    "OP_ADD": "add",
    "OP_SUB": "sub",
    "OP_MUL": "mul",
    "OP_DIV": "div",
    "OP_NEG": "neg",
    "OP_SQRT": "sqrt",
    "OP_SIN": "sin",
    "OP_COS": "cos",
    "OP_FABS": "fabs",
    "OP_ATAN2": "atan2",
    "OP_EXP": "exp",
    "OP_LOG": "log",
    "OP_POW": "pow",
    "OP_CONSTPOW": "pow",
    "OP_LT": "lt",
    "OP_LE": "le",
    "OP_EQ": "eq",
    "OP_NE": "ne",
    "OP_NOT": "not",
    "OP_AND": "and",
    "OP_OR": "or",
    "OP_IF_ELSE_ZERO": "if_else_zero",
}
"""CasADi's operations that have one instruction of a Program; see `_REWRITTEN` for the others."""


def trace(
    function: Callable[..., Sequence[Numeric]],
    signature: Signature,
    guard: Callable[..., Numeric] | None = None,
) -> Program:
    """Return the program that `function` performs.

    Args:
        function: Takes one object array of symbols per input and returns one array per output, as
            `signature` says. It must not branch on values (see :mod:`scalar`). It may return one
            more, of shape (): its own verdict, which means what `guard` returns.
        signature: Names and shapes of inputs and outputs.
        guard: Takes the same arrays and returns a scalar: 0.0 where the program may serve the
            input, more (or NaN) where the caller must take the plain path. It is added to the
            function's verdict.

    Raises:
        CompilationError: CasADi is missing, the result does not fit `signature`, the function
            branches on a value, or it uses an operation that kernels do not have.
    """
    symbols = [symbols_of(port) for port in signature.inputs]
    results = function(*symbols)
    ports = signature.outputs
    if len(results) not in (len(ports), len(ports) + 1):
        raise CompilationError(
            f"{signature.name}: {len(ports)} outputs declared, {len(results)} returned"
        )
    entries = [
        _entries(signature, port, array) for port, array in zip(ports, results, strict=False)
    ]
    verdicts = [_verdict(signature, array) for array in results[len(ports) :]]
    if guard is not None:
        verdicts.append(_verdict(signature, guard(*symbols)))
    return _Tracer(signature, symbols).program(entries, sum(verdicts) if verdicts else None)


def _verdict(signature: Signature, array: Numeric) -> Numeric:
    verdict = np.asarray(array, dtype=object)
    if verdict.shape != ():
        raise CompilationError(
            f"{signature.name}: a verdict must have shape (), got {verdict.shape}; an output more"
            " than declared is one"
        )
    return verdict[()]


def symbols_of(port: Port) -> npt.NDArray[Any]:
    """Return an object array of fresh symbols for an input."""
    name, shape = port
    array = np.empty(shape, dtype=object)
    for index in np.ndindex(*shape):
        array[index] = Scalar.symbol(f"{name}{list(index)}")
    return array


def _entries(signature: Signature, port: Port, array: Numeric) -> npt.NDArray[Any]:
    entries = np.asarray(array, dtype=object)
    if entries.shape != port[1]:
        raise CompilationError(
            f"{signature.name}: output {port[0]} has shape {entries.shape}, declared {port[1]}"
        )
    return entries


def _by_row(entries: Iterable[npt.NDArray[Any]]) -> list[tuple[int, int]]:
    """Return (output, flat index) of every entry, row by row across the outputs.

    CasADi evaluates in the order of the results. Outputs of one algorithm mostly share their first
    axis (bodies), and what belongs to a body is best computed and stored together.
    """
    keys = []
    for number, array in enumerate(entries):
        rows = array.shape[0] if array.ndim > 1 and array.size else 1
        per_row = max(1, array.size // rows)
        keys += [(index // per_row, number, index) for index in range(array.size)]
    return [(number, index) for _, number, index in sorted(keys)]


class _Tracer:
    """Turns CasADi expressions into a Program."""

    def __init__(self, signature: Signature, symbols: Sequence[npt.NDArray[Any]]) -> None:
        import casadi

        self._casadi = casadi
        self._signature = signature
        flat = [[entry.expression for entry in array.ravel()] for array in symbols]
        self._inputs = [casadi.vertcat(*column) for column in flat]
        self._names = {
            getattr(casadi, name): name for name in dir(casadi) if name.startswith("OP_")
        }
        self._builder = ProgramBuilder()

    def program(self, entries: Sequence[npt.NDArray[Any]], guard: Numeric | None) -> Program:
        order = _by_row(entries)
        flat = [array.ravel() for array in entries]
        numbers = [flat[output][index] for output, index in order]
        values = self._evaluate([*numbers, *([] if guard is None else [guard])])
        located = dict(zip(order, values, strict=False))
        outputs = tuple(located[o, i] for o, column in enumerate(flat) for i in range(len(column)))
        program = Program(
            self._signature,
            tuple(self._builder.instructions),
            outputs,
            None if guard is None else values[-1],
        )
        return program.with_instructions(program.instructions)

    def _evaluate(self, numbers: Sequence[Numeric]) -> list[int]:
        """Return the value of each number; the order of evaluation follows theirs."""
        unknown = [n.expression for n in numbers if isinstance(n, Scalar)]
        values = iter(self._walk(unknown))
        return [
            next(values) if isinstance(n, Scalar) else self._builder.constant(float(n))
            for n in numbers
        ]

    def _walk(self, expressions: Sequence[Any]) -> list[int]:
        """Replay CasADi's instruction list, which reuses work cells, in single-assignment form."""
        if not expressions:
            return []
        casadi, builder = self._casadi, self._builder
        function = casadi.Function(
            "trace", self._inputs, [casadi.cse(casadi.vertcat(*expressions))], {"allow_free": True}
        )
        if function.get_free():
            raise CompilationError(
                f"{self._signature.name}: results depend on symbols that are no inputs: "
                f"{', '.join(function.get_free()[:5])}"
            )
        cells: dict[int, int] = {}
        results = [0] * len(expressions)
        for k in range(function.n_instructions()):
            name = self._names[function.instruction_id(k)]
            source, target = function.instruction_input(k), function.instruction_output(k)
            if name == "OP_OUTPUT":
                results[target[1]] = cells[source[0]]
            elif name == "OP_INPUT":
                cells[target[0]] = builder.add("input", *source)
            elif name == "OP_CONST":
                cells[target[0]] = builder.constant(function.instruction_constant(k))
            else:
                cells[target[0]] = self._operation(name, [cells[cell] for cell in source])
        return results

    def _operation(self, name: str, operands: list[int]) -> int:
        if name in OPERATIONS:
            return self._builder.add(OPERATIONS[name], *operands)
        rewritten = _REWRITTEN.get(name)
        if rewritten is None:
            raise CompilationError(f"{self._signature.name}: kernels have no operation {name}")
        return rewritten(self._builder, *operands)


def _sign(builder: ProgramBuilder, x: int) -> int:
    """Return what fabs has for a derivative."""
    zero = builder.constant(0.0)
    return builder.add("sub", builder.add("lt", zero, x), builder.add("lt", x, zero))


def _beside(builder: ProgramBuilder, x: int) -> int:
    """Return sqrt(1 - x^2); as a product, 1 - x^2 is right to the last places near 1 too."""
    one = builder.constant(1.0)
    square = builder.add("mul", builder.add("sub", one, x), builder.add("add", one, x))
    return builder.add("sqrt", square)


_REWRITTEN: dict[str, Callable[..., int]] = {
    "OP_SQ": lambda builder, x: builder.add("mul", x, x),
    "OP_TWICE": lambda builder, x: builder.add("add", x, x),
    "OP_INV": lambda builder, x: builder.add("div", builder.constant(1.0), x),
    "OP_SIGN": _sign,
    "OP_ATAN": lambda builder, x: builder.add("atan2", x, builder.constant(1.0)),
    "OP_ASIN": lambda builder, x: builder.add("atan2", x, _beside(builder, x)),
    "OP_ACOS": lambda builder, x: builder.add("atan2", _beside(builder, x), x),
}
