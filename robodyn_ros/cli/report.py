"""`robodyn report FILE`: what a robot description contains, and what is wrong with it."""

from __future__ import annotations

import argparse
from typing import Any

from robodyn_ros.cli.robot_files import FILE_HELP, find_robot


def add_parser(subparsers: Any) -> None:
    """Add the command to the command line."""
    command = subparsers.add_parser(
        "report",
        help="say what a robot description contains",
        description="Load a robot description and print masses, inertias, limits, structure and"
        " everything that was ignored or assumed.",
    )
    command.add_argument("file", metavar="FILE", help=FILE_HELP)
    command.add_argument("--json", action="store_true", help="print JSON instead of text")
    command.add_argument("--root", metavar="LINK", help="root the tree at this link")


def run(options: argparse.Namespace) -> int:
    """Print the report."""
    path = find_robot(options.file)
    from robodyn_ros.cli.json_text import json_text
    from robodyn_ros.robot import load

    found = load(path, root=options.root, compile="off").report()
    print(json_text(found.to_dict()) if options.json else found.text())
    return 0
