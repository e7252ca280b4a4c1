"""The demo's own node: it subscribes as any other program would, and keeps what comes."""

from __future__ import annotations

import math
import time
from typing import Any

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from robodyn_interfaces.msg import BodyState, BodyStateArray, SimulatorStatus
from sensor_msgs.msg import JointState

from robodyn_ros.cli.demo_view import BodyRow, Observations, SimulatedClock
from robodyn_ros.conditioning.complaints import one_line
from robodyn_ros.errors import RobodynError
from robodyn_ros.ros import qos
from tf2_msgs.msg import TFMessage


class Observer:
    """Subscribes to the demo's topics."""

    def __init__(self, seen: Observations) -> None:
        """Join the graph; what comes is put into `seen`."""
        try:
            rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
        except Exception as error:  # noqa: BLE001 - rclpy has several types
            raise RobodynError(f"ROS 2 does not start: {one_line(error)}") from None
        self.seen = seen
        # No parameters: a malformed request for one would raise through the executor.
        self._node = Node("robodyn_demo", start_parameter_services=False)
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        for kind, topic, callback, profile in (
            (JointState, "joint_states", self._joint_state, qos.joint_states("reliable")),
            (TFMessage, "/tf", self._transforms, qos.TF),
            (BodyStateArray, "robodyn_node/body_states", self._body_states, qos.STREAM),
            (SimulatorStatus, "simulator/status", self._status, qos.STREAM),
        ):
            self._node.create_subscription(kind, topic, callback, profile)

    def spin(self, seconds: float) -> None:
        """Handle what comes within a time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0.0:
            self._executor.spin_once(timeout_sec=left)

    def close(self) -> None:
        """Leave the graph."""
        self._executor.shutdown()
        self._node.destroy_node()
        rclpy.try_shutdown()

    def _arrived(self, stream: str, header: Any) -> None:
        # Stamps of simulated time say nothing of how long a message took.
        latency = math.nan if self.seen.simulated else time.time() - _seconds(header)
        self.seen.streams[stream].arrived(time.monotonic(), latency)

    def _joint_state(self, message: JointState) -> None:
        self._arrived("joint states", message.header)

    def _transforms(self, message: TFMessage) -> None:
        if message.transforms:
            self._arrived("transforms", message.transforms[0].header)

    def _body_states(self, message: BodyStateArray) -> None:
        self._arrived("body states", message.header)
        self.seen.bodies = [_row(body) for body in message.bodies]

    def _status(self, message: SimulatorStatus) -> None:
        self.seen.clock = SimulatedClock(
            _seconds(message.header), message.real_time_factor, message.paused
        )


def _seconds(header: Any) -> float:
    return float(header.stamp.sec + header.stamp.nanosec * 1e-9)


def _row(body: BodyState) -> BodyRow:
    position = body.pose.position
    return BodyRow(
        body.name,
        (position.x, position.y, position.z),
        _norm(body.twist.linear),
        _norm(body.twist.angular),
        _norm(body.acceleration.linear),
        body.valid,
    )


def _norm(vector: Any) -> float:
    return math.hypot(vector.x, vector.y, vector.z)
