"""`state_step` and the efforts behind the motion, as one function that is compiled.

Used in place of `state_step` while somebody asks for efforts: still one call of a kernel a message.
What may change at run time is among the inputs, so that nothing is compiled again when it does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.effort_terms import gravity_effort, split_efforts
from robodyn_ros.algorithms.energy import energies
from robodyn_ros.algorithms.external_wrenches import packed_by_lump
from robodyn_ros.conditioning.acting_wrenches import WRENCH_SIZE
from robodyn_ros.conditioning.state_step import operation_name, state_step
from robodyn_ros.constraints.dynamics import motor_efforts
from robodyn_ros.constraints.elimination import eliminated, partition_of
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.kernels.scalar import greater, where
from robodyn_ros.kernels.signature import Port, Signature
from robodyn_ros.model import Environment, Model
from robodyn_ros.robot import run_time
from robodyn_ros.robot.catalogue import Operation
from robodyn_ros.spatial import Array

NAME = "dynamics_step"
LOADS = ("gravity", "inertias", "carried", "joints")
"""Its inputs behind those of the motion, as `robot.run_time` has them."""
EXTERNAL = "+external"
"""Behind the name of an operation that external wrenches act in: its last input."""

Floats = NDArray[np.float64]


class Efforts(NamedTuple):
    """Efforts by cause, each (nv,), N m or N; see `algorithms.EffortTerms`.

    Of a closed mechanism those of its motors, which do the work of all joints; 0 elsewhere.

    Attributes:
        inertial, coriolis, gravity, friction, armature, payload, total: as there.
        payload_weight: The part of `payload` that holds the payloads' weight.
    """

    inertial: Array
    coriolis: Array
    gravity: Array
    friction: Array
    armature: Array
    payload: Array
    total: Array
    payload_weight: Array


EXTERNAL_ROW = len(Efforts._fields)
"""The row behind those of `Efforts` where external wrenches act: what balances them."""


class DynamicsBlock(NamedTuple):
    """What is computed besides the motion.

    Attributes:
        efforts: (8, nv), rows as in `Efforts`; of (9, nv) the last is `EXTERNAL_ROW`.
        energies: (2,) kinetic and potential, J.
    """

    efforts: Array
    energies: Array


def dynamics_step(model: Model, frame: str = "", *, external: bool = False) -> Operation:
    """Return the operation of a model; motion is seen from a frame as in `state_step`.

    Inputs: those of `state_step`, then `LOADS`, then (`external`) wrenches as in `dynamics_block`.
    Outputs: those of `state_step`, then those of `DynamicsBlock`.
    """
    motion = state_step(model, frame)
    shapes = run_time.shapes(model)
    loads: tuple[Port, ...] = tuple((name, shapes[name]) for name in LOADS)
    signature = Signature(
        operation_name(NAME + EXTERNAL * external, frame),
        (*motion.signature.inputs, *loads, *wrench_ports(model, external=external)),
        (*motion.signature.outputs, *effort_ports(model, external=external)),
    )
    return Operation(signature, partial(_evaluate, model, motion, external))


def wrench_ports(model: Model, *, external: bool) -> tuple[Port, ...]:
    """Return the input of external wrenches, where they act."""
    return (("wrenches", (model.lumped.size, WRENCH_SIZE)),) if external else ()


def effort_ports(model: Model, *, external: bool) -> tuple[Port, ...]:
    """Return the outputs of `DynamicsBlock`."""
    return (("efforts", (EXTERNAL_ROW + external, model.nv)), ("energies", (2,)))


def evaluate_of(model: Model, name: str) -> Callable[..., tuple[Array, ...]]:
    """Return the plain function of an operation; what a compiling process asks for."""
    kind, _, frame = name.partition(":")
    if kind.removesuffix(EXTERNAL) != NAME:
        raise UnknownNameError.among("operation", name, (NAME,))
    return dynamics_step(model, frame, external=kind.endswith(EXTERNAL)).evaluate


def _evaluate(model: Model, motion: Operation, external: bool, *inputs: Array) -> tuple[Array, ...]:
    inputs, wrenches = (inputs[:-1], inputs[-1]) if external else (inputs, None)
    of_motion, loads = inputs[: -len(LOADS)], inputs[-len(LOADS) :]
    outputs = motion.evaluate(*of_motion)
    _, _, q, v, a, *_ = outputs
    base = of_motion[3:4] if model.base == "prescribed" else ()
    return (*outputs, *dynamics_block(model, (q, v, a), base, loads, wrenches))


def dynamics_block(
    model: Model,
    state: tuple[Array, ...],
    base: tuple[Array, ...],
    loads: tuple[Array, ...],
    wrenches: Array | None = None,
) -> DynamicsBlock:
    """Return efforts and energies.

    Args:
        model: The model.
        state: q (nq,), v (nv,) and a (nv,); of a closed mechanism such as it allows.
        base: The motion (24,) of a prescribed base.
        loads: As in `LOADS`.
        wrenches: (lumps, 6) external moment and force on each lump at its origin, in its axes.
    """
    gravity, inertias, carried, joints = loads
    named = {"gravity": gravity, "joints": joints}
    if base:
        named["base_motion"] = base[0]
    own = run_time.surroundings(model, named)._replace(regrouped=model.lumped.regrouped)
    moments = run_time.sparse(model, carried)
    q, v, a = state
    packed = None if wrenches is None else packed_by_lump(wrenches)
    terms = split_efforts(model, q, v, a, own, moments, packed)
    weight = gravity_effort(model, q, own._replace(regrouped=moments), ())
    found = {name: getattr(terms, name) for name in Efforts._fields[:-1]}
    rows: tuple[Array, ...] = Efforts(**found, payload_weight=weight)
    if wrenches is not None:
        rows = (*rows, terms.external)
    if model.is_closed:
        rows = _of_motors(model, q, rows)
    energy = energies(model, q, v, own._replace(inertias=inertias))
    return DynamicsBlock(np.stack(rows), np.stack(energy))


def _of_motors(model: Model, q: Array, loads: tuple[Array, ...]) -> tuple[Array, ...]:
    """Return the efforts of a closed mechanism's motors that do the work of each of the loads.

    Where some motor cannot, all are 0: the caller knows from the closure that they mean nothing.
    """
    elimination = eliminated(all_equations(model, q, None, closed=True), partition_of(model))
    found = [motor_efforts(model, elimination, load) for load in loads]
    lost = elimination.verdict + sum(verdict for _, verdict in found)
    served = greater(0.5, lost)
    return tuple(where(served, effort, 0.0) for effort, _ in found)


def loads_of(model: Model, environment: Environment) -> tuple[Floats, ...]:
    """Return arrays of their own for `LOADS` in an environment.

    Raises:
        UnknownNameError: a payload sits on a frame that the model does not have.
    """
    inputs = run_time.RunTime(model, environment).inputs(LOADS)
    return tuple(np.array(x, dtype=np.float64) for x in inputs)
