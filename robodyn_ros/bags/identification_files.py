"""The files of an identification: the overlay, the description that it needs, and the report."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from robodyn_ros.analysis.overlay import Overlay
from robodyn_ros.analysis.overlay_file import Origin, overlay_text, require_same
from robodyn_ros.bags.identification_page import Found, identification_page
from robodyn_ros.description.output_file import require_output_file
from robodyn_ros.description.source import Document
from robodyn_ros.errors import ArgumentError, RobodynError, quoted
from robodyn_ros.model import Model

OVERLAYS = (".yaml", ".yml")
REPORTS = (".html",)
_SHOWN = 200


def require_writable(paths: list[tuple[Path, tuple[str, ...]]], *, force: bool) -> None:
    """Raise ArgumentError where files with these endings cannot be written, or are there already.

    Args:
        paths: Files with the endings that they may have.
        force: Whether files that are there may be replaced.
    """
    for path, endings in paths:
        require_output_file(path, endings)
        if path.exists() and not force:
            raise ArgumentError(
                f"{quoted(str(path), _SHOWN)} is there already: give another name, or --force to"
                " replace it"
            )


def urdf_beside(path: Path, document: Document) -> Path | None:
    """Return where the URDF of a bag is written beside an overlay, None where it is a file."""
    if document.folder is not None or document.is_mechanism:
        return None
    return path.with_suffix(".urdf")


def write_overlay(
    path: Path, overlay: Overlay, origin: Origin, model: Model, said: list[str]
) -> list[str]:
    """Write an overlay, and the URDF that a bag held; return the names of the files.

    Raises:
        DescriptionError: the description has no place for what was identified.
        RobodynError: nothing can be written there.
    """
    text = overlay_text(overlay, origin, said)
    with ExitStack() as stack:
        beside = urdf_beside(path, origin.document)
        if beside is not None:
            if not beside.exists():  # without an overlay it is of no use
                stack.callback(beside.unlink, missing_ok=True)
            with _replaced(beside) as draft:
                draft.write_bytes(origin.document.data)
        with _replaced(path) as draft:
            draft.write_text(text, encoding="utf-8")
            require_same(draft, overlay, model)
        stack.pop_all()
    return [str(path), *([] if beside is None else [str(beside)])]


def write_report(path: Path, summary: dict[str, Any], found: Found) -> str:
    """Write the report, and return its name.

    Raises:
        RobodynError: Matplotlib is not installed, or nothing can be written there.
    """
    with _replaced(path) as draft, draft.open("w", encoding="utf-8") as file:
        file.writelines(identification_page(summary, found))
    return str(path)


@contextmanager
def _replaced(path: Path) -> Iterator[Path]:
    """Give a file to write to, which takes the place of `path` when all went well."""
    name = quoted(str(path), _SHOWN)
    try:
        # The folder is only for a name that nobody else has; the file is beside `path`, from where
        # it names others.
        folder = path.absolute().parent
        with tempfile.TemporaryDirectory(prefix=f".{path.stem}-", dir=folder) as unique:
            draft = folder / f"{Path(unique).name}{path.suffix}"
            try:
                yield draft
                draft.replace(path)
            finally:
                draft.unlink(missing_ok=True)
    except OSError as error:
        raise RobodynError(
            f"{name} cannot be written: {error.strerror or error}; make room, or give another name"
        ) from None
