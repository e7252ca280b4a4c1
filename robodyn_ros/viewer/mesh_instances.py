"""How much a mesh file becomes when everything is placed that it places: asked before it is read.

A few lines of COLLADA can place a part a billion times over, by nodes that place nodes, and a line
of glTF can state a billion vertices without giving them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from robodyn_ros.errors import DescriptionError

MOST_INSTANCES = 10_000
"""Parts that one file may place."""
_JSON_CHUNK = slice(20, None)
_INFINITE = float("inf")


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
    placed = _Placed(root)
    count, size = placed.of(scene for scene in root.iter() if _name(scene) == "visual_scene")
    if count > MOST_INSTANCES or size > most_bytes:
        raise DescriptionError(
            "its nodes place parts without end"
            if count == _INFINITE
            else f"it places {count:.3g} parts of {size / 2**20:.3g} MiB in all, too many for a"
            " browser"
        )


class _Placed:
    """Counts what the nodes of a COLLADA file place; each node is counted once."""

    def __init__(self, root: Any) -> None:
        self._nodes = {x.get("id"): x for x in root.iter() if _name(x) == "node"}
        self._sizes = {
            x.get("id"): sum(len(p.text or "") for p in x.iter() if _name(p) == "p")
            for x in root.iter()
            if _name(x) == "geometry"
        }
        self._known: dict[Any, tuple[float, float]] = {}

    def of(self, elements: Iterator[Any]) -> tuple[float, float]:
        """Return how many parts elements place, and their size, bytes; inf for a cycle."""
        pending = list(elements)
        tops = list(pending)
        while pending:
            element = pending[-1]
            if element in self._known:
                pending.pop()
                continue
            below = list(self._below(element))
            unknown = [x for x in below if x not in self._known]
            if not unknown:
                self._known[pending.pop()] = self._sum(element, below)
            elif any(x in pending for x in unknown):
                return _INFINITE, _INFINITE
            else:
                pending.append(unknown[0])
        found = [self._known[x] for x in tops]
        return sum(n for n, _ in found), sum(size for _, size in found)

    def _below(self, element: Any) -> Iterator[Any]:
        """Yield the nodes that an element has or places."""
        for child in element:
            if _name(child) == "node":
                yield child
            elif _name(child) == "instance_node":
                named = self._nodes.get(child.get("url", "").removeprefix("#"))
                if named is not None:
                    yield named

    def _sum(self, element: Any, below: list[Any]) -> tuple[float, float]:
        urls = [child.get("url", "") for child in element if _name(child) == "instance_geometry"]
        sizes = [self._sizes.get(url.removeprefix("#"), 0) for url in urls]
        count = len(urls) + sum(self._known[x][0] for x in below)
        return count, sum(sizes) + sum(self._known[x][1] for x in below)


def _name(element: Any) -> str:
    """Return an element's name without its namespace; "" for a comment."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _check_gltf(path: Path, most_triangles: int) -> None:
    data = path.read_bytes()
    if path.suffix.lower() == ".glb":
        data = data[_JSON_CHUNK][: int.from_bytes(data[12:16], "little")]
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
