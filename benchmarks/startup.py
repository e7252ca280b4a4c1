"""Trace, compile and warm start times, each in a fresh process with a cache of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass

_SCRIPT = """
import json, sys, time
begin = time.perf_counter()
from robodyn_ros import load
imported = time.perf_counter()
robot = load(sys.argv[1])
loaded = time.perf_counter()
robot.body_motion(robot.neutral())
first = time.perf_counter()
assert robot.compile("body_motion"), robot.kernel_states()
compiled = time.perf_counter()
print(json.dumps({
    "import": imported - begin,
    "load": loaded - imported,
    "first": first - loaded,
    "kernel": compiled - loaded,
    "casadi": "casadi" in sys.modules,
}))
"""


@dataclass(frozen=True)
class Start:
    """Seconds of a cold start (nothing cached) and of the warm start after it."""

    cold: dict[str, float]
    warm: dict[str, float]


def start(path: str) -> Start:
    """Return the times of a cold and of a warm start with the description at `path`."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        cold, warm = (_run(path, environment) for _ in range(2))
    if warm["casadi"]:
        raise SystemExit("a warm start imported casadi")
    return Start(cold, warm)


def _run(path: str, environment: dict[str, str]) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, path],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    times: dict[str, float] = json.loads(done.stdout)
    return times
