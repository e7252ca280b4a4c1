"""What an operation of the catalogue is: arguments, outputs, and the function behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import Array

#: Sizes are numbers, or "nb", "10 nb", "nq", "nv", "n" (lumps), "markers", "m" (equations of
#: constraints) and "mobility" of the model.
Shape = tuple[int | str, ...]

#: Arguments of most operations.
MOTION = ("q", "v", "a")


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
        refuse: raises the error for samples whose verdicts (...) are not 0.
    """

    arguments: tuple[str, ...]
    outputs: tuple[tuple[str, Shape], ...]
    evaluate: Callable[[Call], tuple[Array, ...]]
    surroundings: tuple[str, ...] = ()
    loads: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    of_frame: bool = False
    refuse: Callable[[Call, Array], None] | None = None
