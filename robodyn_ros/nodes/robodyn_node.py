"""`robodyn_node`: `state_publisher` and `dynamics_server` over one model and one state."""

from __future__ import annotations

import sys

from robodyn_ros.ros.acting_sources import ComputedActing
from robodyn_ros.ros.dynamics import Dynamics
from robodyn_ros.ros.external_wrench import ExternalWrenches
from robodyn_ros.ros.marker_states import MarkerStates
from robodyn_ros.ros.model_checking import ModelChecking
from robodyn_ros.ros.parameter_tables import ROBODYN_PARAMETERS
from robodyn_ros.ros.services.dynamics_services import DynamicsServices
from robodyn_ros.ros.state_node import StateNode
from robodyn_ros.ros.state_outputs import StateOutputs
from robodyn_ros.ros.visualization import Visualization
from robodyn_ros.ros.wrench_inputs import WrenchInputs


class RobodynNode(StateNode):
    """Publishes motion and efforts, and answers questions, with one kernel call a joint state."""

    def __init__(self) -> None:
        super().__init__("robodyn_node", ROBODYN_PARAMETERS)
        dynamics = Dynamics(self)
        external = ExternalWrenches(self, dynamics)
        # Transforms first: others wait for them.
        self.follow(
            StateOutputs(self, self.traffic),
            MarkerStates(self, self.traffic),
            dynamics,
            DynamicsServices(self, dynamics),
            WrenchInputs(self),
            external,
            ModelChecking(self, dynamics),
            Visualization(
                self,
                self.config,
                self.traffic,
                self.snapshot,
                self.source.drawing,
                ComputedActing(self, dynamics, external),
            ),
        )


def main() -> int:
    """Run the node; the installed executable enters by `robodyn_ros.nodes.executables`."""
    from robodyn_ros.nodes.executables import robodyn_node

    return robodyn_node()


if __name__ == "__main__":
    sys.exit(main())
