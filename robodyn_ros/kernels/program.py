"""A program: straight-line arithmetic in single-assignment form, each value computed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from robodyn_ros.kernels.signature import Signature

LEAVES = frozenset({"input", "const"})
"""Operations that cost nothing: they name an input or a number."""

COMMUTATIVE = frozenset({"add", "mul", "eq", "ne"})


class Instruction(NamedTuple):
    """One value: `operation` on earlier values.

    `operands` are indices of earlier instructions; of an ``input`` they are the input's number and
    the flat index in it. `constant` is the number of a ``const``.
    """

    operation: str
    operands: tuple[int, ...] = ()
    constant: float = 0.0


@dataclass(frozen=True)
class Program:
    """What a kernel computes.

    Attributes:
        signature: Inputs and outputs.
        instructions: In an order of evaluation; the index is the value's name.
        outputs: The value of each output entry, all outputs in C order one after the other.
        guard: The value that is 0.0 for an acceptable input, or None where all are.
    """

    signature: Signature
    instructions: tuple[Instruction, ...]
    outputs: tuple[int, ...]
    guard: int | None = None

    @property
    def results(self) -> tuple[int, ...]:
        """Every value that leaves the program: outputs, then the guard if there is one."""
        return self.outputs if self.guard is None else (*self.outputs, self.guard)

    @property
    def instruction_count(self) -> int:
        """The number of arithmetic instructions: what speed tests watch instead of a clock."""
        return sum(i.operation not in LEAVES for i in self.instructions)

    @property
    def operation_counts(self) -> Counter[str]:
        """How often each operation occurs."""
        return Counter(i.operation for i in self.instructions)

    def with_instructions(self, instructions: Iterable[Instruction | None]) -> Program:
        """Return the program with other instructions of the same numbering, the unused dropped.

        An entry of `instructions` may be None where nothing uses the value any more.
        """
        source = list(instructions)
        needed = [False] * len(source)
        for value in self.results:
            needed[value] = True
        for value in range(len(source) - 1, -1, -1):
            instruction = source[value]
            if needed[value] and instruction is not None and instruction.operation not in LEAVES:
                for operand in instruction.operands:
                    needed[operand] = True
        renamed: dict[int, int] = {}
        kept: list[Instruction] = []
        for value, instruction in enumerate(source):
            if not needed[value] or instruction is None:
                continue
            renamed[value] = len(kept)
            is_leaf = instruction.operation in LEAVES
            operands = () if is_leaf else tuple(renamed[o] for o in instruction.operands)
            kept.append(instruction if is_leaf else instruction._replace(operands=operands))
        return replace(
            self,
            instructions=tuple(kept),
            outputs=tuple(renamed[v] for v in self.outputs),
            guard=None if self.guard is None else renamed[self.guard],
        )


class ProgramBuilder:
    """Collects instructions, giving equal ones one value, so that nothing is computed twice."""

    def __init__(self) -> None:
        """Begin without instructions."""
        self.instructions: list[Instruction] = []
        self._values: dict[Instruction, int] = {}
        self._constants: dict[str, int] = {}

    def constant(self, number: float) -> int:
        """Return the value of `number` (NaN and the sign of zero are respected)."""
        key = float(number).hex()
        if key not in self._constants:
            self._constants[key] = len(self.instructions)
            self.instructions.append(Instruction("const", (), float(number)))
        return self._constants[key]

    def add(self, operation: str, *operands: int) -> int:
        """Return the value of `operation` on `operands`, found or new."""
        if operation in COMMUTATIVE:
            operands = tuple(sorted(operands))
        elif operation in ("sin", "cos"):
            # The pair costs hardly more than one: keep them side by side.
            self._append(Instruction("sin", operands))
            self._append(Instruction("cos", operands))
        return self._append(self._simplified(Instruction(operation, operands)))

    def _append(self, instruction: Instruction) -> int:
        value = self._values.setdefault(instruction, len(self.instructions))
        if value == len(self.instructions):
            self.instructions.append(instruction)
        return value

    def _simplified(self, instruction: Instruction) -> Instruction:
        """Return ``where`` as one selection; CasADi writes it as a sum of two halves."""
        if instruction.operation != "add":
            return instruction
        for first, second in (instruction.operands, instruction.operands[::-1]):
            yes, no = self.instructions[first], self.instructions[second]
            if yes.operation == no.operation == "if_else_zero":
                opposite = self.instructions[no.operands[0]]
                if opposite == Instruction("not", yes.operands[:1]):
                    return Instruction("select", (*yes.operands, no.operands[1]))
        return instruction
