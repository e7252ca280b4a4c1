"""`robodyn report FILE`: what a robot description contains, and what is wrong with it."""

from __future__ import annotations

import argparse
from typing import Any

from robodyn_ros.cli.json_text import json_text
from robodyn_ros.cli.robot_options import add_robot, described


def add_parser(subparsers: Any) -> None:
    """Add the command to the command line."""
    command = subparsers.add_parser(
        "report",
        help="say what a robot description contains",
        description="Load a robot description and print masses, inertias, limits, structure and"
        " everything that was ignored or assumed.",
    )
    add_robot(command)
    command.add_argument("--json", action="store_true", help="print JSON instead of text")


def run(options: argparse.Namespace) -> int:
    """Print the report."""
    from robodyn_ros.robot import load

    found = load(**described(options), compile="off").report()
    print(json_text(found.to_dict()) if options.json else found.text())
    return 0
