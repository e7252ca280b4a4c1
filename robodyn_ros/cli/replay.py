"""`robodyn replay BAG`: a recorded bag becomes a report of its dynamics."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from robodyn_ros.cli.bag_options import (
    add_bag,
    add_dynamics,
    add_selection,
    bag_choices,
    bag_robot,
)
from robodyn_ros.cli.json_text import json_text

DESCRIPTION = """\
Run the joint states of a rosbag2 bag (SQLite or MCAP) through kinematics and dynamics, and write
tables of the efforts behind them and a report with plots: terms, energies, residuals against
measured efforts, limits exceeded. Nothing of ROS is needed, only pip's extra "bags"."""

EXAMPLES = """\
examples:
  robodyn replay run1 --description panda.urdf
  robodyn replay run1 --payload panda_hand:1.5:0,0,0.05 --start 10 --duration 60
  robodyn replay run1.mcap --format csv,mcap --bodies panda_hand --out hand"""

OUT = "{}-dynamics"


def add_parser(subparsers: Any) -> None:
    """Add the command to the command line."""
    command = subparsers.add_parser(
        "replay",
        help="run a recorded bag through dynamics, and write a report",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = command.add_argument
    add_bag(command)
    add_selection(command)
    add_dynamics(command)
    add("--out", metavar="DIR", help=f"folder to write to (default: {OUT.format('BAG')})")
    add("--force", action="store_true", help="replace the files of an earlier replay in DIR")
    add(
        "--format",
        default="parquet",
        metavar="FORMATS",
        help="csv, parquet, mcap (default: parquet)",
    )
    add("--bodies", default="", metavar="LINK,...", help="write the motion of these bodies, too")
    add("--no-report", action="store_true", help="leave report.html out")
    add("--json", action="store_true", help="print JSON instead of text")


def run(options: argparse.Namespace) -> int:
    """Replay, and print what came out."""
    from robodyn_ros.bags import lines_of, replay, write_replay
    from robodyn_ros.cli.replay_progress import progress_of

    bodies = [name for name in options.bodies.split(",") if name]
    formats = [name.strip() for name in options.format.split(",") if name.strip()]
    choices = bag_choices(options, bodies=bool(bodies))
    robot, _ = bag_robot(options)
    found = replay(options.bag, robot, choices)
    name = Path(options.bag).absolute().name.removesuffix(".db3").removesuffix(".mcap")
    out = options.out or OUT.format(name)
    with progress_of(found):
        summary = write_replay(
            found,
            out,
            formats=formats,
            bodies=bodies,
            report=not options.no_report,
            force=options.force,
        )
    if options.json:
        print(json_text(summary))
    else:
        print("\n".join([*lines_of(summary), *summary["written"]]))
    return 0
