"""Deliberate differences between the hardware that is simulated and the model of a controller."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.model import Model

Floats = NDArray[np.float64]
_NONE: Mapping[str, float] = MappingProxyType({})


def require(name: str, value: object, above: float | None = None) -> None:
    """Raise ArgumentError unless a value is a finite number, not negative, or above a bound."""
    bound = "at least 0" if above is None else f"above {above:g}"
    number = value if isinstance(value, (int, float, np.number)) else math.nan
    least = number >= 0.0 if above is None else number > above
    if not (math.isfinite(number) and least):
        raise ArgumentError(f"{name} must be a finite number {bound}, got {quoted(value)}")


@dataclass(frozen=True)
class ModelErrors:
    """What the hardware has that the description does not say; nothing by default.

    Attributes:
        mass_factor: multiplies mass and inertia of every link.
        mass_factors: of links by name, in its place.
        damping: viscous friction added to every joint rate, N m s/rad or N s/m.
        dampings: of joints by name, in its place.
        friction: Coulomb friction added to every joint rate, N m or N.
        frictions: of joints by name, in its place.
        command_delay: s after which commands act.
        state_delay: s by which measured states are old.
    """

    mass_factor: float = 1.0
    mass_factors: Mapping[str, float] = field(default_factory=lambda: _NONE)
    damping: float = 0.0
    dampings: Mapping[str, float] = field(default_factory=lambda: _NONE)
    friction: float = 0.0
    frictions: Mapping[str, float] = field(default_factory=lambda: _NONE)
    command_delay: float = 0.0
    state_delay: float = 0.0

    def __post_init__(self) -> None:
        """Look at the values.

        Raises:
            ArgumentError: one that cannot be used.
        """
        require("mass_factor", self.mass_factor, above=0.0)
        for name, factor in self.mass_factors.items():
            require(f"mass_factors of {quoted(name)}", factor, above=0.0)
        for kind, named in ("damping", self.dampings), ("friction", self.frictions):
            require(kind, getattr(self, kind))
            for name, value in named.items():
                require(f"{kind}s of {quoted(name)}", value)
        require("command_delay", self.command_delay)
        require("state_delay", self.state_delay)

    def factors(self, model: Model) -> Floats:
        """Return what multiplies mass and inertia of each body (nb,).

        Raises:
            UnknownNameError: no link has such a name.
        """
        found = np.full(model.nb, self.mass_factor)
        for name, factor in self.mass_factors.items():
            found[model.body_index(name)] = factor
        return found

    def resistance(self, model: Model) -> Floats:
        """Return damping and Coulomb friction (nz, 2) that are added to each joint rate.

        Raises:
            UnknownNameError: no joint that moves has such a name.
        """
        lumps = model.lumped.lumps
        rates = {lump.joint.name: lump.rates for lump in lumps}
        found = np.tile([self.damping, self.friction], (model.lumped.rates, 1))
        for column, named in enumerate((self.dampings, self.frictions)):
            for name, value in named.items():
                if name not in rates:
                    raise UnknownNameError.among("joint that moves", name, rates)
                found[rates[name], column] = value
        if model.base == "floating":  # which no bearing holds
            found[lumps[0].rates] = 0.0
        return found
