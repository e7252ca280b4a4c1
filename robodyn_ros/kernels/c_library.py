"""Programs as a C library that tests itself: sources, header, test and CMakeLists.txt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.kernels.c_names import argument_names, comment, number, unique_identifiers
from robodyn_ros.kernels.c_source import NOT_FINITE, REFUSED, c_source, prototype
from robodyn_ros.kernels.program import Program
from robodyn_ros.kernels.signature import Port

Floats: TypeAlias = NDArray[np.float64]

TOLERANCE = 1e-12
"""Largest norm-wise error that the test of a library lets pass."""


@dataclass(frozen=True)
class CFunction:
    """One function of a library.

    Attributes:
        name: What it is called after; made an identifier, with the library's name in front.
        program: What it computes.
        summary: What it is, for the header.
        descriptions: What each input and output is, with unit and frame, by the argument's name.
        inputs: For each input the samples (N, ...) that the library's test evaluates.
        expected: For each output what must come out, from another source than `program`.
    """

    name: str
    program: Program
    summary: str = ""
    descriptions: Mapping[str, str] = field(default_factory=dict)
    inputs: Sequence[Floats] = ()
    expected: Sequence[Floats] = ()


def c_library(
    name: str, functions: Iterable[CFunction], notes: Sequence[str] = ()
) -> dict[str, str]:
    """Return the text of each file of a library by its name.

    Args:
        name: What the library is called after.
        functions: What it contains.
        notes: Lines for the beginning of the header: where it is from, what it is about.
    """
    (library,) = unique_identifiers([name])
    listed = list(functions)
    test = f"{library}_test"
    named = [f"{library}_{function.name}" for function in listed]
    names = unique_identifiers(named, taken=(library, test))
    pairs = list(zip(names, listed, strict=True))
    files = {f"{library}.h": "\n".join(_header(library, pairs, notes))}
    for identifier, function in pairs:
        files[f"{identifier}.c"] = c_source(identifier, function.program, f"{library}.h")
    files[f"{test}.c"] = "\n".join(_test(library, pairs))
    files["CMakeLists.txt"] = _CMAKE.format(
        library=library, sources=" ".join(f"{x}.c" for x in names)
    )
    return files


def _header(
    library: str, pairs: list[tuple[str, CFunction]], notes: Sequence[str]
) -> Iterator[str]:
    yield comment(
        f"{library}.h",
        *notes,
        "",
        "Arrays are of double, matrices row by row (C order). An argument must not overlap an",
        "output. Every function may be called from several threads, and returns",
        "  0 where its outputs are right,",
        f"  {NOT_FINITE} where an input is not finite,",
        f"  {REFUSED} where inputs are not acceptable otherwise, or have no answer;",
        "outputs are NaN where it is not 0.",
    )
    guard = f"{library.upper()}_H"
    yield f'#ifndef {guard}\n#define {guard}\n\n#ifdef __cplusplus\nextern "C" {{\n#endif\n'
    for name, function in pairs:
        yield comment(*_documentation(name, function))
        yield f"{prototype(name, function.program)};\n"
    yield "#ifdef __cplusplus\n}\n#endif\n\n#endif\n"


def _documentation(name: str, function: CFunction) -> Iterator[str]:
    yield f"{name}: {function.summary or function.program.signature.name}"
    yield ""
    signature = function.program.signature
    inputs, outputs = argument_names(signature)
    sides = (("in ", inputs, signature.inputs), ("out", outputs, signature.outputs))
    for side, names, ports in sides:
        for argument, port in zip(names, ports, strict=True):
            told = function.descriptions.get(argument, "")
            yield f"{side} {argument} {_size(port)}{': ' if told else ''}{told}"


def _size(port: Port) -> str:
    return "".join(f"[{size}]" for size in port[1]) or "[1]"


def _test(library: str, pairs: list[tuple[str, CFunction]]) -> Iterator[str]:
    yield comment("Compares every function with results that were computed when it was exported.")
    yield f'#include "{library}.h"\n\n#include <math.h>\n#include <stdio.h>\n'
    if any(function.program.signature.outputs for _, function in pairs):
        yield _WORST
    yield _VERDICT
    for name, function in pairs:
        yield from _test_function(name, function)
    yield "int main(void)\n{\n    int failures = 0;"
    for name, _ in pairs:
        yield f"    failures += test_{name}();"
    yield "    return failures == 0 ? 0 : 1;\n}\n"


def _test_function(name: str, function: CFunction) -> Iterator[str]:
    signature = function.program.signature
    inputs, outputs = argument_names(signature)
    count = len(function.expected[0]) if function.expected else 0
    sizes = [max(1, size) for size in (*signature.input_sizes, *signature.output_sizes)]
    yield f"static int test_{name}(void)\n{{"
    rows_of = (*function.inputs, *function.expected)
    for argument, size, rows in zip((*inputs, *outputs), sizes, rows_of, strict=True):
        yield from _table(f"{argument}__rows", size, rows)
    for argument, size in zip(outputs, sizes[len(inputs) :], strict=True):
        yield f"    double {argument}[{size}];"
    yield "    double largest = 0.0;\n    int refused = 0;"
    listed = [f"{x}__rows[k]" for x in inputs] + outputs
    yield f"    for (int k = 0; k < {count}; ++k) {{"
    yield f"        refused += {name}({', '.join(listed)}) != 0;"
    for argument, size in zip(outputs, signature.output_sizes, strict=True):
        yield f"        largest = worst({argument}, {argument}__rows[k], {size}, largest);"
    yield "    }"
    first = next((k for k, size in enumerate(signature.input_sizes) if size), None)
    if first is not None:
        spoilt = [f"{x}__rows[0]" for x in inputs]
        spoilt[first] = "spoilt"
        yield f"    double spoilt[{sizes[first]}] = {{NAN}};"
        yield f"    refused += {name}({', '.join([*spoilt, *outputs])}) != {NOT_FINITE};"
    yield f'    return verdict("{name}", {count}, largest, refused);\n}}\n'


def _table(name: str, size: int, rows: Floats) -> Iterator[str]:
    yield f"    static const double {name}[{max(1, len(rows))}][{size}] = {{"
    for row in rows:
        yield f"        {{{', '.join(number(x) for x in np.ravel(row)) or '0.0'}}},"
    yield "    };" if len(rows) else "        {0.0},\n    };"


_WORST = """\
/* Largest difference of x and y over the largest of 1 and y, or w if that is larger. */
static double worst(const double *x, const double *y, int count, double w)
{
    double difference = 0.0, norm = 1.0;
    for (int k = 0; k < count; ++k) {
        if (!isnan(x[k]) != !isnan(y[k]))
            return INFINITY;
        difference = fmax(difference, fabs(x[k] - y[k]));
        norm = fmax(norm, fabs(y[k]));
    }
    return fmax(w, difference / norm);
}
"""

_VERDICT = f"""\
static int verdict(const char *name, int count, double largest, int refused)
{{
    const int wrong = refused != 0 || !(largest <= {TOLERANCE});
    printf("%s: %d samples, largest error %.2g%s\\n", name, count, largest, wrong ? ": WRONG" : "");
    return wrong;
}}
"""

_CMAKE = """\
cmake_minimum_required(VERSION 3.10)
project({library} C)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
option(NO_FMA "The processor has no fused multiply-add, or the compiler is not told to use it" OFF)

add_library({library} {sources})
set_target_properties({library} PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF)
target_include_directories({library} PUBLIC
  $<BUILD_INTERFACE:${{CMAKE_CURRENT_SOURCE_DIR}}> $<INSTALL_INTERFACE:include>)
if(NO_FMA)
  target_compile_definitions({library} PRIVATE NO_FMA)
endif()
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  target_compile_options({library} PRIVATE -ffp-contract=off)
endif()
if(UNIX)
  target_link_libraries({library} PUBLIC m)
endif()

enable_testing()
add_executable({library}_test {library}_test.c)
set_target_properties({library}_test PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF)
target_link_libraries({library}_test PRIVATE {library})
add_test(NAME {library}_test COMMAND {library}_test)

install(TARGETS {library} ARCHIVE DESTINATION lib LIBRARY DESTINATION lib RUNTIME DESTINATION bin)
install(FILES {library}.h DESTINATION include)
"""
