"""`robodyn replay BAG`: a recorded bag becomes a report of its dynamics."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robodyn_ros.cli.json_text import json_text
from robodyn_ros.cli.robot_files import FILE_HELP
from robodyn_ros.cli.robot_options import add_reading
from robodyn_ros.cli.state_options import add_state
from robodyn_ros.errors import ArgumentError, quoted

if TYPE_CHECKING:
    from robodyn_ros.bags import Choices
    from robodyn_ros.robot import Robot

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
_CHANGES = (
    "robodyn: the bag has {} different robot descriptions one after the other; the first one is"
    " used, give another one by --description"
)


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
    add("bag", metavar="BAG", help="a rosbag2 folder, or a .db3 or .mcap file")
    add("--description", metavar="FILE", help=f"{FILE_HELP} (default: the bag's robot_description)")
    add_reading(command)
    _add_selection(command)
    _add_dynamics(command)
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


def _add_selection(command: argparse.ArgumentParser) -> None:
    """Add what says which messages count, and how they become states."""
    add_state(command)  # numbers may be negative
    add = command.add_argument
    add("--topic", metavar="NAME", help="of the joint states (default: the only one)")
    add(
        "--multi-dof-topic",
        metavar="NAME",
        help="of multi-DOF joint states (default: the only one)",
    )
    add("--start", type=float, metavar="S", help="seconds after the bag's first message")
    add("--end", type=float, metavar="S", help="seconds after the bag's first message")
    add("--duration", type=float, metavar="S", help="seconds after --start, instead of --end")
    add(
        "--rest",
        default="error",
        choices=("error", "neutral"),
        help="what joints do that the bag does not tell (default: that is an error)",
    )
    add(
        "--acceleration",
        default="filtered",
        choices=("filtered", "none"),
        help="derived from the samples, without delay (default), or 0",
    )
    add(
        "--filter-time-constant",
        type=float,
        default=0.02,
        metavar="S",
        help="derivatives are fitted to samples up to 3 times as far (default: 0.02)",
    )
    add("--stale-after", type=float, default=1.0, metavar="S", help="age of unusable values (1)")
    add("--no-outlier-rejection", action="store_true", help="take every sane number")


def _add_dynamics(command: argparse.ArgumentParser) -> None:
    """Add what says what the robot carries, and what measured efforts are."""
    add = command.add_argument
    add(
        "--payload",
        action="append",
        default=[],
        metavar="[NAME=]FRAME:MASS[:x,y,z[:ixx,iyy,izz,ixy,ixz,iyz]]",
        help="attach a payload: kg, centre of mass in FRAME, inertia about that centre",
    )
    add("--gravity", metavar="x,y,z", help="gravity in world axes, m/s^2")
    add("--no-friction", action="store_true", help="leave joint friction out")
    add(
        "--effort-unit",
        action="append",
        default=[],
        metavar="[JOINT=]UNIT",
        help="what measured efforts are: Nm, N, A or unknown",
    )
    add(
        "--effort-gain",
        action="append",
        default=[],
        metavar="[JOINT=]GAIN",
        help="factor from measured efforts to N m or N at the joint, as for A",
    )
    add(
        "--driver-compensates-gravity",
        action="store_true",
        help="measured efforts lack what holds the weight of links and payloads",
    )


def run(options: argparse.Namespace) -> int:
    """Replay, and print what came out."""
    from robodyn_ros.bags import lines_of, replay, write_replay
    from robodyn_ros.cli.replay_progress import progress_of

    bodies = [name for name in options.bodies.split(",") if name]
    formats = [name.strip() for name in options.format.split(",") if name.strip()]
    choices = _choices(options, bodies=bool(bodies))
    robot = _robot(options)
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


def _choices(options: argparse.Namespace, *, bodies: bool) -> Choices:
    """Return how the bag is to be replayed."""
    from robodyn_ros.bags import Choices, Conditioning, EffortReports
    from robodyn_ros.cli.state_values import number

    end = options.end
    if options.duration is not None:
        if end is not None:
            raise ArgumentError("--end and --duration say the same: give one of them")
        if not options.duration > 0.0:
            raise ArgumentError(f"--duration must be more than 0 s, got {options.duration:g}")
        end = (options.start or 0.0) + options.duration
    gains = {k: number("--effort-gain", x) for k, x in _by_joint(options.effort_gain).items()}
    return Choices(
        topic=options.topic,
        multi_dof_topic=options.multi_dof_topic,
        start=options.start,
        end=end,
        conditioning=Conditioning(
            filtered_acceleration=options.acceleration == "filtered",
            filter_time_constant=options.filter_time_constant,
            outlier_rejection=not options.no_outlier_rejection,
            stale_after=options.stale_after,
        ),
        efforts=EffortReports(
            units=_by_joint(options.effort_unit),
            gains=gains,
            driver_compensates_gravity=options.driver_compensates_gravity,
        ),
        friction=not options.no_friction,
        rest=options.rest,
        bodies=bodies,
    )


def _by_joint(words: list[str]) -> dict[str, str]:
    """Return what is said by joint, "" for all of them."""
    found: dict[str, str] = {}
    for word in words:
        name, _, text = word.rpartition("=")
        if name in found:
            raise ArgumentError(f"{quoted(word)}: {quoted(name or 'all joints')} has one already")
        found[name] = text
    return found


def _robot(options: argparse.Namespace) -> Robot:
    """Return the robot with its surroundings."""
    from robodyn_ros.bags import BagFile, recorded_descriptions
    from robodyn_ros.cli.robot_files import find_robot
    from robodyn_ros.cli.robot_options import reading
    from robodyn_ros.cli.torque_terms import surround
    from robodyn_ros.robot import load

    with BagFile(options.bag) as bag:
        if options.description is not None:
            robot = load(find_robot(options.description), **reading(options), compile="wait")
        else:
            texts = recorded_descriptions(bag, options.topic)
            if len(texts) > 1:
                print(_CHANGES.format(len(texts)), file=sys.stderr)
            text = texts[0].encode(errors="replace")  # bytes are never taken for a path
            robot = load(text, **reading(options), compile="wait")
    surround(robot, options)
    return robot
