"""Descriptions as text for others, who do not know in which folder the file lies."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from robodyn_ros.description.source import Document
from robodyn_ros.description.xml_tree import document_text
from robodyn_ros.errors import DescriptionError

if TYPE_CHECKING:
    from robodyn_ros.description.mechanism.nodes import Node, Scalar


def description_text(document: Document) -> str:
    """Return a description as text; the relative path of a URDF is made absolute.

    Raises:
        DescriptionError: not well-formed; the text begins with the document's name.
    """
    if not document.is_mechanism:
        return document_text(document)
    # Imported here because nodes that load a URDF start without it.
    from robodyn_ros.description.mechanism.yaml_text import decoded, read_yaml

    try:
        text, node = decoded(document.data), read_yaml(document.data)
    except DescriptionError as error:
        raise DescriptionError(f"{document.name}: {error}") from error
    urdf = _urdf(node)
    if urdf is None or document.folder is None or "://" in urdf.text:
        return text
    absolute = json.dumps(str(document.folder / urdf.text), ensure_ascii=False)
    return text[: urdf.start] + absolute + text[urdf.end :]


def _urdf(node: Node) -> Scalar | None:
    """Return the scalar that names a URDF, None where there is none."""
    from robodyn_ros.description.mechanism.nodes import Map, Scalar

    if not isinstance(node, Map) or "urdf" not in node.entries:
        return None
    value = node.entries["urdf"][1]
    return value if isinstance(value, Scalar) and value.text.strip() else None
