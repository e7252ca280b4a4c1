"""What a robot of ours touches things with: collision shapes as geoms of MuJoCo."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from robodyn_ros.cosimulation.mjcf_text import Attributes, Contacts, numbers_text, pose_text
from robodyn_ros.description.mechanism import Shape
from robodyn_ros.description.package_path import resolved_path
from robodyn_ros.errors import DescriptionError, quoted
from robodyn_ros.model import Model
from robodyn_ros.spatial import compose

MESHES = (".stl", ".obj", ".msh")
"""Files that MuJoCo reads."""


class Found(NamedTuple):
    """Contact shapes, and what could not be one: a line each."""

    contacts: Contacts
    notes: tuple[str, ...]


def contacts_of(model: Model, shapes: Iterable[Shape], *, ground: bool) -> Found:
    """Return collision shapes as geoms of the lumps that carry them.

    Args:
        model: the robot.
        shapes: its collision shapes; meshes touch with their convex hulls.
        ground: whether there is a plane at z = 0.
    """
    geoms: dict[int, list[Attributes]] = {}
    assets: dict[tuple[str, ...], dict[str, str]] = {}
    notes: list[str] = []
    for shape in shapes:
        place = model.lumped.place(model.frame(shape.body))
        pose = compose((place.rotation, place.position), (shape.rotation, shape.position))
        try:
            form = _form(shape, assets)
        except DescriptionError as error:
            notes.append(f"a shape of link {quoted(shape.body)} touches nothing: {error}")
            continue
        geoms.setdefault(place.lump, []).append({**form, **pose_text(pose)})
    floor = 0.0 if ground else None
    return Found(Contacts(geoms, tuple(assets.values()), floor), tuple(dict.fromkeys(notes)))


def _form(shape: Shape, assets: dict[tuple[str, ...], dict[str, str]]) -> dict[str, str]:
    """Return a geom's type and size; a mesh's file is added to the assets."""
    half = np.asarray(shape.size) / 2.0
    if not (np.all(np.isfinite(half)) and np.all(half != 0.0)):
        raise DescriptionError("it has no extent")
    if shape.kind == "mesh":
        return {"type": "mesh", "mesh": _mesh(shape, assets)}
    sizes = {"box": half, "sphere": half[:1], "cylinder": half[[0, 2]]}
    return {"type": shape.kind, "size": numbers_text(np.abs(sizes[shape.kind]))}


def _mesh(shape: Shape, assets: dict[tuple[str, ...], dict[str, str]]) -> str:
    path = resolved_path(shape.file)
    if path.suffix.lower() not in MESHES:
        raise DescriptionError(f"MuJoCo reads {', '.join(MESHES)}, not {quoted(str(path))}")
    if not path.is_file():
        raise DescriptionError(f"there is no file {quoted(str(path))}")
    scale = numbers_text(shape.size)
    asset = assets.setdefault(
        (str(path), scale),
        {"name": f"mesh {len(assets)}", "file": str(path.absolute()), "scale": scale},
    )
    return asset["name"]
