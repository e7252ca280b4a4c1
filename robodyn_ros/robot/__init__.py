"""The facade: `load` returns a `Robot`."""

from robodyn_ros.robot.loading import load
from robodyn_ros.robot.results import LazyBodyMotion, LazyCenterOfMassMotion
from robodyn_ros.robot.robot import Robot

__all__ = ["LazyBodyMotion", "LazyCenterOfMassMotion", "Robot", "load"]
