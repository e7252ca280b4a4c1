"""Efforts to whoever exerts them: three forms of message, made once and filled in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from rclpy.exceptions import InvalidTopicNameException
from rclpy.node import Node
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from robodyn_ros.control.commanded import Commanded
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.cdr.template import Template
from robodyn_ros.ros.controllers.parameters import BY_NAME, FORWARD, TRAJECTORY
from robodyn_ros.ros.graph_watch import Endpoint

Floats = NDArray[np.float64]
_TOPICS = {
    FORWARD: "forward_effort_controller/commands",
    BY_NAME: "simulator/effort_command",
    TRAJECTORY: "joint_trajectory_controller/joint_trajectory",
}
_TYPES = {FORWARD: Float64MultiArray, BY_NAME: JointState, TRAJECTORY: JointTrajectory}
NOTHING: Floats = np.zeros(0)


class CommandOutput:
    """Publishes the efforts of commanded joints.

    Attributes:
        topic: As given, before remapping.
    """

    def __init__(self, node: Node, interface: str, topic: str) -> None:
        """Make the publisher.

        Args:
            node: The node.
            interface: One of `INTERFACES`.
            topic: Of the commands, "" for the interface's own.

        Raises:
            ArgumentError: the topic has no possible name.
        """
        self.topic = topic or _TOPICS[interface]
        self._interface = interface
        kind = _TYPES[interface]
        try:
            publisher = node.create_publisher(
                kind, self.topic, qos.STREAM, event_callbacks=qos.QUIET
            )
        except InvalidTopicNameException as error:
            raise ArgumentError(
                f"command_topic {quoted(self.topic)} is no name of a topic: {error}"
            ) from None
        self._publisher = publisher
        self._send = getattr(publisher.handle, "publish_raw", publisher.publish)
        self._template: Template | None = None
        self._numbers: Floats = NOTHING
        self.end = Endpoint(self.topic, kind, qos.STREAM)

    @property
    def listeners(self) -> int:
        """How many subscribe."""
        return int(self._publisher.get_subscription_count())

    @property
    def has_positions(self) -> bool:
        """Whether it sends positions and velocities too."""
        return self._interface == TRAJECTORY

    def begin(self, commanded: Commanded) -> None:
        """Lay the message out for these joints."""
        names, count = list(commanded.names), len(commanded.names)
        every = range(count)
        zeros = [0.0] * count
        if self._interface == FORWARD:
            message = Float64MultiArray(data=zeros)
            targets = [(f"data[{k}]", k) for k in every]
            self._template = Template(message, (), targets)
        elif self._interface == BY_NAME:
            state = JointState(name=names, effort=zeros)
            targets = [(f"effort[{k}]", k) for k in every]
            self._template = Template(state, ("header.stamp",), targets)
        else:
            point = JointTrajectoryPoint(positions=zeros, velocities=zeros, effort=zeros)
            trajectory = JointTrajectory(joint_names=names, points=[point])
            fields = ("effort", "positions", "velocities")
            targets = [
                (f"points[0].{field}[{k}]", row * count + k)
                for row, field in enumerate(fields)
                for k in every
            ]
            self._template = Template(trajectory, (), targets)
        self._numbers = np.zeros(len(targets))

    def send(self, stamp: int, effort: Floats, *motion: Floats) -> None:
        """Publish efforts (n,), and positions and velocities (n,) where it sends them.

        Args:
            stamp: ns.
            effort: N m or N, finite.
            motion: rad or m, and their rates.
        """
        if self._template is None:
            return
        np.concatenate((effort, *motion), out=self._numbers)
        self._send(self._template.fill(stamp, self._numbers, NOTHING))
