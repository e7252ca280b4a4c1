"""What compiled functions find in their `self`, as LLVM text.

`self` is a tuple of a bytes object, a Python function, a class and an attribute's name; see
:mod:`trampoline`. The bytes object is a table: the addresses that `TABLE` names; what may be done
with a batch (`NO_ROWS` and its like); the least number of arguments of a call and how many more may
be given; then for each input the address of the data that serve where no argument is given. So no
address is part of the code, which can be kept on disk.
"""

from __future__ import annotations

from robodyn_ros.kernels.layout import ObjectLayout

TABLE = (
    "array_type",
    "float64",
    "none",
    "out",
    "new_array",
    "retain",
    "release",
    "number",
    "call_python",
    "create",
    "set_attribute",
    "save_thread",
    "restore_thread",
    "process",
)
"""NumPy's ndarray type and float64 dtype objects, None, the string "out"; PyArray_New, Py_IncRef,
Py_DecRef, PyLong_FromLongLong, PyObject_Vectorcall (PyObject_VectorcallDict without keywords),
PyObject_CallNoArgs, PyObject_SetAttr, PyEval_SaveThread, PyEval_RestoreThread; and the one
:data:`rows.PROCESS`."""

MODE = 8 * len(TABLE)
LEAST, MORE, KEPT = MODE + 8, MODE + 16, MODE + 24
"""Offsets of what is behind the addresses."""

NO_ROWS, NEW_ROWS, ANY_ROWS = range(3)
"""A single call leaves all batches to Python; serves those whose result it allocates; also fills
arrays that a caller gives."""

DOUBLE = 12
"""NumPy's type number of float64."""


def at(name: str, base: str, offset: int, kind: str = "", align: int = 8) -> str:
    """Return the lines that name an address ``%p_<name>`` and, of a `kind`, load ``%<name>``."""
    line = f"  %p_{name} = getelementptr inbounds i8, ptr {base}, i64 {offset}"
    return f"{line}\n  %{name} = load {kind}, ptr %p_{name}, align {align}" if kind else line


def table_of(layout: ObjectLayout) -> str:
    """Return the lines that find ``%table`` in ``%self``."""
    found = at("bytes", "%self", layout.items, "ptr")
    return f"{found}\n  %table = getelementptr inbounds i8, ptr %bytes, i64 {layout.data}"


def entries(*names: str) -> str:
    """Return the lines that load addresses from ``%table``, each under its name."""
    return "\n".join(at(name, "%table", 8 * TABLE.index(name), "ptr") for name in names)
