"""Moving rows into a batch and out of it, as LLVM text."""

from __future__ import annotations

from robodyn_ros.kernels.lanes import Lanes, Lines
from robodyn_ros.kernels.tiles import transposed

MOVES = """
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
"""``@poison`` fills with NaN; ``@deliver`` copies, past the cache or not."""


def gather_function(lanes: Lanes) -> str:
    """Return the text of ``@gather``: `size` entries of W rows, put side by side.

    Rows are read and transposed a few entries at a time, and what is left one by one. The rows of
    the next turn are called for meanwhile.
    """
    body = Lines(lanes)
    rows = [_row(body, lane) for lane in range(lanes.width)]
    head = "ptr %from, i64 %stride, i64 %first, i64 %last, i64 %size, ptr noalias %x"
    text = [
        "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
        f"define internal void @gather({head}) noinline {{",
        *body.lines,
        f"  %tiled = and i64 %size, {-_side(lanes)}",
        *_loop("tile", "0", "%tiled", _side(lanes), _tile_lines(lanes, rows)),
        *_loop("rest", "%tiled", "%size", 1, _rest_lines(lanes, rows)),
        "  ret void\n}",
    ]
    return "\n".join(text)


def _side(lanes: Lanes) -> int:
    return min(4, lanes.width)


def _row(body: Lines, lane: int) -> str:
    """Return the address of a lane's row; lanes beyond the last row repeat it."""
    row = body.new(f"add i64 %first, {lane}")
    inside = body.new(f"icmp sle i64 {row}, %last")
    chosen = body.new(f"select i1 {inside}, i64 {row}, i64 %last")
    offset = body.new(f"mul i64 {chosen}, %stride")
    return body.new(f"getelementptr inbounds double, ptr %from, i64 {offset}")


def _loop(name: str, begin: str, end: str, step: int, lines: list[str]) -> list[str]:
    """Return a loop over ``%<name>_j``; the block before it jumps in by falling through."""
    return [
        f"  br label %{name}_before\n{name}_before:\n  br label %{name}",
        f"{name}:\n  %{name}_j = phi i64 [{begin}, %{name}_before], [%{name}_next, %{name}_body]",
        f"  %{name}_more = icmp slt i64 %{name}_j, {end}",
        f"  br i1 %{name}_more, label %{name}_body, label %{name}_done\n{name}_body:",
        *lines,
        f"  %{name}_next = add i64 %{name}_j, {step}\n  br label %{name}\n{name}_done:",
    ]


def _tile_lines(lanes: Lanes, rows: list[str]) -> list[str]:
    body, side = Lines(lanes, "m"), _side(lanes)
    kind = "double" if side == 1 else f"<{side} x double>"
    ahead = body.new(f"mul i64 %stride, {lanes.width}")
    later = body.new(f"add i64 {ahead}, %tile_j")
    for group in range(0, lanes.width, side):
        pieces = []
        for row in rows[group : group + side]:
            entry = body.new(f"getelementptr inbounds double, ptr {row}, i64 %tile_j")
            pieces.append(body.new(f"load {kind}, ptr {entry}, align 8"))
            coming = body.new(f"getelementptr double, ptr {row}, i64 {later}")
            body.do(f"call void @llvm.prefetch.p0(ptr {coming}, i32 0, i32 3, i32 1)")
        for offset, column in enumerate(transposed(body, side, pieces)):
            place = body.new(f"add i64 %tile_j, {offset}")
            value = body.new(f"getelementptr inbounds {lanes.real}, ptr %x, i64 {place}")
            half = body.element(value, group)
            body.do(f"store {kind} {column}, ptr {half}, align {8 * side}")
    return body.lines


def _rest_lines(lanes: Lanes, rows: list[str]) -> list[str]:
    body = Lines(lanes, "n")
    value = body.new(f"getelementptr inbounds {lanes.real}, ptr %x, i64 %rest_j")
    for lane, row in enumerate(rows):
        entry = body.new(f"getelementptr inbounds double, ptr {row}, i64 %rest_j")
        number = body.new(f"load double, ptr {entry}, align 8")
        body.do(f"store double {number}, ptr {body.element(value, lane)}, align 8")
    return body.lines
