"""`gravity_compensation`: holds a robot's weight, so that it floats where it is put."""

from __future__ import annotations

import sys

from robodyn_ros.ros.controllers.controller_node import ControllerNode
from robodyn_ros.ros.controllers.laws import gravity_law
from robodyn_ros.ros.parameter_tables import GRAVITY_COMPENSATION_PARAMETERS


class GravityCompensation(ControllerNode):
    """Holds a robot's weight, so that it floats where it is put."""

    def __init__(self) -> None:
        super().__init__(
            "gravity_compensation", GRAVITY_COMPENSATION_PARAMETERS, gravity_law, referenced=False
        )


def main() -> int:
    """Run the node; the installed executable enters by `robodyn_ros.nodes.executables`."""
    from robodyn_ros.nodes.executables import gravity_compensation

    return gravity_compensation()


if __name__ == "__main__":
    sys.exit(main())
