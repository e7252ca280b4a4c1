"""The catalogue of kernels: which functions of a model are compiled, over which inputs.

A row gives the plain function in the form that a trace needs: arrays in, a tuple of arrays out,
with everything that may change at run time among the inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from robodyn_ros import algorithms
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.model import BaseMotion, Environment, Model
from robodyn_ros.spatial import Array, joined

Evaluate = Callable[..., tuple[Array, ...]]

#: A prescribed base's motion as one array: the fields of `BaseMotion` one after the other.
BASE_MOTION_SIZE = 24


@dataclass(frozen=True)
class Operation:
    """One compiled function of one model: its signature and its plain form."""

    signature: Signature
    evaluate: Evaluate

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.signature.name


def base_motion_array(motion: BaseMotion) -> Array:
    """Return a base motion as (..., 24): position, rotation by rows, velocities, accelerations."""
    parts = [
        motion.position,
        motion.rotation.reshape((*motion.rotation.shape[:-2], 9)),
        motion.angular_velocity,
        motion.linear_velocity,
        motion.angular_acceleration,
        motion.linear_acceleration,
    ]
    return joined(*parts)


def environment_of(base: tuple[Array, ...]) -> Environment:
    """Return the environment that the run-time inputs behind q, v and a describe."""
    if not base:
        return Environment()
    x = base[0]
    rotation = x[..., 3:12].reshape((*x.shape[:-1], 3, 3))
    vectors = (x[..., k : k + 3] for k in (0, 12, 15, 18, 21))
    position, w, v, dw, dv = vectors
    return Environment(base_motion=BaseMotion(position, rotation, w, v, dw, dv))


def _body_motion(model: Model, q: Array, v: Array, a: Array, *base: Array) -> tuple[Array, ...]:
    return algorithms.body_motion(model, q, v, a, environment=environment_of(base))


def _center_of_mass_motion(
    model: Model, q: Array, v: Array, a: Array, *base: Array
) -> tuple[Array, ...]:
    return algorithms.center_of_mass_motion(model, q, v, a, environment=environment_of(base))


def _jacobian(model: Model, frame: str, q: Array, *base: Array) -> tuple[Array, ...]:
    return (algorithms.jacobian(model, q, frame, environment=environment_of(base)),)


def operation(model: Model, name: str) -> Operation:
    """Return the operation `name` of a model: "body_motion", ..., or "jacobian:<frame>"."""
    kind, _, detail = name.partition(":")
    nb, nq, nv = model.nb, model.nq, model.nv
    inputs: tuple[tuple[str, tuple[int, ...]], ...] = (("q", (nq,)), ("v", (nv,)), ("a", (nv,)))
    vectors = ((nb, 3),) * 4
    if kind == "body_motion":
        fields = algorithms.BodyMotion._fields
        outputs = tuple(zip(fields, ((nb, 3), (nb, 3, 3), *vectors), strict=True))
        evaluate: Evaluate = partial(_body_motion, model)
    elif kind == "center_of_mass_motion":
        outputs = tuple((field, (nb, 3)) for field in algorithms.CenterOfMassMotion._fields)
        evaluate = partial(_center_of_mass_motion, model)
    elif kind == "jacobian":
        inputs, outputs = inputs[:1], (("jacobian", (6, nv)),)
        evaluate = partial(_jacobian, model, model.frame(detail).name)
    else:
        known = ("body_motion", "center_of_mass_motion", "jacobian:<frame>")
        raise UnknownNameError.among("operation", name, known)
    if model.base == "prescribed":
        inputs += (("base_motion", (BASE_MOTION_SIZE,)),)
    return Operation(Signature(name, inputs, outputs), evaluate)


def evaluate_of(model: Model, name: str) -> Evaluate:
    """Return the plain form of an operation; what a compiling process asks for."""
    return operation(model, name).evaluate


def guard_of(model: Model) -> Callable[..., Array] | None:
    """Return the function of an operation's inputs that is 0 where all quaternions have norm 1.

    None for a model without quaternions.
    """
    starts = [
        joint.q_index + joint.joint.quaternion_start
        for joint in model.own_joints
        if joint.joint.quaternion_start is not None
    ]
    return partial(_quaternion_guard, tuple(starts)) if starts else None


def _quaternion_guard(starts: tuple[int, ...], q: Array, *_: Array) -> Array:
    from robodyn_ros.robot.arguments import QUATERNION_TOLERANCE
    from robodyn_ros.spatial import where

    total = 0.0 * q[..., 0]
    for start in starts:
        part = q[..., start : start + 4]
        off = (part * part).sum(axis=-1) - 1.0
        total = total + where(off * off > (2.0 * QUATERNION_TOLERANCE) ** 2, 1.0, 0.0)
    return total
