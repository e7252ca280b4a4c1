"""`robodyn torque FILE`: the efforts of a robot in one state, split into their causes."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from robodyn_ros.cli.json_text import json_text
from robodyn_ros.cli.robot_options import add_robot, described
from robodyn_ros.cli.state_options import add_state

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
    add_robot(command)
    add_state(
        command,
        q="positions (default: those the description begins with, or neutral)",
        v="velocities (default: those the description begins with, or 0)",
        a="accelerations (default: 0)",
    )
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
    command.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run(options: argparse.Namespace) -> int:
    """Print the terms."""
    from robodyn_ros.cli.torque_terms import evaluated
    from robodyn_ros.robot import load

    robot = load(**described(options), compile="off")
    terms = evaluated(robot, options)
    if options.json:
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
