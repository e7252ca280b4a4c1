"""The single call as LLVM text: a Python-callable function that calls the kernel at once.

    PyObject *@call(PyObject *self, PyObject *const *args, Py_ssize_t nargs)

has CPython's METH_FASTCALL convention. It takes one plain float64 array per input, allocates the
result through NumPy and computes into it. Whatever is out of the ordinary (another number of
arguments, type, dtype, shape or order in memory, a refused sample) goes to a Python function, so
that errors and conversions are written in Python.

No address is part of the code, so that it can be kept on disk: `self` is a tuple of a bytes object
with the addresses of `TABLE`, and of that Python function.
"""

from __future__ import annotations

from collections.abc import Iterator

from robodyn_ros.kernels.chunk import ChunkPlan, chunk_calls
from robodyn_ros.kernels.layout import FITNESS, ObjectLayout
from robodyn_ros.kernels.program import Program

TABLE = ("array_type", "float64", "new_array", "release", "call_python")
"""What the addresses in `self` are: NumPy's ndarray type and float64 dtype objects, PyArray_New,
Py_DecRef, PyObject_VectorcallDict."""

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
    yield "define ptr @call(ptr %self, ptr %args, i64 %nargs) {\nentry:"
    yield f"  %slots = alloca double, i64 {max(1, len(plan.slots))}, align 64"
    yield "  %shape = alloca i64, align 8"
    yield f"  %items = getelementptr inbounds i8, ptr %self, i64 {layout.items}"
    yield "  %bytes = load ptr, ptr %items"
    yield f"  %table = getelementptr inbounds i8, ptr %bytes, i64 {layout.data}"
    for index, name in enumerate(TABLE):
        yield f"  %p_{name} = getelementptr inbounds ptr, ptr %table, i64 {index}"
        yield f"  %{name} = load ptr, ptr %p_{name}"
    yield f"  %complete = icmp eq i64 %nargs, {len(program.signature.inputs)}"
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
    yield "  br i1 %fine, label %return, label %refuse\nreturn:\n  ret ptr %result\nrefuse:"
    yield "  call void %release(ptr %result)\n  br label %python\npython:"
    yield f"  %function_at = getelementptr inbounds i8, ptr %self, i64 {layout.items + 8}"
    yield "  %function = load ptr, ptr %function_at"
    yield "  %answer = call ptr %call_python(ptr %function, ptr %args, i64 %nargs, ptr null)"
    yield "  ret ptr %answer\n}"
