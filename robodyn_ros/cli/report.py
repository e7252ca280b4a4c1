"""`robodyn report FILE`: what a robot description contains, and what is wrong with it."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from robodyn_ros.model import ModelReport


def add_to(commands: Any) -> None:
    """Add the command to the sub-parsers of the command line."""
    command = commands.add_parser(
        "report",
        help="say what a robot description contains",
        description="Load a robot description and print masses, inertias, limits, structure and"
        " everything that was ignored or assumed.",
    )
    command.add_argument("file", metavar="FILE", help="a .urdf or .xacro file")
    command.add_argument("--json", action="store_true", help="print JSON instead of text")
    command.add_argument("--root", metavar="LINK", help="root the tree at this link")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the report."""
    from robodyn_ros.robot import load

    found = load(options.file, root=options.root, compile="off").report()
    print(_json(found) if options.json else found.text())
    return 0


def _json(found: ModelReport) -> str:
    """Return the report as JSON that standard output can take, with escapes where it must."""
    text = found.json()
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(found.to_dict(), indent=2)
    return text
