"""The options of commands that read a bag: which messages count, and what efforts are."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from robodyn_ros.cli.robot_files import FILE_HELP
from robodyn_ros.cli.robot_options import add_reading
from robodyn_ros.cli.state_options import add_state
from robodyn_ros.errors import ArgumentError, quoted

if TYPE_CHECKING:
    from robodyn_ros.bags import Choices
    from robodyn_ros.description.source import Document
    from robodyn_ros.robot import Robot

_CHANGES = (
    "robodyn: the bag has {} different robot descriptions one after the other; the first one is"
    " used, give another one by --description"
)


def add_bag(command: argparse.ArgumentParser) -> None:
    """Add BAG, --description and how that is read."""
    add = command.add_argument
    add("bag", metavar="BAG", help="a rosbag2 folder, or a .db3 or .mcap file")
    add("--description", metavar="FILE", help=f"{FILE_HELP} (default: the bag's robot_description)")
    add_reading(command)


def add_selection(command: argparse.ArgumentParser, filter_time_constant: float = 0.02) -> None:
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
        default=filter_time_constant,
        metavar="S",
        help=f"derivatives are fitted to samples up to 3 times as far ({filter_time_constant:g})",
    )
    add("--stale-after", type=float, default=1.0, metavar="S", help="age of unusable values (1)")
    add("--no-outlier-rejection", action="store_true", help="take every sane number")


def add_dynamics(command: argparse.ArgumentParser, *, friction: bool = True) -> None:
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
    if friction:
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


def bag_choices(options: argparse.Namespace, *, bodies: bool = False) -> Choices:
    """Return how the bag is to be replayed.

    Raises:
        ArgumentError: options that contradict each other or are no numbers.
    """
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
        friction=not getattr(options, "no_friction", False),
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


def bag_robot(options: argparse.Namespace) -> tuple[Robot, Document]:
    """Return the robot with its surroundings, and the description that it was read from.

    Raises:
        RobodynError: there is no description, or it cannot be used.
    """
    from robodyn_ros.bags import BagFile, recorded_descriptions
    from robodyn_ros.cli.robot_files import find_robot
    from robodyn_ros.cli.robot_options import reading
    from robodyn_ros.cli.torque_terms import surround
    from robodyn_ros.description import load_model
    from robodyn_ros.description.source import read_source
    from robodyn_ros.robot import Robot

    with BagFile(options.bag) as bag:
        if options.description is not None:
            document = read_source(find_robot(options.description))
        else:
            texts = recorded_descriptions(bag, options.topic)
            if len(texts) > 1:
                print(_CHANGES.format(len(texts)), file=sys.stderr)
            document = read_source(texts[0].encode(errors="replace"))  # bytes are never a path
        robot = Robot(load_model(document, **reading(options)), compile="wait")
    surround(robot, options)
    return robot, document
