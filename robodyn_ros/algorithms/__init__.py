"""The algorithms, one per file, each written once over the joint contract.

Plain functions of a model and arrays with any leading batch axes; the same source runs on floats,
is traced for derivatives, and is compiled by `robodyn_ros.kernels`.
"""

from robodyn_ros.algorithms import kane, legnani
from robodyn_ros.algorithms.center_of_mass import (
    CenterOfMassMotion,
    center_of_mass_motion,
    centers_of,
)
from robodyn_ros.algorithms.coriolis_matrix import coriolis_matrix
from robodyn_ros.algorithms.derivatives import inverse_dynamics_derivatives
from robodyn_ros.algorithms.effort_terms import (
    EffortTerms,
    bias_force,
    effort_terms,
    gravity_force,
)
from robodyn_ros.algorithms.energy import Energy, energy
from robodyn_ros.algorithms.forward_derivatives import forward_dynamics_derivatives
from robodyn_ros.algorithms.forward_dynamics import (
    forward_dynamics,
    forward_dynamics_by_mass_matrix,
)
from robodyn_ros.algorithms.inertial_frames import pose_in_world, seen_from
from robodyn_ros.algorithms.integrate import (
    coordinate_rates,
    difference,
    integrate,
    neutral,
    random_configuration,
)
from robodyn_ros.algorithms.inverse_dynamics import inverse_dynamics
from robodyn_ros.algorithms.jacobian import jacobian
from robodyn_ros.algorithms.jacobian_bias import jacobian_bias
from robodyn_ros.algorithms.joint_friction import COULOMB_SPEED
from robodyn_ros.algorithms.kinematics import BodyMotion, body_motion, relative_poses
from robodyn_ros.algorithms.marker_motion import MarkerMotion, marker_motion, markers_of
from robodyn_ros.algorithms.mass_matrix import mass_matrix
from robodyn_ros.algorithms.momentum import (
    centroidal_momentum,
    centroidal_momentum_matrix,
    momentum,
)
from robodyn_ros.algorithms.regressor import regressor
from robodyn_ros.algorithms.total_center_of_mass import (
    RobotCenterOfMass,
    center_of_mass_jacobian,
    robot_center_of_mass,
)

__all__ = [
    "COULOMB_SPEED",
    "BodyMotion",
    "CenterOfMassMotion",
    "EffortTerms",
    "Energy",
    "MarkerMotion",
    "RobotCenterOfMass",
    "bias_force",
    "body_motion",
    "center_of_mass_jacobian",
    "center_of_mass_motion",
    "centers_of",
    "centroidal_momentum",
    "centroidal_momentum_matrix",
    "coordinate_rates",
    "coriolis_matrix",
    "difference",
    "effort_terms",
    "energy",
    "forward_dynamics",
    "forward_dynamics_by_mass_matrix",
    "forward_dynamics_derivatives",
    "gravity_force",
    "integrate",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "jacobian",
    "jacobian_bias",
    "kane",
    "legnani",
    "marker_motion",
    "markers_of",
    "mass_matrix",
    "momentum",
    "neutral",
    "pose_in_world",
    "random_configuration",
    "regressor",
    "relative_poses",
    "robot_center_of_mass",
    "seen_from",
]
