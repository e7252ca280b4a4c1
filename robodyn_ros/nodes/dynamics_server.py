"""`dynamics_server`: services for a robot's dynamics, and the efforts behind every joint state."""

from __future__ import annotations

import sys

from robodyn_ros.ros.dynamics import Dynamics
from robodyn_ros.ros.external_wrench import ExternalWrenches
from robodyn_ros.ros.model_checking import ModelChecking
from robodyn_ros.ros.parameter_tables import DYNAMICS_SERVER_PARAMETERS
from robodyn_ros.ros.services.dynamics_services import DynamicsServices
from robodyn_ros.ros.state_node import StateNode
from robodyn_ros.ros.wrench_inputs import WrenchInputs


class DynamicsServer(StateNode):
    """Answers what a robot's dynamics are, and publishes its efforts for every joint state."""

    def __init__(self) -> None:
        super().__init__("dynamics_server", DYNAMICS_SERVER_PARAMETERS)
        dynamics = Dynamics(self)
        self.follow(
            dynamics,
            DynamicsServices(self, dynamics),
            WrenchInputs(self),
            ExternalWrenches(self, dynamics),
            ModelChecking(self, dynamics),
        )


def main() -> int:
    """Run the node; the installed executable enters by `robodyn_ros.nodes.executables`."""
    from robodyn_ros.nodes.executables import dynamics_server

    return dynamics_server()


if __name__ == "__main__":
    sys.exit(main())
