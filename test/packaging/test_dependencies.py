"""What the sources import is what package.xml and setup.py ask for, no less and no more."""

from __future__ import annotations

import ast
import importlib.metadata
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

# The module of a distribution or rosdep key whose name is another.
MODULES = {
    "urdfdom-py": "urdf_parser_py",
    "urdfdom_py": "urdf_parser_py",
    "ruamel.yaml": "ruamel",
    "python3-ruamel.yaml": "ruamel",
}
# Compiled kernels are optional on a ROS machine; package.xml says why these two are not in it.
FROM_PIP_ONLY = {"casadi", "llvmlite"}
# What only some features need, the extras of setup.py: their distributions' modules.
EXTRAS = {
    "bags": {"pyarrow": "pyarrow", "rosbags": "rosbags"},
    "mujoco": {"mujoco": "mujoco"},
    "plots": {"imageio-ffmpeg": "imageio_ffmpeg", "matplotlib": "matplotlib"},
    "viewer": {"pycollada": "collada", "viser": "viser"},
}
OPTIONAL = {module for modules in EXTRAS.values() for module in modules.values()}
# Comes with another one that is asked for.
CARRIED = {"trimesh": "viser", "websockets": "viser"}
# What trimesh reads COLLADA with, never imported here.
UNSEEN = {"collada"}


def imported(*directories: Path) -> set[str]:
    """Return the top-level modules that the sources import anywhere, the standard library's not."""
    found = set()
    for file in (file for directory in directories for file in directory.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.split(".")[0])
    return found - set(sys.stdlib_module_names) - {"robodyn_ros"}


@pytest.fixture(scope="module")
def manifest(root: Path) -> set[str]:
    """Modules that package.xml asks for at run time."""
    names = {
        str(element.text)
        for element in ElementTree.parse(root / "package.xml").getroot()
        if element.tag in ("depend", "exec_depend")
    }
    return {MODULES.get(name, name.removeprefix("python3-")) for name in names}


def test_manifest_names_what_is_imported(root: Path, manifest: set[str]):
    modules = imported(root / "robodyn_ros", root / "launch")
    assert manifest == modules - FROM_PIP_ONLY - OPTIONAL - set(CARRIED)


def test_pip_requirements_are_the_imports_that_do_not_come_with_ros(root: Path):
    lines = importlib.metadata.requires("robodyn_ros") or []
    required = {MODULES.get(line, line) for line in lines if ";" not in line}
    modules = imported(root / "robodyn_ros")
    with_ros = {name for name in modules if name.endswith(("_msgs", "_srvs", "_interfaces"))} | {
        *("launch", "launch_ros", "rclpy"),
    }
    assert required == modules - with_ros - OPTIONAL - set(CARRIED)
    assert modules >= OPTIONAL - UNSEEN
    for extra, distributions in EXTRAS.items():
        listed = {line.split(";")[0].strip() for line in lines if f'extra == "{extra}"' in line}
        assert listed == set(distributions)


def test_interfaces_manifest_names_what_their_definitions_use(root: Path):
    used = set()
    for file in (root / "interfaces").glob("*/*.*"):
        for line in file.read_text(encoding="utf-8").splitlines():
            if "/" in line and not line.startswith("#"):
                used.add(line.split("/")[0])
    manifest = ElementTree.parse(root / "interfaces" / "package.xml").getroot()
    assert {str(element.text) for element in manifest.findall("depend")} == used
