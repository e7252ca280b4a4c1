"""`robodyn demo`: a robot moves, and what state_publisher makes of it is shown live."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from robodyn_ros.cli.robot_files import DEMO_ARM, FILE_HELP, find_robot
from robodyn_ros.errors import ArgumentError, RobodynError, quoted
from robodyn_ros.ros.process import log_directory_problem
from robodyn_ros.ros.stop_signals import StopSignals

DESCRIPTION = """\
Start state_publisher and joint_trajectory_demo, and show frames, speeds, accelerations, rates and
latencies as they come in over ROS. Everything stays on this machine."""
STOP_TIMEOUT = 10.0
LAST_LINES = 30
LONGEST = 1e6


class ChildError(RobodynError):
    """A node of the demo ended by itself."""


def add_parser(subparsers: Any) -> None:
    """Add the command to the command line."""
    command = subparsers.add_parser("demo", help="see a robot move", description=DESCRIPTION)
    command.add_argument(
        "--robot",
        default=DEMO_ARM,
        metavar="NAME_OR_FILE",
        help=f"{FILE_HELP} (default: {DEMO_ARM})",
    )
    command.add_argument("--seconds", type=_duration, metavar="N", help="end by itself after N s")
    command.add_argument(
        "--rate",
        type=_rate,
        default=100.0,
        metavar="HZ",
        help="joint states a second (default 100)",
    )


def run(options: argparse.Namespace) -> int:
    """Show the demo until its time is up or it is interrupted; both are a good end."""
    stop = StopSignals()
    try:
        return _run(options, stop)
    finally:
        stop.ignore()


def _run(options: argparse.Namespace, stop: StopSignals) -> int:
    path = find_robot(options.robot)
    _refuse_name(path)
    if problem := log_directory_problem():
        raise RobodynError(problem)
    from robodyn_ros.cli.demo_view import tip
    from robodyn_ros.robot import load

    # A description that does not load is told before anything starts.
    followed = tip(load(path, compile="off").model)
    _stay_on_this_machine()
    if stop.asked:
        return 0
    stop.note_only()
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log,
        _nodes(path, options.rate, log) as children,
    ):
        _show(path.stem, followed, options.seconds, children, log, stop)
    print(_more(path))
    return 0


def _show(
    robot: str,
    followed: str,
    duration: float | None,
    children: list[subprocess.Popen[bytes]],
    log: IO[str],
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
    with contextlib.closing(Observer(robot, followed)) as observer, Screen(observer.seen) as screen:
        while not stop.asked and (duration is None or time.monotonic() - start < duration):
            observer.spin(0.05)
            ended = _ended(children)
            if stop.asked:  # looked at after the nodes: Ctrl-C ends them too
                break
            if ended is not None:
                raise ChildError(_last_words(ended, log))
            screen.update(time.monotonic() - start)
    print(observer.seen.line(time.monotonic() - start, time.monotonic()))


@contextlib.contextmanager
def _nodes(path: Path, rate: float, log: IO[str]) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Run the demo's nodes as processes of this group, so that Ctrl-C and hang-ups reach them."""
    file = json.dumps(str(path), ensure_ascii=False)  # YAML too: a bare "a #1.urdf" would be "a"
    parameters = {
        "state_publisher": {"robot_description_file": file},
        "joint_trajectory_demo": {"robot_description_file": file, "rate": str(rate)},
    }
    children = []
    try:
        for name, values in parameters.items():
            command = [sys.executable, "-m", "robodyn_ros.nodes.executables", name, "--ros-args"]
            for key, value in values.items():
                command += ["-p", f"{key}:={value}"]
            children.append(
                subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            )
        yield children
    finally:
        for child in children:
            if child.poll() is None:
                child.send_signal(signal.SIGINT)
        for child in children:
            _end(child)


def _end(child: subprocess.Popen[bytes]) -> None:
    """Wait for a node that was told to stop."""
    try:
        child.wait(STOP_TIMEOUT)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _ended(children: list[subprocess.Popen[bytes]]) -> subprocess.Popen[bytes] | None:
    """Return a node that has ended, None while all are running."""
    return next((child for child in children if child.poll() is not None), None)


def _last_words(child: subprocess.Popen[bytes], log: IO[str]) -> str:
    """Return how a node has ended and what was said before."""
    log.seek(0)
    said = "\n".join(log.read().strip().splitlines()[-LAST_LINES:])
    name = child.args[3] if isinstance(child.args, list) else "a node"
    return f"{name} ended with exit code {child.returncode}; it said:\n{said}"


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


def _more(path: Path) -> str:
    settings = " ".join(
        f"{name}={os.environ[name]}" for name in ("ROS_DOMAIN_ID", "ROS_AUTOMATIC_DISCOVERY_RANGE")
    )
    return (
        "To see more while a demo runs, in a terminal with ROS 2:\n"
        f"  export {settings}\n"
        "  ros2 topic echo /state_publisher/body_states\n"
        "  ros2 topic hz /tf\n"
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


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, got {quoted(text)}") from None
