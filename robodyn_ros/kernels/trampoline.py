"""The single call as LLVM text: a Python-callable function that calls the kernel at once.

    PyObject *@call(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)

has CPython's METH_FASTCALL | METH_KEYWORDS convention (on Python 3.10, without keywords). It takes
one plain float64 array per input, allocates the result through NumPy and computes into it. Whatever
is out of the ordinary (another number of arguments, keywords, another type, dtype, shape or order
in memory, a refused sample) goes to a Python function, so that errors and conversions are written
in Python.

`self` is a tuple of a bytes object (see :mod:`table`), that Python function, a class and an
attribute's name. With a class the result is a new instance with the array as that attribute, made
here because a Python frame round a small kernel would cost as much as the kernel. With None it is
the array, in the shape of the output where there is only one; then what is no single sample may
also be a batch, see :mod:`row_call`. One code serves calls with any number of inputs bound or left
out.
"""

from __future__ import annotations

from collections.abc import Iterator

from robodyn_ros.kernels.chunk import ChunkPlan, chunk_calls
from robodyn_ros.kernels.layout import FITNESS, ObjectLayout
from robodyn_ros.kernels.program import Program
from robodyn_ros.kernels.table import DOUBLE, KEPT, LEAST, MORE, at, entries, table_of


def call_function(program: Program, plan: ChunkPlan, layout: ObjectLayout) -> str:
    """Return the text of ``@call``; `plan` is the program's for one lane."""
    lines = [*_entry(program, plan, layout)]
    for number, (_, shape) in enumerate(program.signature.inputs):
        lines += _given(number)
        lines += _accept(number, shape, layout)
    lines += _compute(program, plan, layout)
    return "\n".join(lines)


def _entry(program: Program, plan: ChunkPlan, layout: ObjectLayout) -> Iterator[str]:
    keywords = ", ptr %keywords" if layout.keywords else ""
    yield f"define ptr @call(ptr %self, ptr %args, i64 %nargs{keywords}) {{\nentry:"
    yield f"  %slots = alloca double, i64 {max(1, len(plan.slots))}, align 64"
    yield f"  %shape = alloca [{max(1, *map(len, _shapes(program)))} x i64], align 8"
    yield table_of(layout)
    yield entries("array_type", "float64", "none", "new_array", "release", "create")
    yield entries("set_attribute", "call_python")
    yield at("least", "%table", LEAST, "i64")
    yield at("more", "%table", MORE, "i64")
    yield f"  %kept = getelementptr inbounds i8, ptr %table, i64 {KEPT}"
    yield "  %extra = sub i64 %nargs, %least\n  %counted = icmp ule i64 %extra, %more"
    yield f"  %positional = icmp eq ptr {_keywords(layout)}, null"
    yield "  %complete = and i1 %counted, %positional"
    yield "  br i1 %complete, label %input0, label %python"


def _given(number: int) -> Iterator[str]:
    """Take what is kept in the table where an argument is not given."""
    k = number
    yield f"input{k}:"
    yield f"  %ik{k} = getelementptr inbounds ptr, ptr %kept, i64 {k}"
    yield f"  %given{k} = icmp ugt i64 %nargs, {k}"
    yield f"  br i1 %given{k}, label %take{k}, label %keep{k}\nkeep{k}:"
    yield f"  %k{k} = load ptr, ptr %ik{k}"
    yield f"  br label %have{k}"


def _accept(number: int, shape: tuple[int, ...], layout: ObjectLayout) -> Iterator[str]:
    """Check one argument and find its data; anything unusual goes to Python."""
    k = number
    yield f"take{k}:"
    yield f"  %ia{k} = getelementptr inbounds ptr, ptr %args, i64 {k}"
    yield f"  %a{k} = load ptr, ptr %ia{k}"
    yield at(f"type{k}", f"%a{k}", layout.kind, "ptr")
    yield f"  %array{k} = icmp eq ptr %type{k}, %array_type"
    yield f"  br i1 %array{k}, label %look{k}, label %python\nlook{k}:"
    yield at(f"dtype{k}", f"%a{k}", layout.array_dtype, "ptr")
    yield at(f"flags{k}", f"%a{k}", layout.array_flags, "i32", 4)
    yield at(f"ndim{k}", f"%a{k}", layout.array_ndim, "i32", 4)
    yield f"  %real{k} = icmp eq ptr %dtype{k}, %float64"
    yield f"  %kept{k} = and i32 %flags{k}, {FITNESS}"
    yield f"  %fit{k} = icmp eq i32 %kept{k}, {FITNESS}"
    yield f"  %deep{k} = icmp eq i32 %ndim{k}, {len(shape)}"
    yield f"  %both{k} = and i1 %real{k}, %fit{k}"
    yield f"  %all{k} = and i1 %both{k}, %deep{k}"
    yield f"  br i1 %all{k}, label %size{k}x0, label %python"
    for axis, size in enumerate(shape):
        yield f"size{k}x{axis}:"
        yield at(f"dims{k}x{axis}", f"%a{k}", layout.array_dims, "ptr")
        yield f"  %id{k}x{axis} = getelementptr inbounds i64, ptr %dims{k}x{axis}, i64 {axis}"
        yield f"  %d{k}x{axis} = load i64, ptr %id{k}x{axis}"
        yield f"  %same{k}x{axis} = icmp eq i64 %d{k}x{axis}, {size}"
        yield f"  br i1 %same{k}x{axis}, label %size{k}x{axis + 1}, label %python"
    yield f"size{k}x{len(shape)}:"
    yield at(f"g{k}", f"%a{k}", layout.array_data, "ptr")
    yield f"  br label %have{k}\nhave{k}:"
    yield f"  %x{k} = phi ptr [%k{k}, %keep{k}], [%g{k}, %size{k}x{len(shape)}]"
    yield f"  br label %input{k + 1}"


def _compute(program: Program, plan: ChunkPlan, layout: ObjectLayout) -> Iterator[str]:
    """Allocate, compute, and return the result or what Python makes of the arguments."""
    sizes = program.signature.output_sizes
    yield f"input{len(program.signature.inputs)}:"
    yield from _shape(program, layout)
    yield (
        f"  %result = call ptr %new_array(ptr %array_type, i32 %depth, ptr %shape, i32 {DOUBLE}, "
        "ptr null, ptr null, i32 0, i32 0, ptr null)"
    )
    yield "  %failed = icmp eq ptr %result, null"
    yield "  br i1 %failed, label %leave, label %compute\nleave:\n  ret ptr null\ncompute:"
    yield at("y", "%result", layout.array_data, "ptr")
    for k in range(len(sizes)):
        yield f"  %y{k} = getelementptr inbounds double, ptr %y, i64 {sum(sizes[:k])}"
    yield from chunk_calls(program, plan, 1)
    yield "  %guard = load double, ptr %slots\n  %fine = fcmp oeq double %guard, 0.0"
    yield "  br i1 %fine, label %return, label %refuse\nreturn:"
    yield from _wrap(layout)
    yield "refuse:\n  call void %release(ptr %result)\n  br label %python\npython:"
    if len(sizes) == 1:
        function = "@call_rows(ptr %self, "
    else:
        yield at("function", "%self", layout.items + 8, "ptr")
        function = "%call_python(ptr %function, "
    yield f"  %answer = call ptr {function}ptr %args, i64 %nargs, ptr {_keywords(layout)})"
    yield "  ret ptr %answer\n}"


def _shapes(program: Program) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the shape of a result that is wrapped, and of one that is not."""
    outputs, flat = program.signature.outputs, (sum(program.signature.output_sizes),)
    return flat, outputs[0][1] if len(outputs) == 1 else flat


def _shape(program: Program, layout: ObjectLayout) -> Iterator[str]:
    """Set the shape of the result, which depends on whether it is wrapped."""
    yield at("class", "%self", layout.items + 16, "ptr")
    yield "  %bare = icmp eq ptr %class, %none"
    flat, own = _shapes(program)
    yield f"  %depth = select i1 %bare, i32 {len(own)}, i32 {len(flat)}"
    for axis in range(max(len(own), len(flat))):
        sizes = [shape[axis] if axis < len(shape) else 0 for shape in (own, flat)]
        yield f"  %axis{axis} = select i1 %bare, i64 {sizes[0]}, i64 {sizes[1]}"
        yield f"  %is{axis} = getelementptr inbounds i64, ptr %shape, i64 {axis}"
        yield f"  store i64 %axis{axis}, ptr %is{axis}"


def _keywords(layout: ObjectLayout) -> str:
    return "%keywords" if layout.keywords else "null"


def _wrap(layout: ObjectLayout) -> Iterator[str]:
    """Return the array, or an instance of the class in `self` that carries it."""
    yield "  br i1 %bare, label %array, label %wrap"
    yield "array:\n  ret ptr %result\nwrap:"
    yield "  %instance = call ptr %create(ptr %class)"
    yield "  %uncreated = icmp eq ptr %instance, null"
    yield "  br i1 %uncreated, label %drop, label %fill\nfill:"
    yield at("attribute", "%self", layout.items + 24, "ptr")
    yield "  %status = call i32 %set_attribute(ptr %instance, ptr %attribute, ptr %result)"
    yield "  call void %release(ptr %result)\n  %set = icmp eq i32 %status, 0"
    yield "  br i1 %set, label %wrapped, label %unset\nwrapped:\n  ret ptr %instance\nunset:"
    yield "  call void %release(ptr %instance)\n  ret ptr null\ndrop:"
    yield "  call void %release(ptr %result)\n  ret ptr null"
