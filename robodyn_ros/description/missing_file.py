"""What may be meant by the path of a file that does not exist."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

from robodyn_ros.errors import quoted

LIKENESS = 0.6
"""Share of characters that two file names have in common (as `difflib` counts)."""
MAX_ENTRIES = 1000
"""Files of a folder that are looked at."""
LONGEST_NAME = 100
"""Characters beyond which a name resembles nothing."""
_SHOWN = 120
"""Characters of a path that are shown."""
_SUFFIXES = (".urdf", ".xacro", ".yaml", ".yml", ".mat", ".json")


def missing_file_hint(path: str) -> str:
    """Return what is wrong with a path that leads to no file, and the nearest that exists.

    Args:
        path: The path, `~` expanded. Nothing is read but names of files; what cannot be looked at
            makes the hint shorter.
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
        return _nearest(Path(path).absolute())
    except (OSError, ValueError):
        return ""


def _nearest(place: Path) -> str:
    """Return what there is at a place, or nearest to it."""
    if place.is_dir():
        inside = list(islice(_descriptions(place), 3))
        return f"it holds {_listed(inside)}" if inside else "it holds no description"
    folder = place.parent
    if not folder.is_dir():
        existing = next(parent for parent in (folder, *folder.parents) if parent.exists())
        shown = quoted(str(existing), _SHOWN)
        if not existing.is_dir():
            return f"{shown} is a file"
        return f"{shown} has no folder {quoted(folder.relative_to(existing).parts[0])}"
    names = {entry.name.lower(): entry.name for entry in islice(folder.iterdir(), MAX_ENTRIES)}
    close: list[str] = []
    if len(place.name) <= LONGEST_NAME:
        close = get_close_matches(place.name.lower(), names, n=1, cutoff=LIKENESS)
    if close:
        return f"did you mean {quoted(str(folder / names[close[0]]), _SHOWN)}?"
    inside = list(islice(_descriptions(folder), 3))
    return f"{quoted(str(folder), _SHOWN)} has {_listed(inside) if inside else 'no such file'}"


def _descriptions(folder: Path) -> Iterator[str]:
    """Yield the names of a folder's descriptions."""
    for entry in islice(folder.iterdir(), MAX_ENTRIES):
        if entry.name.lower().endswith(_SUFFIXES):
            yield entry.name


def _listed(names: list[str]) -> str:
    return ", ".join(quoted(name) for name in sorted(names))
