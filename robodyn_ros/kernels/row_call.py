"""The batch call as LLVM text: Python-callable functions that serve arrays of rows at once.

    PyObject *@rows(PyObject *self, PyObject *const *args, Py_ssize_t nargs)

has CPython's METH_FASTCALL convention. It takes all inputs and then all outputs, fills these, and
returns how many rows were refused, or None, with nothing written, where anything is out of the
ordinary: then Python checks, converts and says what is wrong.

    PyObject *@call_rows(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)

is where ``@call`` goes with what is no single sample, in a kernel of one output. It takes arrays
with a row for each sample, or of one sample, which all rows share, and perhaps the keyword ``out``
for an array to fill. Whatever it cannot take, and a batch of which a row is refused, goes to the
Python function in `self`.

`self` is that of :mod:`trampoline`. The interpreter lock is released where that pays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from robodyn_ros.kernels.layout import ObjectLayout
from robodyn_ros.kernels.program import Program
from robodyn_ros.kernels.records import Process, Team
from robodyn_ros.kernels.row_arguments import SINGLE, UNFIT, row_argument_functions
from robodyn_ros.kernels.sharing import cost
from robodyn_ros.kernels.table import (
    ANY_ROWS,
    DOUBLE,
    LEAST,
    MODE,
    MORE,
    NO_ROWS,
    at,
    entries,
    table_of,
)

Lines: TypeAlias = Iterator[str]


def row_call_functions(program: Program, layout: ObjectLayout) -> str:
    """Return the text of ``@rows`` and ``@call_rows``; `program` is as it was traced."""
    lines = [row_argument_functions(program, layout), _in_process(cost(program))]
    lines += _rows(program, layout)
    if len(program.signature.outputs) == 1:
        lines += _call_rows(program, layout)
    return "\n".join(lines)


def _in_process(cost: int) -> str:
    """Serve with as many threads as pay, with the lock or without; -1 where Python has to."""
    return f"""
define internal i64 @in_process(ptr %table, ptr %begins, ptr %strides, ptr %results, i64 %rows)
    noinline {{
entry:
{entries("process", "save_thread", "restore_thread")}
  %work = mul i64 %rows, {max(1, cost)}
{at("share", "%process", Process.SHARE, "i64")}
{at("release", "%process", Process.RELEASE, "i64")}
{at("team", "%process", Process.TEAM, "ptr")}
  %shares = udiv i64 %work, %share
  %several = icmp ugt i64 %shares, 1
  br i1 %several, label %helped, label %begin
helped:
  %missing = icmp eq ptr %team, null
  br i1 %missing, label %python, label %count
count:
  %wanted = sub i64 %shares, 1
{at("workers", "%team", Team.WORKERS, "i64")}
  %fewer = icmp ult i64 %wanted, %workers
  %most = select i1 %fewer, i64 %wanted, i64 %workers
  br label %begin
begin:
  %helpers = phi i64 [0, %entry], [%most, %count]
  %long = icmp uge i64 %work, %release
  br i1 %long, label %free, label %hold
free:
  %state = call ptr %save_thread()
  %there = call i64 @serve(ptr %process, ptr %begins, ptr %strides, ptr %results, i64 %rows,
    i64 %helpers)
  call void %restore_thread(ptr %state)
  ret i64 %there
hold:
  %here = call i64 @serve(ptr %process, ptr %begins, ptr %strides, ptr %results, i64 %rows,
    i64 %helpers)
  ret i64 %here
python:
  ret i64 -1
}}"""


def _tables(program: Program) -> Lines:
    inputs, outputs = len(program.signature.inputs), len(program.signature.outputs)
    for name, count in (("begins", inputs), ("strides", inputs), ("ends", inputs)):
        yield f"  %{name} = alloca [{max(1, count)} x i64], align 8"
    yield f"  %results = alloca [{max(1, outputs)} x ptr], align 8"


def _rows(program: Program, layout: ObjectLayout) -> Lines:
    signature = program.signature
    inputs, outputs = len(signature.inputs), len(signature.outputs)
    yield "define ptr @rows(ptr %self, ptr %args, i64 %nargs) {\nentry:"
    yield from _tables(program)
    yield table_of(layout)
    yield entries("none", "retain", "number")
    yield f"  %complete = icmp eq i64 %nargs, {inputs + outputs if outputs else -1}"
    yield "  br i1 %complete, label %sources, label %python\nsources:"
    yield f"  %given = call i64 @accept_inputs(ptr %table, ptr %args, i64 {inputs}, ptr %begins, "
    yield "    ptr %strides, ptr %ends)"
    yield f"  %unfit = icmp eq i64 %given, {UNFIT}"
    yield "  br i1 %unfit, label %python, label %output0"
    known, before = "%given", "sources"
    ports = zip(signature.outputs, signature.output_sizes, strict=True)
    for k, ((_, shape), size) in enumerate(ports):
        yield f"output{k}:\n  %known{k} = phi i64 [{known}, %{before}]"
        yield at(f"array{k}", "%args", 8 * (inputs + k), "ptr")
        yield at(f"place{k}", "%results", 8 * k)
        yield f"  %n{k} = call i64 @accept_result(ptr %table, ptr %array{k}, i32 {len(shape)}, "
        yield f"    ptr @output{k}, i64 {8 * size}, ptr %begins, ptr %ends, ptr %p_place{k})"
        yield f"  %first{k} = icmp eq i64 %known{k}, {SINGLE}"
        yield f"  %same{k} = icmp eq i64 %n{k}, %known{k}"
        yield f"  %agreed{k} = or i1 %first{k}, %same{k}\n  %some{k} = icmp sgt i64 %n{k}, 0"
        yield f"  %fits{k} = and i1 %agreed{k}, %some{k}"
        yield f"  br i1 %fits{k}, label %output{k + 1}, label %python"
        known, before = f"%n{k}", f"output{k}"
    yield f"output{outputs}:\n  %rows = phi i64 [{known}, %{before}]"
    yield "  %refused = call i64 @in_process(ptr %table, ptr %begins, ptr %strides, ptr %results, "
    yield "    i64 %rows)\n  %served = icmp sge i64 %refused, 0"
    yield "  br i1 %served, label %answer, label %python\nanswer:"
    yield "  %count = call ptr %number(i64 %refused)\n  ret ptr %count\npython:"
    yield "  call void %retain(ptr %none)\n  ret ptr %none\n}"


def _call_rows(program: Program, layout: ObjectLayout) -> Lines:
    (_, shape), (size,) = program.signature.outputs[0], program.signature.output_sizes
    yield "define internal ptr @call_rows(ptr %self, ptr %args, i64 %nargs, ptr %keywords) "
    yield "    noinline {\nentry:"
    yield from _tables(program)
    yield f"  %shape = alloca [{1 + len(shape)} x i64], align 8"
    yield table_of(layout)
    yield entries("array_type", "new_array", "release", "retain", "call_python", "out")
    yield from _which_result(layout)
    yield "sources:\n  %filling = phi i1 [false, %positional], [true, %named]"
    yield "  %given = call i64 @accept_inputs(ptr %table, ptr %args, i64 %nargs, ptr %begins, "
    yield "    ptr %strides, ptr %ends)"
    yield f"  %unfit = icmp eq i64 %given, {UNFIT}\n  br i1 %unfit, label %python, label %result"
    yield "result:\n  br i1 %filling, label %fill, label %make\nfill:"
    yield "  %p_theirs = getelementptr inbounds ptr, ptr %args, i64 %nargs"
    yield "  %theirs = load ptr, ptr %p_theirs, align 8"
    yield f"  %n = call i64 @accept_result(ptr %table, ptr %theirs, i32 {len(shape)}, ptr @output0,"
    yield f"    i64 {8 * size}, ptr %begins, ptr %ends, ptr %results)"
    yield "  %agreed = icmp eq i64 %n, %given\n  %empty = icmp eq i64 %n, 0"
    yield f"  %bare = icmp eq i64 %n, {SINGLE}\n  %count = select i1 %bare, i64 1, i64 %n"
    yield "  %some = xor i1 %empty, true\n  %fits = and i1 %agreed, %some"
    yield "  br i1 %fits, label %serve, label %python\nmake:"
    yield from _made(shape, layout)
    yield "serve:\n  %rows = phi i64 [%count, %fill], [%given, %noted]"
    yield "  %array = phi ptr [%theirs, %fill], [%fresh, %noted]"
    yield "  %refused = call i64 @in_process(ptr %table, ptr %begins, ptr %strides, ptr %results, "
    yield "    i64 %rows)\n  %fine = icmp eq i64 %refused, 0"
    yield "  br i1 %fine, label %answer, label %failed\nanswer:"
    yield "  br i1 %filling, label %own, label %leave\nown:\n  call void %retain(ptr %array)"
    yield "  br label %leave\nleave:\n  ret ptr %array\nfailed:"
    yield "  br i1 %filling, label %python, label %drop\ndrop:"
    yield "  call void %release(ptr %array)\n  br label %python\nnothing:\n  ret ptr null\npython:"
    yield at("function", "%self", layout.items + 8, "ptr")
    yield "  %python_answer = call ptr %call_python(ptr %function, ptr %args, i64 %nargs,"
    yield "    ptr %keywords)\n  ret ptr %python_answer\n}"


def _which_result(layout: ObjectLayout) -> Lines:
    """Go to ``%positional`` or ``%named`` where the arguments may be those of a batch."""
    yield at("mode", "%table", MODE, "i64")
    yield at("least", "%table", LEAST, "i64")
    yield at("more", "%table", MORE, "i64")
    yield "  %extra = sub i64 %nargs, %least\n  %counted = icmp ule i64 %extra, %more"
    yield f"  %allowed = icmp ne i64 %mode, {NO_ROWS}\n  %complete = and i1 %counted, %allowed"
    yield "  br i1 %complete, label %asked, label %python\nasked:"
    yield "  %unnamed = icmp eq ptr %keywords, null"
    yield "  br i1 %unnamed, label %positional, label %names\nnames:"
    yield at("keyword_count", "%keywords", layout.size, "i64")
    yield f"  %one = icmp eq i64 %keyword_count, 1\n  %any = icmp eq i64 %mode, {ANY_ROWS}"
    yield "  %both = and i1 %one, %any\n  br i1 %both, label %name, label %python\nname:"
    yield at("keyword", "%keywords", layout.items, "ptr")
    yield "  %is_out = icmp eq ptr %keyword, %out"
    yield "  br i1 %is_out, label %named, label %python"
    yield "positional:\n  br label %sources\nnamed:\n  br label %sources"


def _made(shape: tuple[int, ...], layout: ObjectLayout) -> Lines:
    """Allocate the result of a batch."""
    yield "  %several = icmp sgt i64 %given, 0"
    yield "  br i1 %several, label %allocate, label %python\nallocate:"
    for axis, size in enumerate(("%given", *shape)):
        yield at(f"axis{axis}", "%shape", 8 * axis)
        yield f"  store i64 {size}, ptr %p_axis{axis}, align 8"
    yield (
        f"  %fresh = call ptr %new_array(ptr %array_type, i32 {1 + len(shape)}, ptr %shape, "
        f"i32 {DOUBLE}, ptr null, ptr null, i32 0, i32 0, ptr null)"
    )
    yield "  %failed_to = icmp eq ptr %fresh, null"
    yield "  br i1 %failed_to, label %nothing, label %noted\nnoted:"
    yield at("data", "%fresh", layout.array_data, "ptr")
    yield "  store ptr %data, ptr %results, align 8\n  br label %serve"
