"""Stage one of loading: from what the caller names to the bytes of one document.

A source is a path (`os.PathLike`, or text without `<`) or the description itself: bytes, text with
`<`, or text that begins with `mechanism:`, which is a mechanism file, as is a path that ends in
`.yaml` or `.yml`. A path that ends in `.mat` or `.json` is a spatial_v2 model, one that ends in
`.xacro` is expanded. Xacro runs Python, so it is expanded from a file that the operator named and
never from text.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from robodyn_ros.description.missing_file import missing_file_hint
from robodyn_ros.errors import DescriptionError

Source = str | bytes | os.PathLike[str]

MAX_BYTES = 2**25
_TEXT_NAME = "robot description"
_BLANK = " \t\r\n\ufeff"
_DECLARATION = re.compile(r"([\s\ufeff]*)(<\?xml\s[^>]*\?>)")
_DECLARATION_BYTES = re.compile(rb"((?:\s|\xef\xbb\xbf)*)(<\?xml\s[^>]*\?>)")
_MARK = "\ufeff".encode()
_MECHANISM_SUFFIXES = (".yaml", ".yml")
_SPATIAL_V2_SUFFIXES = (".mat", ".json")
#: What may stand before the first key of a mechanism file, and that key.
_BEFORE_KEY = re.compile(r"(?:[\s\ufeff]|[#%][^\n]*|---)*")
_MECHANISM_KEY = re.compile(r"""\{?\s*["']?mechanism["']?\s*:""")


@dataclass(frozen=True)
class Document:
    """The bytes of a document.

    Attributes:
        data: an XML document, or a mechanism file.
        name: what error messages call it.
        is_mechanism: whether it is a mechanism file.
        folder: where it lies; None for a text.
    """

    data: bytes
    name: str
    is_mechanism: bool = False
    folder: Path | None = None

    @property
    def is_spatial_v2(self) -> bool:
        """Whether it is a model of spatial_v2, which goes by its file's ending."""
        return self.folder is not None and self.name.lower().endswith(_SPATIAL_V2_SUFFIXES)


def read_source(source: Source | Document) -> Document:
    """Return the document that `source` names or contains.

    Args:
        source: a path, or the text of a description as str or bytes (see the module's text for how
            they are told apart), or a document that was read before.

    Raises:
        DescriptionError: no such file, not readable, empty, larger than `MAX_BYTES`, not encodable,
            or a xacro file that cannot be expanded.
    """
    if isinstance(source, Document):
        return source
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
        if _begins_as_mechanism(data.decode(errors="replace")):
            return _document(data, _TEXT_NAME, is_mechanism=True)
        return _document(_declaration_first(data), _TEXT_NAME)
    if isinstance(source, str) and is_text(source):
        return text_document(source)
    if not isinstance(source, (str, os.PathLike)):
        raise DescriptionError(
            f"a description is a path, text or bytes, not {type(source).__name__}"
        )
    return _file_document(os.path.expanduser(os.fspath(source)))  # noqa: PTH111 - refused later


def _file_document(path: str) -> Document:
    """Return the document in a file; what is no path, as bytes or with NUL, is refused."""
    if path.lower().endswith(".xacro"):
        text = _encoded(_expand_xacro(path))
        return _document(text, f"{path} (expanded)", folder=Path(path).absolute().parent)
    data = _read_file(path)
    folder = Path(path).absolute().parent
    if path.lower().endswith(_MECHANISM_SUFFIXES):
        return _document(data, path, is_mechanism=True, folder=folder)
    return _document(_declaration_first(data), path, folder=folder)


def is_text(source: str) -> bool:
    """Return whether a str is a description and not a path."""
    return "<" in source or not source.strip(_BLANK) or _begins_as_mechanism(source)


def _begins_as_mechanism(text: str) -> bool:
    """Return whether a text's first key is that of mechanism files."""
    before = _BEFORE_KEY.match(text)
    return _MECHANISM_KEY.match(text, before.end() if before else 0) is not None


def text_document(text: str) -> Document:
    """Return the document that a description's text is; it is never taken for a path.

    Raises:
        DescriptionError: empty, too large, or not encodable.
    """
    is_mechanism = _begins_as_mechanism(text)
    return _document(_encoded(text), _TEXT_NAME, is_mechanism=is_mechanism)


def _document(
    data: bytes, name: str, *, is_mechanism: bool = False, folder: Path | None = None
) -> Document:
    """Return the document after the checks that hold for every kind of source."""
    if not data.strip():
        raise DescriptionError(f"{name}: the description is empty")
    if len(data) > MAX_BYTES:
        raise DescriptionError(
            f"{name}: the description is larger than {MAX_BYTES // 2**20} MiB; "
            "meshes belong into files of their own"
        )
    return Document(data, name, is_mechanism, folder)


def _read_file(path: str) -> bytes:
    """Return at most a little more than the allowed size of a file's bytes."""
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DescriptionError(
            f"cannot read {path[:200]!r}: {reason}{_hint(path, error)}; give the path of a .urdf,"
            " .xacro or .yaml file, or the text of a description, which contains '<robot' or begins"
            " with 'mechanism:'"
        ) from error


def _hint(path: str, error: Exception) -> str:
    """Return what may be wrong with a path that leads to no file, in brackets; "" for nothing."""
    if not isinstance(error, (FileNotFoundError, NotADirectoryError, IsADirectoryError)):
        return ""
    hint = missing_file_hint(path)
    return f" ({hint})" if hint else ""


def _encoded(text: str) -> bytes:
    """Return `text` in UTF-8 without its XML declaration, whose encoding means nothing in a str.

    The line ends of what is dropped are kept, so that line numbers stay right.
    """
    text = text.removeprefix("\ufeff")
    declaration = _DECLARATION.match(text)
    if declaration:
        text = "\n" * declaration.group().count("\n") + text[declaration.end() :]
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DescriptionError(
            f"{_TEXT_NAME}: character {error.start + 1} cannot be encoded; "
            "read the file as UTF-8 or pass its bytes"
        ) from error


def _declaration_first(data: bytes) -> bytes:
    """Move blanks (not a byte order mark) that stand before the XML declaration behind it."""
    found = _DECLARATION_BYTES.match(data)
    if not found:
        return data
    return found[2] + found[1].replace(_MARK, b"") + data[found.end() :]


def _expand_xacro(path: str) -> str:
    """Return the URDF text that a xacro file expands to."""
    _read_file(path)
    try:
        import xacro
    except ImportError as error:
        raise DescriptionError(
            f"{path}: a .xacro file needs the Python package 'xacro' (ros-<distro>-xacro, "
            "or pip install xacro); or expand it elsewhere and load the URDF"
        ) from error
    try:
        text: str = xacro.process_file(path).toxml()
    except Exception as error:  # xacro evaluates the file's own expressions, which raise anything
        reason = " ".join(str(error).split()) or type(error).__name__
        raise DescriptionError(f"{path}: xacro cannot expand this file: {reason}") from error
    return text
