"""The parameters of the surroundings of a node without dynamics of its own: one row each."""

from __future__ import annotations

from robodyn_ros.ros.dynamics_parameters import MEASURED_WEIGHT
from robodyn_ros.ros.parameter_specs import Spec

ENVIRONMENT_PARAMETERS: tuple[Spec, ...] = (
    Spec(
        "environment_topic",
        str,
        "Topic of a robodyn_interfaces/Environment to follow, say dynamics_server/environment:"
        " its gravity, payloads and driver_compensates_gravity replace those here; empty for none.",
        default="",
        read_only=True,
    ),
    Spec(
        "gravity",
        list,
        "The physical gravity vector (it points down), world axes, m/s^2: for acceleration_source"
        " forward_dynamics, and to be added to what an IMU on a moving base measures. By default"
        " the description's, else (0, 0, -9.81).",
        lower=-1000.0,
        upper=1000.0,
        length=3,
    ),
    Spec(
        "driver_compensates_gravity",
        bool,
        "Whether the robot's own driver adds the efforts that hold the weight of links and"
        " payloads, so that measured efforts have none.",
        default=False,
    ),
    MEASURED_WEIGHT,
)
GRAVITY = ENVIRONMENT_PARAMETERS[1]
