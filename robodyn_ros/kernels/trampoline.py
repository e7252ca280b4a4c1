"""The single call as LLVM text: a Python-callable function that calls the kernel at once.

    PyObject *@call(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)

has CPython's METH_FASTCALL | METH_KEYWORDS convention (on Python 3.10, without keywords). It takes
one plain float64 array per input, allocates the result through NumPy and computes into it. Whatever
is out of the ordinary (another number of arguments, keywords, another type, dtype, shape or order
in memory, a refused sample) goes to a Python function, so that errors and conversions are written
in Python.

No address is part of the code, so that it can be kept on disk: `self` is a tuple of a bytes object
with the addresses of `TABLE`, of that Python function, and of a class and an attribute's name: the
result is then a new instance with the array as that attribute, made here because a Python frame
round a small kernel would cost as much as the kernel. With None for the class it is the array.
"""

from __future__ import annotations

from collections.abc import Iterator

from robodyn_ros.kernels.chunk import ChunkPlan, chunk_calls
from robodyn_ros.kernels.layout import FITNESS, ObjectLayout
from robodyn_ros.kernels.program import Program

TABLE = (
    "array_type",
    "float64",
    "none",
    "new_array",
    "release",
    "call_python",
    "create",
    "set_attribute",
)
"""What the addresses in `self` are: NumPy's ndarray type and float64 dtype objects, None,
PyArray_New, Py_DecRef, PyObject_Vectorcall (PyObject_VectorcallDict without keywords),
PyObject_CallNoArgs, PyObject_SetAttr."""

_DOUBLE = 12
"""NumPy's type number of float64."""


def call_function(program: Program, plan: ChunkPlan, layout: ObjectLayout) -> str:
    """Return the text of ``@call``; `plan` is the program's for one lane."""
    lines = [*_entry(program, plan, layout)]
    for number, (_, shape) in enumerate(program.signature.inputs):
        lines += _accept(number, shape, layout)
    lines += _compute(program, plan, layout)
    return "\n".join(lines)


def _entry(program: Program, plan: ChunkPlan, layout: ObjectLayout) -> Iterator[str]:
    keywords = ", ptr %keywords" if layout.keywords else ""
    yield f"define ptr @call(ptr %self, ptr %args, i64 %nargs{keywords}) {{\nentry:"
    yield f"  %slots = alloca double, i64 {max(1, len(plan.slots))}, align 64"
    yield "  %shape = alloca i64, align 8"
    yield f"  %items = getelementptr inbounds i8, ptr %self, i64 {layout.items}"
    yield "  %bytes = load ptr, ptr %items"
    yield f"  %table = getelementptr inbounds i8, ptr %bytes, i64 {layout.data}"
    for index, name in enumerate(TABLE):
        yield f"  %p_{name} = getelementptr inbounds ptr, ptr %table, i64 {index}"
        yield f"  %{name} = load ptr, ptr %p_{name}"
    yield f"  %counted = icmp eq i64 %nargs, {len(program.signature.inputs)}"
    yield f"  %positional = icmp eq ptr {_keywords(layout)}, null"
    yield "  %complete = and i1 %counted, %positional"
    yield "  br i1 %complete, label %input0, label %python"


def _accept(number: int, shape: tuple[int, ...], layout: ObjectLayout) -> Iterator[str]:
    """Check one argument and find its data; anything unusual goes to Python."""
    k = number
    yield f"input{k}:"
    yield f"  %ia{k} = getelementptr inbounds ptr, ptr %args, i64 {k}"
    yield f"  %a{k} = load ptr, ptr %ia{k}"
    yield from _field(f"type{k}", f"%a{k}", layout.kind, "ptr")
    yield f"  %array{k} = icmp eq ptr %type{k}, %array_type"
    yield f"  br i1 %array{k}, label %look{k}, label %python\nlook{k}:"
    yield from _field(f"dtype{k}", f"%a{k}", layout.array_dtype, "ptr")
    yield from _field(f"flags{k}", f"%a{k}", layout.array_flags, "i32")
    yield from _field(f"ndim{k}", f"%a{k}", layout.array_ndim, "i32")
    yield f"  %real{k} = icmp eq ptr %dtype{k}, %float64"
    yield f"  %kept{k} = and i32 %flags{k}, {FITNESS}"
    yield f"  %fit{k} = icmp eq i32 %kept{k}, {FITNESS}"
    yield f"  %deep{k} = icmp eq i32 %ndim{k}, {len(shape)}"
    yield f"  %both{k} = and i1 %real{k}, %fit{k}"
    yield f"  %all{k} = and i1 %both{k}, %deep{k}"
    yield f"  br i1 %all{k}, label %size{k}x0, label %python"
    for axis, size in enumerate(shape):
        yield f"size{k}x{axis}:"
        yield from _field(f"dims{k}x{axis}", f"%a{k}", layout.array_dims, "ptr")
        yield f"  %id{k}x{axis} = getelementptr inbounds i64, ptr %dims{k}x{axis}, i64 {axis}"
        yield f"  %d{k}x{axis} = load i64, ptr %id{k}x{axis}"
        yield f"  %same{k}x{axis} = icmp eq i64 %d{k}x{axis}, {size}"
        yield f"  br i1 %same{k}x{axis}, label %size{k}x{axis + 1}, label %python"
    yield f"size{k}x{len(shape)}:"
    yield from _field(f"x{k}", f"%a{k}", layout.array_data, "ptr")
    yield f"  br label %input{k + 1}"


def _field(name: str, subject: str, offset: int, kind: str) -> Iterator[str]:
    yield f"  %at_{name} = getelementptr inbounds i8, ptr {subject}, i64 {offset}"
    yield f"  %{name} = load {kind}, ptr %at_{name}"


def _compute(program: Program, plan: ChunkPlan, layout: ObjectLayout) -> Iterator[str]:
    """Allocate, compute, and return the result or what Python makes of the arguments."""
    sizes = program.signature.output_sizes
    yield f"input{len(program.signature.inputs)}:"
    yield f"  store i64 {sum(sizes)}, ptr %shape"
    yield (
        f"  %result = call ptr %new_array(ptr %array_type, i32 1, ptr %shape, i32 {_DOUBLE}, "
        "ptr null, ptr null, i32 0, i32 0, ptr null)"
    )
    yield "  %failed = icmp eq ptr %result, null"
    yield "  br i1 %failed, label %leave, label %compute\nleave:\n  ret ptr null\ncompute:"
    yield from _field("y", "%result", layout.array_data, "ptr")
    for k in range(len(sizes)):
        yield f"  %y{k} = getelementptr inbounds double, ptr %y, i64 {sum(sizes[:k])}"
    yield from chunk_calls(program, plan, 1)
    yield "  %guard = load double, ptr %slots\n  %fine = fcmp oeq double %guard, 0.0"
    yield "  br i1 %fine, label %return, label %refuse\nreturn:"
    yield from _wrap(layout)
    yield "refuse:\n  call void %release(ptr %result)\n  br label %python\npython:"
    yield from _field("function", "%self", layout.items + 8, "ptr")
    yield "  %answer = call ptr %call_python(ptr %function, ptr %args, i64 %nargs, "
    yield f"    ptr {_keywords(layout)})\n  ret ptr %answer\n}}"


def _keywords(layout: ObjectLayout) -> str:
    return "%keywords" if layout.keywords else "null"


def _wrap(layout: ObjectLayout) -> Iterator[str]:
    """Return the array, or an instance of the class in `self` that carries it."""
    yield from _field("class", "%self", layout.items + 16, "ptr")
    yield "  %bare = icmp eq ptr %class, %none\n  br i1 %bare, label %array, label %wrap"
    yield "array:\n  ret ptr %result\nwrap:"
    yield "  %instance = call ptr %create(ptr %class)"
    yield "  %uncreated = icmp eq ptr %instance, null"
    yield "  br i1 %uncreated, label %drop, label %fill\nfill:"
    yield from _field("attribute", "%self", layout.items + 24, "ptr")
    yield "  %status = call i32 %set_attribute(ptr %instance, ptr %attribute, ptr %result)"
    yield "  call void %release(ptr %result)\n  %set = icmp eq i32 %status, 0"
    yield "  br i1 %set, label %wrapped, label %unset\nwrapped:\n  ret ptr %instance\nunset:"
    yield "  call void %release(ptr %instance)\n  ret ptr null\ndrop:"
    yield "  call void %release(ptr %result)\n  ret ptr null"
