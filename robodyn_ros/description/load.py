"""One way in: from a path or a text to a Model."""

from __future__ import annotations

from pathlib import Path

from robodyn_ros.description.source import Document, Source, read_source
from robodyn_ros.description.urdf import urdf_builder
from robodyn_ros.description.xml_tree import parse_tree
from robodyn_ros.errors import DescriptionError
from robodyn_ros.model import Model
from robodyn_ros.model.builder import Base


def load_model(
    source: Source | Document, *, base: Base = "fixed", root: str | None = None
) -> Model:
    """Return the model that a robot description stands for.

    Args:
        source: the path of a URDF or xacro file, or URDF text as str or bytes. A str is a path
            unless it contains `<`. Or a document that was read before.
        base: "fixed", "floating" or "prescribed": how the root link moves in the world.
        root: the link to root the tree at; by default the description's own root.

    Raises:
        DescriptionError: the description cannot be used; one line with the file's name, the
            element, its line and the remedy.
        ArgumentError: no such `base`.
    """
    document = read_source(source)
    try:
        builder = urdf_builder(parse_tree(document), _plain_name(document.name))
        return builder.build(base=base, root=root)
    except DescriptionError as error:
        raise DescriptionError(f"{document.name}: {error}") from error


def _plain_name(name: str) -> str:
    """Return a robot's name made from its file's: "arms/ur3.urdf" gives "ur3"."""
    stem, dot, _ = Path(name).name.partition(".")
    return stem if stem and dot else "robot"
