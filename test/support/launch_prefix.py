"""An ament prefix for launch files: this package, and stand-ins of others, which note their calls.

Only where what they stand for cannot run: they take the place of its executables, write the words
that they are called with and end, or wait to be stopped.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from launch_files import ROOT, our_executables

RECORDER = """#!{python}
import json, os, signal, sys, threading
place = os.path.join({calls!r}, {name!r})
with open(place + ".tmp", "w") as file:
    environment = {{key: os.environ.get(key, "") for key in ("GZ_SIM_RESOURCE_PATH",)}}
    json.dump({{"words": sys.argv[1:], "environment": environment}}, file)
os.replace(place + ".tmp", place + "." + str(os.getpid()) + ".json")
if {waits}:
    signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    threading.Event().wait()
"""


class LaunchPrefix:
    """A prefix below a folder.

    Attributes:
        path: for AMENT_PREFIX_PATH.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "prefix"
        self._calls = folder / "calls"
        self._calls.mkdir()
        for name in ("launch", "config", "rviz", "urdf"):
            self.share("robodyn_ros", name).symlink_to(ROOT / name)
        library = self._library("robodyn_ros")
        for name in our_executables():
            own = Path(sys.executable).parent / name
            if own.exists():
                (library / name).symlink_to(own)

    def share(self, package: str, *parts: str) -> Path:
        """Return a place in the share folder of a package, which is there from then on."""
        index = self.path / "share" / "ament_index" / "resource_index" / "packages"
        index.mkdir(parents=True, exist_ok=True)
        (index / package).touch()
        place = self.path.joinpath("share", package, *parts)
        place.parent.mkdir(parents=True, exist_ok=True)
        return place

    def record(self, package: str, executables: Mapping[str, bool]) -> None:
        """Add a package whose executables write their calls, and wait where the value is true."""
        self.share(package, "package.xml").write_text("<package/>")
        for name, waits in executables.items():
            self.recorder(self._library(package) / name, f"{package}.{name}", waits=waits)

    def recorder(self, place: Path, name: str, *, waits: bool) -> None:
        """Write an executable that writes its calls."""
        place.parent.mkdir(parents=True, exist_ok=True)
        text = RECORDER.format(
            python=sys.executable, calls=str(self._calls), name=name, waits=waits
        )
        place.write_text(text)
        place.chmod(place.stat().st_mode | stat.S_IXUSR)

    def calls(self, name: str) -> list[dict[str, object]]:
        """Return the calls of an executable so far, in their order."""
        found = sorted(self._calls.glob(f"{name}.*.json"), key=lambda path: path.stat().st_mtime_ns)
        return [json.loads(path.read_text()) for path in found]

    def wait_for(self, name: str, count: int = 1, timeout: float = 60.0) -> list[dict[str, object]]:
        """Wait for so many calls of an executable, and return them."""
        end = time.monotonic() + timeout
        while len(found := self.calls(name)) < count:
            assert time.monotonic() < end, f"{name} was called {len(found)} times"
            time.sleep(0.05)
        return found

    def environment(self, extra_path: Sequence[Path] = ()) -> dict[str, str]:
        """Return the variables that lead to this prefix before all others."""
        others = os.environ.get("AMENT_PREFIX_PATH", "")
        return {
            "AMENT_PREFIX_PATH": os.pathsep.join(filter(None, (str(self.path), others))),
            "PATH": os.pathsep.join([*map(str, extra_path), os.environ["PATH"]]),
        }

    def _library(self, package: str) -> Path:
        self.share(package, "package.xml")
        place = self.path / "lib" / package
        place.mkdir(parents=True, exist_ok=True)
        return place
