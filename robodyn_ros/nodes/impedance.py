"""`impedance`: springs at the joints, or at a frame."""

from __future__ import annotations

import sys

from robodyn_ros.ros.controllers.controller_node import ControllerNode
from robodyn_ros.ros.controllers.laws import impedance_law
from robodyn_ros.ros.parameter_tables import IMPEDANCE_NODE_PARAMETERS


class Impedance(ControllerNode):
    """Springs at the joints, or at a frame."""

    def __init__(self) -> None:
        super().__init__("impedance", IMPEDANCE_NODE_PARAMETERS, impedance_law)


def main() -> int:
    """Run the node; the installed executable enters by `robodyn_ros.nodes.executables`."""
    from robodyn_ros.nodes.executables import impedance

    return impedance()


if __name__ == "__main__":
    sys.exit(main())
