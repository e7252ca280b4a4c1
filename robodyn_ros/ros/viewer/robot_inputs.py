"""All that a page listens to about one robot."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
from geometry_msgs.msg import WrenchStamped
from numpy.typing import NDArray
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.subscription import Subscription
from robodyn_interfaces.msg import (
    BodyStateArray,
    Environment,
    JointDynamics,
    MarkerStateArray,
    SimulatorStatus,
)
from sensor_msgs.msg import JointState

from robodyn_ros.ros import qos
from robodyn_ros.ros.viewer.latest import Latest
from robodyn_ros.ros.viewer.robot_names import RobotNames

Floats = NDArray[np.float64]

NEWEST = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=ReliabilityPolicy.BEST_EFFORT,
    durability=DurabilityPolicy.VOLATILE,
)
"""Of streams: publishers of both kinds are heard, and none waits for us."""
_EVENTS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=100,
    reliability=ReliabilityPolicy.BEST_EFFORT,
    durability=DurabilityPolicy.VOLATILE,
)
WRENCH_LASTS = 0.3
"""Seconds for which a wrench is shown after its last message."""
MOST_WRENCHES = 64


class RobotInputs:
    """The topics of one robot; they are subscribed while somebody looks."""

    def __init__(self, node: Node, names: RobotNames) -> None:
        """Prepare; nothing is subscribed before `listen`.

        Args:
            node: The node.
            names: Where the robot is.
        """
        server, simulator = names.server, names.simulator
        self.bodies = Latest(node, BodyStateArray, names.of(server, "body_states"), NEWEST)
        self.markers = Latest(node, MarkerStateArray, names.of(server, "marker_states"), NEWEST)
        self.dynamics = Latest(node, JointDynamics, names.of(server, "joint_dynamics"), NEWEST)
        self.joints = Latest(node, JointState, names.own("joint_states"), NEWEST)
        self.simulator = Latest(node, SimulatorStatus, names.of(simulator, "status"), NEWEST)
        self.environment = Latest(node, Environment, names.of(server, "environment"), qos.LATCHED)
        self._topics: tuple[Latest[Any], ...] = (
            *(self.bodies, self.markers, self.dynamics),
            *(self.joints, self.simulator, self.environment),
        )
        self.wrenches = ActingWrenches(node, names.of(simulator, "external_wrenches"))
        self.estimates = ActingWrenches(node, names.of(server, "external_wrench"))

    def listen(self, *, markers: bool) -> None:
        """Subscribe to all; to states of markers only where there are any."""
        for topic in self._topics:
            if topic is not self.markers or markers:
                topic.listen()
        self.wrenches.listen()
        self.estimates.listen()

    def stop(self) -> None:
        """Unsubscribe from all."""
        for topic in self._topics:
            topic.stop()
        self.wrenches.stop()
        self.estimates.stop()

    def trouble(self) -> str:
        """Return what is wrong with what came; "" for nothing."""
        return next((topic.trouble for topic in self._topics if topic.trouble), "")


class ActingWrenches:
    """The wrenches that act on a robot, simulated or estimated: one message each, again and again.

    The number of frames is bounded, as everything that anybody may send.
    """

    def __init__(self, node: Node, topic: str) -> None:
        """Prepare; nothing is subscribed before `listen`.

        Args:
            node: The node.
            topic: Their topic, as `node` resolves it.
        """
        self._node = node
        self._topic = topic
        self._subscription: Subscription | None = None
        self._acting: dict[str, tuple[float, Floats]] = {}

    def listen(self) -> None:
        """Subscribe; again does nothing."""
        if self._subscription is None:
            self._subscription = self._node.create_subscription(
                WrenchStamped, self._topic, self._take, _EVENTS
            )

    def stop(self) -> None:
        """Unsubscribe; again does nothing."""
        if self._subscription is not None:
            self._node.destroy_subscription(self._subscription)
            self._subscription = None
            self._acting.clear()

    def now(self) -> Mapping[str, Floats]:
        """Return the wrenches that act, [moment; force] (6,) by frame, in its axes, N m and N."""
        since = time.monotonic() - WRENCH_LASTS
        self._acting = {name: x for name, x in self._acting.items() if x[0] > since}
        return {name: wrench for name, (_, wrench) in self._acting.items()}

    def _take(self, message: WrenchStamped) -> None:
        frame, torque, force = message.header.frame_id, message.wrench.torque, message.wrench.force
        wrench = np.array([torque.x, torque.y, torque.z, force.x, force.y, force.z])
        known = frame in self._acting or len(self._acting) < MOST_WRENCHES
        if not wrench.any():  # the last of those that acted
            self._acting.pop(frame, None)
        elif known and np.isfinite(wrench).all():
            self._acting[frame] = (time.monotonic(), wrench)
