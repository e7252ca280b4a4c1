"""Run-time inputs of kernels: what an environment is to one model, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.singular import pivot_limits
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import BaseMotion, Environment, Model
from robodyn_ros.model.inertia import PARAMETERS
from robodyn_ros.model.regrouping import regrouped
from robodyn_ros.spatial import Array, joined

Floats = NDArray[np.float64]

#: A prescribed base's motion as one array: the fields of `BaseMotion` one after the other.
BASE_MOTION_SIZE = 24

#: Inputs that replace parameters of the model.
_LOADS = ("inertias", "regrouped", "joints", "limits")


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


def base_motion_of(x: Array) -> BaseMotion:
    """Return the base motion that the array (..., 24) describes."""
    rotation = x[..., 3:12].reshape((*x.shape[:-1], 3, 3))
    position, w, v, dw, dv = (x[..., k : k + 3] for k in (0, 12, 15, 18, 21))
    return BaseMotion(position, rotation, w, v, dw, dv)


def shapes(model: Model) -> dict[str, tuple[int, ...]]:
    """Return the shape of every run-time input of a model's kernels, by name.

    `gravity`, `base_motion`; of a loaded robot also `inertias` (all of the lumps' inertial
    parameters), `regrouped` (their regrouped moments), `carried` (the payloads' share of those),
    `joints` (joint parameters) and `limits` (`algorithms.singular.pivot_limits`).
    """
    tree = model.lumped
    return {
        "gravity": (3,),
        "base_motion": (BASE_MOTION_SIZE,),
        "inertias": (tree.size, PARAMETERS),
        "regrouped": (tree.size, PARAMETERS),
        "carried": (tree.size, PARAMETERS),
        "joints": (tree.rates, 3),
        "limits": (tree.rates,),
    }


def surroundings(model: Model, inputs: Mapping[str, Array]) -> Surroundings:
    """Return the surroundings that run-time inputs describe; the model's own where none is.

    Of a loaded robot what is not among the inputs is None: reading it would forget the load.
    """
    known = Surroundings.of(model, Environment())
    unknown: Any = None
    if any(name in inputs for name in _LOADS):
        known = known._replace(inertias=unknown, regrouped=unknown, joints=unknown)
    base = inputs.get("base_motion")
    moments = inputs.get("regrouped")
    return Surroundings(
        inputs.get("gravity", known.gravity),
        known.base if base is None else base_motion_of(base),
        inputs.get("inertias", known.inertias),
        known.regrouped if moments is None else sparse(model, moments),
        inputs.get("joints", known.joints),
        inputs.get("limits"),
    )


def sparse(model: Model, moments: Array) -> Array:
    """Return regrouped moments (n, 10) with their structural zeros as known zeros."""
    return np.where(model.lumped.structural_zeros, 0.0, moments)


class RunTime:
    """An environment with its arrays for one model; immutable, replaced as a whole.

    Attributes:
        environment: the environment.
        loaded: whether inertial or joint parameters differ from the model's own.
    """

    def __init__(self, model: Model, environment: Environment) -> None:
        """Compute the arrays.

        Raises:
            UnknownNameError: a payload sits on a frame that the model does not have.
            ArgumentError: joint parameters of another model, or a payload without bounds.
        """
        self.environment = environment
        self.loaded = bool(environment.payloads) or environment.joint_parameters is not None
        tree = model.lumped
        around = Surroundings.of(model, environment)
        carried = np.zeros_like(tree.inertias)
        if environment.payloads:
            carried = regrouped(tree, environment.payload_inertias(model))
        self._arrays: dict[str, Floats] = {
            "gravity": np.array(around.gravity, dtype=np.float64),
            "base_motion": np.ascontiguousarray(base_motion_array(around.base)),
            "inertias": around.inertias,
            "regrouped": around.regrouped,
            "carried": carried,
            "joints": np.array(around.joints, order="C"),
            "limits": pivot_limits(model, around.inertias),
        }

    def inputs(self, names: tuple[str, ...]) -> tuple[Floats, ...]:
        """Return the arrays of run-time inputs by name."""
        return tuple(self._arrays[name] for name in names)
