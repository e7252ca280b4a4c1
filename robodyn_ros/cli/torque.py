"""`robodyn torque FILE`: the efforts of a robot in one state, split into their causes."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING, Any

from robodyn_ros.cli.robot_files import FILE_HELP, find_robot

if TYPE_CHECKING:
    from robodyn_ros.cli.torque_terms import Terms

DESCRIPTION = """\
Print the efforts that hold or accelerate a robot in a state, a row for each coordinate, split into
what inertia, Coriolis, gravity, friction, rotors, payloads and external wrenches ask for. SI units
and radians; gravity is (0, 0, -9.81) m/s^2, so that a robot on a wall is a gravity of its own.
JOINTS is joint=value,... by name, or one number for each coordinate in the order of the model."""

EXAMPLES = """\
examples:
  robodyn torque ur5 --q shoulder_lift_joint=-90,elbow_joint=90 --degrees
  robodyn torque panda --payload panda_hand:1.5:0,0,0.05 --gravity 9.81,0,0
  robodyn torque arm.urdf --q 0,0.5,-1 --a joint2=2 --wrench tool0:0,0,0,0,0,-20"""


def add_parser(subparsers: Any) -> None:
    """Add the command to the command line."""
    command = subparsers.add_parser(
        "torque",
        help="split the efforts of a robot in a state into their causes",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    # What begins with a minus sign and a digit is a list of numbers, not an option.
    command._negative_number_matcher = re.compile(r"-\.?\d")
    command.add_argument("file", metavar="FILE", help=FILE_HELP)
    for option, what in (
        ("--q", "positions (default: those the description begins with, or neutral)"),
        ("--v", "velocities (default: those the description begins with, or 0)"),
        ("--a", "accelerations (default: 0)"),
    ):
        command.add_argument(option, action="append", default=[], metavar="JOINTS", help=what)
    command.add_argument(
        "--degrees", action="store_true", help="angles of --q, --v, --a and the table in degrees"
    )
    command.add_argument(
        "--payload",
        action="append",
        default=[],
        metavar="[NAME=]FRAME:MASS[:x,y,z[:ixx,iyy,izz,ixy,ixz,iyz]]",
        help="attach a payload: kg, centre of mass in FRAME, inertia about that centre",
    )
    command.add_argument(
        "--wrench",
        action="append",
        default=[],
        metavar="FRAME:mx,my,mz,fx,fy,fz[:local]",
        help="a wrench exerted on the robot at FRAME's origin, in world axes or the frame's own",
    )
    command.add_argument("--gravity", metavar="x,y,z", help="gravity in world axes, m/s^2")
    command.add_argument(
        "--friction", action="store_true", help="count damping and Coulomb friction in"
    )
    command.add_argument(
        "--base", metavar="BASE", help="fixed or floating (default: as a .yaml file says, or fixed)"
    )
    command.add_argument("--root", metavar="LINK", help="root the tree at this link")
    command.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run(options: argparse.Namespace) -> int:
    """Print the terms."""
    path = find_robot(options.file)
    from robodyn_ros.cli.torque_terms import evaluated
    from robodyn_ros.robot import load

    robot = load(path, base=options.base, root=options.root, compile="off")
    terms = evaluated(robot, options)
    if options.json:
        from robodyn_ros.cli.json_text import json_text

        print(json_text(terms.to_dict()))
    else:
        _show(terms)
    return 0


def _show(terms: Terms) -> None:
    """Print a table: with rules on a terminal, in plain columns elsewhere."""
    from robodyn_ros.cli import torque_table

    if sys.stdout.isatty():
        torque_table.show(terms)
    else:
        print(torque_table.text(terms))
