"""Trace and compile times of kernels, with an empty cache and with a filled one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

_SCRIPT = """
import json, sys, time
from robodyn_ros import load
robot = load(sys.stdin.read(), base=sys.argv[1])
times = {}
for name in sys.argv[2:]:
    begin = time.perf_counter()
    assert robot.compile(name), robot.kernel_states()
    times[name] = time.perf_counter() - begin
print(json.dumps(times))
"""


def compile_times(
    text: str, base: str, names: Sequence[str]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return seconds by operation until each is compiled, cold and warm, in fresh processes."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        cold = _run(text, base, names, environment)
        kept = sorted(Path(cache).rglob("*"))
        warm = _run(text, base, names, environment)
        if sorted(Path(cache).rglob("*")) != kept:
            raise SystemExit("a warm start compiled again: were the sources changed meanwhile?")
    return cold, warm


def _run(
    text: str, base: str, names: Sequence[str], environment: dict[str, str]
) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, base, *names],
        input=text,
        env=environment,
        stdout=subprocess.PIPE,  # what goes wrong is shown
        text=True,
        check=True,
    )
    times: dict[str, float] = json.loads(done.stdout)
    return times
