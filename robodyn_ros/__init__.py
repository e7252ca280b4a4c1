"""Live multibody kinematics and dynamics from a robot description.

    import robodyn_ros as rd

    robot = rd.load("panda.urdf")
    motion = robot.body_motion(robot.neutral())

Importing this package imports no ROS. What it names is imported when it is first used, so that a
node has its signals in hand, and a command shows its help, before NumPy is loaded.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from robodyn_ros import algorithms
    from robodyn_ros.errors import (
        ArgumentError,
        ClosureError,
        CompilationError,
        DescriptionError,
        RobodynError,
        SingularMassMatrixError,
        UnknownNameError,
    )
    from robodyn_ros.model import BaseMotion, Environment, Model, ModelBuilder, Payload
    from robodyn_ros.robot import Robot, find_robot, from_dh, load

__all__ = [
    "ArgumentError",
    "BaseMotion",
    "ClosureError",
    "CompilationError",
    "DescriptionError",
    "Environment",
    "Model",
    "ModelBuilder",
    "Payload",
    "RobodynError",
    "Robot",
    "SingularMassMatrixError",
    "UnknownNameError",
    "algorithms",
    "find_robot",
    "from_dh",
    "load",
]

_ROOMS = ("errors", "model", "robot")


def __getattr__(name: str) -> Any:
    """Import a public name from its room."""
    if name == "__version__":
        return import_module("importlib.metadata").version("robodyn_ros")
    if name == "algorithms":
        return import_module("robodyn_ros.algorithms")
    if name in __all__:
        for room in _ROOMS:
            module = import_module(f"robodyn_ros.{room}")
            if name in module.__all__:
                globals()[name] = getattr(module, name)
                return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
