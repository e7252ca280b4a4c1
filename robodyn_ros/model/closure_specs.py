"""What a builder keeps of loops, constraint elements, controls and motors until it builds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from robodyn_ros.expressions import Expression
from robodyn_ros.model.closure import Element
from robodyn_ros.model.functions import CoordinateFunction
from robodyn_ros.model.tree import JointSpec

Measure: TypeAlias = "float | Expression"
"""A length in m, or a formula of coordinates that comes to one."""
Make: TypeAlias = Callable[[int, int, CoordinateFunction], Element]


@dataclass(frozen=True)
class ElementSpec:
    """A constraint element as described, between links `body_1` and `body_2`."""

    name: str
    body_1: str
    body_2: str
    make: Make
    measure: Measure
    label: str


@dataclass(frozen=True)
class FollowerSpec:
    """A joint whose coordinates are formulas of others."""

    formulas: tuple[Expression, ...]
    where: str = ""


@dataclass(frozen=True)
class NamesSpec:
    """A list of coordinates, and where it stands in a description."""

    names: tuple[str, ...] = ()
    where: str = ""
    weights: tuple[float, ...] = ()


@dataclass
class ClosureParts:
    """What was collected; see `ClosureBuilder`."""

    controls: dict[str, JointSpec] = field(default_factory=dict)
    loops: dict[str, JointSpec] = field(default_factory=dict)
    elements: dict[str, ElementSpec] = field(default_factory=dict)
    followers: dict[str, FollowerSpec] = field(default_factory=dict)
    actuated: NamesSpec = NamesSpec()
    independent: NamesSpec = NamesSpec()

    @property
    def closes(self) -> bool:
        """Whether there is a loop or constraint element."""
        return bool(self.loops or self.elements)

    @property
    def says_anything(self) -> bool:
        """Whether a model's closure has anything to say."""
        return self.closes or bool(self.actuated.names or self.independent.names)

    @property
    def names(self) -> frozenset[str]:
        """The names that joints must not have."""
        return frozenset((*self.controls, *self.loops, *self.elements))
