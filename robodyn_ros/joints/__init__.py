"""Joint types behind one contract (`Joint`), and their catalogue."""

from robodyn_ros.joints.catalogue import JOINT_TYPES
from robodyn_ros.joints.dh import DhCylindrical, DhElement, DhHelical, DhPrismatic, DhRevolute
from robodyn_ros.joints.fixed import Fixed
from robodyn_ros.joints.floating import Floating
from robodyn_ros.joints.general import GeneralJoint
from robodyn_ros.joints.gimbal import Gimbal, Universal
from robodyn_ros.joints.joint import Joint, JointLimits, Limits
from robodyn_ros.joints.parameter import Parameter
from robodyn_ros.joints.placed import Placed
from robodyn_ros.joints.planar import Planar
from robodyn_ros.joints.prismatic import Prismatic
from robodyn_ros.joints.reversed import Reversed
from robodyn_ros.joints.revolute import Continuous, Revolute
from robodyn_ros.joints.rotation_vector import Global
from robodyn_ros.joints.screw import Cylindrical, Helical
from robodyn_ros.joints.six_dof import SixDof
from robodyn_ros.joints.spherical import Spherical
from robodyn_ros.joints.translational import Translational
from robodyn_ros.joints.user_defined import UserDefined

__all__ = [
    "JOINT_TYPES",
    "Continuous",
    "Cylindrical",
    "DhCylindrical",
    "DhElement",
    "DhHelical",
    "DhPrismatic",
    "DhRevolute",
    "Fixed",
    "Floating",
    "GeneralJoint",
    "Gimbal",
    "Global",
    "Helical",
    "Joint",
    "JointLimits",
    "Limits",
    "Parameter",
    "Placed",
    "Planar",
    "Prismatic",
    "Reversed",
    "Revolute",
    "SixDof",
    "Spherical",
    "Translational",
    "Universal",
    "UserDefined",
]
