"""Versions are written down once: our own in package.xml, everybody else's in constraints.txt."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

LISTS = ("ros.txt", "runtime.txt", "test.txt", "viewer.txt")


def lines_of(path: Path) -> list[str]:
    lines = (line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


@pytest.fixture(scope="module")
def pins(root: Path) -> dict[str, str]:
    """Pinned versions by name, for every Python."""
    lines = lines_of(root / "bootstrap" / "constraints.txt")
    parts = [re.fullmatch(r"([a-z0-9-]+)==([^\s;]+)(\s*;.*)?", line) for line in lines]
    assert all(parts), [line for line, part in zip(lines, parts, strict=True) if not part]
    names = [part[1] for part in parts if part]
    assert len(set(names)) == len(names)
    return {part[1]: part[2] for part in parts if part}


def test_every_wanted_package_is_pinned(root: Path, pins: dict[str, str]):
    wanted = {name for file in LISTS for name in lines_of(root / "bootstrap" / file)}
    assert {re.sub(r"[-_.]+", "-", name) for name in wanted} - set(pins) == set()


def test_environment_has_the_pinned_versions_and_no_others(pins: dict[str, str]):
    site = Path(sys.prefix) / "lib"
    installed = {}
    for distribution in importlib.metadata.distributions():
        place = Path(str(distribution.locate_file("")))
        # Message packages of the ROS wheels also leave metadata of another kind behind.
        is_wheel = distribution.read_text("WHEEL") is not None
        if is_wheel and site in place.parents:
            name = re.sub(r"[-_.]+", "-", distribution.metadata["Name"]).lower()
            installed[name] = distribution.version
    installed.pop("robodyn-ros")
    assert {name: (version, pins.get(name)) for name, version in installed.items()} == {
        name: (version, version) for name, version in installed.items()
    }


def test_no_version_is_pinned_anywhere_else(root: Path):
    files = [
        *(root / "bootstrap" / name for name in LISTS),
        *(root / name for name in ("setup.py", "setup.cfg", "pyproject.toml", "Makefile")),
        root / ".ci" / "run",
        root / ".pre-commit-config.yaml",
    ]
    pinned = re.compile(r"[A-Za-z0-9_-]+ ?(==|~=) ?\d|\brev:")
    assert [str(file) for file in files if pinned.search(file.read_text(encoding="utf-8"))] == []


def test_runtime_list_is_what_the_package_requires(root: Path):
    required = importlib.metadata.requires("robodyn_ros") or []
    always = sorted(line for line in required if ";" not in line)
    assert always == sorted(lines_of(root / "bootstrap" / "runtime.txt"))


def test_both_packages_have_the_same_version(root: Path):
    manifests = (root / "package.xml", root / "interfaces" / "package.xml")
    versions = {ElementTree.parse(path).getroot().findtext("version") for path in manifests}
    assert versions == {importlib.metadata.version("robodyn_ros")}
    assert "version=" not in (root / "setup.py").read_text(encoding="utf-8").replace(
        'version=manifest.findtext("version")', ""
    )
