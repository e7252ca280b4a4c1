"""The batch function of a kernel as LLVM text: rows in, W at a time, rows out.

    i64 @batch(ptr inputs, ptr strides, ptr outputs, ptr workspace, i64 begin, i64 end,
               i64 streaming)

serves rows begin..end and returns how many of them were refused; all outputs of those are NaN.
`inputs` and `outputs` are tables of addresses; strides count doubles, and 0 repeats one row.
The last turn repeats its last row in the lanes it does not need.

Results go straight into the outputs, except where fewer than W rows are left, and except with
`streaming`: then some turns' rows are collected in the workspace and go out by non-temporal stores,
which write whole cache lines without reading them first and leave the cache to the kernel. It pays
where the outputs are larger than the cache.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from robodyn_ros.kernels.chunk import ChunkPlan, chunk_calls
from robodyn_ros.kernels.lanes import Lanes
from robodyn_ros.kernels.moves import MOVES, gather_function
from robodyn_ros.kernels.program import Program

BLOCK = 96 << 10
"""Bytes of outputs that are collected before they stream out: they should stay in a near cache. In
a longer run fewer lines are written in two parts."""
LONGEST = 16
"""Turns that are collected at most."""


def batch_functions(program: Program, plan: ChunkPlan, lanes: Lanes, fence: str) -> str:
    """Return the text of ``@batch`` and of what it calls besides the chunks.

    Args:
        program: With a guard (see :mod:`check`).
        plan: Its chunks, for tiles as wide as `lanes`.
        lanes: The samples of a turn.
        fence: The statement that orders streaming stores before what follows; may be empty.
    """
    layout = Workspace(program, plan, lanes)
    lines = [*_head(program, layout), *_block(program, layout), *_turn(program, plan, layout)]
    lines += [*_refusals(program, lanes), *_foot(program, fence)]
    return "\n".join([gather_function(lanes), MOVES, *lines])


class Workspace:
    """Where things lie in a workspace: inputs and slots W lanes each, then rows of each output.

    Attributes:
        lanes: The samples of a turn.
        rows: Of each output that there is room for.
        slots: Offset (bytes) of the values that cross between chunks; the guard comes first. The
            inputs are at 0.
        outputs: Offset of each output.
        size: Of the whole (bytes).
    """

    def __init__(self, program: Program, plan: ChunkPlan, lanes: Lanes) -> None:
        """Lay out the workspace of `program`; every part begins at a multiple of 64."""
        sizes = program.signature.output_sizes
        turn = max(1, lanes.bytes * sum(sizes))
        self.lanes = lanes
        self.rows = lanes.width * max(1, min(LONGEST, BLOCK // turn))
        self.slots = _line(lanes.bytes * sum(program.signature.input_sizes))
        begin = self.slots + _line(lanes.bytes * len(plan.slots))
        ends = itertools.accumulate((_line(8 * self.rows * n) for n in sizes), initial=begin)
        *self.outputs, self.size = ends


def _line(size: int) -> int:
    return (size + 63) // 64 * 64


def _head(program: Program, layout: Workspace) -> Iterator[str]:
    """Begin the function: what never changes."""
    yield (
        "define internal i64 @batch(ptr %inputs, ptr %strides, ptr %outputs, ptr %workspace, "
        "i64 %begin, i64 %end, i64 %streaming) {\nentry:\n  %last = sub i64 %end, 1"
    )
    yield "  %stream = icmp ne i64 %streaming, 0"
    yield f"  %size = select i1 %stream, i64 {layout.rows}, i64 {layout.lanes.width}"
    yield f"  %slots = getelementptr inbounds i8, ptr %workspace, i64 {layout.slots}"
    start = 0
    for k, size in enumerate(program.signature.input_sizes):
        yield f"  %pi{k} = getelementptr inbounds ptr, ptr %inputs, i64 {k}"
        yield f"  %in{k} = load ptr, ptr %pi{k}"
        yield f"  %ps{k} = getelementptr inbounds i64, ptr %strides, i64 {k}"
        yield f"  %stride{k} = load i64, ptr %ps{k}"
        yield f"  %x{k} = getelementptr inbounds {layout.lanes.real}, ptr %workspace, i64 {start}"
        start += size
    for k, offset in enumerate(layout.outputs):
        yield f"  %po{k} = getelementptr inbounds ptr, ptr %outputs, i64 {k}"
        yield f"  %out{k} = load ptr, ptr %po{k}"
        yield f"  %own{k} = getelementptr inbounds i8, ptr %workspace, i64 {offset}"
    yield "  br label %blocks"


def _block(program: Program, layout: Workspace) -> Iterator[str]:
    """Begin a block: the rows that are delivered together, one turn if not streaming."""
    yield "blocks:\n  %first = phi i64 [%begin, %entry], [%stop, %advance]"
    yield "  %bad = phi i64 [0, %entry], [%bad2, %advance]"
    yield "  %going = icmp slt i64 %first, %end\n  br i1 %going, label %block, label %done\nblock:"
    yield "  %until = add i64 %first, %size\n  %short = icmp sgt i64 %until, %end"
    yield "  %stop = select i1 %short, i64 %end, i64 %until\n  %rows = sub i64 %stop, %first"
    yield "  %own = or i1 %stream, %short\n  %direct = xor i1 %own, true"
    for k, size in enumerate(program.signature.output_sizes):
        yield f"  %o{k} = mul i64 %first, {size}"
        yield f"  %to{k} = getelementptr inbounds double, ptr %out{k}, i64 %o{k}"
        yield f"  %base{k} = select i1 %direct, ptr %to{k}, ptr %own{k}"
    yield "  br label %turn"


def _turn(program: Program, plan: ChunkPlan, layout: Workspace) -> Iterator[str]:
    """Compute W rows, into the outputs or into the workspace."""
    yield "turn:\n  %row = phi i64 [%first, %block], [%next, %judged]"
    yield "  %bad1 = phi i64 [%bad, %block], [%bad2, %judged]"
    yield f"  %next = add i64 %row, {layout.lanes.width}\n  %left = sub i64 %stop, %row"
    for k, size in enumerate(program.signature.input_sizes):
        yield (
            f"  call void @gather(ptr %in{k}, i64 %stride{k}, i64 %row, i64 %last, i64 {size}, "
            f"ptr %x{k})"
        )
    yield "  %done_rows = sub i64 %row, %first"
    for k, size in enumerate(program.signature.output_sizes):
        yield f"  %p{k} = mul i64 %done_rows, {size}"
        yield f"  %y{k} = getelementptr inbounds double, ptr %base{k}, i64 %p{k}"
    yield from chunk_calls(program, plan, layout.lanes.width)


def _refusals(program: Program, lanes: Lanes) -> Iterator[str]:
    """Fill the rows that the guard refuses with NaN and count them."""
    width, real = lanes.width, lanes.real
    yield f"  %guard = load {real}, ptr %slots, align {lanes.bytes}"
    yield f"  %fine = fcmp oeq {real} %guard, {lanes.number(0.0)}"
    yield f"  %bits = bitcast {lanes.mask} %fine to i{width}"
    yield f"  %good = icmp eq i{width} %bits, -1"
    yield "  br i1 %good, label %judged, label %lanes\nlanes:"
    yield "  %lane = phi i64 [0, %turn], [%lane1, %seen]"
    yield "  %count = phi i64 [%bad1, %turn], [%count1, %seen]"
    yield f"  %inside = icmp slt i64 %lane, {width}\n  %real = icmp slt i64 %lane, %left"
    yield "  %ask = and i1 %inside, %real\n  br i1 %ask, label %look, label %judged\nlook:"
    yield "  %pg = getelementptr inbounds double, ptr %slots, i64 %lane"
    yield "  %g = load double, ptr %pg, align 8\n  %ok = fcmp oeq double %g, 0.0"
    yield "  br i1 %ok, label %seen, label %refuse\nrefuse:"
    for k, size in enumerate(program.signature.output_sizes):
        yield f"  %r{k} = mul i64 %lane, {size}"
        yield f"  %row{k} = getelementptr inbounds double, ptr %y{k}, i64 %r{k}"
        yield f"  call void @poison(ptr %row{k}, i64 {size})"
    yield "  br label %seen\nseen:\n  %one = phi i64 [0, %look], [1, %refuse]"
    yield "  %count1 = add i64 %count, %one\n  %lane1 = add i64 %lane, 1\n  br label %lanes"
    yield "judged:\n  %bad2 = phi i64 [%bad1, %turn], [%count, %lanes]"
    yield "  %more = icmp slt i64 %next, %stop\n  br i1 %more, label %turn, label %deliver"


def _foot(program: Program, fence: str) -> Iterator[str]:
    """Deliver what lies in the workspace, go on, and end."""
    yield "deliver:\n  br i1 %direct, label %advance, label %copy\ncopy:"
    for k, size in enumerate(program.signature.output_sizes):
        yield f"  %n{k} = mul i64 %rows, {size}"
        yield f"  call void @deliver(ptr %to{k}, ptr %own{k}, i64 %n{k}, i1 %stream)"
    yield "  br label %advance\nadvance:\n  br label %blocks\ndone:"
    yield f"  {fence}\n  ret i64 %bad\n}}"
