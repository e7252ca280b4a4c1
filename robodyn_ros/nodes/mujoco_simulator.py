"""`mujoco_simulator`: a robot in MuJoCo, as the hardware that controllers drive."""

from __future__ import annotations

import sys

from robodyn_ros.ros.mujoco.mujoco_node import MujocoSimulatorNode

__all__ = ["MujocoSimulatorNode"]


def main() -> int:
    """Run the node; the installed executable enters by `robodyn_ros.nodes.executables`."""
    from robodyn_ros.nodes.executables import mujoco_simulator

    return mujoco_simulator()


if __name__ == "__main__":
    sys.exit(main())
