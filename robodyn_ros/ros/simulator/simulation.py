"""What a node asks of a simulation, whichever engine computes the motion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


class Simulation(Protocol):
    """A robot that moves in steps: `robodyn_ros.simulation.Simulator`, or one that does as it does.

    Its methods and errors are those of that class.
    """

    @property
    def time(self) -> float:
        """Simulated time, s."""
        ...

    @property
    def q(self) -> Floats:
        """Coordinates (nq,)."""
        ...

    @property
    def v(self) -> Floats:
        """Rates (nv,)."""
        ...

    @property
    def effort(self) -> Floats:
        """What motors exert (nv,)."""
        ...

    @property
    def energy(self) -> Any:
        """An object with `kinetic` and `potential`, J."""
        ...

    @property
    def command_names(self) -> tuple[str, ...]:
        """Coordinates that have a motor."""
        ...

    @property
    def command_limits(self) -> tuple[Floats, Floats]:
        """Lowest and highest position of each of them."""
        ...

    @property
    def modes(self) -> NDArray[np.uint8]:
        """How each coordinate (nv,) is driven."""
        ...

    @property
    def commands(self) -> Floats:
        """The command of each coordinate (nv,)."""
        ...

    @property
    def wrenches(self) -> dict[str, Floats]:
        """What acts on each frame: [moment; force] (6,) in its axes."""
        ...

    def set_state(self, q: ArrayLike | None = None, v: ArrayLike | None = None) -> None:
        """Go to a state."""
        ...

    def reset(self) -> None:
        """Go back to the beginning."""
        ...

    def command_effort(self, names: Sequence[str], values: ArrayLike) -> None:
        """Let motors exert efforts."""
        ...

    def command_velocity(self, names: Sequence[str], values: ArrayLike) -> None:
        """Let servos hold velocities."""
        ...

    def command_position(self, names: Sequence[str], values: ArrayLike) -> None:
        """Let servos hold positions."""
        ...

    def release(self, names: Iterable[str] | None = None) -> None:
        """Let coordinates go."""
        ...

    def hold_wrench(self, frame: str, wrench: ArrayLike | None) -> None:
        """Exert a wrench until another one takes its place."""
        ...

    def advance(self, steps: int = 1) -> None:
        """Go on by a number of steps."""
        ...


class SimulationEngine(Protocol):
    """What keeps the simulation of one robot: `Engines`, or another engine than our own.

    Each member is as of `Engines`.
    """

    @property
    def active(self) -> Simulation:
        """The simulation in use."""
        ...

    @property
    def state(self) -> str:
        """What computes, for reports."""
        ...

    def reset(self) -> None:
        """Go back to the initial state, without commands and wrenches."""
        ...

    def exert(self, wrenches: Mapping[str, Floats]) -> None:
        """Let these wrenches act from now on, and no others: (6,) by frame, in its axes."""
        ...

    def choose(self) -> None:
        """Have ready what takes the next steps."""
        ...
