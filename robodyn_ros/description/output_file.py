"""A file that is to be written, looked at before the work that it is for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from robodyn_ros.errors import ArgumentError, quoted

_SHOWN = 200
"""Characters of a path that are shown."""


def require_output_file(path: Path, endings: Sequence[str]) -> None:
    """Raise ArgumentError where no file of one of these endings can be written to a path.

    That is where its ending is another one, it is no name of a file, its folder is missing, or it
    is a folder itself. What only writing shows (a disk that is full) remains an OSError.
    """
    name = quoted(str(path), _SHOWN)
    if path.suffix.lower() not in endings:
        raise ArgumentError(
            f"{name} must end in {' or '.join(endings)}, which says what is written"
        )
    if "\0" in str(path):
        raise ArgumentError(f"{name} cannot be the name of a file")
    try:
        if not path.parent.is_dir():
            raise ArgumentError(
                f"{name}: there is no folder {quoted(str(path.parent), _SHOWN)}; make it first"
            )
        if path.is_dir():
            raise ArgumentError(f"{name} is a folder; give the name of a file")
    except OSError as error:  # such as a name that is too long
        raise ArgumentError(f"{name} cannot be written: {error.strerror}") from None
