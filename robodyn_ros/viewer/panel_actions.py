"""What the controls of a page ask for, and which of it can be done at present."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

Vector = tuple[float, float, float]


class WantedPayload(NamedTuple):
    """A load that somebody wants to attach.

    Attributes:
        frame: Link or frame that carries it; also its name.
        mass: kg.
        com: Its centre of mass in the axes of the frame, m.
    """

    frame: str
    mass: float
    com: Vector


class WantedPush(NamedTuple):
    """A push that somebody wants to give.

    Attributes:
        frame: Link or frame at whose origin it acts.
        force: World axes, N.
        moment: World axes, N m.
        duration: s.
    """

    frame: str
    force: Vector
    moment: Vector
    duration: float


class Actions(Protocol):
    """What a panel asks for. Each is called in threads of the page and returns at once."""

    def move(self, name: str, position: float) -> None:
        """Move a coordinate to a position, rad or m."""

    def release(self) -> None:
        """End all commands."""

    def reset(self) -> None:
        """Put the simulation back to its beginning."""

    def pause(self, paused: bool) -> None:
        """Stop simulated time, or let it go on."""

    def step(self, steps: int) -> None:
        """Take some steps of a simulation that is paused."""

    def set_speed(self, factor: float) -> None:
        """Let simulated time pass at so many times the speed of real time; 0 for any."""

    def set_gravity(self, gravity: Vector) -> None:
        """Set gravity, world axes, m/s^2."""

    def attach(self, payload: WantedPayload, simulated: bool) -> None:
        """Attach a payload; where `simulated`, the simulation carries it too."""

    def remove(self, frame: str, simulated: bool) -> None:
        """Remove the payload of a frame."""

    def push(self, push: WantedPush) -> None:
        """Push a simulated robot."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """Which actions have somebody who does them; the controls of others are greyed out."""

    move: bool = False
    release: bool = False
    reset: bool = False
    pause: bool = False
    step: bool = False
    speed: bool = False
    gravity: bool = False
    payload: bool = False
    simulated_payload: bool = False
    push: bool = False
