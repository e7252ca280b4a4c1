"""`robodyn animate FILE`: let a robot move by itself, and write it as pictures."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robodyn_ros.cli.json_text import json_text
from robodyn_ros.cli.robot_options import add_robot, described
from robodyn_ros.cli.state_options import add_state
from robodyn_ros.errors import ArgumentError, quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from robodyn_ros.description.mechanism import Simulation
    from robodyn_ros.robot import Robot
    from robodyn_ros.simulation import Trajectory

DESCRIPTION = """\
Simulate a robot that moves under gravity and without motors, from the initial state of its
description, and print how well its energy is kept. With --driven its controls move as their `drive`
says instead. With --output the motion is written as a moving picture, with --plot coordinates,
rates and energies over time (Matplotlib is needed)."""

EXAMPLES = """\
examples:
  robodyn animate examples/double_pendulum.yaml --output pendulum.gif
  robodyn animate examples/double_pendulum.yaml --set m2=3 --time 5 --plot curves.png
  robodyn animate panda --q panda_joint2=0.5 --time 2 --view oblique --output falling.mp4"""

MOST_STATES = 100_000
"""Of a driven motion, each of which is closed by itself."""
TIME, STEP = 10.0, 0.01
"""Seconds, where neither the options nor the description say."""


def add_parser(subparsers: Any) -> None:
    """Add the command to the command line."""
    command = subparsers.add_parser(
        "animate",
        help="let a robot move by itself, and write pictures of it",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_robot(command)
    command.add_argument("--output", metavar="PATH", help="a .gif or .mp4 file to write")
    command.add_argument("--plot", metavar="PATH", help="a .png, .svg or .pdf file to write")
    command.add_argument("--time", type=float, metavar="S", help=f"default: the file's, or {TIME}")
    command.add_argument("--step", type=float, metavar="S", help=f"default: the file's, or {STEP}")
    command.add_argument("--rate", type=int, default=30, help="pictures a second (default: 30)")
    command.add_argument("--view", default="front", help="front (default), side, top or oblique")
    add_state(command, q="initial positions", v="initial velocities")
    command.add_argument("--no-friction", action="store_true", help="leave joint friction out")
    command.add_argument(
        "--driven", action="store_true", help="move controls as their drive says, nothing freely"
    )
    command.add_argument("--json", action="store_true", help="print JSON instead of text")


def run(options: argparse.Namespace) -> int:
    """Simulate, print the energies and write what is asked for."""
    import numpy as np

    from robodyn_ros.cli.closed_state import State, closed_state
    from robodyn_ros.cli.ranges import left_ranges, resists
    from robodyn_ros.cli.state_values import stated
    from robodyn_ros.description.load import load_description
    from robodyn_ros.robot import Robot
    from robodyn_ros.simulation import driven_motion, simulate

    _check_outputs(options)
    description = load_description(**described(options))
    robot = Robot(description.model, compile="background")
    q, v = robot.initial_state
    q, v = stated(robot.model, options, q=q, v=v)
    q, v, _ = closed_state(robot, options, State(q, v, np.zeros_like(v)))
    time, step = _times(options, description.simulation)
    if options.driven:
        trajectory = driven_motion(robot, description.drives, _times_shown(time, step))
    else:
        trajectory = simulate(robot, time, step, q=q, v=v, friction=not options.no_friction)
    written = _write(options, robot, trajectory)
    summary = {
        "robot": robot.model.name,
        "time": float(trajectory.time[-1]),
        "states": len(trajectory.time),
        "kinetic_energy": [float(trajectory.kinetic[k]) + 0.0 for k in (0, -1)],  # not -0
        "potential_energy": [float(trajectory.potential[k]) + 0.0 for k in (0, -1)],
        "driven": options.driven,
        "resisted": not options.no_friction and resists(robot.model),
        "beyond": left_ranges(robot.model, trajectory.q),
        "energy_drift": trajectory.energy_drift,
        "relative_energy_drift": trajectory.relative_energy_drift,
        "written": written,
    }
    if options.json:
        print(json_text(summary))
    else:
        print("\n".join(_lines(summary)))
    return 0


def _check_outputs(options: argparse.Namespace) -> None:
    """Raise before the work where what is asked for cannot be written."""
    if options.output is None and options.plot is None:
        return
    from robodyn_ros.description.output_file import require_output_file
    from robodyn_ros.plots import VIEWS
    from robodyn_ros.plots.figures import ANIMATIONS, PICTURES, pyplot_figure

    for value, formats in ((options.output, ANIMATIONS), (options.plot, PICTURES)):
        if value is not None:
            require_output_file(Path(value), formats)
    if options.view not in VIEWS:
        raise ArgumentError(f"--view must be {', '.join(VIEWS)}, got {quoted(options.view)}")
    if not 1 <= options.rate <= 1000:
        raise ArgumentError(f"--rate must be from 1 to 1000 pictures a second, got {options.rate}")
    pyplot_figure(1.0, 1.0)


def _times(options: argparse.Namespace, asked: Simulation) -> tuple[float, float]:
    """Return duration and step: the options', else the description's, else ours."""
    time = next(x for x in (options.time, asked.time, TIME) if x is not None)
    return time, next(x for x in (options.step, asked.step, STEP) if x is not None)


def _times_shown(time: float, step: float) -> NDArray[np.float64]:
    """Return the times of the states of a driven motion."""
    import numpy as np

    if not (0.0 < step <= time < step * MOST_STATES):
        raise ArgumentError(
            f"--time {time:g} and --step {step:g} must be positive, with at most {MOST_STATES}"
            " states"
        )
    return step * np.arange(int(time / step * (1.0 + 1e-12)) + 1, dtype=np.float64)


def _write(options: argparse.Namespace, robot: Robot, trajectory: Trajectory) -> list[str]:
    """Write the files and return a line about each."""
    written = []
    if options.output is not None:
        from robodyn_ros.plots import write_animation

        count = write_animation(
            Path(options.output), robot, trajectory, rate=options.rate, view=options.view
        )
        written.append(f"{options.output}: {count} pictures, {options.rate} a second")
    if options.plot is not None:
        from robodyn_ros.plots import write_curves

        write_curves(Path(options.plot), robot.model, trajectory)
        written.append(f"{options.plot}: coordinates, rates and energies over time")
    return written


def _lines(summary: dict[str, Any]) -> list[str]:
    """Return the summary as text."""
    from robodyn_ros.cli.ranges import told

    lines = [f"{quoted(summary['robot'])[1:-1]}: {summary['time']:g} s, {summary['states']} states"]
    for kind in ("kinetic", "potential"):
        begin, end = summary[f"{kind}_energy"]
        lines.append(f"{kind} energy {begin:.6g} J at the beginning, {end:.6g} J at the end")
    drift, share = summary["energy_drift"], summary["relative_energy_drift"]
    if not summary["driven"]:
        of = ", what joint friction takes included" if summary["resisted"] else ""
        lines.append(f"energy drift {drift:.3e} J, {share:.1e} of the energies' range{of}")
    if summary["beyond"]:
        found = ", ".join(told(left) for left in summary["beyond"])
        lines.append(f"outside the range, at which nothing stops a joint: {found}")
    return [*lines, *summary["written"]]
