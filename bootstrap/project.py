"""Install this checkout into the virtual environment, so that edits take effect at once."""

from __future__ import annotations

import shutil
from pathlib import Path

from commands import run

_NAME = "robodyn_ros"
_DATA = ("launch", "config", "rviz", "urdf", "package.xml")


def inputs(root: Path) -> list[Path | str]:
    """Return what the installation depends on (sources and data are only linked)."""
    present = [name for name in _DATA if (root / name).exists()]
    return [root / "package.xml", root / "setup.py", root / "setup.cfg", repr(present)]


def install(root: Path, venv: Path, work: Path) -> None:
    """Install the package as editable, and link what ament looks for in the environment."""
    command = [venv / "bin" / "python", "-m", "pip", "install", "--no-input", "--no-deps"]
    command += ["--disable-pip-version-check", "--no-build-isolation", "--editable", root]
    run(f"install {_NAME}", command, work / "package.log")
    # Where the checkout's own folder is called as the package is, Python would take that folder,
    # seen from the one above, for a package without files; a path in a .pth file comes before it.
    (packages,) = venv.glob("lib/python3.*/site-packages")
    (packages / f"{_NAME}.checkout.pth").write_text(f"{root.resolve()}\n", encoding="utf-8")
    # An editable installation leaves data files out.
    share = _emptied(venv / "share" / _NAME)
    for name in _DATA:
        if (root / name).exists():
            (share / name).symlink_to(root / name)
    marker = venv / "share" / "ament_index" / "resource_index" / "packages" / _NAME
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.touch()
    executables = _emptied(venv / "lib" / _NAME)
    for name in _entry_points(venv):
        (executables / name).symlink_to(Path("..", "..", "bin", name))


def _emptied(directory: Path) -> Path:
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    return directory


def _entry_points(venv: Path) -> list[str]:
    (file,) = venv.glob(f"lib/python3.*/site-packages/{_NAME}-*.dist-info/entry_points.txt")
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.split("=")[0].strip() for line in lines if "=" in line]
