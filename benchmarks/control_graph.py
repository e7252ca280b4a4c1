"""The end of a benchmark of controllers in the ROS graph: a node, its services and reports."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy

EXECUTABLES = "robodyn_ros.nodes.executables"
DEADLINE = 300.0
REPLY = 2.0
"""s after which a service is called again."""
DEPTH = QoSProfile(depth=2000)


class ControlGraph:
    """A node beside a controller.

    Attributes:
        node: The node.
        stack: What ends with it, its last entry first.
    """

    def __init__(self, controller: str) -> None:
        """Join the graph; `controller` is the name of the controller's node."""
        self._controller = controller
        rclpy.init()
        self.stack = contextlib.ExitStack()
        self.node = Node("control_benchmark")
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        self._reports: list[DiagnosticArray] = []
        # Best effort, as all that must not wait for the controller.
        unasked = QoSProfile(depth=100, reliability=ReliabilityPolicy.BEST_EFFORT)
        self.node.create_subscription(
            DiagnosticArray, "/diagnostics", self._reports.append, unasked
        )

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End all."""
        self.stack.close()
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.try_shutdown()

    def activate(self) -> None:
        """Take the controller through its lifecycle."""
        self._change(Transition.TRANSITION_CONFIGURE)
        self.wait(lambda: self._change(Transition.TRANSITION_ACTIVATE), "activation")

    def _change(self, transition: int) -> bool:
        request = ChangeState.Request(transition=Transition(id=transition))
        return bool(self.call(ChangeState, f"{self._controller}/change_state", request).success)

    def call(self, kind: Any, name: str, request: Any) -> Any:
        """Call a service; again where no reply comes, as of a server that was killed."""
        client = self.node.create_client(kind, name)
        self.wait(client.service_is_ready, name)
        end = time.monotonic() + DEADLINE
        future, asked = client.call_async(request), time.monotonic()
        while not future.done():
            now = time.monotonic()
            if now > end:
                raise SystemExit(f"waited {DEADLINE:g} s in vain for the reply of {name}")
            if now - asked > REPLY:
                future, asked = client.call_async(request), now
            self._executor.spin_once(timeout_sec=0.02)
        self.node.destroy_client(client)
        return future.result()

    def wait(self, condition: Callable[[], Any], what: str, seconds: float = DEADLINE) -> None:
        """Handle messages until a condition holds."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise SystemExit(f"waited {seconds:g} s in vain for {what}")
            self._executor.spin_once(timeout_sec=0.02)

    def spin(self, seconds: float) -> None:
        """Handle messages for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0.0:
            self._executor.spin_once(timeout_sec=left)

    def report(self) -> dict[str, str]:
        """Return the values of the controller's own newest report."""
        name = f"{self._controller}: controller"
        for array in reversed(self._reports):
            for status in array.status:
                if status.name == name:
                    return {value.key: value.value for value in status.values}
        return {}


def arguments(name: str, options: Mapping[str, Any]) -> list[str]:
    """Return the command line of an executable with parameters."""
    found = [name, "--ros-args", "--log-level", "fatal"]
    for key, value in options.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        found += ["-p", f"{key}:={text}"]
    return found
