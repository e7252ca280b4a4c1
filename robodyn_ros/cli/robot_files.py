"""Robot descriptions by name: our own arm, a file, or a robot of example-robot-data."""

from __future__ import annotations

import difflib
import os
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from robodyn_ros.errors import DescriptionError, quoted

DEMO_ARM = "demo_arm"


def find_robot(name: str) -> Path:
    """Return the file of a robot.

    Args:
        name: Path of a .urdf or .xacro file, "demo_arm", or the name of a robot of the package
            example-robot-data, as its file or its folder is called ("panda", "ur5_robot"); `_robot`
            at the end may be left out.

    Raises:
        DescriptionError: there is none; the text lists names that come near.
    """
    path = Path(os.path.expanduser(name))  # noqa: PTH111 - of what is no path nothing is said
    if path.is_file() or path.suffix in (".urdf", ".xacro"):
        return path.absolute()
    if name == DEMO_ARM:
        return _demo_arm()
    known = dict(_example_robots())
    for candidate in (name, f"{name}_robot"):
        if candidate in known:
            return known[candidate]
    if not known:
        raise DescriptionError(
            f"no robot {quoted(name)}: it is no file, and the package example-robot-data,"
            " which has many robots, is not installed (pip install example-robot-data)"
        )
    near = difflib.get_close_matches(name, known, n=5) or sorted(known)[:12]
    raise DescriptionError(f"no robot {quoted(name)}; there are {', '.join(near)}, ...")


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
