"""What the machine offers: a Python that will do, a sourced ROS 2 or none, compilers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SUPPORTED = ((3, 10), (3, 13))

_PROBE = """
import importlib.util, json, os, sys, sysconfig
print(json.dumps({
    "executable": os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable),
    "version": list(sys.version_info[:2]),
    "include": sysconfig.get_path("include"),
    "headers": os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")),
    "venv": all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")),
    "rclpy": bool(importlib.util.find_spec("rclpy")),
}))
"""


class BootstrapError(Exception):
    """Something that the user has to put right; the text says what and how."""


@dataclass(frozen=True)
class Host:
    """A machine on which the environment can be made.

    Attributes:
        python: the interpreter that the environment is based on.
        version: its version, (major, minor).
        include: directory of its C headers.
        ros_prefixes: prefixes of the sourced ROS 2, first to last; empty when the wheels are used.
        ros_distro: name of the sourced ROS 2, or an empty text.
    """

    python: str
    version: tuple[int, int]
    include: str
    ros_prefixes: tuple[Path, ...]
    ros_distro: str


def examine() -> Host:
    """Look at this machine.

    Raises:
        BootstrapError: when something is missing; the text names the Debian or Ubuntu packages.
    """
    if sys.platform != "linux":
        raise BootstrapError("only Linux is supported")
    prefixes = sourced_prefixes(os.environ.get("AMENT_PREFIX_PATH", ""))
    python = _python_of_ros(prefixes) if prefixes else _python_for_wheels()
    _demand_tools(python)
    return Host(
        python=python["executable"],
        version=(python["version"][0], python["version"][1]),
        include=python["include"],
        ros_prefixes=prefixes,
        ros_distro=os.environ.get("ROS_DISTRO", "") if prefixes else "",
    )


def sourced_prefixes(ament_prefix_path: str) -> tuple[Path, ...]:
    """Return the prefixes of a sourced ROS 2; a virtual environment's own prefix is none."""
    prefixes = [Path(entry) for entry in ament_prefix_path.split(os.pathsep) if entry]
    return tuple(p for p in prefixes if p.is_dir() and not (p / "pyvenv.cfg").exists())


def _candidates() -> list[str]:
    versions = [f"python3.{minor}" for minor in (12, 11, 10, 13)]
    found = [shutil.which(name) for name in ("/usr/bin/python3", *versions)]
    return [sys.executable, *(path for path in found if path)]


def _probe(executable: str) -> dict | None:
    run = subprocess.run(
        [executable, "-c", _PROBE], capture_output=True, text=True, check=False, timeout=60
    )
    return json.loads(run.stdout) if run.returncode == 0 else None


def _is_supported(python: dict | None) -> bool:
    return python is not None and SUPPORTED[0] <= tuple(python["version"]) <= SUPPORTED[1]


def _python_of_ros(prefixes: tuple[Path, ...]) -> dict:
    for executable in _candidates():
        python = _probe(executable)
        if python and python["rclpy"]:
            return python
    listed = os.pathsep.join(map(str, prefixes))
    raise BootstrapError(
        f"AMENT_PREFIX_PATH is {listed}, but no Python here finds rclpy.\n"
        "Source the setup file of a ROS 2 that has rclpy, or use a shell where none is sourced."
    )


def _python_for_wheels() -> dict:
    if os.uname().machine != "x86_64":
        raise BootstrapError(
            f"the ROS 2 wheels exist for x86_64 only, this machine is {os.uname().machine}: "
            "source an installed ROS 2 first"
        )
    for executable in _candidates():
        python = _probe(executable)
        if python is not None and _is_supported(python):
            return python
    low, high = (".".join(map(str, version)) for version in SUPPORTED)
    raise BootstrapError(
        f"Python {low} to {high} is needed and none was found; on Debian or Ubuntu:\n"
        "  sudo apt install python3 python3-venv python3-dev"
    )


def _demand_tools(python: dict) -> None:
    name = "python3"
    if os.path.realpath("/usr/bin/python3") != python["executable"]:
        name = "python" + ".".join(map(str, python["version"]))
    missing = {
        f"{name}-venv": not python["venv"],
        f"{name}-dev": not python["headers"],
        "make": shutil.which("make") is None,
        "g++": shutil.which("g++") is None and shutil.which("c++") is None,
    }
    packages = [package for package, absent in missing.items() if absent]
    if packages:
        raise BootstrapError(
            "this machine lacks what the interfaces are built with; on Debian or Ubuntu:\n"
            f"  sudo apt install {' '.join(packages)}"
        )
