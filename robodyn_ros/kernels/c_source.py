"""A program as C99, for firmware and controllers without Python or LLVM.

The source needs nothing but ``<math.h>``. Its products are fused where the compiled kernels' are,
by ``fma``, so that results differ from theirs only by the rounding of sines, exponentials and the
like, which are the C library's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from robodyn_ros.kernels.c_names import argument_names, number
from robodyn_ros.kernels.chunk import ChunkPlan
from robodyn_ros.kernels.chunk_writer import CALLED
from robodyn_ros.kernels.fma import contract
from robodyn_ros.kernels.program import LEAVES, Instruction, Program
from robodyn_ros.kernels.tiles import Tile

NOT_FINITE, REFUSED = 1, 2
"""What a function returns instead of 0."""

WIDTH = 100
_BREAK = "\n        "

_PREAMBLE = """\
#ifdef __FAST_MATH__
#error "compile without -ffast-math: it removes the checks of what is not finite"
#endif

/* NO_FMA is for processors where fma() is a slow library function. */
#ifdef NO_FMA
#define FMA(a, b, c) ((a) * (b) + (c))
#else
#define FMA(a, b, c) fma(a, b, c)
#endif

/* Parts that are inlined would make one function that takes long to compile. */
#if defined(__GNUC__)
#define PART static __attribute__((noinline)) void
#else
#define PART static void
#endif
"""

_ALL_FINITE = """\
static int all_finite(const double *x, int count)
{
    for (int k = 0; k < count; ++k)
        if (!isfinite(x[k]))
            return 0;
    return 1;
}
"""

_POISON = """\
static void poison(double *x, int count)
{
    for (int k = 0; k < count; ++k)
        x[k] = NAN;
}
"""


def prototype(name: str, program: Program) -> str:
    """Return ``int <name>(const double *<input>, ..., double *<output>, ...)``."""
    inputs, outputs = argument_names(program.signature)
    listed = [f"const double *{x}" for x in inputs] + [f"double *{x}" for x in outputs]
    line = f"int {name}({', '.join(listed) or 'void'})"
    return line if len(line) < WIDTH else f"int {name}({_BREAK}{f',{_BREAK}'.join(listed)})"


def c_source(name: str, program: Program, header: str) -> str:
    """Return the source file of one function.

    The function returns 0, or 1 where an input is not finite, or 2 where the program's guard
    objects; all outputs are then NaN.

    Args:
        name: The function's name, a C identifier.
        program: What it computes.
        header: Name of the header file that declares it.
    """
    writer = _Writer(name, contract(program))
    sizes = program.signature.input_sizes
    parts = [f'#include "{header}"\n\n#include <math.h>\n', _PREAMBLE]
    parts += [_ALL_FINITE] if any(sizes) else []
    refusing = any(program.signature.output_sizes) and (any(sizes) or program.guard is not None)
    parts += [_POISON] if refusing else []
    parts += ["\n".join(lines) + "\n" for lines in writer.parts()]
    parts.append("\n".join(writer.entry()) + "\n")
    return "\n".join(parts)


class _Writer:
    """Writes the functions of one program."""

    def __init__(self, name: str, program: Program) -> None:
        self._name = name
        self._program = program
        self._plan = ChunkPlan(program, 1, side_by_side=False)
        self._inputs, self._outputs = argument_names(program.signature)
        self._local: set[int] = set()
        self._used: set[str] = set()
        self._pointers: list[list[str]] = []

    def parts(self) -> Iterator[list[str]]:
        """Yield the function of each part; all before `entry`."""
        for part in range(len(self._plan.chunks)):
            self._local, self._used = set(), set()
            body = list(self._body(part))
            pointers = [x for x in (*self._inputs, *self._outputs, "slots") if x in self._used]
            self._pointers.append(pointers)
            listed = [
                f"{'const ' if x in self._inputs else ''}double *restrict {x}" for x in pointers
            ]
            head = f"PART {self._name}_part{part}({', '.join(listed) or 'void'})"
            yield [head, "{", *(f"    {line}" for line in body), "}"]

    def entry(self) -> Iterator[str]:
        """Yield the lines of the function itself."""
        signature = self._program.signature
        yield prototype(self._name, self._program)
        yield "{"
        if self._plan.slots:
            yield f"    double slots[{len(self._plan.slots)}];\n"
        sized = zip(self._inputs, signature.input_sizes, strict=True)
        checks = [f"!all_finite({x}, {size})" for x, size in sized if size]
        if checks:
            yield from self._refusal(" || ".join(checks), NOT_FINITE)
        idle = {*self._inputs, *self._outputs} - {x for row in self._pointers for x in row}
        checked = {x for x, size in zip(self._inputs, signature.input_sizes, strict=True) if size}
        for name in sorted(idle - checked):
            yield f"    (void)({name});"
        for part, pointers in enumerate(self._pointers):
            yield f"    {self._name}_part{part}({', '.join(pointers)});"
        if self._program.guard is not None:
            yield from self._refusal("!(slots[0] == 0.0)", REFUSED)
        yield "    return 0;\n}"

    def _refusal(self, condition: str, code: int) -> Iterator[str]:
        yield f"    if ({condition}) {{"
        sizes = self._program.signature.output_sizes
        for name, size in zip(self._outputs, sizes, strict=True):
            if size:
                yield f"        poison({name}, {size});"
        yield f"        return {code};\n    }}"

    def _body(self, part: int) -> Iterator[str]:
        if part == 0:
            guard = self._program.guard
            if guard is not None and self._program.instructions[guard].operation in LEAVES:
                yield f"{self._slot(guard)} = {self._value(guard)};"
        yield from self._stores(self._plan.leaf_tiles(part))
        for value in self._plan.chunks[part]:
            instruction = self._program.instructions[value]
            operands = [self._value(operand) for operand in instruction.operands]
            yield f"const double t{value} = {_expression(instruction, operands)};"
            self._local.add(value)
            if value in self._plan.slots:
                yield f"{self._slot(value)} = t{value};"
            yield from self._stores(self._plan.tiles.get(value, ()))

    def _stores(self, tiles: Sequence[Tile]) -> Iterator[str]:
        for tile in tiles:
            name = self._outputs[tile.output]
            self._used.add(name)
            for offset, entry in enumerate(tile.values, tile.offset):
                yield f"{name}[{offset}] = {self._value(entry)};"

    def _value(self, value: int) -> str:
        instruction = self._program.instructions[value]
        if instruction.operation == "const":
            return number(instruction.constant)
        if instruction.operation == "input":
            port, index = instruction.operands
            self._used.add(self._inputs[port])
            return f"{self._inputs[port]}[{index}]"
        return f"t{value}" if value in self._local else self._slot(value)

    def _slot(self, value: int) -> str:
        self._used.add("slots")
        return f"slots[{self._plan.slots[value]}]"


def _expression(instruction: Instruction, operands: Sequence[str]) -> str:
    return _EXPRESSIONS[instruction.operation](*operands)


def _infix(operator: str) -> Callable[..., str]:
    return lambda a, b: f"{a} {operator} {b}"


def _call(name: str) -> Callable[..., str]:
    return lambda *operands: f"{name}({', '.join(operands)})"


def _test(operator: str) -> Callable[..., str]:
    return lambda a, b: f"{a} {operator} {b} ? 1.0 : 0.0"


_EXPRESSIONS: dict[str, Callable[..., str]] = {
    **{name: _infix(sign) for name, sign in zip(("add", "sub", "mul", "div"), "+-*/", strict=True)},
    **{name: _call(name) for name in ("sqrt", "fabs", "sin", "cos", *sorted(CALLED))},
    "neg": lambda a: f"-({a})",
    "fma": _call("FMA"),
    "fms": lambda a, b, c: f"FMA({a}, {b}, -({c}))",
    "fnma": lambda a, b, c: f"FMA(-({a}), {b}, {c})",
    "lt": _test("<"),
    "le": _test("<="),
    "eq": _test("=="),
    "ne": _test("!="),
    "not": lambda a: f"{a} == 0.0 ? 1.0 : 0.0",
    "and": lambda a, b: f"({a} != 0.0 && {b} != 0.0) ? 1.0 : 0.0",
    "or": lambda a, b: f"({a} != 0.0 || {b} != 0.0) ? 1.0 : 0.0",
    "select": lambda c, a, b: f"{c} != 0.0 ? {a} : {b}",
    "if_else_zero": lambda c, a: f"{c} != 0.0 ? {a} : 0.0",
}
