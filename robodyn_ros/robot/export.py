"""A robot's functions for other programs: C sources, CasADi Functions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError, CompilationError
from robodyn_ros.kernels.c_library import CFunction, c_library
from robodyn_ros.kernels.casadi_function import casadi_function
from robodyn_ros.kernels.signature import Port
from robodyn_ros.kernels.trace import trace
from robodyn_ros.model import Model
from robodyn_ros.robot.catalogue import Operation, guard_of, operation
from robodyn_ros.robot.functions import Functions
from robodyn_ros.robot.port_notes import kind_of, notes_of, port_descriptions, summary
from robodyn_ros.robot.run_time import RunTime

Floats = NDArray[np.float64]

FUNCTIONS = (
    "inverse_dynamics",
    "forward_dynamics",
    "mass_matrix",
    "bias_force",
    "gravity_force",
    "body_motion",
)
"""What is exported if nothing is named."""

SAMPLES = 8
"""States that the exported test evaluates."""
_SEED = 20


def export_c(
    robot: Functions,
    directory: str | os.PathLike[str],
    functions: Iterable[str] = FUNCTIONS,
    *,
    name: str | None = None,
) -> list[Path]:
    """Write functions of a robot as a self-contained C99 library, and return the files.

    The directory, which is made where needed, gets a header, a source for each function, a test
    that compares them with this package at random states, and CMakeLists.txt. What may change at
    run time, as gravity, is an argument of the functions.

    Args:
        robot: the robot.
        directory: where the files go; those of equal names are replaced.
        functions: names of operations, or one: "inverse_dynamics", "jacobian:<frame>"; with
            "+friction", or "+loaded" for inertial and joint parameters as arguments.
        name: what the library is called after, in front of all its functions; the robot's name.

    Raises:
        UnknownNameError: no such function or frame.
        ArgumentError: no function at all.
        CompilationError: CasADi, which traces the functions, is missing.
        OSError: the files cannot be written.
    """
    model = robot.model
    listed = [functions] if isinstance(functions, str) else list(dict.fromkeys(functions))
    if not listed:
        raise ArgumentError("name at least one function to export")
    operations = [operation(model, each) for each in listed]
    run_time = RunTime(model, robot.environment)
    exported = [_exported(model, each, run_time) for each in operations]
    files = c_library(model.name if name is None else name, exported, notes_of(model))
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for file, text in files.items():
        (folder / file).write_text(text, encoding="ascii")
        written.append(folder / file)
    return written


def casadi_of(model: Model, name: str) -> Any:
    """Return an operation as ``casadi.Function``, its inputs and outputs by name.

    What may change at run time, as gravity, is among the inputs. Arrays with more than two axes
    become matrices of all their rows.

    Raises:
        UnknownNameError: no such operation or frame.
        CompilationError: CasADi is missing.
    """
    described = operation(model, name)
    return casadi_function(described.evaluate, described.signature, name)


def _exported(model: Model, described: Operation, run_time: RunTime) -> CFunction:
    _require_casadi(described.name)
    program = trace(described.evaluate, described.signature, guard_of(model))
    inputs, expected = _samples(model, described, run_time)
    return CFunction(
        described.name,
        program,
        summary(described.name),
        port_descriptions(model, kind_of(described.name)),
        inputs,
        expected,
    )


def _require_casadi(name: str) -> None:
    try:
        import casadi  # noqa: F401
    except ImportError as error:
        raise CompilationError(
            f"exporting {name} needs the package casadi (pip install casadi): {error}"
        ) from error


def _configuration(model: Model, rng: np.random.Generator) -> Floats:
    """Return a random configuration (nq,), of a closed mechanism one that closes."""
    from robodyn_ros.algorithms import random_configuration
    from robodyn_ros.constraints.newton import CLOSED, solved_closure

    q = random_configuration(model, rng)
    if model.is_closed:
        q, left = solved_closure(model, q)
        return q if left < CLOSED else model.defaults.q
    return q


def _samples(
    model: Model, described: Operation, run_time: RunTime
) -> tuple[list[Floats], list[Floats]]:
    """Return random inputs, and the outputs by the plain function; only states with an answer."""
    rng = np.random.default_rng(_SEED)
    ports = described.signature.inputs
    known = dict(zip(described.run_time, run_time.inputs(described.run_time), strict=True))
    inputs: list[Floats] = []
    for port, shape in ports:
        if port == "q":
            inputs.append(np.stack([_configuration(model, rng) for _ in range(SAMPLES)]))
        else:  # what is run-time state is the same for all samples
            inputs.append(known[port] if port in known else rng.normal(size=(SAMPLES, *shape)))
    with np.errstate(all="ignore"):
        values: Sequence[Any] = described.evaluate(*inputs)
    outputs = described.signature.outputs
    good = np.ones(SAMPLES, dtype=bool)
    for verdict in values[len(outputs) :]:
        good &= np.broadcast_to(verdict, SAMPLES) == 0.0

    def rows(ports: Sequence[Port], arrays: Sequence[Any]) -> list[Floats]:
        pairs = zip(ports, arrays, strict=False)
        return [np.broadcast_to(array, (SAMPLES, *port[1]))[good] for port, array in pairs]

    return rows(ports, inputs), rows(outputs, values)
