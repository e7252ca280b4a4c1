"""`state_publisher`: joint states in; frames, velocities and accelerations of all bodies out."""

from __future__ import annotations

import sys

from robodyn_ros.ros.acting_sources import MeasuredActing
from robodyn_ros.ros.followed_environment import FollowedEnvironment
from robodyn_ros.ros.marker_states import MarkerStates
from robodyn_ros.ros.parameter_tables import STATE_PARAMETERS
from robodyn_ros.ros.state_node import StateNode
from robodyn_ros.ros.state_outputs import StateOutputs
from robodyn_ros.ros.visualization import Visualization
from robodyn_ros.ros.wrench_inputs import WrenchInputs


class StatePublisher(StateNode):
    """Publishes the motion of a robot's bodies for every joint state."""

    def __init__(self) -> None:
        super().__init__("state_publisher", STATE_PARAMETERS)
        environment = FollowedEnvironment(self)
        self.follow(
            environment,
            WrenchInputs(self),
            StateOutputs(self, self.traffic),
            MarkerStates(self, self.traffic),
            Visualization(
                self,
                self.config,
                self.traffic,
                self.snapshot,
                self.source.drawing,
                MeasuredActing(self, environment),
            ),
        )


def main() -> int:
    """Run the node; the installed executable enters by `robodyn_ros.nodes.executables`."""
    from robodyn_ros.nodes.executables import state_publisher

    return state_publisher()


if __name__ == "__main__":
    sys.exit(main())
