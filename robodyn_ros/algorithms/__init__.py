"""The algorithms, one per file, each written once over the joint contract.

Plain functions of a model and arrays with any leading batch axes; the same source runs on floats,
is traced for derivatives, and is compiled by `robodyn_ros.kernels`.
"""

from robodyn_ros.algorithms.center_of_mass import (
    CenterOfMassMotion,
    center_of_mass_motion,
    centers_of,
)
from robodyn_ros.algorithms.integrate import (
    difference,
    integrate,
    neutral,
    random_configuration,
)
from robodyn_ros.algorithms.jacobian import jacobian
from robodyn_ros.algorithms.kinematics import BodyMotion, body_motion, relative_poses

__all__ = [
    "BodyMotion",
    "CenterOfMassMotion",
    "body_motion",
    "center_of_mass_motion",
    "centers_of",
    "difference",
    "integrate",
    "jacobian",
    "neutral",
    "random_configuration",
    "relative_poses",
]
