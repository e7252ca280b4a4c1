"""Coordinates, rates and energy of a trajectory over time."""

from __future__ import annotations

from pathlib import Path

from robodyn_ros.description.output_file import require_output_file
from robodyn_ros.errors import ArgumentError
from robodyn_ros.model import Model
from robodyn_ros.plots.figures import PICTURES, pyplot_figure
from robodyn_ros.simulation import Trajectory

MOST_CURVES = 60
"""Coordinates beyond which a legend cannot be read."""


def write_curves(path: Path, model: Model, trajectory: Trajectory) -> None:
    """Write coordinates, rates and energies over time as a .png, .svg or .pdf file.

    Raises:
        ArgumentError: an ending that cannot be used, or a robot with too many coordinates.
        RobodynError: Matplotlib is not installed.
    """
    require_output_file(path, PICTURES)
    if model.nv > MOST_CURVES:
        raise ArgumentError(
            f"robot {model.name!r} has {model.nv} coordinates; {MOST_CURVES} can be plotted"
        )
    figure = pyplot_figure(8.0, 9.0)
    places, rates, energies = figure.subplots(3, 1, sharex=True)
    time = trajectory.time
    for joint in model.own_joints:
        kind = joint.joint
        for panel, values, first, parts in (
            (places, trajectory.q, joint.q_index, kind.coordinate_axes()),
            (rates, trajectory.v, joint.v_index, kind.axes),
        ):
            for k, label in enumerate([f"{joint.name}/{part}" for part in parts] or [joint.name]):
                panel.plot(time, values[:, first + k], label=label)
    energies.plot(time, trajectory.kinetic, label="kinetic")
    energies.plot(time, trajectory.potential, label="potential")
    energies.plot(time, trajectory.energy, "k--", label="total")
    for axes, what in ((places, "rad or m"), (rates, "rad/s or m/s"), (energies, "J")):
        axes.set_ylabel(what)
        axes.grid(visible=True, alpha=0.3)
        if axes.lines:  # a robot may have no coordinates
            axes.legend(loc="upper right", fontsize="small")
    energies.set_xlabel("s")
    figure.suptitle(model.name)
    figure.set_layout_engine("constrained")
    figure.savefig(path)
