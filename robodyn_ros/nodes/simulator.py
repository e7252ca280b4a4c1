"""`simulator`: forward dynamics of any robot or mechanism, in real time."""

from __future__ import annotations

import sys

from robodyn_ros.ros.simulator.simulator_node import SimulatorNode

__all__ = ["SimulatorNode"]


def main() -> int:
    """Run the node; the installed executable enters by `robodyn_ros.nodes.executables`."""
    from robodyn_ros.nodes.executables import simulator

    return simulator()


if __name__ == "__main__":
    sys.exit(main())
