"""Models moving in time: integration of their equations of motion, or driven by functions."""

from robodyn_ros.simulation.driven import driven_motion
from robodyn_ros.simulation.motors import CommandMode
from robodyn_ros.simulation.simulator import Simulator
from robodyn_ros.simulation.trajectory import Trajectory, simulate

__all__ = ["CommandMode", "Simulator", "Trajectory", "driven_motion", "simulate"]
