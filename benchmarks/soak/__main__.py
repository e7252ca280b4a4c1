"""Joint states at 500 Hz with random faults, for minutes: is anything wrong shown as right?

    python -m benchmarks.soak --minutes 10 --seed 0

Two robots at the same time, each in a ROS domain of its own. Prints a table; exit code 1 where
something that must not be is seen. What is claimed, and of which faults: see
`faults` and `checker`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
ROBOTS = ("panda", "demo_arm")


def one(robot: str, seconds: float, seed: int) -> dict[str, Any]:
    """Run with one robot in this process."""
    from benchmarks.soak.run import Run
    from robots import example

    if robot == "panda":
        path, by_topic, publish_outliers = example("panda.urdf"), True, True
    else:
        path, by_topic, publish_outliers = ROOT / "urdf" / "demo_arm.urdf", False, False
    run = Run(path, by_topic=by_topic, publish_outliers=publish_outliers, seed=seed)
    return run.go(seconds)


def table(found: dict[str, dict[str, Any]]) -> list[str]:
    """Return the table's lines, a column for each robot."""
    columns = list(found.values())
    lines = [f"| | {' | '.join(found)} |", f"|---|{'---|' * len(columns)}"]

    def row(name: str, cells: list[object]) -> None:
        lines.append(f"| {name} | {' | '.join(map(str, cells))} |")

    row("faults injected", [sum(x["faults"].values()) for x in columns])
    for kind in sorted({kind for x in columns for kind in x["faults"]}):
        row(f"- {kind}", [x["faults"].get(kind, 0) for x in columns])
    row("messages sent", [x["sent"] for x in columns])
    for topic in ("tf", "body_states", "visualization", "diagnostics"):
        row(f"{topic} seen", [x["seen"].get(topic, 0) for x in columns])
    row("longest recovery", [f"{x['longest'][0]:.3f} s ({x['longest'][1]})" for x in columns])
    row("memory", [f"{x['resident']:.1f} MB" for x in columns])
    row("its growth", [f"{x['growth']:+.2f} MB" for x in columns])
    row("log lines", [x["lines"] for x in columns])
    row("violations", [sum(x["violations"].values()) for x in columns])
    for kind in sorted({kind for x in columns for kind in x["violations"]}):
        row(f"- {kind}", [x["violations"].get(kind, 0) for x in columns])
    return lines


def main() -> int:
    """Run with all robots, or with one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--robot", choices=ROBOTS, help="one robot only; prints JSON")
    options = parser.parse_args()
    if options.robot:
        print(json.dumps(one(options.robot, 60.0 * options.minutes, options.seed)))
        return 0
    more = ["--minutes", str(options.minutes), "--seed", str(options.seed)]
    command = [sys.executable, "-m", "benchmarks.soak", *more]
    processes = {
        robot: subprocess.Popen(
            [*command, "--robot", robot], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        for robot in ROBOTS
    }
    said = {robot: process.communicate()[0] for robot, process in processes.items()}
    if any(process.returncode for process in processes.values()):
        return 1
    found = {robot: json.loads(text.splitlines()[-1]) for robot, text in said.items()}
    print("\n".join(table(found)))
    wrong = {robot: x for robot, x in found.items() if x["violations"]}
    for robot, figures in wrong.items():
        print(f"\n{robot}:", *figures["examples"], "its log, the end:", sep="\n")
        print(*figures["output"].splitlines()[-40:], sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
