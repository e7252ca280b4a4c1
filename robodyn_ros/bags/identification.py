"""A recorded bag to what it says of a robot: windows of a replay, identified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robodyn_ros.analysis.effort_hints import EffortHints
from robodyn_ros.analysis.friction_of_joints import rubbing
from robodyn_ros.analysis.identification import Identification, identify
from robodyn_ros.analysis.payload_estimate import PayloadEstimate, estimate_payload
from robodyn_ros.analysis.unknowns import Unknowns, unknowns_of
from robodyn_ros.analysis.window_means import WindowMeans, Windows
from robodyn_ros.bags.replay import Replay
from robodyn_ros.errors import ArgumentError, quoted

_MOST_GAIN = 3.0
"""Efforts that are more than so many times the described ones are told to be in another unit."""

_FEW = 10
"""Where less than one message in so many can be used, that is told."""


@dataclass(frozen=True)
class Request:
    """What is to be identified, and how.

    Attributes:
        parts: Some of "base", "friction" and "payload".
        frame: That carries the payload.
        armature: Whether rotors' inertias are identified with base parameters.
        window: s, over which rows are averaged.
        rest_speed: rad/s or m/s, below which a joint is taken to rest.
        hold_out: Share of the bag that is predicted and not fitted.
        stribeck: Whether curves of friction with Stribeck's effect are looked for.
    """

    parts: Sequence[str] = ("friction", "base")
    frame: str = ""
    armature: bool = False
    window: float = 0.1
    rest_speed: float = 0.02
    hold_out: float = 0.2
    stribeck: bool = False

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        if not 0.0 < self.window <= 60.0:
            raise ArgumentError(f"the window must be more than 0 and at most 60 s: {self.window:g}")
        if not 0.0 <= self.rest_speed < 100.0:
            raise ArgumentError(f"the rest speed must be 0 to 100 rad/s, got {self.rest_speed:g}")
        if not 0.0 <= self.hold_out <= 0.9:
            raise ArgumentError(f"hold-out must be a share from 0 to 0.9, got {self.hold_out:g}")


@dataclass(frozen=True)
class Outcome:
    """What a bag said.

    Attributes:
        found: The identification or the payload.
        rows: Rows of the bag that were read.
        notes: What is to be known of the bag and its efforts, a line each.
    """

    found: Identification | PayloadEstimate
    rows: int
    notes: tuple[str, ...]


def identify_bag(replay: Replay, request: Request) -> Outcome:
    """Identify a robot from a bag; memory is bounded whatever the bag's length.

    Args:
        replay: The bag, with the robot as it is described.
        request: What is to be identified.

    Raises:
        ArgumentError: what is asked for cannot be told, or the bag does not tell it.
        UnknownNameError: no such frame.
    """
    unknowns = unknowns_of(
        replay.robot, request.parts, frame=request.frame, armature=request.armature
    )
    means = WindowMeans(unknowns, request.window, request.rest_speed)
    hints = EffortHints(replay.robot.model.coordinate_names)
    for block in replay:
        state = (block.q, block.position, block.velocity, block.acceleration)
        means.add(block.time, block.segment, state, (block.measured, block.residual))
        hints.add(block.measured, block.effort, block.residual, block.terms["gravity"])
    windows = means.result()
    if hints.silent and not hints.heard:
        raise ArgumentError(
            "all measured efforts are 0: nothing can be identified; record a driver that measures"
            " them"
        )
    try:
        found = _found(unknowns, request, windows)
    except ArgumentError as error:
        if not windows.known.any() and replay.refused:
            name, why = next(iter(replay.refused.items()))
            raise ArgumentError(f"{error}; those of {quoted(name)} are {why}") from None
        if windows.rows * _FEW < replay.expected:
            raise ArgumentError(
                f"{error}; only {windows.rows} of {replay.expected} messages can be used: do their"
                " stamps increase?"
            ) from None
        raise
    notes = [*replay.warnings, *_refused(replay), *_likely(hints, unknowns)]
    notes += _rubbing(found, windows)
    return Outcome(found, windows.rows, tuple(notes))


def _found(
    unknowns: Unknowns, request: Request, windows: Windows
) -> Identification | PayloadEstimate:
    judge = estimate_payload if "payload" in unknowns.parts else identify
    return judge(unknowns, windows, hold_out=request.hold_out, stribeck=request.stribeck)


def _likely(hints: EffortHints, unknowns: Unknowns) -> list[str]:
    """Return what efforts look like that no friction and no mass explains."""
    weighs = not {"base", "payload"} & set(unknowns.parts)
    return list(hints.hints(weighs=weighs, most_gain=_MOST_GAIN))


def _rubbing(found: Identification | PayloadEstimate, windows: Windows) -> list[str]:
    """Return at which joints friction is left that was not looked for."""
    names = rubbing(found.unknowns, windows, found.change)
    if not names or "friction" in found.unknowns.parts:
        return []
    parts = ",".join((*found.unknowns.parts, "friction"))
    return [
        f"what is left follows speed as friction does: {', '.join(map(quoted, names))}; identify"
        f" {parts}"
    ]


def _refused(replay: Replay) -> list[str]:
    """Return which measured efforts were not used."""
    return [
        f"measured efforts of {quoted(name)} are not used: {why}"
        for name, why in replay.refused.items()
    ]
