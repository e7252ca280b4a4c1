"""May a controller be activated, and what it needs to be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from robodyn_ros.algorithms import forward_dynamics
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.errors import SingularMassMatrixError, quoted
from robodyn_ros.robot import Robot
from robodyn_ros.ros.controllers.assembly import Assembly
from robodyn_ros.ros.controllers.state_watch import StateWatch

_ALWAYS = ("gravity_force", "mass_matrix")
"""What safe forms call."""


def prepare_kernels(made: Assembly) -> None:
    """Have kernels made, those for a payload too, so that one that is attached slows nothing."""
    robot = made.robot
    operations = (*made.referenced.operations, *_ALWAYS)
    robot.compile(*operations, wait=False)
    if robot.compile_mode != "off" and not robot.environment.payloads:
        loaded = Robot(robot.model, compile=robot.compile_mode)
        loaded.set_payload(robot.model.body_names[-1], 1.0)
        loaded.compile(*operations, wait=False)


def is_compiling(made: Assembly) -> bool:
    """Return whether kernels that a controller calls are being compiled."""
    robot = made.robot
    ready = robot.compile(*made.referenced.operations, *_ALWAYS, wait=False)
    return not ready and "compiling" in robot.kernel_states().values()


def refusals(made: Assembly, path: StatePath, watch: StateWatch, now: float) -> Iterator[str]:
    """Yield why a controller may not be activated.

    Args:
        made: The controller.
        path: The state of its robot.
        watch: Looks at its states.
        now: Monotonic time, s.
    """
    if made.without_limit:
        yield made.without_limit
    if is_compiling(made) or path.stepper.state == "compiling":
        yield "its kernels are being compiled: try again in a few seconds"
    if path.stamp is None:
        yield "no joint state has come yet"
        return
    for fault in watch.look(now):
        yield fault.text
    for name, reason in watch.troubles(path.stamp).items():
        yield f"joint {quoted(name)} has no valid state: {reason}"
    if made.referenced.needs_inertia:
        yield from _without_inertia(made.robot, path)


def _without_inertia(robot: Robot, path: StatePath) -> Iterator[str]:
    """Yield that a joint moves nothing, where a law divides by what it moves."""
    model, q = robot.model, path.result.q
    rest = np.zeros(model.nv)
    try:
        forward_dynamics(model, q, rest, rest, environment=robot.environment)
    except SingularMassMatrixError as error:
        yield f"an impedance needs inertia at every joint: {error}"
