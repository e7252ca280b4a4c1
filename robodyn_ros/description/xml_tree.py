"""Stage two of loading: from bytes to a tree of elements in no namespace, lines kept.

Comments and processing instructions are gone, so nothing in them is ever read. Entities are not
resolved and nothing is fetched. Elements of foreign namespaces keep their full name, which no later
stage knows.
"""

from __future__ import annotations

from typing import Any

from lxml import etree

from robodyn_ros.description.comments import without_comments
from robodyn_ros.description.source import Document, text_document
from robodyn_ros.errors import DescriptionError, quoted

#: An lxml element (lxml carries no types).
Element = Any

_XACRO_HINT = (
    "looks like unprocessed xacro; load the .xacro file by its path, or expand it first: "
    "xacro robot.urdf.xacro > robot.urdf"
)
_READ_BY_OTHERS = frozenset({"gazebo", "transmission", "ros2_control", "sensor", "plugin"})


def parse_tree(document: Document) -> Element:
    """Return the root element of a document.

    Raises:
        DescriptionError: not well-formed XML, or not expanded by xacro.
    """
    root = _parse(document.data)
    _refuse_xacro(root)
    own, _ = _split(root)
    for element in root.iter(etree.Element):
        space, local = _split(element)
        if (element.prefix is None and not space.endswith(":")) or space == own:
            element.tag = local
    return root


def document_text(document: Document) -> str:
    """Return a document as text without its declaration, decoded as the declaration says.

    Raises:
        DescriptionError: not well-formed XML; the text begins with the document's name.
    """
    try:
        root = _parse(document.data)
    except DescriptionError as error:
        raise DescriptionError(f"{document.name}: {error}") from error
    encoding = root.getroottree().docinfo.encoding or "UTF-8"
    text = document.data.decode(encoding, errors="replace")
    return text_document(text).data.decode()


def describe(element: Element) -> str:
    """Return how messages name an element: "joint 'elbow'", or "<axis> of joint 'elbow'"."""
    owner = element
    while owner.tag not in ("link", "joint", "robot") and owner.getparent() is not None:
        owner = owner.getparent()
    name = owner.get("name")
    described = f"{owner.tag} {quoted(name)}" if name else f"{owner.tag} without a name"
    return described if owner is element else f"<{element.tag}> of {described}"


def line_of(element: Element) -> str:
    """Return "line n", where n is the line on which the element starts."""
    return f"line {element.sourceline}"


def failure(element: Element, text: str) -> DescriptionError:
    """Return the error that says where (line and element) and then `text`."""
    return DescriptionError(f"{line_of(element)}: {describe(element)}: {text}")


def _parse(data: bytes) -> Element:
    """Return the root; faulty namespaces, which other URDF parsers take, are no error."""
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=True,
    )
    try:
        root = etree.fromstring(without_comments(data), parser)
    except etree.XMLSyntaxError:
        root = None
    for entry in parser.error_log:
        if entry.level_name != "WARNING" and entry.domain_name != "NAMESPACE":
            reason = " ".join(entry.message.split())[:200]
            raise DescriptionError(f"line {entry.line}: not well-formed XML: {reason}")
    if root is None:
        raise DescriptionError('line 1: not XML; a URDF starts with <robot name="...">')
    return root


def _refuse_xacro(root: Element) -> None:
    """Raise if an element is xacro's, or a value that URDF defines holds ${...} or $(...)."""
    for element in root.iter(etree.Element):
        space, local = _split(element)
        if "xacro" in space:
            raise DescriptionError(f"line {element.sourceline}: <xacro:{local}> {_XACRO_HINT}")
    pending = [root]
    while pending:
        element = pending.pop()
        if _split(element)[1] in _READ_BY_OTHERS:
            continue
        for key, value in element.attrib.items():
            if "${" in value or "$(" in value:
                raise DescriptionError(
                    f"line {element.sourceline}: {key}={quoted(value)} {_XACRO_HINT}"
                )
        pending.extend(reversed(list(element.iterchildren(etree.Element))))


def _split(element: Element) -> tuple[str, str]:
    """Return namespace and local name; for an undeclared prefix, "prefix:" and local name."""
    tag: str = element.tag
    if tag.startswith("{"):
        space, _, local = tag[1:].partition("}")
        return space, local
    prefix, colon, local = tag.rpartition(":")
    return prefix + colon, local
