"""A URDF for current Gazebo and ros2_control, made from one that is not: tags, bodies, YAML."""

from robodyn_ros.description.gazebo.bodies import GazeboBody, gazebo_bodies
from robodyn_ros.description.gazebo.controllers import bridge_yaml, controllers_yaml
from robodyn_ros.description.gazebo.remarks import Remark
from robodyn_ros.description.gazebo.settings import GazeboSettings
from robodyn_ros.description.gazebo.wrapper import GazeboDescription, gazebo_description

__all__ = [
    "GazeboBody",
    "GazeboDescription",
    "GazeboSettings",
    "Remark",
    "bridge_yaml",
    "controllers_yaml",
    "gazebo_bodies",
    "gazebo_description",
]
