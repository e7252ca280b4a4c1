"""From bytes to nodes: YAML 1.2 within limits, and nothing of YAML that could do harm.

The text is read as events; no object is ever constructed from it. Aliases share what they stand
for, and what they would expand to is counted. Refused are tags, keys that are no text, keys given
twice, several documents, and what is too large, too deep or too much.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from robodyn_ros.description.mechanism.nodes import List, Map, Node, Scalar
from robodyn_ros.errors import DescriptionError, quoted

MAX_BYTES = 2**18
MAX_NODES = 20_000
"""Values in a file, those that aliases stand for counted every time."""
MAX_ALIASES = 500
DEEPEST = 20


def read_yaml(data: bytes) -> Node:
    """Return the value of a document.

    Args:
        data: UTF-8, with or without a byte order mark.

    Raises:
        DescriptionError: it is not one YAML document within the limits; the text begins with the
            line.
    """
    if len(data) > MAX_BYTES:
        raise DescriptionError(
            f"a mechanism file has at most {MAX_BYTES // 1024} KiB, this one has"
            f" {len(data) // 1024}; put shapes into files of their own"
        )
    return _Composer(_events(decoded(data))).document()


def decoded(data: bytes) -> str:
    """Return a document's text without its byte order mark, or raise DescriptionError."""
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _at(
            line, f"byte {data[error.start]:#04x} is not UTF-8; save the file as UTF-8"
        ) from None


def _events(text: str) -> Iterator[Any]:
    """Yield the events of a YAML text; whatever the parser raises becomes a DescriptionError."""
    from ruamel.yaml import YAML

    try:
        yield from YAML(typ="safe", pure=True).parse(text)
    except Exception as error:  # also ValueError of chr(), and whatever a parser stumbles over
        raise _syntax_error(text, error) from error


def _syntax_error(text: str, error: Exception) -> DescriptionError:
    """Return what the parser complains about, with its line."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    position = getattr(error, "position", None)
    if mark is not None:
        line = mark.line + 1
    else:
        line = text.count("\n", 0, position if isinstance(position, int) else 0) + 1
    if isinstance(position, int) and position < len(text) and mark is None:
        return _at(line, f"character {text[position]!r} is not allowed in YAML; remove it")
    reason = getattr(error, "problem", None) or str(error)
    context = getattr(error, "context", None)
    text = " ".join(f"{reason} {context or ''}".split())[:200]
    if "'\\t'" in text:
        text += "; indent with blanks, not tabs"
    elif "mapping values are not allowed" in text:
        text += "; is a line not indented like its neighbours, or text with ': ' not quoted?"
    return _at(line, f"not well-formed YAML: {text}")


def _at(line: int, text: str) -> DescriptionError:
    return DescriptionError(f"line {line}: {text}")


class _Composer:
    """Makes nodes from events, each collection after its parts."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._anchors: dict[str, Node | None] = {}
        self._aliases = 0
        self._seen = 0

    def document(self) -> Node:
        """Return the only document's value."""
        node: Node | None = None
        for event in self._events:
            kind = type(event).__name__
            line = event.start_mark.line + 1
            if kind == "DocumentStartEvent":
                _require_version(event, line)
                if node is not None:
                    raise _at(line, "another document begins; one file describes one mechanism")
            elif kind not in ("StreamStartEvent", "StreamEndEvent", "DocumentEndEvent"):
                node = self._value(event, 1)
        if node is None:
            raise _at(1, "the description is empty; it begins with 'mechanism: 1'")
        return node

    def _value(self, event: Any, depth: int) -> Node:
        """Return the value that begins with `event`."""
        line = event.start_mark.line + 1
        self._count(line, depth)
        kind = type(event).__name__
        if kind == "AliasEvent":
            return self._alias(event, line)
        if getattr(event, "tag", None) is not None:
            raise _at(line, f"tag {quoted(str(event.tag))} is not allowed; leave it out")
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        node: Node
        if kind == "ScalarEvent":
            start, end = event.start_mark.index, event.end_mark.index
            node = Scalar(event.value, event.style in (None, ""), line, start, end)
        elif kind == "SequenceStartEvent":
            node = self._list(line, depth)
        else:
            node = self._map(line, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _count(self, line: int, depth: int) -> None:
        self._seen += 1
        if self._seen > MAX_NODES:
            raise _at(line, f"more than {MAX_NODES} values; a mechanism file has fewer")
        if depth > DEEPEST:
            raise _at(line, f"nested more than {DEEPEST} levels deep; a mechanism file is flatter")

    def _alias(self, event: Any, line: int) -> Node:
        """Return what an alias stands for, its size added to what was seen."""
        self._aliases += 1
        if self._aliases > MAX_ALIASES:
            raise _at(line, f"more than {MAX_ALIASES} aliases; write values out or use parameters")
        name = str(event.anchor)
        if name not in self._anchors:
            raise _at(line, f"alias *{name[:60]} has no anchor &{name[:60]} before it")
        node = self._anchors[name]
        if node is None:
            raise _at(line, f"alias *{name[:60]} stands inside of what it stands for")
        self._seen += node.size - 1
        self._count(line, 0)
        return node

    def _list(self, line: int, depth: int) -> List:
        items: list[Node] = []
        for event in self._events:
            if type(event).__name__ == "SequenceEndEvent":
                break
            items.append(self._value(event, depth + 1))
        return List(tuple(items), line, 1 + sum(item.size for item in items))

    def _map(self, line: int, depth: int) -> Map:
        entries: dict[str, tuple[Scalar, Node]] = {}
        for event in self._events:
            if type(event).__name__ == "MappingEndEvent":
                break
            key = self._key(event, entries, depth)
            entries[key.text] = key, self._value(next(self._events), depth + 1)
        return Map(entries, line, 1 + sum(1 + value.size for _, value in entries.values()))

    def _key(self, event: Any, entries: dict[str, tuple[Scalar, Node]], depth: int) -> Scalar:
        """Return a key, which is text and new."""
        key = self._value(event, depth + 1)
        line = event.start_mark.line + 1
        if not isinstance(key, Scalar) or not key.text.strip():
            raise _at(line, "a key must be a name; write name: value")
        if key.plain and key.text == "<<":
            raise _at(line, "merge keys (<<) are not part of YAML 1.2; write the entries out")
        if key.text in entries:
            first = entries[key.text][0].line
            raise _at(
                line,
                f"key {quoted(key.text)} is given twice (first on line {first}); remove one",
            )
        return key


def _require_version(event: Any, line: int) -> None:
    """Raise for a %YAML directive of another version than 1.2, which would mean other values."""
    version = getattr(event, "version", None)
    if version is not None and tuple(version) != (1, 2):
        raise _at(line, "mechanism files are YAML 1.2; remove the %YAML line")
