"""The catalogue: a row for every joint type, by the name that descriptions use."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from robodyn_ros.joints.dh import DhCylindrical, DhHelical, DhPrismatic, DhRevolute
from robodyn_ros.joints.fixed import Fixed
from robodyn_ros.joints.floating import Floating
from robodyn_ros.joints.gimbal import Gimbal, Universal
from robodyn_ros.joints.joint import Joint
from robodyn_ros.joints.planar import Planar
from robodyn_ros.joints.prismatic import Prismatic
from robodyn_ros.joints.revolute import Continuous, Revolute
from robodyn_ros.joints.rotation_vector import Global
from robodyn_ros.joints.screw import Cylindrical, Helical
from robodyn_ros.joints.six_dof import SixDof
from robodyn_ros.joints.spherical import Spherical
from robodyn_ros.joints.translational import Translational
from robodyn_ros.joints.user_defined import UserDefined

#: Name -> class. `JOINT_TYPES[name].parameters` describes what its constructor takes, by keyword.
JOINT_TYPES: Mapping[str, type[Joint]] = MappingProxyType(
    {
        joint_type.type_name: joint_type
        for joint_type in (
            Fixed,
            Revolute,
            Continuous,
            Prismatic,
            Planar,
            Floating,
            Translational,
            Spherical,
            Global,
            SixDof,
            Gimbal,
            Universal,
            Cylindrical,
            Helical,
            DhRevolute,
            DhPrismatic,
            DhCylindrical,
            DhHelical,
            UserDefined,
        )
    }
)
