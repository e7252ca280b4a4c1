"""Inputs that a single call need not be given: bound ones never are, defaults may be left out."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError
from robodyn_ros.kernels.layout import address_reader
from robodyn_ros.kernels.signature import Port, Signature

Floats: TypeAlias = NDArray[np.float64]

_address = address_reader()

#: As the least number of inputs: no call has so many.
_NEVER = 2**62


class KeptInputs:
    """Arrays for the last inputs of a kernel, kept alive as long as this object.

    They are read anew at every call: what is written into them later counts.

    Attributes:
        arrays: One for each of the last inputs.
        least: How many inputs a call must be given.
        most: How many it may be given.
    """

    def __init__(
        self, signature: Signature, bound: Sequence[Floats], defaults: Sequence[Floats]
    ) -> None:
        """Keep `bound` for the last inputs and `defaults` for those before them.

        Raises:
            ArgumentError: More arrays than inputs, or one that a call could not use in place.
        """
        self.arrays = (*defaults, *bound)
        self._table: ctypes.c_int64 | None = None
        self.least = len(signature.inputs) - len(self.arrays)
        self.most = len(signature.inputs) - len(bound)
        if self.least < 0:
            raise ArgumentError(
                f"{signature.name} takes {len(signature.inputs)} inputs, but {len(bound)} are bound"
                f" and {len(defaults)} have defaults"
            )
        for port, array in zip(signature.inputs[self.least :], self.arrays, strict=True):
            if not is_plain(port, array):
                raise ArgumentError(
                    f"{signature.name}: what is kept for input {port[0]} must be a C-contiguous,"
                    f" aligned float64 array of shape {port[1]}"
                )

    def retire(self) -> None:
        """Let all later calls go to the fallback: what is kept here is out of date."""
        self.least = _NEVER
        if self._table is not None:
            self._table.value = _NEVER

    def placed(self, owner: object, address: int) -> None:
        """Learn where `to_bytes` lies in memory, which `owner` keeps, for `retire`."""
        self._owner = owner
        self._table = ctypes.c_int64.from_address(address)

    def completed(self, given: Sequence[Any]) -> tuple[Any, ...] | None:
        """Return all inputs of a call; None if too few or too many are given."""
        if not self.least <= len(given) <= self.most:
            return None
        return (*given, *self.arrays[len(given) - self.least :])

    def to_bytes(self) -> bytes:
        """Return the part of the table that :mod:`trampoline` reads."""
        addresses = [0] * self.least + [_address(array) for array in self.arrays]
        return struct.pack(f"2q{len(addresses)}P", self.least, self.most - self.least, *addresses)


def is_plain(port: Port, array: object) -> bool:
    """Return whether a single call can use `array` in place."""
    return (
        type(array) is np.ndarray
        and array.dtype == np.float64
        and array.shape == port[1]
        and array.flags.c_contiguous
        and array.flags.aligned
    )
