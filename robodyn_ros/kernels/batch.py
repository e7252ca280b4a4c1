"""The batch function of a kernel as LLVM text: rows in, W at a time, rows out.

    i64 @batch(ptr inputs, ptr strides, ptr outputs, ptr workspace, i64 begin, i64 end,
               i64 streaming)

serves rows begin..end and returns how many of them were refused; all outputs of those are NaN.
`inputs` and `outputs` are tables of addresses; strides count doubles, and 0 repeats one row.
The last turn repeats its last row in the lanes it does not need.

Results go straight into the outputs, except where fewer than W rows are left, and except with
`streaming`: then W finished rows go through the workspace into non-temporal stores, which write
whole cache lines without reading them first and leave the cache to the kernel. It pays where the
outputs are larger than the cache.
"""

from __future__ import annotations

from collections.abc import Iterator

from robodyn_ros.kernels.chunk import ChunkPlan, chunk_calls
from robodyn_ros.kernels.lanes import Lanes, Lines
from robodyn_ros.kernels.program import Program

_MOVES = """
; Fill `size` doubles with NaN.
define internal void @poison(ptr %to, i64 %size) noinline {
entry:
  br label %loop
loop:
  %j = phi i64 [0, %entry], [%next, %body]
  %more = icmp slt i64 %j, %size
  br i1 %more, label %body, label %done
body:
  %address = getelementptr inbounds double, ptr %to, i64 %j
  store double 0x7FF8000000000000, ptr %address, align 8
  %next = add i64 %j, 1
  br label %loop
done:
  ret void
}

; Copy `size` doubles; with `stream` past the cache, in whole lines of 64 bytes.
define internal void @deliver(ptr noalias %to, ptr noalias %from, i64 %size, i1 %stream) noinline {
entry:
  %bits = ptrtoint ptr %to to i64
  %negative = sub i64 0, %bits
  %odd = and i64 %negative, 63
  %few = lshr i64 %odd, 3
  %short = icmp slt i64 %size, %few
  %least = select i1 %short, i64 %size, i64 %few
  %head = select i1 %stream, i64 %least, i64 %size
  br label %singles
singles:
  %j = phi i64 [0, %entry], [%j1, %single], [%k, %tail]
  %stop = phi i64 [%head, %entry], [%stop, %single], [%size, %tail]
  %more = icmp slt i64 %j, %stop
  br i1 %more, label %single, label %lines
single:
  %a = getelementptr inbounds double, ptr %from, i64 %j
  %v = load double, ptr %a, align 8
  %b = getelementptr inbounds double, ptr %to, i64 %j
  store double %v, ptr %b, align 8
  %j1 = add i64 %j, 1
  br label %singles
lines:
  %k = phi i64 [%j, %singles], [%k1, %line]
  %k1 = add i64 %k, 8
  %fits = icmp sle i64 %k1, %size
  br i1 %fits, label %line, label %tail
line:
  %c = getelementptr inbounds double, ptr %from, i64 %k
  %w = load <8 x double>, ptr %c, align 8
  %d = getelementptr inbounds double, ptr %to, i64 %k
  store <8 x double> %w, ptr %d, align 64, !nontemporal !0
  br label %lines
tail:
  %left = icmp slt i64 %k, %size
  br i1 %left, label %singles, label %done
done:
  ret void
}
!0 = !{i32 1}
"""


def batch_functions(program: Program, plan: ChunkPlan, lanes: Lanes, fence: str) -> str:
    """Return the text of ``@batch`` and of what it calls besides the chunks.

    Args:
        program: With a guard (see :mod:`check`).
        plan: Its chunks, for tiles as wide as `lanes`.
        lanes: The samples of a turn.
        fence: The statement that orders streaming stores before what follows; may be empty.
    """
    layout = Workspace(program, plan, lanes)
    lines = [*_head(program, layout), *_turn(program, plan, layout), *_refusals(program, lanes)]
    lines += _foot(program, lanes, fence)
    return "\n".join([_gather(lanes), _MOVES, *lines])


class Workspace:
    """Where things lie in a workspace: inputs and slots W lanes each, then W rows of each output.

    Attributes:
        inputs: Offset (bytes) of the input entries.
        slots: Of the values that cross between chunks; the guard comes first.
        outputs: Of the W rows of each output.
        size: Of the whole (bytes).
    """

    def __init__(self, program: Program, plan: ChunkPlan, lanes: Lanes) -> None:
        """Lay out the workspace of `program`; every part begins at a multiple of 64."""
        self.lanes = lanes
        self.inputs = 0
        self.slots = _line(lanes.bytes * sum(program.signature.input_sizes))
        offset = self.slots + _line(lanes.bytes * len(plan.slots))
        self.outputs = []
        for size in program.signature.output_sizes:
            self.outputs.append(offset)
            offset += _line(lanes.bytes * size)
        self.size = max(64, offset)


def _line(size: int) -> int:
    return (size + 63) // 64 * 64


def _gather(lanes: Lanes) -> str:
    """Return the text of ``@gather``: `size` entries of W rows, put side by side."""
    body = Lines(lanes)
    rows = []
    for lane in range(lanes.width):
        row = body.new(f"add i64 %first, {lane}")
        inside = body.new(f"icmp sle i64 {row}, %last")
        row = body.new(f"select i1 {inside}, i64 {row}, i64 %last")
        offset = body.new(f"mul i64 {row}, %stride")
        rows.append(body.new(f"getelementptr inbounds double, ptr %from, i64 {offset}"))
    addresses, body.lines = body.lines, []
    value = "undef"
    for lane, row in enumerate(rows):
        entry = body.new(f"getelementptr inbounds double, ptr {row}, i64 %j")
        number = body.new(f"load double, ptr {entry}, align 8")
        value = (
            number
            if lanes.width == 1
            else body.new(f"insertelement {lanes.real} {value}, double {number}, i32 {lane}")
        )
    head = "ptr %from, i64 %stride, i64 %first, i64 %last, i64 %size, ptr noalias %x"
    return "\n".join(
        [
            f"define internal void @gather({head}) noinline {{\nentry:",
            *addresses,
            "  br label %loop\nloop:\n  %j = phi i64 [0, %entry], [%next, %body]",
            "  %more = icmp slt i64 %j, %size\n  br i1 %more, label %body, label %done\nbody:",
            *body.lines,
            f"  %to = getelementptr inbounds {lanes.real}, ptr %x, i64 %j",
            f"  store {lanes.real} {value}, ptr %to, align {lanes.bytes}",
            "  %next = add i64 %j, 1\n  br label %loop\ndone:\n  ret void\n}",
        ]
    )


def _head(program: Program, layout: Workspace) -> Iterator[str]:
    """Begin the function: what does not change from turn to turn."""
    yield (
        "define i64 @batch(ptr %inputs, ptr %strides, ptr %outputs, ptr %workspace, i64 %begin, "
        "i64 %end, i64 %streaming) {\nentry:\n  %last = sub i64 %end, 1"
    )
    yield "  %stream = icmp ne i64 %streaming, 0"
    yield f"  %slots = getelementptr inbounds i8, ptr %workspace, i64 {layout.slots}"
    for k in range(len(program.signature.inputs)):
        yield f"  %pi{k} = getelementptr inbounds ptr, ptr %inputs, i64 {k}"
        yield f"  %in{k} = load ptr, ptr %pi{k}"
        yield f"  %ps{k} = getelementptr inbounds i64, ptr %strides, i64 {k}"
        yield f"  %stride{k} = load i64, ptr %ps{k}"
    for k, offset in enumerate(layout.outputs):
        yield f"  %po{k} = getelementptr inbounds ptr, ptr %outputs, i64 {k}"
        yield f"  %out{k} = load ptr, ptr %po{k}"
        yield f"  %own{k} = getelementptr inbounds i8, ptr %workspace, i64 {offset}"
    yield "  br label %loop"


def _turn(program: Program, plan: ChunkPlan, layout: Workspace) -> Iterator[str]:
    """Compute one turn of W rows, into the outputs or into the workspace."""
    width = layout.lanes.width
    yield "loop:\n  %first = phi i64 [%begin, %entry], [%next, %advance]"
    yield "  %bad = phi i64 [0, %entry], [%bad2, %advance]"
    yield "  %going = icmp slt i64 %first, %end\n  br i1 %going, label %turn, label %done\nturn:"
    yield f"  %next = add i64 %first, {width}\n  %left = sub i64 %end, %first"
    yield f"  %full = icmp sge i64 %left, {width}"
    yield f"  %count = select i1 %full, i64 {width}, i64 %left"
    yield "  %cached = xor i1 %stream, true\n  %direct = and i1 %full, %cached"
    start = 0
    for k, size in enumerate(program.signature.input_sizes):
        yield f"  %x{k} = getelementptr inbounds {layout.lanes.real}, ptr %workspace, i64 {start}"
        yield (
            f"  call void @gather(ptr %in{k}, i64 %stride{k}, i64 %first, i64 %last, i64 {size}, "
            f"ptr %x{k})"
        )
        start += size
    for k, size in enumerate(program.signature.output_sizes):
        yield f"  %o{k} = mul i64 %first, {size}"
        yield f"  %to{k} = getelementptr inbounds double, ptr %out{k}, i64 %o{k}"
        yield f"  %y{k} = select i1 %direct, ptr %to{k}, ptr %own{k}"
    yield from chunk_calls(program, plan, width)


def _refusals(program: Program, lanes: Lanes) -> Iterator[str]:
    """Fill the rows that the guard refuses with NaN and count them."""
    width, real = lanes.width, lanes.real
    yield f"  %guard = load {real}, ptr %slots, align {lanes.bytes}"
    yield f"  %fine = fcmp oeq {real} %guard, {lanes.number(0.0)}"
    yield f"  %bits = bitcast {lanes.mask} %fine to i{width}"
    yield f"  %good = icmp eq i{width} %bits, -1"
    yield "  br i1 %good, label %deliver, label %lanes\nlanes:"
    yield "  %lane = phi i64 [0, %turn], [%lane1, %seen]"
    yield "  %bad0 = phi i64 [%bad, %turn], [%bad1, %seen]"
    yield "  %ask = icmp slt i64 %lane, %count\n  br i1 %ask, label %look, label %deliver\nlook:"
    yield "  %pg = getelementptr inbounds double, ptr %slots, i64 %lane"
    yield "  %g = load double, ptr %pg, align 8\n  %ok = fcmp oeq double %g, 0.0"
    yield "  br i1 %ok, label %seen, label %refuse\nrefuse:"
    for k, size in enumerate(program.signature.output_sizes):
        yield f"  %r{k} = mul i64 %lane, {size}"
        yield f"  %row{k} = getelementptr inbounds double, ptr %y{k}, i64 %r{k}"
        yield f"  call void @poison(ptr %row{k}, i64 {size})"
    yield "  br label %seen\nseen:\n  %one = phi i64 [0, %look], [1, %refuse]"
    yield "  %bad1 = add i64 %bad0, %one\n  %lane1 = add i64 %lane, 1\n  br label %lanes"


def _foot(program: Program, lanes: Lanes, fence: str) -> Iterator[str]:
    """Deliver what lies in the workspace, go on, and end."""
    yield "deliver:\n  %bad2 = phi i64 [%bad, %turn], [%bad0, %lanes]"
    yield "  br i1 %direct, label %advance, label %copy\ncopy:"
    for k, size in enumerate(program.signature.output_sizes):
        yield f"  %n{k} = mul i64 %count, {size}"
        yield f"  call void @deliver(ptr %to{k}, ptr %own{k}, i64 %n{k}, i1 %stream)"
    yield "  br label %advance\nadvance:\n  br label %loop\ndone:"
    yield f"  {fence}\n  ret i64 %bad\n}}"
