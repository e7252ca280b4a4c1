"""The URDF that a mechanism file is laid over."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from robodyn_ros.description.mechanism.nodes import Place
from robodyn_ros.description.mechanism.sections import Entry
from robodyn_ros.description.missing_file import missing_file_hint
from robodyn_ros.description.package_path import resolved_path
from robodyn_ros.description.source import read_source
from robodyn_ros.description.urdf import urdf_builder
from robodyn_ros.description.xml_tree import Element, parse_tree
from robodyn_ros.errors import DescriptionError, quoted
from robodyn_ros.model import ModelBuilder

_SUFFIXES = (".yaml", ".yml")
_URDF_SUFFIXES = (".urdf", ".xacro")


@dataclass(frozen=True)
class UrdfFile:
    """A URDF that was parsed.

    Attributes:
        root: its root element.
        name: the robot's name.
        links: names of its links.
        joints: names of its joints, with their parent and child links.
        file: what messages call it.
        place: where the mechanism file names it.
        path: where it lies.
    """

    root: Element
    name: str
    links: tuple[str, ...]
    joints: Mapping[str, tuple[str, str]]
    file: str
    place: Place
    path: Path

    def fill(self, builder: ModelBuilder) -> None:
        """Add its links and joints to a builder.

        Raises:
            DescriptionError: an element that no model can be built from.
        """
        try:
            urdf_builder(self.root, self.name, lambda _: builder)
        except DescriptionError as error:
            raise self.place.failure(f"{self.file}: {error}") from error


def read_urdf(top: Entry, folder: Path | None) -> UrdfFile | None:
    """Return the URDF that a file names, None where it names none.

    Args:
        top: the file's top-level entry.
        folder: where relative paths begin; None for a text, which may not name any, and for which
            nothing is run: xacro is Python.
    """
    if not top.gives("urdf"):
        return None
    place = top.at("urdf")
    path = urdf_path(top["urdf"], folder, place)
    if _may_block(path):
        raise place.failure(f"{quoted(str(path))} is a pipe or device; name a file")
    if not os.path.exists(path):  # noqa: PTH110 - never raises
        hint = missing_file_hint(str(path), _URDF_SUFFIXES)
        raise place.failure(
            f"cannot read {quoted(str(path), 200)}: there is no such file"
            f"{hint and f' ({hint})'}; name a .urdf or .xacro file"
        )
    try:
        document = read_source(path)
    except DescriptionError as error:
        raise place.failure(str(error)) from error
    try:
        root = parse_tree(document)
    except DescriptionError as error:
        raise place.failure(f"{document.name}: {error}") from error
    name = root.get("name", "").strip() or path.name.partition(".")[0] or "robot"
    links = tuple(element.get("name", "") for element in root.iterchildren("link"))
    joints = {
        joint.get("name", ""): (_link(joint, "parent"), _link(joint, "child"))
        for joint in root.iterchildren("joint")
    }
    return UrdfFile(root, name, links, joints, document.name, place, path)


def _link(joint: Element, role: str) -> str:
    """Return the link that a joint's element names; "" where it names none."""
    found = joint.find(role)
    return "" if found is None else found.get("link", "")


def _may_block(path: Path) -> bool:
    """Return whether a path leads to what a reader could wait for without end."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False  # what is wrong is told when it is read
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def urdf_path(given: str, folder: Path | None, place: Place) -> Path:
    """Return the absolute path of the URDF that a file names."""
    if given.lower().endswith(_SUFFIXES):
        raise place.failure("must be a URDF; a mechanism file cannot be laid over another")
    if folder is None and given.lower().endswith(".xacro"):
        raise place.failure(
            "a text cannot have xacro expanded, which runs Python; name the expanded URDF"
        )
    if "://" not in given and not Path(given).is_absolute():
        if folder is None:
            raise place.failure(
                f"{quoted(given)} is relative, and a text lies in no folder; give an absolute path"
                " or a package:// URI"
            )
        return folder / given
    try:
        return resolved_path(given)
    except DescriptionError as error:
        raise place.failure(str(error)) from None
