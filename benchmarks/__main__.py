"""`make bench`: one run of every figure; prints Markdown, or writes it with --write."""

from __future__ import annotations

import argparse
import itertools
import os
import platform
from collections.abc import Iterator
from pathlib import Path

import llvmlite.binding as llvm
import numpy as np
import pinocchio as pin

from benchmarks import body_motion, jacobian
from benchmarks.bags import QUICK_ROWS, ROWS, bag_figures
from benchmarks.closed import closed_figures
from benchmarks.dynamics import QUICK, Amount, dynamics_figures
from benchmarks.mixed_tree import mixed_tree_figures
from benchmarks.node_start import node_start
from benchmarks.robots import ROBOTS, contests
from benchmarks.service_round_trip import CALLS, QUICK_CALLS, round_trip_figures
from benchmarks.simulator import simulator_figures
from benchmarks.simulator_soak import QUICK as QUICK_SOAK
from benchmarks.simulator_soak import simulator_soak_figures
from benchmarks.startup import start
from benchmarks.state_path.table import table
from benchmarks.timing import Figure
from robodyn_ros import load
from robodyn_ros.kernels.rows import available_threads

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"


def machine() -> str:
    """Return what the figures were measured on."""
    return (
        f"{llvm.get_host_cpu_name()}, {available_threads()} threads, Python"
        f" {platform.python_version()}, NumPy {np.__version__}, Pinocchio {pin.__version__}"
    )


def row(name: str, figure: Figure, *more: str) -> str:
    """Return a table row: microseconds, ratio, least ratio of the rounds."""
    cells = [
        name,
        f"{figure.ours * 1e6:.2f}",
        f"{figure.theirs * 1e6:.2f}",
        f"{figure.ratio:.1f}",
        f"{figure.worst:.1f}",
        *more,
    ]
    return f"| {' | '.join(cells)} |"


def library_figures(_: argparse.Namespace) -> Iterator[str]:
    """Yield the tables of single calls and batches, in µs."""
    yield "Times in µs; ratios are medians of rounds run in turn.\n"
    robots = contests()
    yield "Largest difference from Pinocchio over 200 random states (norm-wise): " + ", ".join(
        f"{contest.name} {body_motion.require_equality(contest):.1e}" for contest in robots
    )
    yield "\n### One call\n"
    yield "| `robot.body_motion(q, v, a)` | robodyn_ros | Pinocchio | ratio | least |"
    yield "|---|---|---|---|---|"
    for contest in robots:
        yield row(contest.name, body_motion.single(contest))
    yield "\n| `robot.jacobian(q, tip)` | robodyn_ros | Pinocchio | ratio | least |"
    yield "|---|---|---|---|---|"
    for contest in robots:
        yield row(contest.name, jacobian.single(contest))
    yield f"\n### Batch of {body_motion.BATCH_ROWS}, `out=`, per row\n"
    yield "| | robodyn_ros | Pinocchio loop | ratio | least | memory-write floor |"
    yield "|---|---|---|---|---|---|"
    for contest in robots:
        figure, floor = body_motion.batch(contest)
        yield row(contest.name, figure, f"{floor * 1e6:.2f}")


def start_figures(_: argparse.Namespace) -> Iterator[str]:
    """Yield the start-up table, and the time that a node takes."""
    yield "### Start of a process, seconds\n"
    yield "| | import | load | first call (plain) | trace + compile | warm: first call compiled |"
    yield "|---|---|---|---|---|---|"
    for name, file in (
        ("UR5", "ur5_robot.urdf"),
        ("Panda", "panda.urdf"),
        ("Talos", "talos_reduced.urdf"),
    ):
        times = start(str(next(ROBOTS.rglob(file))))
        cells = [times.cold[key] for key in ("import", "load", "first", "kernel")]
        cells.append(times.warm["kernel"])
        yield f"| {name} | {' | '.join(f'{cell:.3f}' for cell in cells)} |"
    panda = _panda()
    seen = node_start(panda, list(load(panda).model.joint_names))
    yield (
        f"\nstate_publisher with Panda, warm: from the start of the process to the first"
        f" `/tf_static` {seen['/tf_static']:.2f} s, to the first `/tf` {seen['/tf']:.2f} s (median"
        " of 5)."
    )


def state_path_figures(options: argparse.Namespace) -> Iterator[str]:
    """Yield what state_publisher does with a steady stream."""
    yield from table(_panda(), options.seconds)


def dynamics_part(options: argparse.Namespace) -> Iterator[str]:
    """Yield dynamics against Pinocchio and MuJoCo."""
    yield from dynamics_figures(QUICK if options.quick else Amount())


def mixed_part(options: argparse.Namespace) -> Iterator[str]:
    """Yield dynamics of a tree of many joint types against Pinocchio and MuJoCo."""
    yield from mixed_tree_figures(QUICK if options.quick else Amount())


def closed_part(options: argparse.Namespace) -> Iterator[str]:
    """Yield assembly and dynamics of closed mechanisms against Pinocchio and MuJoCo."""
    yield from closed_figures(QUICK if options.quick else Amount())


def services_part(options: argparse.Namespace) -> Iterator[str]:
    """Yield the round trip of inverse dynamics by service."""
    yield from round_trip_figures(QUICK_CALLS if options.quick else CALLS)


def bags_part(options: argparse.Namespace) -> Iterator[str]:
    """Yield a replay of a long bag beside Pinocchio over the same bag."""
    yield from bag_figures(QUICK_ROWS if options.quick else ROWS)


def simulator_part(options: argparse.Namespace) -> Iterator[str]:
    """Yield steps of the simulator beside MuJoCo's."""
    yield from simulator_figures(options.quick)


def soak_part(options: argparse.Namespace) -> Iterator[str]:
    """Yield an hour of the simulator node under random efforts, and how fast it goes."""
    yield from simulator_soak_figures(QUICK_SOAK if options.quick else 60.0 * options.seconds)


PARTS = {
    "library": library_figures,
    "dynamics": dynamics_part,
    "mixed": mixed_part,
    "closed": closed_part,
    "start": start_figures,
    "state_path": state_path_figures,
    "services": services_part,
    "bags": bags_part,
    "simulator": simulator_part,
    "simulator_soak": soak_part,
}
"""Each is between marks of its own in the page."""


def _panda() -> Path:
    return next(ROBOTS.rglob("panda.urdf"))


def write(part: str, lines: list[str]) -> None:
    """Put a part's lines between its marks in docs/performance.md."""
    mark = f"<!-- figures of make bench: {part} -->\n"
    before, begin, rest = PAGE.read_text().partition(mark)
    _, end, after = rest.partition(mark)
    if not end:
        raise SystemExit(f"{PAGE.name} has not twice: {mark}")
    body = "\n".join(lines)
    PAGE.write_text(f"{before}{begin}{body}\n{end}{after}")


def main() -> None:
    """Print the figures; with --write, put them into docs/performance.md too."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"update {PAGE.name}")
    parser.add_argument("--only", choices=PARTS, help="measure one part only")
    parser.add_argument("--seconds", type=float, default=60.0, help="length of the node's stream")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="dynamics, mixed, closed, services, bags, simulator: see that it runs, on few rows",
    )
    options = parser.parse_args()
    if options.quick and options.write:
        parser.error("--quick gives no figures to write")
    # Nothing leaves this machine, and no other node here is disturbed or disturbs.
    os.environ.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    os.environ.setdefault("ROS_DOMAIN_ID", str(1 + os.getpid() % 100))
    for part in [options.only] if options.only else PARTS:
        lines = []
        for line in itertools.chain([f"Measured on: {machine()}.\n"], PARTS[part](options)):
            print(line, flush=True)
            lines.append(line)
        if options.write:
            write(part, lines)


if __name__ == "__main__":
    main()
