"""`state_step` with accelerations from forward dynamics in place of filtered ones, to be compiled.

What the joint states say of efforts, positions and velocities determines the accelerations; they
are there at once, where a filter lags. Still one call of a kernel a message, with the efforts
behind the motion where somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from robodyn_ros.algorithms.external_wrenches import packed_by_lump
from robodyn_ros.algorithms.inverse_dynamics import efforts
from robodyn_ros.algorithms.mass_matrix import inertia_matrix
from robodyn_ros.algorithms.singular import coordinate_limits
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.conditioning import dynamics_step
from robodyn_ros.conditioning.dynamics_step import (
    EXTERNAL,
    dynamics_block,
    effort_ports,
    wrench_ports,
)
from robodyn_ros.conditioning.state_step import (
    joints_step,
    motion_blocks,
    operation_name,
    relative_block,
    state_step,
)
from robodyn_ros.conditioning.tracking import LIMIT
from robodyn_ros.constraints.dynamics import closed_accelerations, motors
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.kernels.scalar import greater, less_equal, where
from robodyn_ros.kernels.signature import Port, Signature
from robodyn_ros.model import Model
from robodyn_ros.robot import run_time
from robodyn_ros.robot.catalogue import Operation
from robodyn_ros.spatial import Array
from robodyn_ros.spatial.ldlt import ltdl, solved

NAME = "driven_step"
WITH_EFFORTS = "driven_dynamics_step"
DRIVE = ("drive", "drive_gravity", "limits", "carried", "joints")
"""Inputs of forward dynamics: see `driven_accelerations`; the last three as in `robot.run_time`."""


def driven_step(model: Model, frame: str = "", *, external: bool = False) -> Operation:
    """Return the operation of a model; motion is seen from a frame as in `state_step`.

    Inputs: those of `state_step`, then `DRIVE`, at last (`external`) wrenches as in
    `dynamics_block`. Outputs: those of `state_step`, then forward (2,), the tally of
    `driven_accelerations`.
    """
    return _operation(model, NAME, frame, external=external)


def driven_dynamics_step(model: Model, frame: str = "", *, external: bool = False) -> Operation:
    """Return that operation with the efforts behind the motion.

    Inputs: those of `driven_step`, then `dynamics_step.LOADS`. Outputs: those of `driven_step`,
    then those of `DynamicsBlock`.
    """
    return _operation(model, WITH_EFFORTS, frame, external=external)


def evaluate_of(model: Model, name: str) -> Callable[..., tuple[Array, ...]]:
    """Return the plain function of an operation; what a compiling process asks for."""
    operations = {NAME: driven_step, WITH_EFFORTS: driven_dynamics_step}
    kind, _, frame = name.partition(":")
    found = operations.get(kind.removesuffix(EXTERNAL))
    if found is None:
        raise UnknownNameError.among("operation", name, operations)
    return found(model, frame, external=kind.endswith(EXTERNAL)).evaluate


def _operation(model: Model, name: str, frame: str, *, external: bool) -> Operation:
    motion = state_step(model, frame).signature
    shapes = run_time.shapes(model)
    own: dict[str, tuple[int, ...]] = {"drive": (2, model.nv), "drive_gravity": (3,)}
    drive: tuple[Port, ...] = tuple((x, own.get(x) or shapes[x]) for x in DRIVE)
    loads: tuple[Port, ...] = ()
    outputs: tuple[Port, ...] = ()
    if name == WITH_EFFORTS:
        # Gravity may be another there, and inputs need names of their own.
        loads = tuple((f"loads_{name}", shapes[name]) for name in dynamics_step.LOADS)
        outputs = effort_ports(model, external=external)
    signature = Signature(
        operation_name(name + EXTERNAL * external, frame),
        (*motion.inputs, *drive, *loads, *wrench_ports(model, external=external)),
        (*motion.outputs, ("forward", (2,)), *outputs),
    )
    return Operation(signature, partial(_evaluate, model, frame, len(loads), external))


def _evaluate(
    model: Model, frame: str, loads: int, external: bool, *inputs: Array
) -> tuple[Array, ...]:
    inputs, wrenches = (inputs[:-1], inputs[-1]) if external else (inputs, None)
    inputs, of_efforts = inputs[: len(inputs) - loads], inputs[len(inputs) - loads :]
    of_motion, drive = inputs[: -len(DRIVE)], inputs[-len(DRIVE) :]
    q, v, a, *base, memory, samples, control = of_motion
    joints = joints_step(model, q, v, a, memory, samples, control)
    state = (joints.q, joints.v, joints.a)
    moved, forward = driven_accelerations(model, state, tuple(base), drive, wrenches)
    blocks = (
        relative_block(model, joints.q, tuple(base)),
        *motion_blocks(model, joints.q, joints.v, moved, tuple(base), frame),
        forward,
    )
    state = (joints.q, joints.v, moved)
    efforts = dynamics_block(model, state, tuple(base), of_efforts, wrenches) if loads else ()
    return (*joints._replace(a=moved), *blocks, *efforts)


def driven_accelerations(
    model: Model,
    state: tuple[Array, ...],
    base: tuple[Array, ...],
    drive: tuple[Array, ...],
    wrenches: Array | None = None,
) -> tuple[Array, Array]:
    """Return accelerations (nv,) of coordinates, of which the driven ones follow from efforts.

    The others keep the accelerations that they have, and what these take is counted in: hybrid
    dynamics. Where there is no answer all keep them.

    Args:
        model: The model.
        state: q (nq,), v (nv,) and the accelerations (nv,) known otherwise.
        base: The motion (24,) of a prescribed base.
        drive: (2, nv) efforts in N m or N and whether (1.0) a coordinate is driven; gravity (3,),
            none where the driver compensates it; limits, carried, joints as in `robot.run_time`.
        wrenches: What acts from outside, as in `dynamics_block`.

    Returns:
        The accelerations, and a tally (2,): pivots of the mass matrix that were lost, and
        accelerations beyond all bounds. Both are 0 where there is an answer.

    Of a closed mechanism either all motors are driven, or nothing is.

    Source: Featherstone 2008, section 9.2, with the mass matrix of the driven coordinates.
    """
    q, v, known = state
    (tau, driven), gravity, limits, carried, joints = drive
    around = _surroundings(model, base, (gravity, limits, carried, joints))
    packed = None if wrenches is None else packed_by_lump(wrenches)
    if model.is_closed:
        return _driven_closed(model, state, (tau, driven), around, packed)
    others = 1.0 - driven
    bias = efforts(model, q, v, others * known, around, packed=packed, friction=True)
    mass = inertia_matrix(model, q, around) * (driven[:, None] * driven)
    mass = mass + np.eye(model.nv) * others
    factors = ltdl(mass, coordinate_limits(model, around))
    found = solved(factors, (driven * (tau - bias))[:, None])[:, 0]
    beyond = (1.0 - less_equal(abs(found), LIMIT) * 1.0).sum()
    lost = factors.verdict
    failed = greater(lost + beyond, 0.5)
    a = where(failed, known, where(greater(driven, 0.5), found, known))
    return a, np.stack([np.asarray(lost), np.asarray(beyond)])


def _driven_closed(
    model: Model,
    state: tuple[Array, ...],
    drive: tuple[Array, Array],
    around: Surroundings,
    packed: Array | None,
) -> tuple[Array, Array]:
    """Return the same of a closed mechanism, whose motors' efforts are given."""
    q, v, known = state
    tau, driven = drive
    powered = np.zeros(model.nv)
    powered[list(motors(model))] = 1.0
    found, _, verdict = closed_accelerations(
        model, q, v, powered * tau, around, packed=packed, friction=True
    )
    beyond = (1.0 - less_equal(abs(found), LIMIT) * 1.0).sum()
    failed = greater(verdict + beyond, 0.5)
    undriven = (powered * (1.0 - driven)).sum()
    a = where(greater(undriven, 0.5), known, where(failed, known, found))
    return a, np.stack([np.asarray(verdict), np.asarray(beyond)])


def _surroundings(model: Model, base: tuple[Array, ...], given: tuple[Array, ...]) -> Surroundings:
    gravity, limits, carried, joints = given
    named = {"gravity": gravity, "joints": joints, "limits": limits}
    if base:
        named["base_motion"] = base[0]
    own = model.lumped.regrouped
    moments = own + run_time.sparse(model, carried)
    return run_time.surroundings(model, named)._replace(regrouped=moments)
