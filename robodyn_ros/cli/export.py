"""`robodyn export FILE --c DIR`: functions of a robot as C sources."""

from __future__ import annotations

import argparse
from typing import Any

from robodyn_ros.cli.robot_options import add_robot, described


def add_parser(subparsers: Any) -> None:
    """Add the command to the command line."""
    command = subparsers.add_parser(
        "export",
        help="write functions of a robot as C sources",
        description="Write functions of a robot as a self-contained C99 library: header, sources,"
        " a test that compares them with this package, and CMakeLists.txt.",
    )
    add_robot(command)
    command.add_argument(
        "--c", metavar="DIR", required=True, help="directory for the C files; made where needed"
    )
    command.add_argument(
        "--functions",
        metavar="NAME",
        nargs="+",
        help="such as inverse_dynamics, body_motion, jacobian:<frame>; +friction and +loaded may"
        " stand behind a name (default: the dynamics of the bare robot)",
    )
    command.add_argument("--name", help="of the library, in front of all its functions")


def run(options: argparse.Namespace) -> int:
    """Write the files and say which."""
    from robodyn_ros.robot import load
    from robodyn_ros.robot.export import FUNCTIONS, export_c

    robot = load(**described(options), compile="off")
    written = export_c(robot, options.c, options.functions or FUNCTIONS, name=options.name)
    print("\n".join(map(str, written)))
    return 0
