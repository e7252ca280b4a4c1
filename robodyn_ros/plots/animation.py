"""A robot's motion as a moving picture, GIF or MP4."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms import BodyMotion
from robodyn_ros.description.output_file import require_output_file
from robodyn_ros.errors import ArgumentError
from robodyn_ros.plots.figures import ANIMATIONS, movie_writer, pyplot_figure
from robodyn_ros.plots.skeleton import Skeleton
from robodyn_ros.robot import Robot
from robodyn_ros.simulation import Trajectory

Floats = NDArray[np.float64]

MOST_PICTURES = 20_000
_SIZE = 6.0
_DOTS = 100
"""Picture size in inches, and dots per inch."""
_TRAIL = 0.6
"""How much of the past, in s, a point marker's trail shows."""


def write_animation(
    path: Path, robot: Robot, trajectory: Trajectory, *, rate: int = 30, view: str = "front"
) -> int:
    """Write a trajectory as a moving picture in real time and return the number of pictures.

    Links are lines between their joints and point markers, which leave trails; constraint elements
    are thin blue lines.

    Args:
        path: a .gif or .mp4 file.
        robot: whose trajectory it is.
        trajectory: states; the nearest to each picture's time is shown.
        rate: pictures per second; GIF files keep whole hundredths of a second.
        view: one of `VIEWS`.

    Raises:
        ArgumentError: an ending, rate or length that cannot be used.
        UnknownNameError: there is no such view.
        RobodynError: Matplotlib, or what writes MP4, is not installed.
    """
    require_output_file(path, ANIMATIONS)
    rows = _rows_shown(trajectory.time, rate)
    motion = robot.body_motion(trajectory.q[rows])
    figure = pyplot_figure(_SIZE, _SIZE)
    picture = _Picture(figure, Skeleton(robot.model), BodyMotion(*motion), view)
    writer = movie_writer(path, rate)
    past = round(_TRAIL * rate)
    with writer.saving(figure, str(path), dpi=_DOTS):
        for number, row in enumerate(rows):
            picture.show(number, past, f"{robot.model.name}   {trajectory.time[row]:.2f} s")
            writer.grab_frame()
    return len(rows)


def _rows_shown(time: Floats, rate: int) -> NDArray[np.intp]:
    """Return the trajectory's row for each picture."""
    if not (isinstance(rate, int) and 1 <= rate <= 1000):
        raise ArgumentError(f"rate must be a whole number from 1 to 1000 a second, got {rate!r}")
    count = math.floor(time[-1] * rate + 1e-9) + 1
    if count > MOST_PICTURES:
        raise ArgumentError(
            f"{time[-1]:g} s at {rate} pictures/s are {count} pictures; {MOST_PICTURES} are"
            " allowed: give a shorter time or a lower rate"
        )
    step = time[1] - time[0]
    rows = np.rint(np.arange(count) / rate / step).astype(np.intp)
    shown: NDArray[np.intp] = np.minimum(rows, len(time) - 1)
    return shown


class _Picture:
    """The artists of one figure, moved from state to state."""

    def __init__(self, figure: Any, skeleton: Skeleton, motion: BodyMotion, view: str) -> None:
        from matplotlib.collections import LineCollection

        self._starts, self._ends = skeleton.ends(motion, view)
        self._dots = skeleton.dots(motion, view)
        self._pins, self._tied = skeleton.pins(motion, view), skeleton.tied(motion, view)
        axes = figure.add_subplot()
        axes.set_aspect("equal")
        ties = self._tied.reshape(len(self._tied), -1, 2)
        shown = [self._starts, self._ends, self._dots, self._pins, ties]
        reach = _limits(np.concatenate(shown, axis=1))
        axes.set(xlim=reach[0], ylim=reach[1], xlabel="m", ylabel="m")
        axes.grid(visible=True, alpha=0.3)
        self._title = axes.set_title("")
        self._trails = [axes.plot([], [], lw=1.0, alpha=0.6)[0] for _ in skeleton.points]
        self._links = LineCollection([], linewidths=4.0, colors="0.25", capstyle="round")
        axes.add_collection(self._links)
        self._ties = LineCollection([], linewidths=1.8, colors="tab:blue", capstyle="round")
        axes.add_collection(self._ties)
        (self._joints,) = axes.plot([], [], "o", ms=6, mfc="white", mec="0.25")
        (self._points,) = axes.plot([], [], "o", ms=9, color="tab:red")

    def show(self, number: int, past: int, title: str) -> None:
        """Move everything to state `number`, with the trails of `past` states."""
        starts, ends, dots = self._starts[number], self._ends[number], self._dots[number]
        self._links.set_segments(list(np.stack([starts, ends], axis=1)))
        self._ties.set_segments(list(self._tied[number]))
        self._joints.set_data(*self._pins[number].T)
        self._points.set_data(*dots.T)
        begin = max(0, number - past)
        for k, trail in enumerate(self._trails):
            trail.set_data(*self._dots[begin : number + 1, k].T)
        self._title.set_text(title)


def _limits(points: Floats) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return x and y limits of a square that shows all points (n, k, 2)."""
    flat = points.reshape(-1, 2) if points.size else np.zeros((1, 2))
    low, high = flat.min(axis=0), flat.max(axis=0)
    middle = (low + high) / 2.0
    half = 0.55 * max(float((high - low).max()), 1e-3)
    (left, bottom), (right, top) = middle - half, middle + half
    return (float(left), float(right)), (float(bottom), float(top))
