"""Control laws: pure functions of state, reference and gains; and what keeps them safe.

`gravity_compensation`, `joint_pd`, `computed_torque`, `joint_impedance` and `cartesian_impedance`
are the laws; classes put a reference to them, and `Supervisor` decides what is sent.
"""

from robodyn_ros.control.cartesian_impedance import CartesianGains, cartesian_impedance, pose_error
from robodyn_ros.control.cartesian_law import CartesianImpedanceLaw
from robodyn_ros.control.commanded import Commanded
from robodyn_ros.control.computed_torque import computed_torque
from robodyn_ros.control.damping_design import Springs, damped_springs
from robodyn_ros.control.effort_limits import EffortShaper
from robodyn_ros.control.faults import Fault, FaultKind, SafeForm
from robodyn_ros.control.gravity_compensation import gravity_compensation
from robodyn_ros.control.gravity_law import GravityLaw
from robodyn_ros.control.joint_follower import JointFollower
from robodyn_ros.control.joint_impedance import joint_impedance
from robodyn_ros.control.joint_pd import joint_pd
from robodyn_ros.control.joint_trajectory import JointTrajectory, TrajectoryPoints
from robodyn_ros.control.law import Law
from robodyn_ros.control.null_space import TaskInertia, task_inertia
from robodyn_ros.control.pose_motion import PoseMotion
from robodyn_ros.control.reference import JointReference, PoseReference
from robodyn_ros.control.safe_law import SafeGains, SafeLaw
from robodyn_ros.control.state import RobotState
from robodyn_ros.control.supervisor import Command, Supervisor
from robodyn_ros.control.tracking_laws import ComputedTorqueLaw, JointImpedanceLaw, JointPdLaw
from robodyn_ros.control.watchdog import Watchdog, WatchdogLimits

__all__ = [
    "CartesianGains",
    "CartesianImpedanceLaw",
    "Command",
    "Commanded",
    "ComputedTorqueLaw",
    "EffortShaper",
    "Fault",
    "FaultKind",
    "GravityLaw",
    "JointFollower",
    "JointImpedanceLaw",
    "JointPdLaw",
    "JointReference",
    "JointTrajectory",
    "Law",
    "PoseMotion",
    "PoseReference",
    "RobotState",
    "SafeForm",
    "SafeGains",
    "SafeLaw",
    "Springs",
    "Supervisor",
    "TaskInertia",
    "TrajectoryPoints",
    "Watchdog",
    "WatchdogLimits",
    "cartesian_impedance",
    "computed_torque",
    "damped_springs",
    "gravity_compensation",
    "joint_impedance",
    "joint_pd",
    "pose_error",
    "task_inertia",
]
