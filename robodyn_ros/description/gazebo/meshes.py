"""Where Gazebo finds the meshes of a URDF.

A robot is spawned from text, which lies in no folder: relative paths are made absolute. package://
becomes model:// there, which is looked for below the folders of GZ_SIM_RESOURCE_PATH.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote

from robodyn_ros.description.gazebo.remarks import Remark, lost
from robodyn_ros.description.package_path import package_folders
from robodyn_ros.description.xml_tree import Element, line_of
from robodyn_ros.errors import quoted

RESOURCE_PATH = "GZ_SIM_RESOURCE_PATH"
_PACKAGE = "package://"


def located_meshes(robot: Element, folder: Path | None) -> tuple[list[Path], list[Remark]]:
    """Make relative paths absolute, in place.

    Args:
        robot: the root element.
        folder: where the URDF lies; None for a text.

    Returns:
        The folders for `GZ_SIM_RESOURCE_PATH`, and what cannot be found.
    """
    folders: dict[Path, None] = {}
    remarks: dict[Remark, None] = {}
    for mesh in robot.iter("mesh"):
        name = mesh.get("filename", "").strip()
        if name.startswith(_PACKAGE):
            package = unquote(name.removeprefix(_PACKAGE)).partition("/")[0]
            found = next(_homes(package), None)
            if found is not None:
                folders[found] = None
            else:
                text = f"package {quoted(package)} of meshes is not found here; Gazebo finds it if"
                remarks[lost(f"{text} {RESOURCE_PATH} has the folder above it")] = None
        elif name and "://" not in name and not Path(name).is_absolute():
            if folder is None:
                text = f"the mesh {quoted(name)} has a relative path, and a text lies in no folder"
                remarks[lost(f"{line_of(mesh)}: {text}; give the URDF's path")] = None
            else:
                mesh.set("filename", f"file://{quote(str(folder / name))}")
    return list(folders), list(remarks)


def _homes(package: str) -> Iterator[Path]:
    """Yield the folders that hold the package in a folder of its own name."""
    if package and "\0" not in package and package not in (".", ".."):
        yield from (path.parent for path in package_folders(package) if path.name == package)
