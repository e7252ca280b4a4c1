"""Writes a chunk of a kernel: one LLVM instruction for each of the program, W lanes at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from robodyn_ros.kernels.groups import Grouping
from robodyn_ros.kernels.lanes import Lanes, Lines
from robodyn_ros.kernels.program import LEAVES, Instruction, Program
from robodyn_ros.kernels.tiles import Tile, store_tile

NEAR = 20
"""A value that lies in memory is read again when its last use is more instructions ago than this.
The code generator would keep it and spill it: one more store, and stores are what limits a kernel
with many results."""

_BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_COMPARISONS = {"lt": "olt", "le": "ole", "eq": "oeq", "ne": "une"}
CALLED = frozenset({"atan2", "exp", "log", "pow"})
"""Operations that are functions of their own beside the chunks, as sin and cos together are."""


class Plan(Protocol):
    """What a writer reads of a `ChunkPlan`."""

    chunks: list[list[int]]
    tiles: dict[int, list[Tile]]
    slots: dict[int, int]
    grouping: Grouping

    def leaf_tiles(self, number: int) -> list[Tile]:
        """Return the tiles of leaves alone that chunk `number` stores."""


def pointers(program: Program) -> list[str]:
    """Return the names of the pointers that each chunk takes."""
    inputs = (f"%x{k}" for k in range(len(program.signature.inputs)))
    outputs = (f"%y{k}" for k in range(len(program.signature.outputs)))
    return [*inputs, *outputs, "%slots"]


class ChunkWriter:
    """Writes one chunk."""

    def __init__(self, program: Program, plan: Plan, lanes: Lanes) -> None:
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
        self._own: set[int] = set()

    def write(self, number: int) -> list[str]:
        """Return the lines of chunk `number`."""
        self._own = set(self._plan.chunks[number])
        if number == 0:
            guard = self._program.guard
            if guard is not None and self._program.instructions[guard].operation in LEAVES:
                self._body.store(self._value(guard), "%slots", 0)
        self._store(self._plan.leaf_tiles(number))
        for value in self._plan.chunks[number]:
            self._step(value)
            self._store(self._plan.tiles.get(value, ()))
        self._body.do("ret void")
        return self._body.lines

    def _step(self, value: int) -> None:
        """Compute a value, and keep it for later chunks if they need it."""
        self._clock += 1
        self._compute(value)
        if value in self._plan.slots:
            self._body.store(self._value(value), "%slots", self._plan.slots[value])
            self._homes[value] = ("%slots", self._plan.slots[value])

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
            self._names[value] = self._body.load(*home) if home else self._made(value)
        self._used[value] = self._clock
        return self._names[value]

    def _made(self, value: int) -> str:
        """Return the name of a value that this chunk has in another form only."""
        one, zero = self._lanes.number(1.0), self._lanes.number(0.0)
        return self._body.select(self._conditions[value], one, zero)

    def _home(self, value: int) -> tuple[str, int] | None:
        """Return where in memory a value lies, if it does."""
        instruction = self._program.instructions[value]
        if instruction.operation == "input":
            port, index = instruction.operands
            return f"%x{port}", index
        if value not in self._own:
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

    def _binary(self, instruction: Instruction) -> str:
        left, right = (self._value(o) for o in instruction.operands)
        return self._body.binary(_BINARY[instruction.operation], left, right)

    def _unary(self, instruction: Instruction) -> str:
        return self._body.call(instruction.operation, self._value(instruction.operands[0]))

    def _negative(self, instruction: Instruction) -> str:
        return self._body.negated(self._value(instruction.operands[0]))

    def _fused(self, instruction: Instruction) -> str:
        a, b, c = (self._value(o) for o in instruction.operands)
        if instruction.operation == "fms":
            c = self._body.negated(c)
        elif instruction.operation == "fnma":
            a = self._body.negated(a)
        return self._body.call("fma", a, b, c)

    def _chosen(self, instruction: Instruction) -> str:
        condition = self._condition(instruction.operands[0])
        yes, *no = (self._value(o) for o in instruction.operands[1:])
        return self._body.select(condition, yes, no[0] if no else self._lanes.number(0.0))

    def _trigonometric(self, instruction: Instruction) -> str:
        angle = instruction.operands[0]
        real = self._lanes.real
        pair = f"{{{real}, {real}}}"
        if angle not in self._pairs:
            self._pairs[angle] = self._body.new(
                f"call fastcc {pair} @w{self._lanes.width}_sincos({real} {self._value(angle)})"
            )
        part = 0 if instruction.operation == "sin" else 1
        return self._body.new(f"extractvalue {pair} {self._pairs[angle]}, {part}")

    def _called(self, instruction: Instruction) -> str:
        real = self._lanes.real
        operands = ", ".join(f"{real} {self._value(o)}" for o in instruction.operands)
        name = f"@w{self._lanes.width}_{instruction.operation}"
        return self._body.new(f"call fastcc {real} {name}({operands})")


_WRITERS: dict[str, Callable[[ChunkWriter, Instruction], str]] = {
    **dict.fromkeys(_BINARY, ChunkWriter._binary),
    **dict.fromkeys(("sqrt", "fabs"), ChunkWriter._unary),
    "neg": ChunkWriter._negative,
    **dict.fromkeys(("fma", "fms", "fnma"), ChunkWriter._fused),
    **dict.fromkeys(("select", "if_else_zero"), ChunkWriter._chosen),
    **dict.fromkeys(("sin", "cos"), ChunkWriter._trigonometric),
    **dict.fromkeys(CALLED, ChunkWriter._called),
}
