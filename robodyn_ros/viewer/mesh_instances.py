"""How much a mesh file becomes when everything is placed that it places: asked before it is read.

A few lines of COLLADA can place a part a billion times over, by nodes that place nodes, and a line
of glTF can state a billion vertices without giving them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from lxml import etree

from robodyn_ros.errors import DescriptionError

MOST_INSTANCES = 10_000
"""Parts that one file may place."""
_GLB_JSON = 20
"""Bytes before the JSON of a .glb."""


def check_instances(path: Path, most_bytes: int, most_triangles: int) -> None:
    """Refuse a file that would become far more than it looks.

    Args:
        path: the file; only COLLADA and glTF are looked into, others place nothing.
        most_bytes: of a COLLADA file's triangles as text, with every repetition.
        most_triangles: of one glTF accessor.

    Raises:
        DescriptionError: too much of it; the text says of what.
    """
    kind = path.suffix.lower()
    if kind == ".dae":
        _check_collada(path, most_bytes)
    elif kind in (".glb", ".gltf"):
        _check_gltf(path, most_triangles)


def _check_collada(path: Path, most_bytes: int) -> None:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.parse(str(path), parser).getroot()
    except etree.XMLSyntaxError as error:
        raise DescriptionError(f"no well-formed XML: {error}") from error
    named = {x.get("id"): x for x in root.iter() if _name(x) == "node"}
    sizes = {
        x.get("id"): float(sum(len(p.text or "") for p in x.iter() if _name(p) == "p"))
        for x in root.iter()
        if _name(x) == "geometry"
    }
    below = {x: _nodes_below(x, named) for x in root.iter() if _name(x) in ("node", "visual_scene")}
    placed: dict[Any, tuple[float, float]] = {}
    try:
        for element in TopologicalSorter(below).static_order():
            parts = [(1.0, sizes.get(_target(x), 0.0)) for x in _each(element, "instance_geometry")]
            counts, bytes_ = zip(
                (0.0, 0.0), *parts, *(placed[x] for x in below[element]), strict=True
            )
            placed[element] = sum(counts), sum(bytes_)
    except CycleError:
        raise DescriptionError("its nodes place parts without end") from None
    scenes = [placed[x] for x in below if _name(x) == "visual_scene"]
    count, size = sum(n for n, _ in scenes), sum(each for _, each in scenes)
    if count > MOST_INSTANCES or size > most_bytes:
        raise DescriptionError(
            f"it places {count:.3g} parts of {size / 2**20:.3g} MiB in all, too many for a browser"
        )


def _nodes_below(element: Any, named: dict[str, Any]) -> list[Any]:
    """Return the nodes that an element has or places, with every repetition."""
    placed = (named.get(_target(x)) for x in _each(element, "instance_node"))
    return [*_each(element, "node"), *(node for node in placed if node is not None)]


def _each(element: Any, name: str) -> Iterator[Any]:
    """Yield the children of that name."""
    return (child for child in element if _name(child) == name)


def _target(instance: Any) -> str:
    """Return the id of what an instance is of."""
    return str(instance.get("url", "")).removeprefix("#")


def _name(element: Any) -> str:
    """Return an element's name without its namespace; "" for a comment."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _check_gltf(path: Path, most_triangles: int) -> None:
    data = path.read_bytes()
    if path.suffix.lower() == ".glb":
        data = data[_GLB_JSON:][: int.from_bytes(data[12:16], "little")]
    try:
        header = json.loads(data)
        counts = [int(accessor["count"]) for accessor in header.get("accessors", [])]
        nodes = header.get("nodes", [])
        children = [int(child) for node in nodes for child in node.get("children", [])]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DescriptionError(f"no glTF: {type(error).__name__}: {error}") from error
    if len(set(children)) < len(children):
        raise DescriptionError("a node is placed by two others")
    if len(nodes) > MOST_INSTANCES:
        raise DescriptionError(f"it places {len(nodes)} parts, too many for a browser")
    if counts and max(counts) > 3 * most_triangles:
        raise DescriptionError(f"it states {max(counts)} numbers in a row, too many for a browser")
