"""`robodyn identify BAG`: what a recorded bag says of a robot's masses and friction."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robodyn_ros.cli.bag_options import (
    add_bag,
    add_dynamics,
    add_selection,
    bag_choices,
    bag_robot,
)
from robodyn_ros.cli.json_text import json_text
from robodyn_ros.errors import ArgumentError, quoted

if TYPE_CHECKING:
    from robodyn_ros.analysis.overlay_file import Origin
    from robodyn_ros.bags.identification import Request
    from robodyn_ros.description.source import Document

DESCRIPTION = """\
Identify friction, masses and inertias of a robot, or a payload that it carries, from the positions,
velocities and efforts in a rosbag2 bag, and write them as an overlay: a mechanism file laid over
the description, which every command and node reads in its place."""

EXAMPLES = """\
examples:
  robodyn identify run1 --description ur5
  robodyn identify run1 --description panda.urdf --what payload --frame panda_hand
  robodyn identify run1 --what friction --output friction.yaml --report friction.html
  robodyn replay run1 --description run1-identified.yaml"""

OUTPUT = "{}-identified.yaml"
ALL = "all"
_FILTER = 0.005


def add_parser(subparsers: Any) -> None:
    """Add the command to the command line."""
    command = subparsers.add_parser(
        "identify",
        help="identify friction, inertias or a payload from a recorded bag",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_bag(command)
    _add_request(command)
    add_selection(command, _FILTER)
    add_dynamics(command, friction=False)
    add = command.add_argument
    add(
        "--output",
        metavar="FILE.yaml",
        help=f"the overlay that is written (default: {OUTPUT.format('BAG')})",
    )
    add("--report", metavar="FILE.html", help="a report with plots that is written (default: none)")
    add("--force", action="store_true", help="replace files that are there")
    add("--json", action="store_true", help="print JSON instead of text")


def _add_request(command: argparse.ArgumentParser) -> None:
    """Add what is to be identified, and how."""
    add = command.add_argument
    add(
        "--what",
        metavar="WHAT,...",
        help="friction, base (inertias), payload, or all for friction,base"
        " (default: payload with --frame, else all)",
    )
    add("--frame", default="", metavar="F", help="frame that carries the payload")
    add("--armature", action="store_true", help="identify the rotors' inertias with base")
    add("--stribeck", action="store_true", help="look for Stribeck's effect in friction curves")
    add(
        "--hold-out",
        type=float,
        default=0.2,
        metavar="SHARE",
        help="share of the bag that is predicted, not fitted (default: 0.2)",
    )
    add(
        "--window",
        type=float,
        default=0.1,
        metavar="S",
        help="rows are averaged over windows of so many seconds (default: 0.1)",
    )
    add(
        "--rest-speed",
        type=float,
        default=0.02,
        metavar="V",
        help="a joint that is slower is taken to rest, rad/s or m/s (default: 0.02)",
    )


def run(options: argparse.Namespace) -> int:
    """Identify, write what was found, and print it."""
    from robodyn_ros.analysis.overlay import overlay_of
    from robodyn_ros.bags import replay
    from robodyn_ros.bags.identification import identify_bag
    from robodyn_ros.bags.identification_files import (
        OVERLAYS,
        REPORTS,
        require_writable,
        urdf_beside,
        write_overlay,
        write_report,
    )
    from robodyn_ros.bags.identification_summary import identification_lines, identification_summary
    from robodyn_ros.cli.replay_progress import progress_of
    from robodyn_ros.plots.figures import pyplot_figure

    request = _request(options)
    choices = bag_choices(options)
    name = Path(options.bag).absolute().name.removesuffix(".db3").removesuffix(".mcap")
    output = Path(options.output or OUTPUT.format(name))
    report = None if options.report is None else Path(options.report)
    robot, document = bag_robot(options)
    paths: list[tuple[Path, tuple[str, ...]]] = [(output, OVERLAYS)]
    beside = urdf_beside(output, document)
    paths += [] if beside is None else [(beside, (".urdf",))]
    if report is not None:
        paths.append((report, REPORTS))
        pyplot_figure(1.0, 1.0)  # is Matplotlib there?
    require_writable(paths, force=options.force)
    found = replay(options.bag, robot, choices)
    with progress_of(found):
        outcome = identify_bag(found, request)
    summary = identification_summary(found, request, outcome)
    lines = list(identification_lines(summary))
    overlay = overlay_of(outcome.found)
    origin = _origin(options, document, output)
    written = write_overlay(output, overlay, origin, robot.model, _said(options, lines))
    if report is not None:
        written.append(write_report(report, summary, outcome.found))
    if options.json:
        print(json_text({**summary, "written": written}))
    else:
        print("\n".join([*lines, *overlay.notes, *written]))
    return 0


def _request(options: argparse.Namespace) -> Request:
    """Return what is to be identified."""
    from robodyn_ros.analysis.unknowns import PARTS
    from robodyn_ros.bags.identification import Request

    what = options.what or ("payload" if options.frame else ALL)
    words = [word.strip() for word in what.split(",") if word.strip()]
    parts = ["friction", "base"] if words == [ALL] else words
    for word in parts:
        if word not in PARTS:
            raise ArgumentError(f"--what must be {', '.join(PARTS)} or {ALL}, got {quoted(word)}")
    return Request(
        parts=tuple(parts),
        frame=options.frame,
        armature=options.armature,
        window=options.window,
        rest_speed=options.rest_speed,
        hold_out=options.hold_out,
        stribeck=options.stribeck,
    )


def _origin(options: argparse.Namespace, document: Document, output: Path) -> Origin:
    """Return what the overlay is laid over; a URDF in the same folder or below goes by its name."""
    from robodyn_ros.analysis.overlay_file import Origin
    from robodyn_ros.bags.identification_files import urdf_beside
    from robodyn_ros.cli.robot_files import find_robot
    from robodyn_ros.cli.robot_options import given_parameters

    urdf = ""
    beside = urdf_beside(output, document)
    if beside is not None:
        urdf = beside.name
    elif not document.is_mechanism:
        path = find_robot(options.description).absolute()
        folder = output.absolute().parent
        urdf = os.path.relpath(path, folder) if path.is_relative_to(folder) else str(path)
    return Origin(document, urdf, options.base, options.root, given_parameters(options.set))


def _said(options: argparse.Namespace, lines: list[str]) -> list[str]:
    """Return what stands at the top of the overlay."""
    head = [f"Identified by robodyn identify from {quoted(str(options.bag), 200)}."]
    if options.payload:
        head.append(f"The robot carried {', '.join(options.payload)}: that is not part of it.")
    return [*head, *lines]
