"""From instructions to LLVM instructions: the straight-line heart of a kernel, in chunks.

A function is one basic block, and code generators are slow on very long ones, so a large program
is cut into several functions. A value that a later chunk needs goes through a slot in memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from robodyn_ros.kernels.chunk_writer import ChunkWriter, pointers
from robodyn_ros.kernels.group_writer import GroupWriter
from robodyn_ros.kernels.groups import Group, Grouping, grouped
from robodyn_ros.kernels.lanes import Lanes
from robodyn_ros.kernels.program import LEAVES, Program
from robodyn_ros.kernels.tiles import Tile, plan_tiles

__all__ = ["CHUNK", "WHOLE", "ChunkPlan", "chunk_calls", "emit_chunks"]

WHOLE = 2_000
"""Programs of up to so many instructions stay in one function. Longer ones compile several times as
fast in many, and run no slower."""
CHUNK = 400
"""Instructions of a function where a program is cut: scheduling and register allocation take more
than linear time, and below this functions only get more numerous."""


class ChunkPlan:
    """Which instruction and which tile goes into which chunk, and what crosses between them.

    Attributes:
        chunks: Values of the instructions of each chunk; members of a group are neighbours.
        tiles: Under each value the tiles that it completes (-1: before the first).
        slots: Slot number of each value that crosses; the guard's, if there is one, is 0. Members
            of a group have neighbouring slots, aligned; negative keys only fill gaps.
        grouping: What is computed side by side: groups of one sample's values where its lanes are
            not those of several samples.
    """

    def __init__(self, program: Program, width: int, *, side_by_side: bool | None = None) -> None:
        """Cut `program`; `width` is that of its lanes.

        `side_by_side` says whether to group values; by default where `width` is 1.
        """
        is_grouped = width == 1 if side_by_side is None else side_by_side
        computed = [v for v, i in enumerate(program.instructions) if i.operation not in LEAVES]
        self.grouping = grouped(program) if is_grouped else Grouping(order=computed)
        self.chunks = self._cut()
        self.tiles = plan_tiles(program, width, self.grouping)
        self._leaves = self.tiles.get(-1, [])
        # Nor may what is known beforehand, such as zeros of a matrix, fill one function.
        self.chunks += [[]] * (len(self._leaves) // CHUNK + 1 - len(self.chunks))
        self.slots = self._crossing(program)

    def leaf_tiles(self, number: int) -> list[Tile]:
        """Return the tiles of leaves alone that chunk `number` stores: an even share."""
        ends = [len(self._leaves) * n // len(self.chunks) for n in (number, number + 1)]
        return self._leaves[slice(*ends)]

    def _cut(self) -> list[list[int]]:
        units: list[Group] = []
        for value in self.grouping.order:
            group = self.grouping.groups.get(value, (value,))
            if value == group[0]:
                units.append(group)
        size = len(units) if len(units) <= WHOLE else CHUNK
        starts = range(0, len(units), max(1, size))
        cut = [units[start : start + size] for start in starts]
        return [[v for unit in part for v in unit] for part in cut] or [[]]

    def _crossing(self, program: Program) -> dict[int, int]:
        home = {v: number for number, chunk in enumerate(self.chunks) for v in chunk}
        crossing: dict[Group, None] = {}
        if program.guard is not None:
            crossing[program.guard,] = None
        for number, chunk in enumerate(self.chunks):
            for value in chunk:
                used = list(program.instructions[value].operands)
                for tile in self.tiles.get(value, ()):
                    used += tile.values
                for operand in used:
                    if home.get(operand, number) != number:
                        crossing[self.grouping.groups.get(operand, (operand,))] = None
        slots: dict[int, int] = {}
        for unit in crossing:
            while len(slots) % len(unit):
                slots[-1 - len(slots)] = len(slots)
            begin = len(slots)
            slots.update((value, begin + lane) for lane, value in enumerate(unit))
        return slots


def emit_chunks(program: Program, plan: ChunkPlan, lanes: Lanes) -> str:
    """Return the text of the functions ``void @w<W>_chunk<k>(x0, ..., y0, ..., slots)``.

    ``%x<k>`` points to the entries of input k, W lanes each, aligned; ``%y<k>`` to W rows of
    output k; ``%slots`` to the slots, aligned. The stack is aligned too: spilled values that
    straddle cache lines cost half the speed.
    """
    head = ", ".join(f"ptr noalias {p}" for p in pointers(program))
    attributes = f"noinline alignstack({max(16, lanes.bytes)})"
    texts = []
    for number in range(len(plan.chunks)):
        name = f"@w{lanes.width}_chunk{number}"
        writer = GroupWriter if plan.grouping.groups else ChunkWriter
        body = "\n".join(writer(program, plan, lanes).write(number))
        texts.append(f"define internal void {name}({head}) {attributes} {{\n{body}\n}}\n")
    return "\n".join(texts)


def chunk_calls(program: Program, plan: ChunkPlan, width: int) -> Iterator[str]:
    """Yield the calls of all chunks, in a function that has pointers of the same names."""
    arguments = ", ".join(f"ptr {p}" for p in pointers(program))
    for number in range(len(plan.chunks)):
        yield f"  call void @w{width}_chunk{number}({arguments})"
