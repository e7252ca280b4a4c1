"""What may be meant by the path of a file that does not exist."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from robodyn_ros.errors import nearest, quoted

MAX_ENTRIES = 1000
"""Files of a folder that are looked at."""
_SHOWN = 120
"""Characters of a path that are shown."""
SUFFIXES = (".urdf", ".xacro", ".yaml", ".yml", ".mat", ".json")


def missing_file_hint(path: str, suffixes: Sequence[str] = SUFFIXES) -> str:
    """Return what is wrong with a path that leads to no file, and the nearest that exists.

    Args:
        path: The path, `~` expanded. Nothing is read but names of files; what cannot be looked at
            makes the hint shorter.
        suffixes: Endings of the files that would do.
    """
    if "://" in path:
        return (
            "a URI is not resolved here; `ros2 pkg prefix --share PACKAGE` says where"
            " package://PACKAGE/ lies"
        )
    if "$(" in path:
        return "only launch files resolve $(...)"
    if path.startswith("~"):
        return "no such user, whose home ~ would stand for"
    try:
        return _nearest(Path(path).absolute(), tuple(suffixes))
    except (OSError, ValueError):
        return ""


def _nearest(place: Path, suffixes: tuple[str, ...]) -> str:
    """Return what there is at a place, or nearest to it."""
    if place.is_dir():
        return f"it holds {_listed(place, suffixes) or 'no description'}"
    folder = place.parent
    if not folder.is_dir():
        existing = next(parent for parent in (folder, *folder.parents) if parent.exists())
        shown = quoted(str(existing), _SHOWN)
        if not existing.is_dir():
            return f"{shown} is a file"
        return f"{shown} has no folder {quoted(folder.relative_to(existing).parts[0])}"
    own = (place.suffix.lower(),) if place.suffix else ()
    if near := nearest(place.name, _names(folder, suffixes + own), most=1):
        return f"did you mean {quoted(str(folder / near[0]), _SHOWN)}?"
    return f"{quoted(str(folder), _SHOWN)} has {_listed(folder, suffixes) or 'no such file'}"


def _names(folder: Path, suffixes: tuple[str, ...]) -> list[str]:
    """Return the names in a folder that end so, sorted."""
    names = (entry.name for entry in islice(folder.iterdir(), MAX_ENTRIES))
    return sorted(name for name in names if name.lower().endswith(suffixes))


def _listed(folder: Path, suffixes: tuple[str, ...]) -> str:
    return ", ".join(map(quoted, _names(folder, suffixes)[:3]))
