"""How a simulation begins, as the parameters say."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.closing import closed_at
from robodyn_ros.errors import ClosureError
from robodyn_ros.model import Model
from robodyn_ros.robot import Robot
from robodyn_ros.ros.demo_motion import SmoothMotion
from robodyn_ros.ros.parameters import Parameters
from robodyn_ros.ros.simulator.engines import Make
from robodyn_ros.ros.simulator_parameters import RANDOM
from robodyn_ros.simulation import Simulator

Floats = NDArray[np.float64]

_NUMBERS = (
    "step",
    "limit_time_constant",
    "limit_damping_ratio",
    "servo_frequency",
    "servo_damping_ratio",
)
_FLAGS = ("friction", "limits", "servo_gravity_compensation")


def simulation_of(config: Parameters, model: Model) -> Make:
    """Return what makes a simulation of a robot of a model, at its initial state.

    Raises:
        ClosureError: a random state that the mechanism cannot take.
    """
    options: dict[str, Any] = {name: config.number(name) for name in _NUMBERS}
    options |= {name: bool(config[name]) for name in _FLAGS}
    options["integrator"] = config.text("integrator")
    if config.text("initial_state") == RANDOM:
        options["q"] = random_configuration(model, int(config.number("seed")))
        options["v"] = np.zeros(model.nv)

    def make(robot: Robot) -> Simulator:
        return Simulator(robot, **options)

    return make


def random_configuration(model: Model, seed: int) -> Floats:
    """Return coordinates (nq,) within the robot's limits, the same for the same seed.

    Raises:
        ClosureError: a closed mechanism cannot take them.
    """
    rng = np.random.default_rng(seed)
    if not model.is_closed:
        parts = [joint.joint.random(rng, joint.rate_limits) for joint in model.own_joints]
        return np.concatenate(parts) if parts else np.zeros(0)
    # Of a closed mechanism as far as it follows; see the motion that the demo plays.
    motion = SmoothMotion(model, amplitude=1.0, period=1.0, seed=seed)
    inputs = dict(zip(motion.names, motion.at(0.0).position.tolist(), strict=True))
    found = closed_at(model, model.defaults.q, inputs)
    if found.q is None:
        raise ClosureError(f"the mechanism cannot take a random state: {found.reason}")
    return found.q
