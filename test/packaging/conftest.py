"""Fixtures of the packaging tests; what they build, they build from copies of the checkout."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
_NOT_SOURCES = (".*", "__pycache__", "*.egg-info", "build", "install", "log", "dist")

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def copy_sources() -> Callable[[Path], Path]:
    """A function that copies the checkout to a directory that does not exist yet."""

    def copy(target: Path) -> Path:
        shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns(*_NOT_SOURCES))
        return target

    return copy


@pytest.fixture(scope="session")
def run() -> Run:
    """A function that runs a command of the environment and shows its output when it fails."""

    def call(
        command: Sequence[str | Path], cwd: Path, environ: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        bin_dir = Path(sys.executable).parent
        variables = {**os.environ, "PATH": f"{bin_dir}{os.pathsep}{os.environ['PATH']}"}
        variables.update(environ or {})
        done = subprocess.run(
            list(map(str, command)),
            cwd=cwd,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done

    return call


@pytest.fixture(scope="session")
def bootstrap_module() -> Iterator[Callable[[str], ModuleType]]:
    """A function that imports a module of the bootstrap, whose directory is on no path else."""
    directory = str(ROOT / "bootstrap")
    sys.path.insert(0, directory)
    yield importlib.import_module
    sys.path.remove(directory)
