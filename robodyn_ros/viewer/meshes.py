"""Mesh files as triangles with colours, read once each; nothing here fails.

As RViz has it, the unit that a COLLADA file states counts and its up axis does not: URDFs are
written against that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.description.package_path import resolved_path
from robodyn_ros.errors import DescriptionError, RobodynError, quoted
from robodyn_ros.viewer.mesh_instances import check_instances

if TYPE_CHECKING:
    import trimesh

Rgba = tuple[float, float, float, float]

MOST_BYTES = 2**26
"""Of a mesh file that is read, and"""
MOST_TRIANGLES = 2_000_000
"""triangles of it that a browser is asked to draw."""
_FORMATS = (".stl", ".obj", ".dae", ".glb", ".gltf", ".ply", ".off")
_FARTHEST = 1e6
_UNITS = {"meters": 1.0, "meter": 1.0, "m": 1.0, "millimeters": 1e-3, "inches": 0.0254}


@dataclass(frozen=True, eq=False)
class Part:
    """Triangles of one colour.

    Attributes:
        vertices: (n, 3) m.
        faces: (m, 3) numbers of vertices.
        color: the file's, None where it has none.
    """

    vertices: NDArray[np.float32]
    faces: NDArray[np.uint32]
    color: Rgba | None = None

    def scaled(self, scale: NDArray[np.float64]) -> Part:
        """Return the part scaled along its axes (3,); a mirrored one is turned inside out again."""
        mirrored = bool(np.prod(scale) < 0.0)
        vertices = self.vertices * scale.astype(np.float32)
        return Part(vertices, self.faces[:, ::-1] if mirrored else self.faces, self.color)

    @property
    def radius(self) -> float:
        """How far it reaches from its origin, m."""
        return float(np.sqrt(np.max(np.einsum("ij,ij->i", self.vertices, self.vertices))))


@dataclass(frozen=True, eq=False)
class Mesh:
    """What was read of a file: its parts, or why there are none."""

    parts: tuple[Part, ...] = ()
    note: str = ""


class MeshFiles:
    """Meshes by file, each read at its first use."""

    def __init__(self) -> None:
        self._found: dict[str, Mesh] = {}

    def read(self, file: str) -> Mesh:
        """Return the mesh that a path or a package:// or file:// URI leads to."""
        if file not in self._found:
            try:
                self._found[file] = Mesh(tuple(_parts(_existing(file))))
            except RobodynError as error:
                self._found[file] = Mesh(note=str(error))
        return self._found[file]


def _existing(file: str) -> Path:
    """Return the path of a mesh file that may be read.

    Raises:
        DescriptionError: there is none.
    """
    # With three slashes, as some of Talos's have it, others find the file too.
    path = resolved_path(file.replace("package:///", "package://", 1))
    shown = quoted(str(path), 200)
    if path.suffix.lower() not in _FORMATS:
        raise DescriptionError(f"mesh {shown}: only {', '.join(_FORMATS)} files are read")
    try:
        if not path.is_file():
            raise DescriptionError(f"mesh {shown}: there is no such file")
        size = path.stat().st_size
    except (OSError, ValueError) as error:
        raise DescriptionError(f"mesh {shown}: {error}") from None
    if size > MOST_BYTES:
        raise DescriptionError(
            f"mesh {shown}: {size / 2**20:.0f} MiB are too many for a browser; at most"
            f" {MOST_BYTES // 2**20} are read"
        )
    return path


def _parts(path: Path) -> list[Part]:
    """Return the parts of a mesh file.

    Raises:
        DescriptionError: it cannot be read, or there is nothing in it that can be shown.
    """
    try:
        import trimesh
    except ImportError as error:
        raise RobodynError(
            f'meshes need trimesh: {error}; pip install "robodyn_ros[viewer]"'
        ) from None
    try:
        check_instances(path, MOST_BYTES, MOST_TRIANGLES)
        with np.errstate(all="ignore"):
            scene = trimesh.load_scene(path, process=False)
            parts = [part for mesh in _placed(scene) for part in _by_color(mesh)]
    except Exception as error:  # readers of foreign files raise whatever they meet
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise DescriptionError(f"mesh {quoted(str(path), 200)} cannot be read: {reason}") from error
    if not parts:
        raise DescriptionError(f"mesh {quoted(str(path), 200)} has no triangles that can be shown")
    return parts


def _placed(scene: trimesh.Scene) -> list[Any]:
    """Return the triangle meshes of a scene in its axes, in m, each with what it looks like.

    Raises:
        DescriptionError: too many triangles.
    """
    found = []
    count = 0
    for name in scene.graph.nodes_geometry:
        pose, geometry = scene.graph[name]
        mesh = scene.geometry[geometry]
        if not hasattr(mesh, "faces") or not len(mesh.faces):
            continue
        count += len(mesh.faces)
        if count > MOST_TRIANGLES:
            raise DescriptionError(f"more than {MOST_TRIANGLES} triangles are too many to draw")
        placed = mesh.copy()
        placed.apply_transform(pose)
        placed.apply_scale(_unit(mesh.metadata.get("units")))
        found.append(placed)
    return found


def _unit(text: object) -> float:
    """Return the m in a unit as trimesh notes it: "meters", "0.01 * meters"; 1 where unknown."""
    number, star, name = str(text or "meters").rpartition("*")
    try:
        factor = float(number) if star else 1.0
    except ValueError:
        return 1.0
    return factor * _UNITS.get(name.strip(), 1.0)


def _by_color(mesh: Any) -> list[Part]:
    """Return the triangles of a mesh by colour; those that cannot be shown are left out."""
    vertices = np.asarray(mesh.vertices, dtype=np.float64)
    faces = np.asarray(mesh.faces)
    shown: NDArray[np.bool_] = np.all(np.abs(vertices) <= _FARTHEST, axis=1)
    faces = faces[shown[faces].all(axis=1)]
    colors = _face_colors(mesh)
    if not len(faces):
        return []
    if colors is None or len(colors) != len(mesh.faces):
        return [_part(vertices, faces, _one_color(mesh))]
    colors = colors[shown[np.asarray(mesh.faces)].all(axis=1)]
    kinds, which = np.unique(colors, axis=0, return_inverse=True)
    if len(kinds) > _MOST_COLORS:
        return [_part(vertices, faces, _rgba(colors.mean(axis=0)))]
    return [_part(vertices, faces[which == k], _rgba(color)) for k, color in enumerate(kinds)]


_MOST_COLORS = 32
"""Of one mesh; one with more, such as a painted one, is shown in the mean of them."""


def _face_colors(mesh: Any) -> NDArray[np.float64] | None:
    """Return the colours (m, 4), 0 to 255, where a file paints triangles one by one."""
    visual = mesh.visual
    if visual.kind not in ("face", "vertex"):
        return None
    return np.asarray(visual.face_colors, dtype=np.float64)


def _one_color(mesh: Any) -> Rgba | None:
    """Return the colour of a mesh's material, None for none."""
    if mesh.visual.kind != "texture" or mesh.visual.material is None:
        return None
    color = getattr(mesh.visual.material, "main_color", None)
    return None if color is None else _rgba(np.asarray(color, dtype=np.float64))


def _rgba(color: Sequence[float] | NDArray[np.float64]) -> Rgba:
    red, green, blue, opacity = np.clip(np.asarray(color, dtype=np.float64) / 255.0, 0.0, 1.0)
    return float(red), float(green), float(blue), float(opacity)


def _part(vertices: NDArray[np.float64], faces: NDArray[Any], color: Rgba | None) -> Part:
    """Return a part with the vertices that it uses."""
    used, which = np.unique(faces, return_inverse=True)
    numbered = which.reshape(faces.shape).astype(np.uint32)
    return Part(vertices[used].astype(np.float32), numbered, color)
