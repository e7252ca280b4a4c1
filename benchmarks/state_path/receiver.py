"""What the node publishes, taken from DDS now and then with the times at which it arrived there."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable
from typing import Any

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from robodyn_interfaces.msg import BodyStateArray, JointDynamics
from visualization_msgs.msg import MarkerArray

from benchmarks.state_path.nodes import TF_STAMP
from tf2_msgs.msg import TFMessage

DEADLINE = 30.0
_PAUSE = 0.01
"""Seconds between two looks."""
_PROFILE = QoSProfile(depth=5000, reliability=ReliabilityPolicy.RELIABLE)
_CUT = "merged only, backlog"
"""The node's own count of states that it merged and did not publish."""
_STAMP = struct.Struct("<iI")
_STREAMS = {
    "tf": (TFMessage, "/tf"),
    "body_states": (BodyStateArray, "state_publisher/body_states"),
    "visualization": (MarkerArray, "state_publisher/visualization"),
    "joint_dynamics": (JointDynamics, "state_publisher/joint_dynamics"),
    "diagnostics": (DiagnosticArray, "/diagnostics"),
}


class Receiver:
    """Receives as bytes, without an executor.

    Attributes:
        arrivals: Time of arrival of transforms by their stamp, ns both.
        counts: Messages of each stream.
        cut: The node's count of joint states without transforms because too many waited.
    """

    def __init__(self, *, everything: bool, efforts: bool = False) -> None:
        """Subscribe to TF, and on request to body states and visualization, or to efforts."""
        self.arrivals: dict[int, int] = {}
        self.cut = 0
        self._node: Node = rclpy.create_node("state_path_receiver")
        wanted = {
            "body_states": everything,
            "visualization": everything,
            "joint_dynamics": efforts,
        }
        self._streams = {
            name: self._node.create_subscription(kind, topic, len, _PROFILE, raw=True)
            for name, (kind, topic) in _STREAMS.items()
            if wanted.get(name, True)
        }
        self.counts = dict.fromkeys(self._streams, 0)

    @property
    def has_source(self) -> bool:
        """Whether somebody is there who publishes joint states."""
        return self._node.count_publishers("joint_states") > 0

    def watch(self, condition: Callable[[], bool], deadline: float = float("inf")) -> None:
        """Receive until a condition holds.

        Raises:
            SystemExit: It does not within `deadline` seconds.
        """
        end = time.monotonic() + deadline
        while not condition():
            if time.monotonic() > end:
                raise SystemExit(f"the node did not do what is measured within {deadline:.0f} s")
            time.sleep(_PAUSE)
            self._take()

    def _take(self) -> None:
        for name, subscription in self._streams.items():
            take, kind = subscription.handle.take_message, subscription.msg_type
            while (taken := take(kind, True)) is not None:
                self.counts[name] += 1
                if name == "tf":
                    self._note(*taken)
                elif name == "diagnostics":
                    self._read(deserialize_message(taken[0], DiagnosticArray))

    def _note(self, data: bytes, info: dict[str, Any]) -> None:
        sec, nanosec = _STAMP.unpack(data[TF_STAMP])
        self.arrivals.setdefault(sec * 1_000_000_000 + nanosec, info["received_timestamp"])

    def _read(self, message: Any) -> None:
        for status in message.status:
            self.cut = next((int(v.value) for v in status.values if v.key == _CUT), self.cut)
