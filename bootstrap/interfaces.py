"""Build interface packages with CMake and install them into the virtual environment."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from commands import run
from environment import variables
from host import Host
from wheels import site_packages

HERE = Path(__file__).resolve().parent


def has_tf2_msgs(venv: Path, host: Host, work: Path) -> bool:
    """Tell whether somebody other than this bootstrap provides tf2_msgs."""
    ours = (work / "tf2_msgs" / "install_manifest.txt").exists()
    prefixes = [*host.ros_prefixes, *([] if ours else [venv])]
    return any((prefix / "share" / "tf2_msgs" / "package.xml").exists() for prefix in prefixes)


def build(name: str, source: Path, venv: Path, host: Host, work: Path) -> None:
    """Build the ament_cmake package `name` and install it into `venv`.

    Args:
        name: the package's name.
        source: its directory.
        venv: prefix to install into.
        host: the machine; a sourced ROS 2 comes after `venv` in the search path.
        work: directory for build trees; one that exists is used again.
    """
    tree = work / name
    prefixes = os.pathsep.join(map(str, [venv, *host.ros_prefixes]))
    environ = {**os.environ, **variables(str(venv), os.environ)}
    environ.update(
        AMENT_PREFIX_PATH=prefixes,
        CMAKE_PREFIX_PATH=prefixes,
        PATH=f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}",
    )
    cmake = shutil.which("cmake", path=environ["PATH"]) or "cmake"
    configure = [cmake, "-S", source, "-B", tree, *_options(venv, host)]
    run(f"configure {name}", configure, work / f"{name}-configure.log", environ)
    jobs = str(len(os.sched_getaffinity(0)))
    command = [cmake, "--build", tree, "--parallel", jobs]
    run(f"build {name}", command, work / f"{name}-build.log", environ)
    _remove_installed(tree)
    run(f"install {name}", [cmake, "--install", tree], work / f"{name}-install.log", environ)


def _options(venv: Path, host: Host) -> list[str]:
    options = [
        f"-DCMAKE_INSTALL_PREFIX={venv}",
        "-DCMAKE_BUILD_TYPE=Release",
        # Generated conversion code gains nothing measurable from -O3 and takes twice as long.
        "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG",
        "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",
        f"-DPython3_EXECUTABLE={venv / 'bin' / 'python'}",
        f"-DPYTHON_INSTALL_DIR={site_packages(venv, host).relative_to(venv)}",
        "-DBUILD_TESTING=OFF",
    ]
    if not host.ros_prefixes:
        # Tried with the generators of the pinned wheels only.
        options.append(f"-DCMAKE_PROJECT_INCLUDE={HERE / 'unity.cmake'}")
    return options


def _remove_installed(tree: Path) -> None:
    """Remove what the build tree `tree` installed before, so that no old message stays."""
    manifest = tree / "install_manifest.txt"
    if manifest.exists():
        for line in manifest.read_text(encoding="utf-8").splitlines():
            Path(line).unlink(missing_ok=True)
        manifest.unlink()
