"""What frames are called, and which of them the states of bodies are given in."""

from __future__ import annotations

from typing import NamedTuple

from robodyn_ros.algorithms.inertial_frames import frames_fixed_to
from robodyn_ros.conditioning.complaints import listed
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model import Model
from robodyn_ros.model.assembly import WORLD


class FrameNames(NamedTuple):
    """The published names of one model's frames.

    Attributes:
        bodies: Of every body.
        extra: (body, name) of the frames beyond the bodies' own.
        world: Of the world.
        state: Of the frame that states are given in.
        seen_from: The same by its name in the model; "" where it is the world.
    """

    bodies: tuple[str, ...]
    extra: tuple[tuple[int, str], ...]
    world: str
    state: str
    seen_from: str


def frame_names(model: Model, prefix: str, world_frame: str) -> FrameNames:
    """Name the frames of a model; see `FramePlan` for the arguments.

    Raises:
        ArgumentError: `world_frame` is the frame of something that moves in the world.
    """
    extra = tuple((frame.body, prefix + frame.name) for frame in model.extra_frames)
    first = 0 if model.base == "fixed" else 1
    links = tuple(prefix + name for name in model.body_names[first:])
    described = {*links, *(name for _, name in extra)}
    if model.base == "fixed":
        world = links[0] if world_frame in described else world_frame or links[0]
    else:
        world = WORLD if world_frame in described else world_frame or WORLD
        while world in described:
            world += "_"
        links = (world, *links)
    if world_frame not in described or world_frame == world:
        return FrameNames(links, extra, world, world, "")
    seen_from = world_frame.removeprefix(prefix)
    _require_at_rest(model, prefix, world_frame, seen_from)
    return FrameNames(links, extra, world, world_frame, seen_from)


def _require_at_rest(model: Model, prefix: str, world_frame: str, frame: str) -> None:
    """Raise ArgumentError unless a frame of the description is fixed in the world."""
    fixed = frames_fixed_to(model, 0)
    if frame in fixed:
        return
    body = model.body_names[model.frame(frame).body]
    what = "is a link" if body == frame else f"is fixed in link {quoted(prefix + body)}"
    if model.base != "fixed":
        fixed.pop(model.body_names[0])
    ways = [f"name a frame at rest ({listed([quoted(prefix + name) for name in fixed])})"]
    raise ArgumentError(
        f"world_frame {quoted(world_frame)} {what}, which moves in the world; "
        + ", or ".join([*ways * bool(fixed), "give a name that the description does not use"])
    )
