"""A simulated arm under a controller, in simulated time that goes on as a test says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from controller_rig import ControllerRig
from ros_graph import time_message
from simulator_rig import SimulatorRig, positions, velocities

PATIENT = {
    "state_timeout": 10.0,
    "min_rate": 0.0,
    "clock_jump": 100.0,
    "use_sim_time": True,
    "diagnostics_period": 0.2,
    "joint_states_reliability": "reliable",
}
"""Parameters with which a busy machine is no fault, and no state is lost."""
TOPICS = {
    JointState: "simulator/effort_command",
    JointTrajectory: "joint_trajectory_controller/joint_trajectory",
    Float64MultiArray: "forward_effort_controller/commands",
}
_STEP = 1e-3
_ATTEMPTS = 3
_SETTLING = 500
"""Steps in which servos come to rest where they hold the robot."""


class ControlledArm:
    """A paused simulation and a controller that is active on it; time goes on as `advance` says.

    Each turn is: some steps, their state, the command of that state. So a busy machine delays
    nothing in simulated time, and the controller judges faults by that. The hardware has steps of
    1 ms.

    Attributes:
        hardware: The simulation.
        rig: The controller.
        sent: Its commands.
    """

    def __init__(
        self,
        hardware: SimulatorRig,
        controller: str,
        start: Mapping[str, float],
        *,
        rate: float,
        commands: type = Float64MultiArray,
        **parameters: Any,
    ) -> None:
        """Put the hardware into a position and activate the controller.

        Args:
            hardware: Paused, holding itself until something else is commanded.
            controller: Name of the executable.
            start: Position by coordinate name.
            rate: Of its joint states, Hz.
            commands: Type of the commands.
            parameters: Of the controller.
        """
        self.hardware, self.graph = hardware, hardware.graph
        self._period = round(1.0 / (rate * _STEP))
        self._rate = rate
        place = hardware.place
        self.sent = self.graph.listen(commands, f"{place}/{TOPICS[commands]}")
        self._controller = controller
        self._parameters = {"robot_description_file": hardware.path, **PATIENT, **parameters}
        self.start_controller(controller)
        assert hardware.set_state(start, start.values()).success
        self._hold(start)
        self.activate()

    def start_controller(self, name: str) -> None:
        """Start a process of the controller, its node of another name than those before."""
        place = self.hardware.place
        arguments = [*self.hardware.arguments, "-r", f"__node:={name}"]
        self.rig = ControllerRig(
            self.graph, self._controller, self._parameters, *arguments, node=f"{place}/{name}"
        )

    def activate(self) -> None:
        """Configure the controller, and activate it once it allows it."""
        assert self.rig.configure()
        self.graph.wait(self._activated, f"{self.rig.name} to be activated", 300.0)

    def _hold(self, start: Mapping[str, float]) -> None:
        """Have servos hold a position, whatever the delay of commands, until they rest there."""
        hardware, graph = self.hardware, self.graph
        topic = f"{hardware.node}/position_command"
        to = graph.publisher(JointState, topic)
        graph.connect(to)
        for _ in range(_ATTEMPTS):  # what is published right after matching may be lost
            to.publish(JointState(name=[*start], position=[*start.values()]))
            graph.spin(0.1)
        hardware.step(_SETTLING)
        graph.node.destroy_publisher(to)

    def _activated(self) -> bool:
        self.hardware.step(self._period)
        return self.rig.activate()

    def advance(self, duration: float) -> list[JointState]:
        """Let simulated time pass, s; return the states in it."""
        states = []
        for _ in range(round(duration * self._rate)):
            count = len(self.sent)
            states.append(self.hardware.step(self._period))
            self.graph.wait(lambda before=count: len(self.sent) > before, "a command")
        return states

    def position(self, names: Sequence[str]) -> np.ndarray:
        """Return the newest position of some coordinates."""
        newest = positions(self.hardware.states[-1])
        return np.array([newest[name] for name in names])

    def velocity(self, names: Sequence[str]) -> np.ndarray:
        """Return the newest velocity of some coordinates."""
        newest = velocities(self.hardware.states[-1])
        return np.array([newest[name] for name in names])

    def topic(self, name: str) -> str:
        """Return the full name of one of the controller's topics."""
        return f"{self.rig.name}/{name}"


def trajectory(points: dict[float, dict[str, float]]) -> JointTrajectory:
    """Return a trajectory from now on: positions by name, at times."""
    names = list(next(iter(points.values())))
    message = JointTrajectory(joint_names=names)
    for time, given in points.items():
        point = JointTrajectoryPoint(positions=list(given.values()))
        stamp = time_message(time)
        point.time_from_start.sec, point.time_from_start.nanosec = stamp.sec, stamp.nanosec
        message.points.append(point)
    return message
