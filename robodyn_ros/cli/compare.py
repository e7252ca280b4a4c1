"""`robodyn compare FILE`: dynamics by spatial vectors, Kane and Legnani, side by side."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from robodyn_ros.cli.columns import aligned
from robodyn_ros.cli.json_text import json_text
from robodyn_ros.cli.robot_options import add_robot, described
from robodyn_ros.cli.state_options import add_state
from robodyn_ros.errors import quoted

if TYPE_CHECKING:
    from robodyn_ros.cli.comparison import Comparison

DESCRIPTION = """\
Work out a robot's efforts and mass matrix in one state by three formulations: recursions of spatial
vectors, which all else here uses; Kane's equations by partial velocities; and Legnani's 4x4
matrices by traces, where its joints are one screw after another. The state is random (of --seed)
but for what the options say. Exit code 1 where they differ by more than 1e-9. Of a closed mechanism
its tree is compared, without loops and constraints."""


def add_parser(subparsers: Any) -> None:
    """Add the command to the command line."""
    command = subparsers.add_parser(
        "compare",
        help="work out the dynamics by three formulations, side by side",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_robot(command)
    add_state(command, q="positions", v="velocities", a="accelerations")
    command.add_argument("--seed", type=int, default=0, help="of the random state (default: 0)")
    command.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run(options: argparse.Namespace) -> int:
    """Print the comparison; the exit code says whether the formulations agree."""
    from robodyn_ros.cli.comparison import compared
    from robodyn_ros.robot import load

    robot = load(**described(options), compile="off")
    comparison = compared(robot, options)
    if options.json:
        print(json_text(comparison.to_dict()))
    else:
        print(text(comparison))
    return 0 if comparison.agrees else 1


def text(comparison: Comparison) -> str:
    """Return the efforts in a table, and the differences below it."""
    names = list(comparison.efforts)
    rows = [("coordinate", "q, v, a", *names, "difference")]
    for k, coordinate in enumerate(comparison.coordinates):
        state = ", ".join(
            "-" if x is None else f"{x:.4g}"
            for x in (comparison.positions[k], comparison.v[k], comparison.a[k])
        )
        efforts = [f"{comparison.efforts[name][k]:.10g}" for name in names]
        rows.append((quoted(coordinate)[1:-1], state, *efforts, f"{comparison.spread[k]:.1e}"))
    notes = [
        f"{name}: largest difference from {names[0]}, of the largest entry or 1: efforts"
        f" {effort:.1e}, mass matrix {mass:.1e}"
        for name, (effort, mass) in comparison.differences.items()
    ]
    return "\n".join(
        [
            f"{quoted(comparison.robot)[1:-1]}: efforts in N m or N, mass matrix of"
            f" {len(comparison.coordinates)} coordinates, {comparison.base} base",
            *aligned(rows),
            *notes,
            *(f"{name}: left out: {reason}" for name, reason in comparison.left_out.items()),
            "they agree" if comparison.agrees else "they do NOT agree",
        ]
    )
