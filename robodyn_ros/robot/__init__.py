"""The facade: `load` returns a `Robot`."""

from robodyn_ros.robot.loading import from_dh, load
from robodyn_ros.robot.results import LazyBodyMotion, LazyCenterOfMassMotion
from robodyn_ros.robot.robot import Robot
from robodyn_ros.robot.robot_files import find_robot

__all__ = ["LazyBodyMotion", "LazyCenterOfMassMotion", "Robot", "find_robot", "from_dh", "load"]
