"""Joint types behind one contract (`Joint`), and their catalogue."""

from robodyn_ros.joints.catalogue import JOINT_TYPES
from robodyn_ros.joints.fixed import Fixed
from robodyn_ros.joints.floating import Floating
from robodyn_ros.joints.joint import Joint, JointLimits
from robodyn_ros.joints.planar import Planar
from robodyn_ros.joints.prismatic import Prismatic
from robodyn_ros.joints.reversed import Reversed
from robodyn_ros.joints.revolute import Continuous, Revolute

__all__ = [
    "JOINT_TYPES",
    "Continuous",
    "Fixed",
    "Floating",
    "Joint",
    "JointLimits",
    "Planar",
    "Prismatic",
    "Reversed",
    "Revolute",
]
