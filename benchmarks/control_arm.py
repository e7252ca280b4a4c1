"""An arm in MuJoCo and a controller of it, each a process, in real time over DDS."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState
from numpy.typing import NDArray
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile
from robodyn_interfaces.srv import SetSimulatorState
from sensor_msgs.msg import JointState

from benchmarks.state_path.processes import module

EXECUTABLES = "robodyn_ros.nodes.executables"
HARDWARE = "mujoco_simulator"
DEADLINE = 300.0
PATIENCE = 0.3
"""s without a state: a shared machine stands still for longer than a real one may."""
_DEPTH = QoSProfile(depth=2000)


class ControlArm:
    """Holds an arm where it is put until the controller is active.

    Attributes:
        names: Its commanded joints.
        states: All joint states so far.
    """

    def __init__(
        self,
        path: Path,
        position: Mapping[str, float],
        controller: str,
        rate: float,
        *,
        hardware: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> None:
        """Start both processes.

        Args:
            path: The description.
            position: Of commanded joints, rad, in their order.
            controller: The executable.
            rate: Of joint states, Hz.
            hardware: Further parameters of the hardware.
            parameters: Further parameters of the controller.
        """
        self.names, self._controller = tuple(position), controller
        self._position = position
        rclpy.init()
        self._stack = contextlib.ExitStack()
        joints = ", ".join(self.names)
        for name, given in (
            (HARDWARE, {"rate": rate, "hold": True, "integrator": "rk4", **(hardware or {})}),
            (controller, {"diagnostics_period": 0.5, "state_timeout": PATIENCE, **parameters}),
        ):
            options = {"robot_description_file": path, "command_joints": f"'{joints}'", **given}
            self._stack.enter_context(module(EXECUTABLES, arguments(name, options)))
        self.node = Node("control_benchmark")
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        self.states: list[JointState] = []
        self._reports: list[DiagnosticArray] = []
        self.node.create_subscription(JointState, "joint_states", self.states.append, _DEPTH)
        self.node.create_subscription(DiagnosticArray, "/diagnostics", self._reports.append, _DEPTH)

    def __enter__(self) -> ControlArm:
        """Put the arm where it begins, and activate the controller."""
        self.wait(lambda: self.states, "joint states")
        where = SetSimulatorState.Request(
            names=list(self.names), position=list(self._position.values())
        )
        self.call(SetSimulatorState, f"{HARDWARE}/set_state", where)
        hold = self.node.create_publisher(JointState, f"{HARDWARE}/position_command", 10)
        self.wait(lambda: hold.get_subscription_count() > 0, "the hardware")
        hold.publish(JointState(name=where.names, position=where.position))
        self.spin(1.0)
        self._change(Transition.TRANSITION_CONFIGURE)
        self.wait(lambda: self._change(Transition.TRANSITION_ACTIVATE), "activation")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End both."""
        self._stack.close()
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.try_shutdown()

    def _change(self, transition: int) -> bool:
        request = ChangeState.Request(transition=Transition(id=transition))
        return bool(self.call(ChangeState, f"{self._controller}/change_state", request).success)

    def call(self, kind: Any, name: str, request: Any) -> Any:
        """Call a service."""
        client = self.node.create_client(kind, name)
        self.wait(client.service_is_ready, name)
        future = client.call_async(request)
        self.wait(future.done, f"the reply of {name}")
        self.node.destroy_client(client)
        return future.result()

    def wait(self, condition: Callable[[], Any], what: str) -> None:
        """Handle messages until a condition holds."""
        end = time.monotonic() + DEADLINE
        while not condition():
            if time.monotonic() > end:
                raise SystemExit(f"waited {DEADLINE:g} s in vain for {what}")
            self._executor.spin_once(timeout_sec=0.02)

    def spin(self, seconds: float) -> None:
        """Handle messages for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0.0:
            self._executor.spin_once(timeout_sec=left)

    def positions(self, since: int = 0) -> NDArray[np.float64]:
        """Return the positions (n, joints) of the states since a number of them, rad."""
        rows = []
        for state in self.states[since:]:
            at = dict(zip(state.name, state.position, strict=True))
            rows.append([at[name] for name in self.names])
        return np.array(rows)

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
