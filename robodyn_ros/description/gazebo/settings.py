"""What a description for Gazebo is made with."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from robodyn_ros.errors import ArgumentError, quoted

Pose = tuple[float, float, float, float, float, float]

MAX_RATE = 10_000
MIN_TOKEN = 1e-6
_NAMESPACE = re.compile(r"/?([A-Za-z]\w*(/[A-Za-z]\w*)*)?", re.ASCII)
DEFAULT_RATE = 500
"""Of the controller manager, Hz: what a controller in Python follows with room to spare."""


@dataclass(frozen=True, kw_only=True)
class GazeboSettings:
    """Settings of `gazebo_description`.

    Attributes:
        parameters_file: path of the controllers' YAML, which Gazebo's plugin reads when the robot
            is spawned.
        base: "fixed", held by the world; "floating", free to fall; None for what the description
            says, and fixed where it says nothing.
        pose: x, y, z (m), roll, pitch, yaw (rad) of a fixed root link in the world.
        namespace: of the controller manager; empty for none.
        replace: whether <ros2_control> and its plugin are replaced, where the description has them.
        kept: fixed joints that Gazebo keeps, so that the link behind stays one of its own.
        positions: where joints begin, by name, rad or m.
        hold: whether the plugin holds joints still that no controller has claimed yet.
        rate: of the controller manager, Hz; None for `DEFAULT_RATE`.
        token_mass: mass in kg that is given to moving links without any, which Gazebo would drop;
            None to give none.
    """

    parameters_file: str
    base: Literal["fixed", "floating"] | None = None
    pose: Pose = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    namespace: str = ""
    replace: bool = False
    kept: frozenset[str] = frozenset()
    positions: Mapping[str, float] = field(default_factory=dict)
    hold: bool = True
    rate: int | None = None
    token_mass: float | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        if self.base not in (None, "fixed", "floating"):
            raise ArgumentError(f"base must be fixed or floating, got {quoted(self.base)}")
        if self.rate is not None and not 1 <= self.rate <= MAX_RATE:
            raise ArgumentError(f"rate must be 1 to {MAX_RATE} Hz, got {self.rate}")
        if self.token_mass is not None and not MIN_TOKEN <= self.token_mass < math.inf:
            raise ArgumentError(
                f"the token mass must be at least {MIN_TOKEN:g} kg, got {self.token_mass:g}"
            )
        if not _NAMESPACE.fullmatch(self.namespace):
            raise ArgumentError(
                f"namespace {quoted(self.namespace)} must be words of letters, digits and '_',"
                " joined by '/'"
            )


def positions_from(text: str) -> dict[str, float]:
    """Return positions by joint from text such as "joint1=0.3,joint2=-1".

    Raises:
        ArgumentError: a word without a name or a finite number, or a joint twice.
    """
    found: dict[str, float] = {}
    for word in filter(str.strip, text.split(",")):
        before, equals, value = word.rpartition("=")
        name = before.strip()
        if not equals or not name:
            raise ArgumentError(f"positions are given as joint=value, got {quoted(word)}")
        if name in found:
            raise ArgumentError(f"the position of {quoted(name)} is given twice; give it once")
        found[name] = _number(value, f"the position of {quoted(name)}")
    return found


def pose_from(text: str) -> Pose:
    """Return a pose from text: x,y,z in m and, where wanted, roll,pitch,yaw in rad.

    Raises:
        ArgumentError: not three or six finite numbers.
    """
    words = text.split(",")
    if len(words) not in (3, 6):
        raise ArgumentError(f"a pose is x,y,z or x,y,z,roll,pitch,yaw, got {quoted(text)}")
    x, y, z, *turns = (_number(word, "a pose") for word in words)
    roll, pitch, yaw = turns or (0.0, 0.0, 0.0)
    return x, y, z, roll, pitch, yaw


def _number(text: str, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ArgumentError(f"{what} must be of finite numbers, got {quoted(text.strip())}")
    return number
