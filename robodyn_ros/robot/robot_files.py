"""Robot descriptions by name: our own arm, a file, or a robot of example-robot-data."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from robodyn_ros.errors import DescriptionError, nearest, quoted

DEMO_ARM = "demo_arm"

_SUFFIXES = (".urdf", ".xacro", ".yaml", ".yml", ".mat", ".json")
_SHOWN = 200
_MOST = 1000


def find_robot(name: str) -> Path:
    """Return the file of a robot, for `load`; nothing is downloaded.

    Args:
        name: Path of a .urdf, .xacro or .yaml file, "demo_arm", or the name of a robot of the
            package example-robot-data, as its file or its folder is called ("panda", "ur5_robot");
            `_robot` at the end may be left out. A file that exists wins. What has a slash is a
            path, and whether there is a file shows when it is read.

    Raises:
        DescriptionError: there is none; the text lists names that come near.
    """
    path = Path(os.path.expanduser(name))  # noqa: PTH111 - of what is no path nothing is said
    if _leads_to_file(path) or (os.sep in name and not os.path.isdir(path)):  # noqa: PTH112 - see below
        return path.absolute()
    if name == DEMO_ARM:
        return _demo_arm()
    known = dict(_example_robots())
    for candidate in (name, f"{name}_robot"):
        if candidate in known:
            return known[candidate]
    raise DescriptionError(_no_robot(name, path, list(known)))


def _leads_to_file(path: Path) -> bool:
    """Return whether there is something to read: a file, or a pipe."""
    return os.path.exists(path) and not os.path.isdir(path)  # noqa: PTH110, PTH112 - never raise


def _no_robot(name: str, path: Path, known: list[str]) -> str:
    """Return what to do where a name is neither a file nor a robot's."""
    kind = "is a folder" if os.path.isdir(path) else "is no file"  # noqa: PTH112 - never raises
    text = f"{quoted(name, _SHOWN)} {kind} and no robot's name"
    if not known:
        return (
            f"{text}: give the path of a .urdf, .xacro or .yaml file, or {DEMO_ARM!r}; the package"
            " example-robot-data, which has many robots by name, is not installed: `make venv` in"
            " the source tree, or pip install example-robot-data"
        )
    stem = Path(name).name.partition(".")[0]
    names = [DEMO_ARM, *known]
    near = nearest(stem, names) or [DEMO_ARM, *sorted(known)[:11]]
    files = nearest(path.name, _descriptions_here(), most=3)
    here = f"files: {', '.join(map(quoted, files))}, ...; " if files else ""
    return (
        f"{text}; give the path of a .urdf, .xacro or .yaml file, or the name of a robot"
        f" ({here}robots: {', '.join(near)}, ...)"
    )


def _descriptions_here() -> list[str]:
    """Return the names of the descriptions in the working directory."""
    with contextlib.suppress(OSError):
        names = itertools.islice(os.listdir(), _MOST)  # noqa: PTH208 - names are all that is wanted
        return [name for name in names if name.lower().endswith(_SUFFIXES)]
    return []


def _demo_arm() -> Path:
    relative = Path("urdf") / f"{DEMO_ARM}.urdf"
    candidates = [share / "robodyn_ros" / relative for share in _share_directories()]
    candidates.append(Path(__file__).parents[2] / relative)
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise DescriptionError(f"{relative} of this package is not installed; name a robot file")


def _share_directories() -> Iterator[Path]:
    prefixes = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    for prefix in (*filter(None, prefixes), sys.prefix):
        yield Path(prefix) / "share"


def _example_robots() -> Iterator[tuple[str, Path]]:
    """Yield (name, file) of the robots of example-robot-data; later names win over folders'."""
    site = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix" / "share"
    for share in (site, *_share_directories()):
        robots = share / "example-robot-data" / "robots"
        files = sorted(robots.rglob("*.urdf"))
        folders: dict[str, list[Path]] = {}
        for file in files:
            folder = file.relative_to(robots).parts[0]
            folder = folder.removesuffix("_description").removesuffix("_data")
            folders.setdefault(folder, []).append(file)
        for folder, members in folders.items():
            yield folder, min(members, key=lambda file: (len(file.stem), file.stem))
        for file in files:
            yield file.stem, file
