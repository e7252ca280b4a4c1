"""One number that tells whether a sample was acceptable: 0.0, else NaN or the guard's."""

from __future__ import annotations

from dataclasses import replace

from robodyn_ros.kernels.program import Instruction, Program


def with_input_check(program: Program) -> Program:
    """Return `program` with a guard that also catches what kernels cannot serve.

    Those are non-finite inputs (used or not: what is multiplied by a folded zero would go unseen)
    and angles beyond the range of sin and cos. 0 x is 0 for a finite x and NaN for any other, so
    the guard is the sum of such products and of the program's own guard.
    """
    instructions = list(program.instructions)
    known = {instruction: value for value, instruction in enumerate(instructions)}

    def add(operation: str, *operands: int) -> int:
        instruction = Instruction(operation, operands)
        if operation != "input" or instruction not in known:
            known[instruction] = len(instructions)
            instructions.append(instruction)
        return known[instruction]

    watched = [
        add("input", port, index)
        for port, size in enumerate(program.signature.input_sizes)
        for index in range(size)
    ]
    watched += [v for v, i in enumerate(program.instructions) if i.operation == "sin"]
    zero = len(instructions)
    instructions.append(Instruction("const", (), 0.0))
    terms = [add("mul", value, zero) for value in watched]
    if program.guard is not None:
        terms.append(program.guard)
    while len(terms) > 1:
        # A tree, not a chain: the sum must not wait for itself.
        rest = terms[len(terms) & ~1 :]
        terms = [add("add", a, b) for a, b in zip(terms[::2], terms[1::2], strict=False)] + rest
    guard = terms[0] if terms else zero
    return replace(program, instructions=tuple(instructions), guard=guard)
