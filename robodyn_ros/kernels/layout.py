"""Where the interpreter and NumPy keep the fields that a compiled call reads.

The offsets are those of CPython's and NumPy's public structures. They are not trusted: `measured`
reads known objects through them and compares with what Python says of these objects.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

FITNESS = 0x0001 | 0x0100
"""NumPy's flags C_CONTIGUOUS and ALIGNED."""
WRITABLE = 0x0400
"""NumPy's flag WRITEABLE."""


@dataclass(frozen=True)
class ObjectLayout:
    """Offsets in bytes from the start of an object.

    Attributes:
        kind: A PyObject's pointer to its type.
        size: A tuple's number of items.
        items: A tuple's first item.
        data: A bytes object's first byte.
        array_data: An array's address of its data; behind it follow its other fields.
        keywords: Whether the interpreter has a function that passes keywords on (from 3.11).
    """

    kind: int = object.__basicsize__ - 8
    size: int = object.__basicsize__
    items: int = tuple.__basicsize__
    data: int = bytes.__basicsize__ - 1
    array_data: int = object.__basicsize__
    keywords: bool = hasattr(ctypes.pythonapi, "PyObject_Vectorcall")

    @property
    def array_ndim(self) -> int:
        """An array's number of dimensions, a C int."""
        return self.array_data + 8

    @property
    def array_dims(self) -> int:
        """An array's address of its shape."""
        return self.array_data + 16

    @property
    def array_dtype(self) -> int:
        """An array's pointer to its dtype object."""
        return self.array_data + 40

    @property
    def array_flags(self) -> int:
        """An array's flags, a C int."""
        return self.array_data + 48


@cache
def is_trustworthy(layout: ObjectLayout) -> bool:
    """Return whether this interpreter and NumPy keep their fields where `layout` says."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    return struct.calcsize("P") == 8 and all(check(layout) for check in _CHECKS)


def _read(subject: Any, offset: int, kind: Any = ctypes.c_void_p) -> Any:
    return kind.from_address(id(subject) + offset).value


def _tuple_and_bytes(layout: ObjectLayout) -> bool:
    text = b"seven bytes and more"
    pair = (text, layout)
    return (
        _read(pair, layout.kind) == id(tuple)
        and _read(pair, layout.size) == len(pair)
        and _read(pair, layout.items) == id(text)
        and _read(pair, layout.items + 8) == id(layout)
        and ctypes.string_at(id(text) + layout.data, len(text)) == text
    )


def _arrays(layout: ObjectLayout) -> bool:
    samples = [
        np.arange(6.0)[1:],
        np.zeros((2, 3)),
        np.zeros((4, 3))[::2],
        np.array(1.5),
        np.zeros((3, 0)),
        np.zeros(3, dtype=np.float32),
        np.frombuffer(bytes(33), dtype=np.uint8)[1:].view(np.float64),
        np.broadcast_to(np.zeros(3), (1, 3)),
    ]
    return all(_array(layout, array) for array in samples)


def _array(layout: ObjectLayout, array: np.ndarray[Any, Any]) -> bool:
    """Compare field by field; an address is followed only after all else was right."""
    flags = _read(array, layout.array_flags, ctypes.c_int)
    fit = array.flags.c_contiguous and array.flags.aligned
    dims, strides = _read(array, layout.array_dims), _read(array, layout.array_dims + 8)
    return bool(
        _read(array, layout.kind) == id(np.ndarray)
        and _read(array, layout.array_data) == array.ctypes.data
        and _read(array, layout.array_ndim, ctypes.c_int) == array.ndim
        and _read(array, layout.array_dtype) == id(array.dtype)
        and (flags & FITNESS == FITNESS) == fit
        and (flags & WRITABLE == WRITABLE) == array.flags.writeable
        and (array.ndim == 0 or strides - dims == 8 * array.ndim)
        and _numbers(dims, array.ndim) == array.shape
    )


def _numbers(address: int, count: int) -> tuple[int, ...]:
    return tuple(ctypes.c_ssize_t.from_address(address + 8 * k).value for k in range(count))


def _read_address(array: np.ndarray[Any, Any]) -> int:
    return ctypes.c_void_p.from_address(id(array) + ObjectLayout.array_data).value or 0


def _ask_address(array: np.ndarray[Any, Any]) -> int:
    return array.ctypes.data


def address_reader() -> Callable[[np.ndarray[Any, Any]], int]:
    """Return a function that says where an array's data lies.

    It does what ``array.ctypes.data`` does, several times faster where it can.
    """
    return _read_address if is_trustworthy(ObjectLayout()) else _ask_address


_CHECKS: tuple[Callable[[ObjectLayout], bool], ...] = (_tuple_and_bytes, _arrays)
