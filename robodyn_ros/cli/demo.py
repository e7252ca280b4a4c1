"""`robodyn demo`: a robot that one can see, push and load, by real nodes over ROS."""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robodyn_ros.cli.demo_page import PORT, Page, free_port, missing
from robodyn_ros.cli.demo_processes import STOP_TIMEOUT, NodeProcesses
from robodyn_ros.cli.robot_files import DEMO_ARM, FILE_HELP, find_robot
from robodyn_ros.cli.robot_options import add_set, given_parameters
from robodyn_ros.errors import ArgumentError, RobodynError, quoted
from robodyn_ros.ros.process import log_directory_problem
from robodyn_ros.ros.stop_signals import StopSignals

if TYPE_CHECKING:
    from robodyn_ros.cli.demo_view import Observations

DESCRIPTION = """\
Start a robot that is simulated or plays a motion, robodyn_node and the viewer, say at which address
its page is, and show frames, speeds, accelerations, rates and latencies as they come in over ROS.
Everything stays on this machine."""
SOURCES = {"simulator": "simulator", "trajectory": "joint_trajectory_demo"}
"""What moves the robot: the executable of each."""
LONGEST = 1e6
_LONGEST_START = 120.0
"""Seconds after which a demo of limited time ends without its states having come."""
NODES_GRACE = 4.0 * STOP_TIMEOUT
"""Seconds that the end may take: cut off before its nodes have ended it would leave them behind."""


def add_parser(subparsers: Any) -> None:
    """Add the command to the command line."""
    command = subparsers.add_parser(
        "demo", help="see a robot move, push it and load it", description=DESCRIPTION
    )
    command.add_argument(
        "--robot",
        default=DEMO_ARM,
        metavar="NAME_OR_FILE",
        help=f"{FILE_HELP} (default: {DEMO_ARM})",
    )
    add_set(command)
    command.add_argument(
        "--source",
        choices=SOURCES,
        default="simulator",
        help="what moves it: the simulator, which begins with its servos holding the robot"
        " (default), or a smooth motion within its ranges",
    )
    command.add_argument(
        "--port",
        type=_port,
        default=PORT,
        metavar="PORT",
        help=f"where the page is served (default {PORT}), or the next that is free; 0: any",
    )
    command.add_argument("--no-viewer", action="store_true", help="serve no page")
    command.add_argument("--seconds", type=_duration, metavar="N", help="end N s after it is seen")
    command.add_argument(
        "--rate",
        type=_rate,
        default=100.0,
        metavar="HZ",
        help="joint states a second (default 100)",
    )


def run(options: argparse.Namespace) -> int:
    """Show the demo until its time is up or it is interrupted; both are a good end."""
    stop = StopSignals(later_grace=NODES_GRACE)
    try:
        return _run(options, stop)
    finally:
        stop.ignore()


def _run(options: argparse.Namespace, stop: StopSignals) -> int:
    path = find_robot(options.robot)
    _refuse_name(path)
    if problem := log_directory_problem():
        raise RobodynError(problem)
    from robodyn_ros.cli.demo_description import demo_file
    from robodyn_ros.cli.demo_view import Observations, tip
    from robodyn_ros.robot import load

    # A description that does not load is told before anything starts.
    parameters = given_parameters(options.set)
    model = load(path, compile="off", parameters=parameters).model
    _stay_on_this_machine()
    page = None if options.no_viewer else _page(options.port)
    if stop.asked:
        return 0
    stop.note_only()
    seen = Observations(path.stem, tip(model), simulated=options.source == "simulator")
    with (
        tempfile.TemporaryDirectory(prefix="robodyn_demo_") as folder,
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log,
    ):
        file = demo_file(path, model, Path(folder), parameters, bent=seen.simulated)
        with NodeProcesses(_nodes(file, options, page), log) as nodes:
            _show(seen, options.seconds, nodes, page, stop)
    print(_more(path, options.source))
    return 0


def _page(wanted: int) -> Page | None:
    """Return the page that is going to be served, None where that is not possible."""
    if problem := missing():
        print(problem)
        return None
    port = free_port(wanted)
    if wanted not in (0, port):
        print(f"port {wanted} is taken: the page is at port {port}")
    return Page(port)


def _nodes(
    file: Path, options: argparse.Namespace, page: Page | None
) -> dict[str, list[tuple[str, str]]]:
    """Return the executables and their parameters; the viewer needs longest and comes first."""
    text = json.dumps(str(file), ensure_ascii=False)  # YAML too: a bare "a #1.urdf" would be "a"
    robot = ("robot_description_file", text)
    source = SOURCES[options.source]
    nodes = {} if page is None else {"viewer": [("port", str(page.port))]}
    nodes[source] = [robot, ("rate", str(options.rate))]
    if source == "simulator":
        # What the simulator publishes: the description, time, and the wrenches that act.
        nodes[source].append(("hold", "true"))
        wrenches = ("wrench_topics", "simulator/external_wrenches")
        nodes["robodyn_node"] = [("use_sim_time", "true"), wrenches]
    else:
        nodes["robodyn_node"] = [robot]
    return nodes


def _show(
    seen: Observations,
    duration: float | None,
    nodes: NodeProcesses,
    page: Page | None,
    stop: StopSignals,
) -> None:
    """Show what comes in until the time is up or a signal has come."""
    try:
        from robodyn_ros.cli.demo_observer import Observer
    except ImportError as error:
        raise RobodynError(
            f"the demo needs ROS 2 and robodyn_interfaces ({error}); source a workspace, or use"
            " 'make demo'"
        ) from None
    from robodyn_ros.cli.demo_screen import Screen

    start = time.monotonic()
    end = math.inf if duration is None else start + duration + _LONGEST_START
    with contextlib.closing(Observer(seen)) as observer, Screen(seen) as screen:
        while not stop.asked and time.monotonic() < end:
            observer.spin(0.05)
            ended = nodes.ended
            if stop.asked:  # looked at after the nodes: Ctrl-C ends them too
                break
            if ended is not None:
                raise nodes.failure(ended)
            if page is not None and page.look():
                screen.tell(page.address)
            is_seen = seen.streams["body states"].total > 0 and (page is None or seen.page != "")
            if duration is not None and is_seen:
                end = min(end, time.monotonic() + duration)  # the first time counts
            screen.update(time.monotonic() - start)
    print(seen.line(time.monotonic() - start, time.monotonic()))


def _stay_on_this_machine() -> None:
    """Keep discovery on this machine, on a domain of the demo's own unless one is chosen."""
    os.environ.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    os.environ.setdefault("ROS_DOMAIN_ID", str(1 + os.getpid() % 100))


def _refuse_name(path: Path) -> None:
    """Raise where the nodes cannot be given a file."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise ArgumentError(
            f"ROS 2 takes no file name that is not UTF-8: {quoted(str(path), 200)}; rename it"
        ) from None


def _more(path: Path, source: str) -> str:
    settings = " ".join(
        f"{name}={os.environ[name]}" for name in ("ROS_DOMAIN_ID", "ROS_AUTOMATIC_DISCOVERY_RANGE")
    )
    release = "  ros2 service call /simulator/release std_srvs/srv/Trigger\n"
    return (
        "To see more while a demo runs, in a terminal with ROS 2:\n"
        f"  export {settings}\n"
        "  ros2 topic echo /robodyn_node/body_states\n"
        "  ros2 topic hz /tf\n"
        f"{release if source == 'simulator' else ''}"
        "  rviz2 -d rviz/robodyn.rviz\n"
        "What the robot is made of:\n"
        f"  robodyn report {path}"
    )


def _duration(text: str) -> float:
    value = _number(text)
    if not 0.0 < value < LONGEST:
        raise argparse.ArgumentTypeError(f"must be 0 to {LONGEST:g} s, got {quoted(text)}")
    return value


def _rate(text: str) -> float:
    value = _number(text)
    if not 0.1 <= value <= 2000.0:
        raise argparse.ArgumentTypeError(f"must be 0.1 to 2000 Hz, got {quoted(text)}")
    return value


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 2**16):
        raise argparse.ArgumentTypeError(f"must be 0 to 65535, got {quoted(text)}")
    return int(text)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, got {quoted(text)}") from None
