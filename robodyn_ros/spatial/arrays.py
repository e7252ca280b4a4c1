"""Making arrays of loose values, and joining arrays whose leading (batch) axes may differ."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError

Array = NDArray[Any]


def real_array(name: str, value: ArrayLike) -> NDArray[np.float64]:
    """Return `value` as a float64 array, itself if it is one; masked entries become NaN.

    Raises:
        ArgumentError: text, complex numbers, None or a ragged list, which NumPy would turn into
            numbers with at most a warning, or refuse in words of its own.
    """
    try:
        if isinstance(value, np.ma.MaskedArray):
            value = np.where(value.mask, np.nan, value.data)
        array = np.asarray(value)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"{name} must be an array of numbers: {error}") from None
    entries_are_real = array.dtype.kind in "biuf" or (
        array.dtype == object and all(isinstance(entry, Real) for entry in array.flat)
    )
    if not entries_are_real:
        kind = "objects" if array.dtype == object else array.dtype.name
        raise ArgumentError(f"{name} must be real numbers, got {kind}")
    try:
        return array.astype(np.float64, copy=False)
    except OverflowError as error:
        raise ArgumentError(f"{name} must be numbers that a float64 can hold: {error}") from None


class FrozenArrays:
    """Base of immutable values with arrays: keeps them read-only through pickling and copying."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the state over, its arrays as read-only as the original's."""
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
        self.__dict__.update(state)


def joined(*parts: Array, axis: int = -1) -> Array:
    """Concatenate along `axis` (-1 or -2), the axes before it broadcast against each other."""
    lead = np.broadcast_shapes(*(part.shape[:axis] for part in parts))
    return np.concatenate(
        [np.broadcast_to(part, lead + part.shape[axis:]) for part in parts], axis=axis
    )
