"""The nodes that are measured, all started the same way.

The real one, one with a busy thread, and the floor, which only receives and publishes.

    python -m benchmarks.state_path.nodes Floor --ros-args -p robot_description_file:=panda.urdf
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robodyn_ros.ros.process import run

if TYPE_CHECKING:
    from rclpy.node import Node

BUSY_THREAD = "busy"
"""Name that the system knows the busy thread by."""
STATE_STAMP = slice(4, 12)
"""Where a serialised JointState has its stamp: behind the CDR header."""
TF_STAMP = slice(8, 16)
"""Where a serialised TFMessage has its first stamp: behind the number of transforms too."""


def _floor() -> type[Node]:
    import rclpy.node
    from sensor_msgs.msg import JointState

    from robodyn_ros import load
    from robodyn_ros.conditioning.frames import FramePlan
    from robodyn_ros.ros import qos
    from robodyn_ros.ros.conversions import transform_template
    from robodyn_ros.ros.hot_subscription import HotSubscription
    from tf2_msgs.msg import TFMessage

    class Floor(rclpy.node.Node):
        """Publishes the same transforms for each joint state, and touches nothing but a stamp."""

        def __init__(self) -> None:
            super().__init__("state_publisher")
            path = self.declare_parameter("robot_description_file", "").value
            reliability = self.declare_parameter("joint_states_reliability", "best_effort").value
            data = _some_transforms(FramePlan(load(path, compile="off").model), transform_template)
            self._begin, self._end = data[: TF_STAMP.start], data[TF_STAMP.stop :]
            self._tf = self.create_publisher(TFMessage, "/tf", qos.TF, event_callbacks=qos.QUIET)
            profile = qos.joint_states(reliability)
            self._subscription = HotSubscription(
                self, JointState, "joint_states", profile, self._received
            )
            self._subscription.start()

        def destroy_node(self) -> None:
            self._subscription.stop()
            super().destroy_node()

        def _received(self, messages: list[bytes]) -> None:
            begin, end, publish = self._begin, self._end, self._tf.publish
            for data in messages:
                publish(begin + data[STATE_STAMP] + end)

    return Floor


def _some_transforms(plan: Any, transform_template: Any) -> bytes:
    """Return the message that state_publisher sends for a whole robot, with all numbers zero."""
    import numpy as np

    frames = plan.children(np.arange(len(plan.slots)))
    template = transform_template(plan.pairs(frames), frames.tolist())
    return bytes(template.fill(0, np.zeros(7 * (int(frames.max()) + 1))))


def _busy_state_publisher() -> type[Node]:
    from robodyn_ros.nodes.state_publisher import StatePublisher

    class BusyStatePublisher(StatePublisher):
        """state_publisher in a process with another thread that never stops computing."""

        def __init__(self) -> None:
            super().__init__()
            threading.Thread(target=_spin, daemon=True).start()

    return BusyStatePublisher


def _spin() -> None:
    Path(f"/proc/self/task/{threading.get_native_id()}/comm").write_text(BUSY_THREAD)
    number = 1
    while True:
        number = number * 1103515245 + 12345 & 0x7FFFFFFF


def _state_publisher() -> type[Node]:
    from robodyn_ros.nodes.state_publisher import StatePublisher

    return StatePublisher


def _robodyn_node() -> type[Node]:
    from robodyn_ros.nodes.robodyn_node import RobodynNode

    return RobodynNode


_MAKERS = {
    "Floor": _floor,
    "StatePublisher": _state_publisher,
    "RobodynNode": _robodyn_node,
    "BusyStatePublisher": _busy_state_publisher,
}


def __getattr__(name: str) -> type[Node]:
    """Make a node class when `run` asks for it: not before it can be interrupted quietly."""
    if name not in _MAKERS:
        raise AttributeError(name)
    return _MAKERS[name]()


if __name__ == "__main__":
    sys.exit(run("benchmarks.state_path.nodes", sys.argv[1], args=sys.argv[2:]))
