"""From instructions to LLVM instructions: the straight-line heart of a kernel, in chunks.

A function is one basic block, and code generators are slow on very long ones, so a large program
is cut into several functions. A value that a later chunk needs goes through a slot in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from robodyn_ros.kernels.lanes import Lanes, Lines
from robodyn_ros.kernels.program import LEAVES, Instruction, Program
from robodyn_ros.kernels.tiles import Tile, plan_tiles, store_tile

WHOLE = 2_000
"""Programs of up to so many instructions stay in one function. Longer ones compile several times as
fast in many, and run no slower."""
CHUNK = 400
"""Instructions of a function where a program is cut: scheduling and register allocation take more
than linear time, and below this functions only get more numerous."""

NEAR = 20
"""A value that lies in memory is read again when its last use is more instructions ago than this.
The code generator would keep it and spill it: one more store, and stores are what limits a kernel
with many results."""

_BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_COMPARISONS = {"lt": "olt", "le": "ole", "eq": "oeq", "ne": "une"}
LIBRARY = {"atan2": 2}
"""Functions of the C library that programs may call, and their number of arguments."""


class ChunkPlan:
    """Which instruction and which tile goes into which chunk, and what crosses between them.

    Attributes:
        chunks: Values of the instructions of each chunk.
        tiles: Under each value the tiles that it completes (-1: before the first).
        slots: Slot number of each value that crosses; the guard's, if there is one, is 0.
    """

    def __init__(self, program: Program, width: int) -> None:
        """Cut `program`; `width` is that of its lanes."""
        computed = [v for v, i in enumerate(program.instructions) if i.operation not in LEAVES]
        size = len(computed) if len(computed) <= WHOLE else CHUNK
        starts = range(0, len(computed), max(1, size))
        self.chunks = [computed[start : start + size] for start in starts] or [[]]
        self.tiles = plan_tiles(program, width)
        self.slots = self._crossing(program)

    def _crossing(self, program: Program) -> dict[int, int]:
        home = {v: number for number, chunk in enumerate(self.chunks) for v in chunk}
        slots: dict[int, int] = {}
        if program.guard is not None:
            slots[program.guard] = 0
        for number, chunk in enumerate(self.chunks):
            for value in chunk:
                used = list(program.instructions[value].operands)
                for tile in self.tiles.get(value, ()):
                    used += tile.values
                for operand in used:
                    if home.get(operand, number) != number:
                        slots.setdefault(operand, len(slots))
        return slots


def emit_chunks(program: Program, plan: ChunkPlan, lanes: Lanes) -> str:
    """Return the text of the functions ``void @w<W>_chunk<k>(x0, ..., y0, ..., slots)``.

    ``%x<k>`` points to the entries of input k, W lanes each, aligned; ``%y<k>`` to W rows of
    output k; ``%slots`` to the slots, aligned. The stack is aligned too: spilled values that
    straddle cache lines cost half the speed.
    """
    head = ", ".join(f"ptr noalias {p}" for p in _pointers(program))
    attributes = f"noinline alignstack({max(16, lanes.bytes)})"
    texts = []
    for number in range(len(plan.chunks)):
        name = f"@w{lanes.width}_chunk{number}"
        body = "\n".join(_ChunkWriter(program, plan, lanes).write(number))
        texts.append(f"define internal void {name}({head}) {attributes} {{\n{body}\n}}\n")
    return "\n".join(texts)


def chunk_calls(program: Program, plan: ChunkPlan, width: int) -> Iterator[str]:
    """Yield the calls of all chunks, in a function that has pointers of the same names."""
    arguments = ", ".join(f"ptr {p}" for p in _pointers(program))
    for number in range(len(plan.chunks)):
        yield f"  call void @w{width}_chunk{number}({arguments})"


def _pointers(program: Program) -> list[str]:
    inputs = (f"%x{k}" for k in range(len(program.signature.inputs)))
    outputs = (f"%y{k}" for k in range(len(program.signature.outputs)))
    return [*inputs, *outputs, "%slots"]


class _ChunkWriter:
    """Writes one chunk."""

    def __init__(self, program: Program, plan: ChunkPlan, lanes: Lanes) -> None:
        self._program = program
        self._plan = plan
        self._body = Lines(lanes)
        self._lanes = lanes
        self._names: dict[int, str] = {}
        self._used: dict[int, int] = {}
        self._homes: dict[int, tuple[str, int]] = {}
        self._clock = 0
        self._conditions: dict[int, str] = {}
        self._pairs: dict[int, str] = {}

    def write(self, number: int) -> list[str]:
        if number == 0:
            self._store(self._plan.tiles.get(-1, ()))
            guard = self._program.guard
            if guard is not None and self._program.instructions[guard].operation in LEAVES:
                self._body.store(self._value(guard), "%slots", 0)
        for value in self._plan.chunks[number]:
            self._clock += 1
            self._compute(value)
            if value in self._plan.slots:
                self._body.store(self._value(value), "%slots", self._plan.slots[value])
                self._homes[value] = ("%slots", self._plan.slots[value])
            self._store(self._plan.tiles.get(value, ()))
        self._body.do("ret void")
        return self._body.lines

    def _store(self, tiles: Sequence[Tile]) -> None:
        sizes = self._program.signature.output_sizes
        for tile in tiles:
            operands = [self._value(value) for value in tile.values]
            store_tile(self._body, tile, operands, sizes[tile.output])
            if self._lanes.width == 1:
                for offset, value in enumerate(tile.values, tile.offset):
                    self._homes.setdefault(value, (f"%y{tile.output}", offset))

    def _value(self, value: int) -> str:
        """Return the name of a value, fetching it where it is not at hand."""
        instruction = self._program.instructions[value]
        if instruction.operation == "const":
            return self._lanes.number(instruction.constant)
        home = self._home(value)
        near = self._clock - self._used.get(value, self._clock) <= NEAR
        if value not in self._names or (home and not near):
            if home:
                self._names[value] = self._body.load(*home)
            else:
                one, zero = self._lanes.number(1.0), self._lanes.number(0.0)
                self._names[value] = self._body.select(self._conditions[value], one, zero)
        self._used[value] = self._clock
        return self._names[value]

    def _home(self, value: int) -> tuple[str, int] | None:
        """Return where in memory a value lies, if it does."""
        instruction = self._program.instructions[value]
        if instruction.operation == "input":
            port, index = instruction.operands
            return f"%x{port}", index
        if value not in self._names and value not in self._conditions:
            return "%slots", self._plan.slots[value]
        return self._homes.get(value)

    def _condition(self, value: int) -> str:
        """Return the name of "value is not zero"."""
        if value not in self._conditions:
            zero = self._lanes.number(0.0)
            test = f"fcmp une {self._lanes.real} {self._value(value)}, {zero}"
            self._conditions[value] = self._body.new(test)
        return self._conditions[value]

    def _compute(self, value: int) -> None:
        instruction = self._program.instructions[value]
        writer = _WRITERS.get(instruction.operation)
        if writer is not None:
            self._names[value] = writer(self, instruction)
        else:
            self._conditions[value] = self._logic(instruction)

    def _logic(self, instruction: Instruction) -> str:
        """Write a comparison or a combination of conditions."""
        operation, operands = instruction.operation, instruction.operands
        if operation in _COMPARISONS:
            left, right = (self._value(o) for o in operands)
            return self._body.new(
                f"fcmp {_COMPARISONS[operation]} {self._lanes.real} {left}, {right}"
            )
        conditions = [self._condition(o) for o in operands]
        if operation == "not":
            return self._body.new(f"xor {self._lanes.mask} {conditions[0]}, {self._lanes.true}")
        return self._body.new(f"{operation} {self._lanes.mask} {', '.join(conditions)}")

    def binary(self, instruction: Instruction) -> str:
        left, right = (self._value(o) for o in instruction.operands)
        return self._body.binary(_BINARY[instruction.operation], left, right)

    def unary(self, instruction: Instruction) -> str:
        return self._body.call(instruction.operation, self._value(instruction.operands[0]))

    def negative(self, instruction: Instruction) -> str:
        return self._body.negated(self._value(instruction.operands[0]))

    def fused(self, instruction: Instruction) -> str:
        a, b, c = (self._value(o) for o in instruction.operands)
        if instruction.operation == "fms":
            c = self._body.negated(c)
        elif instruction.operation == "fnma":
            a = self._body.negated(a)
        return self._body.call("fma", a, b, c)

    def chosen(self, instruction: Instruction) -> str:
        condition = self._condition(instruction.operands[0])
        yes, *no = (self._value(o) for o in instruction.operands[1:])
        return self._body.select(condition, yes, no[0] if no else self._lanes.number(0.0))

    def trigonometric(self, instruction: Instruction) -> str:
        angle = instruction.operands[0]
        real = self._lanes.real
        pair = f"{{{real}, {real}}}"
        if angle not in self._pairs:
            self._pairs[angle] = self._body.new(
                f"call fastcc {pair} @w{self._lanes.width}_sincos({real} {self._value(angle)})"
            )
        part = 0 if instruction.operation == "sin" else 1
        return self._body.new(f"extractvalue {pair} {self._pairs[angle]}, {part}")

    def library(self, instruction: Instruction) -> str:
        """Call the C library for each lane: slow, and the same at every width."""
        operands = [self._value(o) for o in instruction.operands]
        width, real = self._lanes.width, self._lanes.real
        result = "undef"
        for lane in range(width):
            arguments = [
                o if width == 1 else self._body.new(f"extractelement {real} {o}, i32 {lane}")
                for o in operands
            ]
            listed = ", ".join(f"double {a}" for a in arguments)
            single = self._body.new(f"call double @{instruction.operation}({listed})")
            if width == 1:
                return single
            result = self._body.new(f"insertelement {real} {result}, double {single}, i32 {lane}")
        return result


_WRITERS: dict[str, Callable[[_ChunkWriter, Instruction], str]] = {
    **dict.fromkeys(_BINARY, _ChunkWriter.binary),
    **dict.fromkeys(("sqrt", "fabs"), _ChunkWriter.unary),
    "neg": _ChunkWriter.negative,
    **dict.fromkeys(("fma", "fms", "fnma"), _ChunkWriter.fused),
    **dict.fromkeys(("select", "if_else_zero"), _ChunkWriter.chosen),
    **dict.fromkeys(("sin", "cos"), _ChunkWriter.trigonometric),
    **dict.fromkeys(LIBRARY, _ChunkWriter.library),
}
