"""Python functions round the addresses of compiled calls."""

from __future__ import annotations

import ctypes
import importlib
import struct
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.lib import NumpyVersion

from robodyn_ros.kernels.kept_inputs import KeptInputs
from robodyn_ros.kernels.layout import ObjectLayout
from robodyn_ros.kernels.rows import PROCESS
from robodyn_ros.kernels.table import NO_ROWS, TABLE

_METH_FASTCALL = 0x0080
_METH_KEYWORDS = 0x0002
_ARRAY_TYPE = 2
_PYARRAY_NEW = 93
"""Slots of NumPy's C API table, which only ever grows."""
_KNOWN_INTERFACES = (0x01000009, 0x02000000)
"""What PyArray_GetNDArrayCVersion (slot 0) says in NumPy 1 and 2."""
_OUT = sys.intern("out")


class _MethodDefinition(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


@cache
def _address_table(layout: ObjectLayout) -> bytes | None:
    """Return the addresses that `TABLE` names, or None where NumPy's API is not as known."""
    core: Any = importlib.import_module(
        "numpy._core._multiarray_umath"
        if NumpyVersion(np.__version__) >= "2.0.0"
        else "numpy.core._multiarray_umath"
    )
    python = ctypes.pythonapi
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", python)
    )
    slots = ctypes.cast(pointer(core._ARRAY_API, None), ctypes.POINTER(ctypes.c_void_p))
    binary_interface = ctypes.CFUNCTYPE(ctypes.c_uint)(slots[0])()
    if binary_interface not in _KNOWN_INTERFACES or slots[_ARRAY_TYPE] != id(np.ndarray):
        return None
    functions = {
        "retain": python.Py_IncRef,
        "release": python.Py_DecRef,
        "number": python.PyLong_FromLongLong,
        "call_python": (
            python.PyObject_Vectorcall if layout.keywords else python.PyObject_VectorcallDict
        ),
        "create": python.PyObject_CallNoArgs,
        "set_attribute": python.PyObject_SetAttr,
        "save_thread": python.PyEval_SaveThread,
        "restore_thread": python.PyEval_RestoreThread,
    }
    addresses = {
        "array_type": id(np.ndarray),
        "float64": id(np.dtype(np.float64)),
        "none": id(None),
        "out": id(_OUT),
        "new_array": slots[_PYARRAY_NEW],
        "process": ctypes.addressof(PROCESS),
        **{name: _address(function) for name, function in functions.items()},
    }
    return struct.pack(f"{len(TABLE)}P", *(addresses[name] for name in TABLE))


def _address(function: Any) -> int | None:
    return ctypes.cast(function, ctypes.c_void_p).value


def native_function(
    address: int,
    layout: ObjectLayout,
    fallback: Callable[..., Any],
    wrap: tuple[type, str] | None,
    kept: KeptInputs,
    name: str,
    *owners: object,
    rows: int = NO_ROWS,
) -> Callable[..., Any] | None:
    """Return the function at `address` (see :mod:`trampoline`) as a Python callable.

    `wrap` is the class of its results and the attribute that takes the array; `rows` is what it may
    do with a batch, see :mod:`table`. The callable keeps `fallback`, `kept` and `owners` (the code
    itself) alive. None where NumPy's C API is not what it should be.
    """
    table = _address_table(layout)
    if table is None:
        return None
    flags = _METH_FASTCALL | (_METH_KEYWORDS if layout.keywords else 0)
    kind, attribute = wrap or (None, "")
    head = table + struct.pack("q", NO_ROWS if wrap else rows)
    whole = head + kept.to_bytes()
    kept.placed(whole, id(whole) + layout.data + len(head))
    definition = _MethodDefinition(name.encode(), address, flags, b"A compiled kernel.")
    keeper = (whole, fallback, kind, sys.intern(attribute), definition, kept, owners)
    return _function(definition, keeper)


def native_rows(
    address: int, layout: ObjectLayout, name: str, *owners: object
) -> Callable[..., int | None] | None:
    """Return the function ``@rows`` at `address` (see :mod:`row_call`) as a Python callable."""
    table = _address_table(layout)
    if table is None:
        return None
    definition = _MethodDefinition(name.encode(), address, _METH_FASTCALL, b"A compiled batch.")
    return _function(definition, (table, definition, owners))


def _function(definition: _MethodDefinition, keeper: tuple[object, ...]) -> Callable[..., Any]:
    create = ctypes.PYFUNCTYPE(
        ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.py_object
    )(("PyCFunction_NewEx", ctypes.pythonapi))
    # CPython lets go of `self` last of all, so that the definition may live there.
    function: Callable[..., Any] = create(ctypes.addressof(definition), keeper, __name__)
    return function
