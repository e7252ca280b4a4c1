"""The arrays of a batch, checked and turned into tables of addresses.

A small batch takes no longer than this does, so it avoids what is slow in NumPy.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError
from robodyn_ros.kernels.layout import address_reader
from robodyn_ros.kernels.signature import Port, Signature

Floats: TypeAlias = NDArray[np.float64]

_FLOAT64 = np.dtype(np.float64)
_address = address_reader()


class _Rows(NamedTuple):
    """An array in place: its rows, and the memory between `begin` and `end` that they lie in."""

    array: Floats
    rows: int
    address: int
    stride: int
    begin: int
    end: int


class BatchArguments:
    """Inputs and outputs of one batch call, kept alive while it runs.

    Attributes:
        rows: How many samples there are.
        tables: The addresses of the inputs, their row strides (in doubles), and the addresses of
            the outputs: three C arrays.
    """

    def __init__(
        self, signature: Signature, inputs: Sequence[Any], outputs: Sequence[Floats]
    ) -> None:
        """Check and convert; see `Kernel.batch`."""
        _require_count(signature.name, "inputs", len(signature.inputs), len(inputs))
        _require_count(signature.name, "outputs", len(signature.outputs), len(outputs))
        results = [_output_rows(*pair) for pair in zip(signature.outputs, outputs, strict=True)]
        sources = [
            _apart(_input_rows(*pair), results)
            for pair in zip(signature.inputs, inputs, strict=True)
        ]
        self.rows = _common_rows(signature, sources, results)
        self._alive = (sources, results)
        self.tables = (
            (ctypes.c_void_p * len(sources))(*[source.address for source in sources]),
            (ctypes.c_int64 * len(sources))(*[source.stride // 8 for source in sources]),
            (ctypes.c_void_p * len(results))(*[result.address for result in results]),
        )


def _require_count(kernel: str, side: str, expected: int, given: int) -> None:
    if given != expected:
        raise ArgumentError(f"{kernel} takes {expected} {side}, got {given}")


def _output_rows(port: Port, array: Floats) -> _Rows:
    name, shape = port
    fit = isinstance(array, np.ndarray) and array.dtype == _FLOAT64
    if not fit or array.ndim != len(shape) + 1 or array.shape[1:] != shape:
        raise ArgumentError(f"output {name} must be a float64 array of shape (N, *{shape})")
    if not array.flags.carray:
        raise ArgumentError(f"output {name} must be C-contiguous, aligned and writable")
    return _in_place(array, len(array))


def _input_rows(port: Port, value: Any) -> _Rows:
    """Return an input as rows that are contiguous each; one that all share has stride 0."""
    name, shape = port
    array = value
    if type(array) is not np.ndarray or array.dtype is not _FLOAT64:
        try:
            array = np.asarray(value, dtype=_FLOAT64)
        except (TypeError, ValueError) as error:
            raise ArgumentError(f"input {name} must be numbers: {error}") from None
    shared = array.shape == shape
    if not shared and (array.ndim != len(shape) + 1 or array.shape[1:] != shape):
        raise ArgumentError(
            f"input {name} must have shape {shape} or (N, *{shape}), got {array.shape}"
        )
    count = 1 if shared else len(array)
    flags = array.flags
    if not (flags.c_contiguous and flags.aligned):
        rows = array[None] if shared else array
        whole = rows[:1].flags.c_contiguous and rows.strides[0] % 8 == 0
        array = rows if whole and flags.aligned else rows.copy(order="C")
    return _in_place(array, count)


def _in_place(array: Floats, count: int) -> _Rows:
    address = _address(array)
    if array.flags.c_contiguous:
        size = array.nbytes
        stride = size // count if count > 1 else 0
        return _Rows(array, count, address, stride, address, address + size)
    stride = array.strides[0]
    reach = stride * (count - 1)
    begin, end = min(0, reach), max(0, reach) + array.nbytes // count
    return _Rows(array, count, address, stride, address + begin, address + end)


def _apart(source: _Rows, results: Sequence[_Rows]) -> _Rows:
    """Return an input that no output overwrites."""
    for result in results:
        if source.begin < result.end and result.begin < source.end:
            return _in_place(source.array.copy(order="C"), source.rows)
    return source


def _common_rows(signature: Signature, sources: Sequence[_Rows], results: Sequence[_Rows]) -> int:
    """Return N: that of the outputs, which every input of several rows must share."""
    counts = [array.rows for array in itertools.chain(results, sources)]
    rows = counts[0] if results else max(counts, default=0)
    several = counts[: len(results)] + [c for c in counts[len(results) :] if c != 1]
    if any(count != rows for count in several):
        ports = itertools.chain(signature.outputs, signature.inputs)
        listed = ", ".join(f"{name} {c}" for (name, _), c in zip(ports, counts, strict=True))
        raise ArgumentError(f"rows of {signature.name} do not agree: {listed}")
    return rows
