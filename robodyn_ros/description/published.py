"""Descriptions as text for others, who do not know in which folder the file lies."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from robodyn_ros.description.source import Document
from robodyn_ros.description.xml_tree import document_text
from robodyn_ros.errors import DescriptionError

if TYPE_CHECKING:
    from robodyn_ros.description.mechanism.nodes import Node, Scalar

#: An anchor or a tag before a scalar: others may refer to it.
_PROPERTIES = re.compile(r"(?:[&!]\S*\s+)*")


def description_text(document: Document, parameters: Mapping[str, float] | None = None) -> str:
    """Return a description as text; relative paths, of a URDF and of meshes, are made absolute.

    Args:
        document: The description.
        parameters: Values that stand in the place of a mechanism file's, by name; those that it
            does not have are left out.

    Raises:
        DescriptionError: not well-formed, or a parameter that is given has an anchor (&name), by
            which others may refer to it; the text begins with the document's name.
    """
    if not document.is_mechanism:
        return document_text(document)
    # Imported here because nodes that load a URDF start without it.
    from robodyn_ros.description.mechanism.yaml_text import decoded, read_yaml

    try:
        text, node = decoded(document.data), read_yaml(document.data)
    except DescriptionError as error:
        raise DescriptionError(f"{document.name}: {error}") from error
    folder = document.folder
    changed: list[tuple[Scalar, str]] = []
    if folder is not None:
        local = (path for path in _paths(node) if "://" not in path.text)
        changed = [
            (path, json.dumps(str(folder / path.text), ensure_ascii=False)) for path in local
        ]
    for old, value in _given(node, parameters or {}):
        if "&" in text[old.start : _after_properties(text, old.start)]:
            raise DescriptionError(
                f"{document.name}: line {old.line}: a parameter with an anchor cannot be given"
                " another value here; write its number without the anchor"
            )
        changed.append((old, repr(value)))
    # From the last one on, so that the places of those before stay right; an alias is one place.
    places = {old.start: (old.end, new) for old, new in changed}
    for start in sorted(places, reverse=True):
        end, new = places[start]
        text = text[: _after_properties(text, start)] + new + text[end:]
    return text


def _after_properties(text: str, start: int) -> int:
    found = _PROPERTIES.match(text, start)
    return found.end() if found else start


def _given(node: Node, parameters: Mapping[str, float]) -> Iterator[tuple[Scalar, float]]:
    """Yield the scalars of parameters that are given, with their values."""
    from robodyn_ros.description.mechanism.nodes import Scalar

    for name, value in parameters.items():
        old = _value(_value(node, "parameters"), name)
        if isinstance(old, Scalar):
            yield old, float(value)


def _paths(node: Node) -> Iterator[Scalar]:
    """Yield the scalars that name files: a URDF, and the meshes of a drawing."""
    from robodyn_ros.description.mechanism.nodes import Scalar

    drawn = _items(_value(node, "drawing"))
    meshes = (_value(shape, "file") for shapes in drawn for shape in _items(shapes))
    for value in (_value(node, "urdf"), *meshes):
        if isinstance(value, Scalar) and value.text.strip():
            yield value


def _value(node: Node | None, key: str) -> Node | None:
    """Return what a mapping has under a key, None for anything else."""
    from robodyn_ros.description.mechanism.nodes import Map

    return node.entries[key][1] if isinstance(node, Map) and key in node.entries else None


def _items(node: Node | None) -> Sequence[Node]:
    """Return the values of a mapping or a list, none of anything else."""
    from robodyn_ros.description.mechanism.nodes import List, Map

    if isinstance(node, Map):
        return [value for _, value in node.entries.values()]
    return node.items if isinstance(node, List) else ()
