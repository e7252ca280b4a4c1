"""The FILE that commands take: what the help says of it, and where it leads."""

from __future__ import annotations

from pathlib import Path

DEMO_ARM = "demo_arm"

FILE_HELP = f"a .urdf, .xacro or .yaml file, {DEMO_ARM}, or a robot of example-robot-data by name"


def find_robot(name: str) -> Path:
    """Return the file that a FILE names: `robodyn_ros.find_robot`, imported when it is called."""
    from robodyn_ros.robot import find_robot

    return find_robot(name)
