"""Fused multiply-add, chosen here and not by the compiler.

A product that only one sum uses becomes one rounded step. Deciding it in the program, and emitting
no fast-math flag at all, makes every width of a kernel round the same: bitwise equal results.
"""

from __future__ import annotations

from collections import Counter

from robodyn_ros.kernels.program import LEAVES, Instruction, Program


def contract(program: Program) -> Program:
    """Return `program` with single-use products fused into the sum that uses them.

    New operations on (a, b, c): ``fma`` = a b + c, ``fms`` = a b - c, ``fnma`` = c - a b.
    """
    instructions: list[Instruction | None] = list(program.instructions)
    uses = Counter(program.results)
    for instruction in program.instructions:
        if instruction.operation not in LEAVES:
            uses.update(instruction.operands)

    def product(value: int) -> tuple[int, ...] | None:
        instruction = instructions[value]
        fusible = instruction is not None and instruction.operation == "mul" and uses[value] == 1
        return instruction.operands if fusible and instruction is not None else None

    for value, instruction in enumerate(program.instructions):
        if instruction.operation not in ("add", "sub"):
            continue
        left, right = instruction.operands
        adding = instruction.operation == "add"
        if (factors := product(right)) is not None:
            instructions[value] = Instruction("fma" if adding else "fnma", (*factors, left))
            instructions[right] = None
        elif (factors := product(left)) is not None:
            instructions[value] = Instruction("fma" if adding else "fms", (*factors, right))
            instructions[left] = None
    return program.with_instructions(instructions)
