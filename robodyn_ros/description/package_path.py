"""Files named by package:// and file:// URIs."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator
from glob import escape
from pathlib import Path
from urllib.parse import unquote

from robodyn_ros.errors import DescriptionError, quoted

_PACKAGE = "package://"
_FILE = "file://"


def resolved_path(location: str) -> Path:
    """Return the file that a path or URI names; nothing is downloaded.

    Args:
        location: a path, file://PATH, or package://PACKAGE/PATH, which is looked for in the
            packages of AMENT_PREFIX_PATH and ROS_PACKAGE_PATH, of this Python's prefix, and of
            example-robot-data's wheel.

    Raises:
        DescriptionError: an unknown kind of URI, no such package, or no such file in it.
    """
    if location.startswith(_PACKAGE):
        return _in_package(unquote(location.removeprefix(_PACKAGE)))
    if location.startswith(_FILE):
        return Path(unquote(location.removeprefix(_FILE)))
    if "://" in location:
        raise DescriptionError(
            f"{quoted(location)}: only package:// and file:// URIs are read, nothing is downloaded"
        )
    return Path(location)


def _in_package(rest: str) -> Path:
    package, _, relative = rest.partition("/")
    if not package or not relative or ".." in Path(relative).parts or "\0" in rest:
        raise DescriptionError(
            f"{quoted(_PACKAGE + rest)} is no file of a package; write package://PACKAGE/PATH"
        )
    folders = list(dict.fromkeys(package_folders(package)))
    for folder in folders:
        if (folder / relative).is_file():
            return folder / relative
    if folders:
        raise DescriptionError(f"package {quoted(package)} at {folders[0]} has no file {relative}")
    raise DescriptionError(
        f"package {quoted(package)} is not found; source the workspace that has it, so that"
        " AMENT_PREFIX_PATH leads to it, or give a path"
    )


def package_folders(package: str) -> Iterator[Path]:
    """Yield the folders of a package that exist."""
    for share in share_directories():
        if (share / package).is_dir():
            yield share / package
    for entry in filter(None, os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep)):
        path = Path(entry)
        if path.name == package:
            yield path
        found = (path.glob(f"{depth}{escape(package)}/package.xml") for depth in ("", "*/", "*/*/"))
        yield from (manifest.parent for some in found for manifest in some)


def share_directories() -> Iterator[Path]:
    """Yield where packages are installed, those of a sourced workspace first."""
    prefixes = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    for prefix in (*filter(None, prefixes), sys.prefix):
        yield Path(prefix) / "share"
    yield Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix" / "share"
