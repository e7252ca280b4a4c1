"""What each kind of operation computes, from the arguments of a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from robodyn_ros import algorithms
from robodyn_ros.algorithms.effort_terms import gravity_effort, split_efforts
from robodyn_ros.algorithms.inverse_dynamics import efforts
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.errors import RobodynError
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import Array

#: Sizes are numbers, or "nb", "nq", "nv" and "n" (lumps) of the model.
Shape = tuple[int | str, ...]


class Call(NamedTuple):
    """One evaluation: of which model, with which arguments, in which surroundings."""

    model: Model
    frame: str
    flags: frozenset[str]
    arguments: Mapping[str, Array]
    surroundings: Surroundings

    @property
    def state(self) -> tuple[Array, ...]:
        """The arguments q, v, a (or tau) that there are, in this order."""
        names = ("q", "v", "a", "tau")
        return tuple(self.arguments[name] for name in names if name in self.arguments)

    @property
    def environment(self) -> Environment:
        """What kinematics reads of the surroundings."""
        return Environment(base_motion=self.surroundings.base)


@dataclass(frozen=True)
class Kind:
    """A kind of operation.

    Attributes:
        arguments: names of the arguments of a call.
        outputs: name and shape of every output.
        evaluate: the outputs for a call; one more is a verdict, 0 where there is an answer.
        surroundings: run-time inputs it always has; a prescribed base's motion is added.
        loads: run-time inputs that it has when the robot is loaded.
        flags: what may stand behind its name.
        of_frame: whether it is of a frame, as in "jacobian:tool0".
        refuse: the error for a sample whose verdict is not 0.
    """

    arguments: tuple[str, ...]
    outputs: tuple[tuple[str, Shape], ...]
    evaluate: Callable[[Call], tuple[Array, ...]]
    surroundings: tuple[str, ...] = ()
    loads: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    of_frame: bool = False
    refuse: Callable[[Call], RobodynError] | None = None


def _body_motion(call: Call) -> tuple[Array, ...]:
    return algorithms.body_motion(call.model, *call.state, environment=call.environment)


def _center_of_mass_motion(call: Call) -> tuple[Array, ...]:
    return algorithms.center_of_mass_motion(call.model, *call.state, environment=call.environment)


def _jacobian(call: Call) -> tuple[Array, ...]:
    (q,) = call.state
    return (algorithms.jacobian(call.model, q, call.frame, environment=call.environment),)


def _inverse_dynamics(call: Call) -> tuple[Array, ...]:
    packed = call.arguments.get("wrenches")
    friction = "friction" in call.flags
    q, v, a = call.state
    around = call.surroundings
    return (efforts(call.model, q, v, a, around, packed=packed, friction=friction),)


def _bias_force(call: Call) -> tuple[Array, ...]:
    friction = "friction" in call.flags
    q, v = call.state
    return (efforts(call.model, q, v, None, call.surroundings, friction=friction),)


def _gravity_force(call: Call) -> tuple[Array, ...]:
    (q,) = call.state
    lead = np.broadcast_shapes(q.shape[:-1], call.surroundings.lead(call.model))
    return (gravity_effort(call.model, q, call.surroundings, lead),)


def _effort_terms(call: Call) -> tuple[Array, ...]:
    carried, packed = (call.arguments.get(name) for name in ("carried", "wrenches"))
    q, v, a = call.state
    return split_efforts(call.model, q, v, a, call.surroundings, carried, packed)


_MOTION = ("q", "v", "a")
_LOADS = ("inertias", "joints")
_VECTOR: Shape = ("nb", 3)

KINDS: dict[str, Kind] = {
    "body_motion": Kind(
        _MOTION,
        tuple(
            zip(
                algorithms.BodyMotion._fields,
                (_VECTOR, ("nb", 3, 3), *[_VECTOR] * 4),
                strict=True,
            )
        ),
        _body_motion,
    ),
    "center_of_mass_motion": Kind(
        _MOTION,
        tuple((field, _VECTOR) for field in algorithms.CenterOfMassMotion._fields),
        _center_of_mass_motion,
    ),
    "jacobian": Kind(("q",), (("jacobian", (6, "nv")),), _jacobian, of_frame=True),
    "inverse_dynamics": Kind(
        _MOTION,
        (("effort", ("nv",)),),
        _inverse_dynamics,
        surroundings=("gravity",),
        loads=_LOADS,
        flags=("friction", "external", "loaded"),
    ),
    "bias_force": Kind(
        ("q", "v"),
        (("effort", ("nv",)),),
        _bias_force,
        surroundings=("gravity",),
        loads=_LOADS,
        flags=("friction", "loaded"),
    ),
    "gravity_force": Kind(
        ("q",),
        (("effort", ("nv",)),),
        _gravity_force,
        surroundings=("gravity",),
        loads=("inertias",),
        flags=("loaded",),
    ),
    "effort_terms": Kind(
        _MOTION,
        tuple((field, ("nv",)) for field in algorithms.EffortTerms._fields),
        _effort_terms,
        surroundings=("gravity",),
        loads=("carried", "joints"),
        flags=("external", "loaded"),
    ),
}
