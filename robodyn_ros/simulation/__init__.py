"""Models moving in time by themselves: integration of their equations of motion."""

from robodyn_ros.simulation.trajectory import Trajectory, simulate

__all__ = ["Trajectory", "simulate"]
