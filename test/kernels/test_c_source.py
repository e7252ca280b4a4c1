"""Programs as C: what is written compiles without a warning and computes the same."""

from __future__ import annotations

import re
import subprocess

import numpy as np
import pytest

from robodyn_ros.kernels import chunk
from robodyn_ros.kernels.c_library import CFunction, c_library
from robodyn_ros.kernels.c_names import argument_names, comment, identifier, unique_identifiers
from robodyn_ros.kernels.c_source import c_source
from robodyn_ros.kernels.elementary import arccos, arcsin, arctan, exp, log, power
from robodyn_ros.kernels.scalar import arctan2, less, less_equal, where
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.trace import trace


def operations(x, y):
    """Return a value of every operation, with constants and inputs among the outputs."""
    a, b, c = (x[..., k][()] for k in range(3))
    both = less(a, b) & less_equal(b, c)
    results = [
        a * b - c,
        c - a * b,
        a * b + c * -2.5,
        -(a / (1.0 + b * b)),
        where(both | ~less(c, a), abs(a), a * c),
        where(both, a, 0.0),
        where(a == b, 1.0, where(a != c, y, 7e-300)),
        arctan2(a, b) + arctan(c) + arcsin(a / 3.0) - arccos(b / 2.0),
        exp(a) + log(3.0 + b) + power(2.0 + c, a) + power(b, 3.0) + power(2.0 + b, 0.7),
        a,
        y,
        0.0 * a,
        0.1 + 0.0 * a,
    ]
    return np.stack(results, axis=-1), np.stack([x, x], axis=-2) * y[..., None, None]


OPERATIONS = Signature("operations", (("x", (3,)), ("y", ())), (("z", (13,)), ("table", (2, 3))))


def sampled(name, program, function, inputs):
    with np.errstate(all="ignore"):
        results = function(*inputs)
    return CFunction(name, program, "any", {}, inputs, results[: len(program.signature.outputs)])


def random_samples(count=30):
    rng = np.random.default_rng(4)
    x, y = rng.integers(-2, 3, size=(count, 3)) * 0.5, rng.normal(size=count)
    return [x, y]


@pytest.mark.parametrize("flags", [[], ["-O2"], ["-DNO_FMA"], ["-O2", "-march=native"]])
def test_every_operation(c_run, flags):
    program = trace(operations, OPERATIONS)
    function = sampled("operations", program, operations, random_samples())
    result = c_run(c_library("all", [function]), flags)
    assert re.search(r"all_operations: 30 samples, largest error \S+$", result.stdout.strip())


def test_a_program_in_parts(c_run, example, chain_program, monkeypatch):
    monkeypatch.setattr(chunk, "WHOLE", 20)
    monkeypatch.setattr(chunk, "CHUNK", 20)
    function = sampled("chain", chain_program, example.function, example.inputs(10))
    files = c_library("robot", [function])
    text = files["robot_chain.c"]
    assert "robot_chain_part3(" in text
    longest = max(part.count("\n") for part in text.split("PART ")[2:])
    assert longest < 20 * 4
    assert c_run(files, ["-O2"]).returncode == 0


def test_guard_and_non_finite_inputs_refuse(c_run, example, chain_program):
    function = sampled("chain", chain_program, example.function, example.inputs(3))
    main = """
#include "robot.h"
#include <math.h>
#include <stdio.h>
int main(void)
{
    double q[7] = {0}, v[7] = {0}, position[21], rotation[28], velocity[21];
    double reach[1], nothing[1], echo[7], length = 1.0;
    const double lengths[4] = {1.0, -1.0, INFINITY, NAN};
    for (int k = 0; k < 4; ++k) {
        length = lengths[k];
        printf("%d ", robot_chain(q, v, &length, position, rotation, velocity, reach, nothing,
                                  echo));
        printf("%d\\n", isnan(reach[0]) != 0);
    }
    return 0;
}
"""
    files = c_library("robot", [function])
    files["robot_test.c"] = main
    assert c_run(files, []).stdout.split() == ["0", "0", "2", "1", "1", "1", "1", "1"]


def test_the_test_of_a_library_finds_wrong_results(c_run):
    program = trace(operations, OPERATIONS)
    function = sampled("operations", program, operations, random_samples())
    function.expected[1][4, 1, 2] += 1e-11
    result = c_run(c_library("all", [function]), [], check=False)
    assert result.returncode == 1
    assert "WRONG" in result.stdout


def test_hostile_names(c_run):
    names = ["double", "k", "t1", "*/ int x = 1; /*", "Größe", "3", "sin", "double", "slots"]
    ports = tuple((name, ()) for name in names)
    signature = Signature("a */ b", ports, tuple((name, (2,)) for name in names))

    def function(*inputs):
        return tuple(np.stack([x, x * x], axis=-1) for x in inputs)

    inputs = list(np.random.default_rng(1).normal(size=(9, 4)))
    each = sampled("if */ (", trace(function, signature), function, inputs)
    told = dict.fromkeys(argument_names(signature)[0], "*/ #error /* ??/ \\")
    listed = [CFunction(each.name, each.program, "*/", told, each.inputs, each.expected)] * 2
    result = c_run(c_library("while", listed, ["*/ line\n#error", "??/", "é" * 200]), [])
    assert "while_x_if_2: 4 samples" in result.stdout


@pytest.mark.parametrize(
    "signature",
    [
        Signature("nothing", (), ()),
        Signature("constant", (), (("y", (2,)),)),
        Signature("unused", (("x", (2,)), ("none", (0, 3))), (("y", (2,)), ("empty", (0,)))),
    ],
)
def test_degenerate_programs(c_run, signature):
    results = [np.ones(shape) for _, shape in signature.outputs]
    program = trace(lambda *inputs: results, signature)
    inputs = [np.ones((3, *shape)) for _, shape in signature.inputs]
    expected = [np.ones((3, *shape)) for _, shape in signature.outputs]
    function = CFunction("f", program, "", {}, inputs, expected)
    assert c_run(c_library("lib", [function]), ["-O2"]).returncode == 0
    without = CFunction("f", program, "", {}, [x[:0] for x in inputs], [y[:0] for y in expected])
    assert c_run(c_library("lib", [without]), []).returncode == 0


def test_the_header_serves_cpp(c_files, tmp_path, chain_program, cpp):
    c_files(c_library("robot", [CFunction("chain", chain_program, "", {}, [[]] * 3, [[]] * 6)]))
    (tmp_path / "use.cpp").write_text('#include "robot.h"\nint main() { return !&robot_chain; }\n')
    command = [cpp, "-fsyntax-only", "-Wall", "-Wextra", "-pedantic", "use.cpp"]
    subprocess.run(command, cwd=tmp_path, check=True)


def test_numbers_are_exact():
    signature = Signature("numbers", (), (("y", (4,)),))
    values = [0.1, -1e-310, np.nan, -np.inf]
    text = c_source("f", trace(lambda: [np.array(values)], signature), "f.h")
    assert re.findall(r"y\[\d\] = (.*);", text) == ["0.1", "-1e-310", "NAN", "-INFINITY"]


def test_identifiers():
    assert identifier("jacobian:tool0") == "jacobian_tool0"
    assert identifier("__7 axes__") == "n7_axes"
    assert identifier("") == "unnamed"
    assert identifier("while") == "while_x"
    assert unique_identifiers(["a b", "a-b", "A b"], taken=["a_b_2"]) == ["a_b", "a_b_3", "A_b_4"]


def test_comments_end_where_they_should():
    text = comment("a */ b", "c /* d", "x\ny", "word " * 40)
    assert text.count("*/") == 1
    assert text.count("/*") == 1
    assert max(map(len, text.splitlines())) <= 100
