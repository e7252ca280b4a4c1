"""Live multibody kinematics and dynamics from a robot description.

    import robodyn_ros as rd

    robot = rd.load("panda.urdf")
    motion = robot.body_motion(robot.neutral())

Importing this package imports no ROS.
"""

from robodyn_ros import algorithms
from robodyn_ros.errors import (
    ArgumentError,
    CompilationError,
    DescriptionError,
    RobodynError,
    UnknownNameError,
)
from robodyn_ros.model import BaseMotion, Environment, Model, ModelBuilder
from robodyn_ros.robot import Robot, load

__all__ = [
    "ArgumentError",
    "BaseMotion",
    "CompilationError",
    "DescriptionError",
    "Environment",
    "Model",
    "ModelBuilder",
    "RobodynError",
    "Robot",
    "UnknownNameError",
    "algorithms",
    "load",
]
