"""A function with everything that kernels have to cope with, and its kernels."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace

import numpy as np
import pytest

from compilers import c_compiler, compiler
from robodyn_ros.kernels.compiled import compile_program
from robodyn_ros.kernels.kernel import Kernel
from robodyn_ros.kernels.scalar import cos, less, sin, sqrt, where
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.target import Target
from robodyn_ros.kernels.trace import trace

LINKS = 7

CHAIN = Signature(
    "chain",
    inputs=(("q", (LINKS,)), ("v", (LINKS,)), ("length", ())),
    outputs=(
        ("position", (LINKS, 3)),
        ("rotation", (LINKS, 2, 2)),
        ("velocity", (LINKS, 3)),
        ("reach", ()),
        ("nothing", (0, 3)),
        ("echo", (LINKS,)),
    ),
)


def chain(q, v, length):
    """Return the motion of a planar chain, with constants, inputs and choices among the outputs."""
    lead = q.shape[:-1]
    angle, rate = np.zeros(lead), np.zeros(lead)
    x, y, vx, vy = (np.zeros(lead) for _ in range(4))
    positions, rotations, velocities = [], [], []
    for k in range(LINKS):
        angle, rate = angle + q[..., k], rate + v[..., k]
        c, s = cos(angle), sin(angle)
        x, y = x + length * c, y + length * s
        vx, vy = vx - length * s * rate, vy + length * c * rate
        limited = where(less(abs(vx), 1.0), vx, vx / abs(vx))
        positions.append(np.stack([x, y, np.zeros(lead)], axis=-1))
        rotations.append(np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2))
        velocities.append(np.stack([vx, vy, limited], axis=-1))
    reach = sqrt(x * x + y * y)
    nothing = np.zeros((*lead, 0, 3))
    stacked = (
        np.stack(rows, axis) for rows, axis in ((positions, -2), (rotations, -3), (velocities, -2))
    )
    return (*stacked, reach, nothing, q)


def chain_guard(q, v, length):
    """Return 0 for links of positive length."""
    return where(less(length, 0.0), 1.0, 0.0)


def random_inputs(rows, seed=0):
    """Return well-formed inputs of so many samples."""
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(rows, LINKS)), rng.normal(size=(rows, LINKS)), rng.uniform(1, 2, rows)]


def empty_outputs(signature, rows):
    """Return outputs full of a number that no result has."""
    return [np.full((rows, *shape), 12345.0) for _, shape in signature.outputs]


def flat_rows(outputs):
    """Return the outputs as one row per sample, in the order of a single call."""
    return np.concatenate([output.reshape(len(output), -1) for output in outputs], axis=1)


@pytest.fixture(scope="session")
def chain_program():
    return trace(chain, CHAIN, chain_guard)


@pytest.fixture(scope="session")
def chain_kernels(chain_program):
    """Return the chain's kernels by batch width; their fallback returns what it was given."""

    def fallback(*arguments):
        return ("fallback", *arguments)

    kernels = {}
    for width in (1, 2, 4, 8):
        target = Target.host(width)
        kernels[width] = Kernel(compile_program(chain_program, target), fallback, target)
    return kernels


@pytest.fixture(scope="session", params=[1, 2, 4, 8])
def chain_kernel(request, chain_kernels):
    return chain_kernels[request.param]


@pytest.fixture(scope="session")
def example():
    """Return the chain and what tests do with it."""
    return SimpleNamespace(
        signature=CHAIN,
        function=chain,
        inputs=random_inputs,
        outputs=empty_outputs,
        flat=flat_rows,
    )


@pytest.fixture(scope="session")
def kernel_of():
    """Return a function that compiles a function of arrays for this machine."""

    def make(function, inputs, outputs, *, guard=None, width=None, fallback=None, native=True):
        target = Target.host(width)
        program = trace(function, Signature("test", inputs, outputs), guard)
        return Kernel(
            compile_program(program, target),
            fallback or (lambda *arguments: ("fallback", *arguments)),
            target,
            native=native,
        )

    return make


@pytest.fixture(scope="session")
def cpp():
    return compiler("g++", "c++", "clang++")


@pytest.fixture
def c_files(tmp_path):
    """Return a function that writes files."""

    def write(files):
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="ascii")
        return sorted(name for name in files if name.endswith(".c"))

    return write


@pytest.fixture
def c_run(tmp_path, c_files):
    """Return a function that compiles a C library with its test, strictly, and runs that."""
    strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wshadow"]

    def run(files, flags, check=True):
        command = [c_compiler(), *strict, *flags, *c_files(files)]
        subprocess.run([*command, "-o", "test", "-lm"], cwd=tmp_path, check=True)
        return subprocess.run(
            [tmp_path / "test"], cwd=tmp_path, check=check, capture_output=True, text=True
        )

    return run
