"""The folder that a replay is written to: complete, or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR
from pathlib import Path
from shutil import rmtree

from robodyn_ros.errors import ArgumentError, RobodynError, quoted

_SHOWN = 200


def require_folder(path: Path, *, force: bool) -> None:
    """Raise ArgumentError where a replay cannot be written to a folder.

    Args:
        path: The folder; it may be there if it is empty.
        force: Whether what is in it may be replaced.
    """
    name = quoted(str(path), _SHOWN)
    if "\0" in str(path):
        raise ArgumentError(f"{name} cannot be the name of a folder")
    try:
        if path.is_dir():
            if any(path.iterdir()) and not force:
                raise ArgumentError(
                    f"folder {name} is there already: give another one, or --force to replace the"
                    " files of an earlier replay in it"
                )
        elif path.exists():
            raise ArgumentError(f"{name} is a file; give the name of a folder")
        elif path.is_symlink():
            raise ArgumentError(f"{name} is a link that leads nowhere; give the name of a folder")
        elif not path.absolute().parent.is_dir():
            raise ArgumentError(
                f"there is no folder {quoted(str(path.parent), _SHOWN)}; make it first"
            )
    except OSError as error:  # such as a name that is too long
        raise ArgumentError(f"{name} cannot be written: {_what(error)}") from None


def require_apart(path: Path, bag: Path) -> None:
    """Raise ArgumentError where what is written could take the place of the bag's own files."""
    own = bag if bag.is_dir() else bag.parent
    if path.is_dir() and path.samefile(own) and (bag.is_dir() or bag.stem == "dynamics"):
        raise ArgumentError(
            f"folder {quoted(str(path), _SHOWN)} is where the bag is; give another one"
        )


@contextmanager
def written_folder(path: Path) -> Iterator[Path]:
    """Give a folder to write to, whose files come to be in `path` when all went well.

    Other files in `path` stay. Where something goes wrong, or the work is interrupted, `path` is as
    it was before.

    Raises:
        RobodynError: the disk is full, or nothing can be written there.
    """
    name = quoted(str(path), _SHOWN)
    try:
        draft = Path(
            tempfile.mkdtemp(prefix=f".{path.name}-", suffix=".partial", dir=path.absolute().parent)
        )
    except OSError as error:
        raise RobodynError(f"{name} cannot be written: {_what(error)}") from None
    try:
        yield draft
        _moved(draft, path)
    except OSError as error:
        raise RobodynError(
            f"{name} cannot be written: {_what(error)}; make room, or give another folder by --out"
        ) from None
    finally:
        with suppress(OSError):
            rmtree(draft)


def _moved(draft: Path, path: Path) -> None:
    """Move the files of a draft to a folder, the last of them when all others are there."""
    if not path.exists():
        mask = os.umask(0)
        os.umask(mask)
        draft.chmod(0o777 & ~mask)
        draft.replace(path)
        return
    files = sorted(draft.iterdir())
    for file in files:  # all of them, before the first one is replaced
        if (path / file.name).is_dir() and not (path / file.name).is_symlink():
            raise IsADirectoryError(EISDIR, f"{quoted(file.name)} in it is a folder")
    for file in files:
        file.replace(path / file.name)


def _what(error: OSError) -> str:
    return error.strerror or " ".join(str(error).split())
