"""Joint states at 500 Hz with one random fault after another: a short run of the long benchmark.

What is claimed, and for which faults it can be, is said in `benchmarks.soak.faults` and `checker`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MINUTES = 25.0 / 60.0
SEED = 3
LIMIT = 180.0


def test_nothing_wrong_is_shown_as_right_and_output_comes_back_after_each_fault() -> None:
    command = [sys.executable, "-m", "benchmarks.soak", "--minutes", str(MINUTES)]
    run = subprocess.run(
        [*command, "--seed", str(SEED)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    rows = {
        cells[0]: cells[1:]
        for line in run.stdout.splitlines()
        if len(cells := [x.strip() for x in line.strip("|").split("|")]) == 3
    }
    assert rows["violations"] == ["0", "0"]
    assert all(int(x) >= 10 for x in rows["faults injected"])
    for topic in ("tf", "body_states"):
        assert all(int(x) > 1000 for x in rows[f"{topic} seen"])
