"""Outputs leave a kernel row by row, though it computes W rows side by side.

Consecutive entries of an output are gathered in tiles of up to four. A tile of four entries by W
samples is transposed in registers and stored as W short rows, instead of 4 W single numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robodyn_ros.kernels.groups import Grouping
from robodyn_ros.kernels.lanes import Lines
from robodyn_ros.kernels.program import Program


@dataclass(frozen=True)
class Tile:
    """Consecutive entries of one output that are stored together.

    Attributes:
        output: Number of the output.
        offset: Flat index of the first entry.
        values: The values of the entries; 1, 2 or 4 of them.
    """

    output: int
    offset: int
    values: tuple[int, ...]


def plan_tiles(program: Program, width: int, grouping: Grouping) -> dict[int, list[Tile]]:
    """Cut all outputs into tiles, each under the value that completes it.

    A group whose members are neighbours is a tile. Tiles of leaves alone are listed under -1.
    """
    place = {value: k for k, value in enumerate(grouping.order)}
    plan: dict[int, list[Tile]] = {}
    start = 0
    for number, size in enumerate(program.signature.output_sizes):
        column = program.outputs[start : start + size]
        start += size
        offset = 0
        while offset < size:
            length = _group_at(column, offset, grouping)
            if not length:
                most = min(max(width, 2), size - offset)
                if any(_group_at(column, k, grouping) for k in range(offset + 1, offset + most)):
                    most = 1
                length = max(n for n in (1, 2, 4) if n <= most)
            tile = Tile(number, offset, column[offset : offset + length])
            last = max((v for v in tile.values if v in place), key=lambda v: place[v], default=-1)
            plan.setdefault(last, []).append(tile)
            offset += length
    return plan


def _group_at(column: tuple[int, ...], offset: int, grouping: Grouping) -> int:
    """Return how many entries from `offset` on are one group, lane by lane."""
    group = grouping.groups.get(column[offset], ())
    return len(group) if column[offset : offset + len(group)] == group else 0


def store_tile(body: Lines, tile: Tile, operands: Sequence[str], row: int) -> None:
    """Store a tile to ``%y<output>``, whose `row` doubles a sample lie one row after the other."""
    length = len(operands)
    kind = "double" if length == 1 else f"<{length} x double>"
    for sample, value in enumerate(transposed(body, body.lanes.width, operands)):
        address = body.element(f"%y{tile.output}", tile.offset + sample * row)
        body.do(f"store {kind} {value}, ptr {address}, align 8")


def transposed(body: Lines, width: int, columns: Sequence[str]) -> list[str]:
    """Return `width` vectors, as long as there are `columns`, of 1, 2 or 4 W-wide vectors."""
    if width == 1:
        return [_joined(body, columns)]
    if len(columns) == 1:
        pick = f"extractelement <{width} x double> {columns[0]}, i32 "
        return [body.new(f"{pick}{sample}") for sample in range(width)]
    pairs = list(zip(columns[::2], columns[1::2], strict=True))
    if len(pairs) == 1:
        return [_shuffle(body, width, pairs[0], (k, width + k)) for k in range(width)]
    rows: list[str] = []
    for lane in range(0, width, 4):
        even, odd = (
            tuple(_shuffle(body, width, p, (k, width + k, k + 2, width + k + 2)) for p in pairs)
            for k in (lane, lane + 1)
        )
        for half in ((0, 1, 4, 5), (2, 3, 6, 7)):
            rows += [_shuffle(body, 4, pair, half) for pair in (even, odd)]
    return rows


def _joined(body: Lines, operands: Sequence[str]) -> str:
    if len(operands) == 1:
        return operands[0]
    kind, vector = f"<{len(operands)} x double>", "undef"
    for index, operand in enumerate(operands):
        vector = body.new(f"insertelement {kind} {vector}, double {operand}, i32 {index}")
    return vector


def _shuffle(body: Lines, width: int, pair: tuple[str, ...], picks: Sequence[int]) -> str:
    kind = f"<{width} x double>"
    left, right = pair
    mask = ", ".join(f"i32 {pick}" for pick in picks)
    return body.new(f"shufflevector {kind} {left}, {kind} {right}, <{len(picks)} x i32> <{mask}>")
