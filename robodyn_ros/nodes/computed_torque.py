"""`computed_torque`: has a robot follow trajectories, its dynamics cancelled."""

from __future__ import annotations

import sys

from robodyn_ros.ros.controllers.controller_node import ControllerNode
from robodyn_ros.ros.controllers.laws import tracking_law
from robodyn_ros.ros.parameter_tables import COMPUTED_TORQUE_PARAMETERS


class ComputedTorque(ControllerNode):
    """Has a robot follow trajectories, its dynamics cancelled."""

    def __init__(self) -> None:
        super().__init__("computed_torque", COMPUTED_TORQUE_PARAMETERS, tracking_law)


def main() -> int:
    """Run the node; the installed executable enters by `robodyn_ros.nodes.executables`."""
    from robodyn_ros.nodes.executables import computed_torque

    return computed_torque()


if __name__ == "__main__":
    sys.exit(main())
