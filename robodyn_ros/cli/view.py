"""`robodyn view FILE`: a robot in the browser, without any ROS."""

from __future__ import annotations

import argparse
import math
import sys
import time
from typing import Any

from robodyn_ros.cli.robot_options import add_robot, described
from robodyn_ros.cli.state_options import add_state
from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.stop_signals import StopSignals

DESCRIPTION = """\
Show a robot on a page for the browser, and move it with a slider for each coordinate; closed
mechanisms stay closed. The page tells what effort each joint needs against gravity, and shows
frames, centres of mass, inertia and the like where they are switched on. It runs until it is
interrupted, and only this machine can open it, unless --host says otherwise. No ROS is needed."""

EXAMPLES = """\
examples:
  robodyn view panda
  robodyn view examples/four_bar.yaml --port 0
  robodyn view arm.urdf --q joint2=0.5 --base floating"""

PORT = 8080
_TURN = 0.2
"""Seconds after which the sliders are put where the robot is."""


def add_parser(subparsers: Any) -> None:
    """Add the command to the command line."""
    command = subparsers.add_parser(
        "view",
        help="show it in the browser, with sliders",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_robot(command)
    add_state(command, q="initial positions")
    command.add_argument(
        "--port", type=int, default=PORT, help=f"default: {PORT}; 0 for any free one"
    )
    command.add_argument(
        "--host", default="127.0.0.1", help="address to serve on (default: 127.0.0.1)"
    )
    command.add_argument(
        "--origin",
        action="append",
        default=[],
        metavar="URL",
        help="origin beside its own whose pages may connect, such as a proxy's; repeatable",
    )
    command.add_argument(
        "--seconds", type=float, default=math.inf, metavar="S", help="end after so long"
    )


def run(options: argparse.Namespace) -> int:
    """Serve the page until it is to end."""
    if not options.seconds >= 0.0:
        raise ArgumentError(f"--seconds must be a number >= 0, got {options.seconds:g}")
    until = time.monotonic() + options.seconds
    stop = StopSignals()
    try:
        _show(options, until, stop)
    finally:
        stop.release()
    return 0


def _show(options: argparse.Namespace, until: float, stop: StopSignals) -> None:
    """Load the robot, and serve its page until the time or a signal comes."""
    from robodyn_ros.viewer.page import Page

    view_of = _loaded(options)
    if stop.asked:
        return
    with Page(options.host, options.port, title="robodyn view", origins=options.origin) as page:
        if page.warning is not None:
            print(f"warning: {page.warning}", file=sys.stderr)
        view = view_of(page)
        print(f"{view.robot.model.name}: {page.address} (Ctrl-C ends it)", flush=True)
        for note in view.notes:
            print(f"not drawn as described: {note}", file=sys.stderr)
        stop.note_only()
        while not stop.asked and (left := until - time.monotonic()) > 0.0:
            view.wait(min(left, _TURN))


def _loaded(options: argparse.Namespace) -> Any:
    """Return what puts the robot on a page; loaded first, so that its errors come first."""
    import numpy as np

    from robodyn_ros.cli.closed_state import State, closed_state
    from robodyn_ros.cli.state_values import stated
    from robodyn_ros.description.load import load_description
    from robodyn_ros.description.visuals import visuals_of
    from robodyn_ros.robot import Robot
    from robodyn_ros.viewer.file_view import FileView

    arguments = described(options)
    description = load_description(**arguments)
    robot = Robot(description.model, compile="background")
    q, v = robot.initial_state
    (q,) = stated(robot.model, options, q=q)
    q = closed_state(robot, options, State(q, v, np.zeros_like(v))).q
    visuals = visuals_of(arguments["source"], description)
    return lambda page: FileView(page, robot, visuals, q)
