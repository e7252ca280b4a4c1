"""Mechanism files: YAML descriptions of what URDF cannot say, alone or laid over a URDF."""

from robodyn_ros.description.mechanism.drawing import Shape
from robodyn_ros.description.mechanism.mechanism import Mechanism, Simulation, read_mechanism

__all__ = ["Mechanism", "Shape", "Simulation", "read_mechanism"]
