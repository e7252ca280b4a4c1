"""The catalogue: a row for every joint type, by the name that descriptions use."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from robodyn_ros.joints.fixed import Fixed
from robodyn_ros.joints.floating import Floating
from robodyn_ros.joints.joint import Joint
from robodyn_ros.joints.planar import Planar
from robodyn_ros.joints.prismatic import Prismatic
from robodyn_ros.joints.revolute import Continuous, Revolute

JOINT_TYPES: Mapping[str, type[Joint]] = MappingProxyType(
    {
        joint_type.type_name: joint_type
        for joint_type in (Fixed, Revolute, Continuous, Prismatic, Planar, Floating)
    }
)
