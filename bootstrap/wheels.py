"""Fill the virtual environment with pinned wheels and mend what the ROS wheels got wrong."""

from __future__ import annotations

import re
from pathlib import Path

from commands import run
from host import Host

# Paths of the machine that built the wheels, left in their CMake files.
_BAKED_INCLUDE = re.compile(r"/opt/python/[^/;\"]+/include/python3\.\d+")
_BAKED_SITE = re.compile(r"/opt/python/[^/;\"]+/lib/python3\.\d+/site-packages")
# Libraries that the wheels carry inside, demanded from the machine all the same.
_CARRIED_FIND = re.compile(r"find_package\(OpenSSL REQUIRED\)")
_CARRIED_LINK = re.compile(r'(INTERFACE_LINK_LIBRARIES "fastcdr;foonathan_memory);[^"]*"')


def install(title: str, venv: Path, constraints: Path, wanted: list[str | Path], log: Path) -> None:
    """Install packages (names, or files that list names) at the pinned versions."""
    command: list[str | Path] = [venv / "bin" / "python", "-m", "pip", "install", "--no-input"]
    command += ["--disable-pip-version-check", "--no-compile", "--no-warn-script-location"]
    # Without isolation the few source packages are built with the pinned setuptools.
    command += ["--no-build-isolation", "--constraint", constraints]
    for item in wanted:
        command += ["--requirement", item] if isinstance(item, Path) else [item]
    run(title, command, log)


def site_packages(venv: Path, host: Host) -> Path:
    """Return the directory where the environment's Python modules lie."""
    return venv / "lib" / f"python{host.version[0]}.{host.version[1]}" / "site-packages"


def mend_baked_paths(venv: Path, host: Host) -> int:
    """Replace the build machine's paths in the wheels' CMake files; return the files changed."""
    changed = 0
    for file in (venv / "share").rglob("*.cmake"):
        text = file.read_text(encoding="utf-8")
        mended = _BAKED_INCLUDE.sub(lambda _: host.include, text)
        mended = _BAKED_SITE.sub(lambda _: str(site_packages(venv, host)), mended)
        mended = _CARRIED_FIND.sub("find_package(OpenSSL QUIET)", mended)
        mended = _CARRIED_LINK.sub(r'\1;dl"', mended)
        if mended != text:
            file.write_text(mended, encoding="utf-8")
            changed += 1
    return changed
