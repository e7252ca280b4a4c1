"""The functions of dynamics that are compared, and how each side's answers are judged equal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks.dynamics_robots import Opponent
from robodyn_ros.robot.catalogue import operation
from robodyn_ros.robot.kernel_source import KernelSource


@dataclass(frozen=True)
class Function:
    """A function on both sides.

    Attributes:
        name: our method.
        rival: Pinocchio's function.
        arguments: how many of q, v and accelerations (or efforts) it takes.
        tolerance: of the norm-wise difference.
        coupled: whether Pinocchio's answer for free joints can be projected on coupled ones.
        parallel: Pinocchio's batch on several threads, if it has one.
    """

    name: str
    rival: str
    arguments: int = 3
    tolerance: float = 1e-10
    coupled: bool = False
    parallel: str | None = None


FUNCTIONS = (
    Function("inverse_dynamics", "rnea", coupled=True, parallel="rneaInParallel"),
    Function("mass_matrix", "crba", arguments=1, coupled=True),
    Function("forward_dynamics", "aba", parallel="abaInParallel"),
    Function("inverse_dynamics_derivatives", "computeRNEADerivatives", tolerance=1e-8),
    Function("forward_dynamics_derivatives", "computeABADerivatives", tolerance=1e-8),
)

EXCLUDED = (
    "Not compared: forward dynamics and derivatives of Talos full with its mimic joints, which"
    " Pinocchio's aba and derivatives do not take. It does not load this file's mimic tags at all"
    " (followers stand before their drivers), so for inverse dynamics and the mass matrix its side"
    " is what its user writes: all 44 joints free, the state mapped to them and the result"
    " projected back with NumPy. MuJoCo has no analytical derivatives."
)


def absent(function: Function, one: Opponent) -> str:
    """Return why a function is not measured for a robot, "" where it is."""
    if not hasattr(type(one.robot), function.name):
        return f"`{function.name}` is not measured: a Robot does not have it yet"
    if one.coupled and not function.coupled:
        return f"`{function.name}` of {one.name} is not compared, see above"
    return ""


def require_kernel(function: Function, one: Opponent) -> int:
    """Compile a robot's function and return how many instructions it takes, or exit."""
    if not one.robot.compile(function.name):
        raise SystemExit(f"{one.name}: no kernel for {function.name}")
    model = one.robot.model
    kernel = KernelSource(model, operation(model, function.name), "wait").poll(wait=True)
    if kernel is None:
        raise SystemExit(f"{one.name}: the kernel for {function.name} does not load")
    return kernel.instructions


def rival(function: Function, one: Opponent) -> tuple[Callable[..., Any], bool]:
    """Return Pinocchio's function of one row, and whether rows are in its coordinates.

    Where joints are coupled it takes rows in ours.
    """
    bare = partial(getattr(pin, function.rival), one.other, one.other.createData())
    if not one.coupled:
        return bare, True
    P, positions, offset = one.rates, one.positions, one.offset
    if function.name == "mass_matrix":
        return lambda q: P.T @ bare(positions @ q + offset) @ P, False
    return lambda q, v, a: P.T @ bare(positions @ q + offset, P @ v, P @ a), False


def require_equality(function: Function, one: Opponent, count: int) -> float:
    """Return the largest norm-wise difference over `count` rows; exit where it is too large."""
    rows = one.rows(count, seed=1)
    call = getattr(one.robot, function.name)
    batch = _arrays(call(*rows[: function.arguments]))
    worst = 0.0
    for k, row in enumerate(zip(*rows[: function.arguments], strict=True)):
        for ours in (_arrays(call(*row)), [x[k] for x in batch]):
            worst = max(worst, _difference(function, one, rows, k, ours))
    if not worst < function.tolerance:
        raise SystemExit(f"{one.name}: {function.name} differs from Pinocchio by {worst:.2e}")
    return worst


def _arrays(result: Any) -> list[np.ndarray]:
    return [result] if isinstance(result, np.ndarray) else list(result)


def _difference(
    function: Function,
    one: Opponent,
    rows: tuple[np.ndarray, ...],
    k: int,
    ours: list[np.ndarray],
) -> float:
    """Return the norm-wise difference in row k; of forward dynamics, that of the efforts."""
    P, data = one.rates, one.other.createData()
    q, v, x = (row[0] for row in one.theirs(tuple(array[k : k + 1] for array in rows)))
    if function.name == "forward_dynamics":  # the residual, for efforts that are P^T of its
        efforts = P.T @ pin.rnea(one.other, data, q, v, P @ ours[0])
        return _norm_wise(efforts, rows[2][k])
    state = (q, v, x)[: function.arguments]
    found = getattr(pin, function.rival)(one.other, data, *state)
    if isinstance(found, tuple):
        *others, symmetric = (np.array(matrix) for matrix in found)
        theirs = [*others, np.triu(symmetric) + np.triu(symmetric, 1).T]
    elif function.name == "mass_matrix":
        theirs = [np.triu(found) + np.triu(found, 1).T]
    else:
        return _norm_wise(ours[0], P.T @ found)
    expected = [P.T @ matrix @ P for matrix in theirs]
    return max(_norm_wise(x, y) for x, y in zip(ours, expected, strict=True))


def _norm_wise(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.max(np.abs(x - y))) / max(1.0, float(np.max(np.abs(y))))
