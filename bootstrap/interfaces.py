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
    ours = _manifest("tf2_msgs", work).exists()
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
    tree = work / "builds" / name
    plain = copy_without_comments(source, work / "sources" / name)
    prefixes = os.pathsep.join(map(str, [venv, *host.ros_prefixes]))
    environ = {**os.environ, **variables(str(venv), os.environ)}
    environ.update(
        AMENT_PREFIX_PATH=prefixes,
        CMAKE_PREFIX_PATH=prefixes,
        PATH=f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}",
    )
    cmake = shutil.which("cmake", path=environ["PATH"]) or "cmake"
    configure = [cmake, "-S", plain, "-B", tree, *_options(venv, host)]
    run(f"configure {name}", configure, work / f"{name}-configure.log", environ)
    jobs = str(len(os.sched_getaffinity(0)))
    command = [cmake, "--build", tree, "--parallel", jobs]
    run(f"build {name}", command, work / f"{name}-build.log", environ)
    manifest = _manifest(name, work)
    if manifest.exists():
        # So that no old message stays.
        for line in manifest.read_text(encoding="utf-8").splitlines():
            Path(line).unlink(missing_ok=True)
    run(f"install {name}", [cmake, "--install", tree], work / f"{name}-install.log", environ)
    manifest.parent.mkdir(exist_ok=True)
    shutil.copyfile(tree / "install_manifest.txt", manifest)
    for file in _definitions(source):
        shutil.copyfile(file, venv / "share" / name / file.relative_to(source))


def _definitions(source: Path) -> list[Path]:
    return [*source.glob("msg/*.msg"), *source.glob("srv/*.srv")]


def copy_without_comments(source: Path, copy: Path) -> Path:
    """Copy a package; its generators, nine of them, spend half their time on parsing comments."""
    texts = {file: file.read_text(encoding="utf-8") for file in _definitions(source)}
    for file, text in texts.items():
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        texts[file] = "\n".join(lines) + "\n"
    for name in ("CMakeLists.txt", "package.xml"):
        texts[source / name] = (source / name).read_text(encoding="utf-8")
    for file, text in texts.items():
        target = copy / file.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        # An unchanged file keeps its time, so that CMake builds nothing that depends on it.
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
    return copy


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


def forget_builds(work: Path) -> None:
    """Remove all build trees, so that the next build starts afresh."""
    shutil.rmtree(work / "builds", ignore_errors=True)


def _manifest(name: str, work: Path) -> Path:
    return work / "manifests" / f"{name}.txt"
