"""The arrays of a batch, checked and turned into tables of addresses."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError
from robodyn_ros.kernels.signature import Signature

Floats: TypeAlias = NDArray[np.float64]


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
        for (name, shape), array in zip(signature.outputs, outputs, strict=True):
            _check_output(name, shape, array)
        arrays = [
            _input_rows(name, shape, value, outputs)
            for (name, shape), value in zip(signature.inputs, inputs, strict=True)
        ]
        self.rows = _common_rows(signature, arrays, outputs)
        strides = [array.strides[0] // 8 if len(array) > 1 else 0 for array in arrays]
        self._alive = (arrays, outputs)
        self.tables = (
            (ctypes.c_void_p * len(arrays))(*map(_address, arrays)),
            (ctypes.c_int64 * len(strides))(*strides),
            (ctypes.c_void_p * len(outputs))(*map(_address, outputs)),
        )


def _address(array: Floats) -> int:
    return int(array.__array_interface__["data"][0])


def _require_count(kernel: str, side: str, expected: int, given: int) -> None:
    if given != expected:
        raise ArgumentError(f"{kernel} takes {expected} {side}, got {given}")


def _check_output(name: str, shape: tuple[int, ...], array: Floats) -> None:
    fit = isinstance(array, np.ndarray) and array.dtype == np.float64
    if not (fit and array.shape[1:] == shape and array.ndim == len(shape) + 1):
        raise ArgumentError(f"output {name} must be a float64 array of shape (N, *{shape})")
    if not array.flags.carray:
        raise ArgumentError(f"output {name} must be C-contiguous, aligned and writable")


def _input_rows(name: str, shape: tuple[int, ...], value: Any, outputs: Sequence[Floats]) -> Floats:
    """Return an input as (rows, ...) with contiguous rows; one that all share has one row."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"input {name} must be numbers: {error}") from None
    if array.shape == shape:
        array = array[None]
    elif array.shape[1:] != shape:
        raise ArgumentError(
            f"input {name} must have shape {shape} or (N, *{shape}), got {array.shape}"
        )
    overlaps = any(np.may_share_memory(array, output) for output in outputs)
    usable = array.flags.aligned and array[:1].flags.c_contiguous and array.strides[0] % 8 == 0
    return array.copy(order="C") if overlaps or not usable else array


def _common_rows(signature: Signature, inputs: Sequence[Floats], outputs: Sequence[Floats]) -> int:
    """Return N: that of the outputs, which every input of several rows must share."""
    names = [name for name, _ in signature.outputs] + [name for name, _ in signature.inputs]
    sizes = [len(array) for array in outputs] or [max(map(len, inputs), default=0)]
    rows = sizes[0]
    sizes += [rows if len(array) == 1 else len(array) for array in inputs]
    if any(size != rows for size in sizes):
        listed = ", ".join(f"{n} {s}" for n, s in zip(names, sizes, strict=False))
        raise ArgumentError(f"rows of {signature.name} do not agree: {listed}")
    return rows
