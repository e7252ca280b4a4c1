"""Checking the arrays of a batch as LLVM text: which data, how many rows, in place or not at all.

``@accept_inputs`` and ``@accept_result`` take plain, aligned, C-contiguous float64 arrays, outputs
also writable and apart from all inputs, and refuse all else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from robodyn_ros.kernels.layout import FITNESS, WRITABLE, ObjectLayout
from robodyn_ros.kernels.program import Program
from robodyn_ros.kernels.signature import Port
from robodyn_ros.kernels.table import KEPT, at, entries

Lines: TypeAlias = Iterator[str]

UNFIT, SINGLE = -1, -2
"""Instead of a number of rows: of what is out of the ordinary, and of a sample without an axis for
rows."""


def row_argument_functions(program: Program, layout: ObjectLayout) -> str:
    """Return the text of the functions above, and of ``@input<k>``, ``@output<k>``: the shapes."""
    signature = program.signature
    lines = [*_shapes("input", signature.inputs), *_shapes("output", signature.outputs)]
    lines += [_rows_of(layout), _accept_result(len(signature.inputs), layout)]
    return "\n".join([*lines, *_accept_inputs(program, layout)])


def _shapes(side: str, ports: tuple[Port, ...]) -> Lines:
    for k, (_, shape) in enumerate(ports):
        sizes = ", ".join(f"i64 {size}" for size in shape)
        yield f"@{side}{k} = internal constant [{len(shape)} x i64] [{sizes}]"


def _rows_of(layout: ObjectLayout) -> str:
    """Return the number of an array's rows of a shape, SINGLE for the bare shape, or UNFIT."""
    return f"""
define internal i64 @rows_of(ptr %table, ptr %array, i32 %depth, ptr %shape, i32 %fitness)
    noinline {{
entry:
{entries("array_type", "float64")}
{at("kind", "%array", layout.kind, "ptr")}
  %plain = icmp eq ptr %kind, %array_type
  br i1 %plain, label %look, label %unfit
look:
{at("dtype", "%array", layout.array_dtype, "ptr")}
{at("flags", "%array", layout.array_flags, "i32", 4)}
{at("ndim", "%array", layout.array_ndim, "i32", 4)}
{at("dims", "%array", layout.array_dims, "ptr")}
  %real = icmp eq ptr %dtype, %float64
  %kept = and i32 %flags, %fitness
  %orderly = icmp eq i32 %kept, %fitness
  %extra = sub i32 %ndim, %depth
  %deep = icmp ule i32 %extra, 1
  %both = and i1 %real, %orderly
  %all = and i1 %both, %deep
  br i1 %all, label %sizes, label %unfit
sizes:
  %lead = zext i32 %extra to i64
  %axes = zext i32 %depth to i64
  br label %axis
axis:
  %j = phi i64 [0, %sizes], [%j1, %compare]
  %more = icmp slt i64 %j, %axes
  br i1 %more, label %compare, label %fit
compare:
  %place = add i64 %j, %lead
  %p_own = getelementptr inbounds i64, ptr %dims, i64 %place
  %own = load i64, ptr %p_own, align 8
  %p_wanted = getelementptr inbounds i64, ptr %shape, i64 %j
  %wanted = load i64, ptr %p_wanted, align 8
  %same = icmp eq i64 %own, %wanted
  %j1 = add i64 %j, 1
  br i1 %same, label %axis, label %unfit
fit:
  %batched = icmp eq i32 %extra, 1
  br i1 %batched, label %count, label %single
count:
  %rows = load i64, ptr %dims, align 8
  ret i64 %rows
single:
  ret i64 {SINGLE}
unfit:
  ret i64 {UNFIT}
}}"""


def _accept_result(inputs: int, layout: ObjectLayout) -> str:
    """Return what ``@rows_of`` says of an output that lies over no input, and note its data."""
    return f"""
define internal i64 @accept_result(ptr %table, ptr %array, i32 %depth, ptr %shape, i64 %size,
    ptr %begins, ptr %ends, ptr %place) noinline {{
entry:
  %rows = call i64 @rows_of(ptr %table, ptr %array, i32 %depth, ptr %shape,
    i32 {FITNESS | WRITABLE})
  %unfit = icmp eq i64 %rows, {UNFIT}
  br i1 %unfit, label %refuse, label %look
look:
{at("data", "%array", layout.array_data, "ptr")}
  store ptr %data, ptr %place, align 8
  %several = icmp sge i64 %rows, 0
  %count = select i1 %several, i64 %rows, i64 1
  %bytes = mul i64 %count, %size
  %end = getelementptr i8, ptr %data, i64 %bytes
  br label %input
input:
  %k = phi i64 [0, %look], [%k1, %compare]
  %more = icmp slt i64 %k, {inputs}
  br i1 %more, label %compare, label %apart
compare:
  %pb = getelementptr inbounds ptr, ptr %begins, i64 %k
  %from = load ptr, ptr %pb, align 8
  %pe = getelementptr inbounds ptr, ptr %ends, i64 %k
  %to = load ptr, ptr %pe, align 8
  %low = icmp ult ptr %from, %end
  %high = icmp ult ptr %data, %to
  %over = and i1 %low, %high
  %k1 = add i64 %k, 1
  br i1 %over, label %refuse, label %input
apart:
  ret i64 %rows
refuse:
  ret i64 {UNFIT}
}}"""


def _accept_inputs(program: Program, layout: ObjectLayout) -> Lines:
    """Note the data, strides and ends of all inputs; the result is like that of ``@rows_of``."""
    signature = program.signature
    yield (
        "define internal i64 @accept_inputs(ptr %table, ptr %args, i64 %given, ptr %begins, "
        "ptr %strides, ptr %ends) noinline {\nentry:\n  br label %input0"
    )
    ports = zip(signature.inputs, signature.input_sizes, strict=True)
    known, before = str(SINGLE), "entry"
    for k, ((_, shape), size) in enumerate(ports):
        yield f"input{k}:\n  %known{k} = phi i64 [{known}, %{before}]"
        yield f"  %is{k} = icmp ugt i64 %given, {k}\n  br i1 %is{k}, label %take{k}, label %keep{k}"
        yield f"keep{k}:"
        yield at(f"kept{k}", "%table", KEPT + 8 * k, "ptr")
        yield f"  br label %have{k}\ntake{k}:"
        yield at(f"array{k}", "%args", 8 * k, "ptr")
        yield (
            f"  %n{k} = call i64 @rows_of(ptr %table, ptr %array{k}, i32 {len(shape)}, "
            f"ptr @input{k}, i32 {FITNESS})"
        )
        yield f"  %unfit{k} = icmp eq i64 %n{k}, {UNFIT}"
        yield f"  br i1 %unfit{k}, label %refuse, label %found{k}\nfound{k}:"
        yield at(f"data{k}", f"%array{k}", layout.array_data, "ptr")
        yield f"  br label %have{k}\nhave{k}:"
        yield f"  %x{k} = phi ptr [%kept{k}, %keep{k}], [%data{k}, %found{k}]"
        yield f"  %rows{k} = phi i64 [{SINGLE}, %keep{k}], [%n{k}, %found{k}]"
        yield from _noted(k, size)
        known, before = f"%next{k}", f"have{k}"
        yield f"  br i1 %fits{k}, label %input{k + 1}, label %refuse"
    yield f"input{len(signature.inputs)}:\n  %rows = phi i64 [{known}, %{before}]"
    yield f"  ret i64 %rows\nrefuse:\n  ret i64 {UNFIT}\n}}"


def _noted(k: int, size: int) -> Lines:
    """Note one input, which must have as many rows as those before it, if it has rows."""
    yield f"  %several{k} = icmp sge i64 %rows{k}, 0"
    yield f"  %next{k} = select i1 %several{k}, i64 %rows{k}, i64 %known{k}"
    yield f"  %none{k} = icmp slt i64 %known{k}, 0\n  %same{k} = icmp eq i64 %next{k}, %known{k}"
    yield f"  %fits{k} = or i1 %none{k}, %same{k}"
    yield f"  %stride{k} = select i1 %several{k}, i64 {size}, i64 0"
    yield f"  %count{k} = select i1 %several{k}, i64 %rows{k}, i64 1"
    yield f"  %bytes{k} = mul i64 %count{k}, {8 * size}"
    yield f"  %end{k} = getelementptr i8, ptr %x{k}, i64 %bytes{k}"
    for name, table, kind in (("x", "begins", "ptr"), ("stride", "strides", "i64")):
        yield at(f"{table}{k}", f"%{table}", 8 * k)
        yield f"  store {kind} %{name}{k}, ptr %p_{table}{k}, align 8"
    yield at(f"ends{k}", "%ends", 8 * k)
    yield f"  store ptr %end{k}, ptr %p_ends{k}, align 8"
