"""One way in: from a path or a text to a Model, and to what else a description says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_ros.description.source import Document, Source, read_source
from robodyn_ros.description.urdf import urdf_builder
from robodyn_ros.description.xml_tree import parse_tree
from robodyn_ros.errors import ArgumentError, DescriptionError, UnknownNameError, quoted
from robodyn_ros.model import Model, ModelBuilder
from robodyn_ros.model.builder import Base

if TYPE_CHECKING:
    from robodyn_ros.description.mechanism import Mechanism


def load_model(
    source: Source | Document,
    *,
    base: Base | None = None,
    root: str | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Model:
    """Return the model that a robot description stands for.

    Args:
        source: the path of a URDF, xacro or mechanism file, or the text of a URDF or mechanism file
            as str or bytes. A str is a path unless it contains `<` or begins with `mechanism:`. Or
            a document that was read before.
        base: "fixed", "floating" or "prescribed": how the root link moves in the world. By default
            the description's own, which is "fixed" where it says nothing.
        root: the link to root the tree at; by default the description's own root.
        parameters: values in place of a mechanism file's, by name.

    Raises:
        DescriptionError: the description cannot be used; one line with the file's name, the
            element, its line and the remedy.
        ArgumentError: no such `base`, or parameters of a description that has none.
        UnknownNameError: the mechanism file has no such parameter.
    """
    document = read_source(source)
    if document.is_mechanism:
        return load_description(document, base=base, root=root, parameters=parameters).model
    with errors_named(document):
        return _model(document, base, root, parameters)


def load_description(
    source: Source | Document,
    *,
    base: Base | None = None,
    root: str | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Mechanism:
    """Return all that a robot description says; a URDF says nothing beyond the model.

    Args and errors are those of `load_model`.
    """
    # Imported here because nodes that load a URDF start without it.
    from robodyn_ros.description.mechanism import Mechanism, read_mechanism

    document = read_source(source)
    with errors_named(document):
        if not document.is_mechanism:
            return Mechanism(_model(document, base, root, parameters))
        return read_mechanism(
            document.data,
            fallback_name=plain_name(document.name),
            folder=document.folder,
            base=base,
            root=root,
            parameters=parameters,
        )


@contextmanager
def errors_named(document: Document) -> Iterator[None]:
    """Put the document's name before the text of an error."""
    try:
        yield
    except (DescriptionError, UnknownNameError) as error:
        raise type(error)(f"{document.name}: {error}") from error


def _model(
    document: Document,
    base: Base | None,
    root: str | None,
    parameters: Mapping[str, float] | None,
) -> Model:
    """Return the model of a document that is no mechanism file."""
    if parameters:
        names = ", ".join(map(quoted, parameters))
        raise ArgumentError(
            f"{document.name}: only a mechanism file has parameters, and this is none; leave out"
            f" {names}"
        )
    builder = _builder(document, plain_name(document.name))
    return builder.build(base=base or "fixed", root=root)


def _builder(document: Document, name: str) -> ModelBuilder:
    """Return the builder of a URDF, or of a spatial_v2 model, which goes by its ending."""
    if document.is_spatial_v2:
        # Imported here for the same reason as above.
        from robodyn_ros.description.exchange import spatial_v2_builder

        return spatial_v2_builder(document.data, Path(document.name).suffix.lower(), name)
    return urdf_builder(parse_tree(document), name)


def plain_name(name: str) -> str:
    """Return a robot's name made from its file's: "arms/ur3.urdf" gives "ur3"."""
    stem, dot, _ = Path(name).name.partition(".")
    return stem if stem and dot else "robot"
