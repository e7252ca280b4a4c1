"""Writes a chunk of a single call, in which groups of values are computed side by side."""

from __future__ import annotations

from collections.abc import Sequence

from robodyn_ros.kernels.chunk_writer import NEAR, ChunkWriter, Plan
from robodyn_ros.kernels.groups import Group
from robodyn_ros.kernels.lanes import GROUP_SIZES, Lanes, Lines, double_literal
from robodyn_ros.kernels.program import Instruction, Program
from robodyn_ros.kernels.tiles import Tile


class GroupWriter(ChunkWriter):
    """Writes a chunk of scalars and groups; a group is one vector."""

    def __init__(self, program: Program, plan: Plan, lanes: Lanes) -> None:
        """Begin an empty chunk; `lanes` are of width 1."""
        super().__init__(program, plan, lanes)
        self._grouping = plan.grouping
        self._wide = {size: Lines(Lanes(size), f"g{size}_") for size in GROUP_SIZES}
        for lines in self._wide.values():
            lines.lines = self._body.lines
        self._vectors: dict[Group, str] = {}
        self._touched: dict[Group, int] = {}

    def _step(self, value: int) -> None:
        group = self._grouping.groups.get(value)
        if group is None:
            super()._step(value)
        elif value == group[0]:
            self._clock += 1
            instruction = self._program.instructions[value]
            operands = [self._vector(o) for o in self._grouping.operands[group]]
            self._vectors[group] = self._operation(instruction, len(group), operands)
            self._touched[group] = self._clock
            if value in self._plan.slots:
                self._keep(group, "%slots", self._plan.slots[value], aligned=True)

    def _operation(self, instruction: Instruction, size: int, operands: list[str]) -> str:
        """Write one instruction on vectors of `size` lanes."""
        lines, operation = self._wide[size], instruction.operation
        if operation == "neg":
            return lines.negated(*operands)
        if operation in ("fms", "fnma"):
            negative = 2 if operation == "fms" else 0
            operands[negative] = lines.negated(operands[negative])
            operation = "fma"
        if operation in ("fma", "sqrt", "fabs"):
            return lines.call(operation, *operands)
        return lines.binary(f"f{operation}", *operands)

    def _keep(self, group: Group, pointer: str, offset: int, *, aligned: bool = False) -> None:
        """Store a group, which then lies there lane by lane."""
        lines, size = self._wide[len(group)], len(group)
        address = self._body.element(pointer, offset)
        alignment = 8 * size if aligned else 8
        vector = self._vector(group)
        self._body.do(f"store {lines.lanes.real} {vector}, ptr {address}, align {alignment}")
        for lane, value in enumerate(group):
            self._homes.setdefault(value, (pointer, offset + lane))

    def _store(self, tiles: Sequence[Tile]) -> None:
        for tile in tiles:
            if tile.values in self._grouping.operands:
                self._keep(tile.values, f"%y{tile.output}", tile.offset)
            else:
                super()._store([tile])

    def _made(self, value: int) -> str:
        group = self._grouping.groups.get(value)
        if group not in self._vectors:
            return super()._made(value)
        real = self._wide[len(group)].lanes.real
        lane = group.index(value)
        return self._body.new(f"extractelement {real} {self._vectors[group]}, i32 {lane}")

    def _vector(self, operand: Group) -> str:
        """Return the name of the vector of these values, made where it is not at hand."""
        constants = self._constants(operand)
        if constants:
            return constants
        near = self._clock - self._touched.get(operand, self._clock) <= NEAR
        home = self._run(operand)
        if operand not in self._vectors or (home and not near):
            self._vectors[operand] = self._loaded(operand, *home) if home else self._filled(operand)
        self._touched[operand] = self._clock
        return self._vectors[operand]

    def _constants(self, operand: Group) -> str:
        """Return the literal of a vector of known numbers, "" for another one."""
        instructions = [self._program.instructions[v] for v in operand]
        if any(i.operation != "const" for i in instructions):
            return ""
        return "<" + ", ".join(f"double {double_literal(i.constant)}" for i in instructions) + ">"

    def _run(self, operand: Group) -> tuple[str, int] | None:
        """Return where the values lie in memory one after the other, if they do."""
        homes = [self._home(v) if self._lies(v) else None for v in operand]
        first = homes[0]
        if first is None:
            return None
        whole = all(home == (first[0], first[1] + lane) for lane, home in enumerate(homes))
        return first if whole else None

    def _lies(self, value: int) -> bool:
        """Return whether a value was in memory before this chunk, or lies there as a whole group.

        What was stored number by number a moment ago cannot be read as a vector without waiting.
        """
        operation = self._program.instructions[value].operation
        return operation != "const" and (value not in self._own or value in self._grouping.groups)

    def _loaded(self, operand: Group, pointer: str, offset: int) -> str:
        real = self._wide[len(operand)].lanes.real
        address = self._body.element(pointer, offset)
        return self._body.new(f"load {real}, ptr {address}, align 8")

    def _filled(self, operand: Group) -> str:
        """Return a vector filled lane by lane; one number in all lanes is spread."""
        size = len(operand)
        real = self._wide[size].lanes.real
        spread = len(set(operand)) == 1
        vector = "undef"
        for lane, value in enumerate(operand[:1] if spread else operand):
            name = self._value(value)
            vector = self._body.new(f"insertelement {real} {vector}, double {name}, i32 {lane}")
        if not spread:
            return vector
        zeros = f"<{size} x i32> zeroinitializer"
        return self._body.new(f"shufflevector {real} {vector}, {real} undef, {zeros}")
