"""A controller node in the test's own process, one at a time: what comes in comes by hand."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import rclpy
import yaml
from rclpy.lifecycle import TransitionCallbackReturn
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from robodyn_ros.conditioning.complaints import Complaint
from robodyn_ros.ros.controllers.controller_node import ControllerNode
from ros_graph import DOMAIN_LOCK

PATIENT = {
    "state_timeout": 10.0,
    "min_rate": 0.0,
    "clock_jump": 100.0,
    "ramp_time": 0.0,
    "thread_priority": 0,
}
"""Parameters with which a busy machine is no fault, and this process none before others."""
_PERIOD = 4_000_000
_DEADLINE = 120.0


class InnerController:
    """A controller, unconfigured; `activate` takes it to where it commands.

    Attributes:
        node: The node.
        names: Coordinates that it commands.
        said: What it complained of, one line each.
    """

    def __init__(self, directory: Path, kind: type[ControllerNode], **parameters: Any) -> None:
        """Make it; `directory` takes its parameters."""
        assert DOMAIN_LOCK
        os.environ.setdefault("ROS_LOG_DIR", str(directory))
        path = directory / "parameters.yaml"
        given = {
            **PATIENT,
            **{k: str(v) if isinstance(v, Path) else v for k, v in parameters.items()},
        }
        path.write_text(yaml.safe_dump({"/**": {"ros__parameters": given}}))
        rclpy.init(args=["--ros-args", "--params-file", str(path)])
        try:
            self.node = kind()
        except BaseException:
            rclpy.try_shutdown()
            raise
        self._sent: list[bytes] = []
        self.node.controller.output._send = lambda data: self._sent.append(bytes(data))
        self.said: list[str] = []
        say = self.node.complain

        def complain(complaints: Any) -> None:
            told: list[Complaint] = list(complaints)
            self.said.extend(one.text for one in told)
            say(told)

        self.node.complain = complain  # type: ignore[method-assign]
        self.stamp = 1_000 * 10**9
        made = self.node.controller.assembly
        self.names = made.commanded.names if made is not None else ()

    def close(self) -> None:
        """End it."""
        self.node.destroy_node()
        rclpy.try_shutdown()

    def state(self, position: Any = 0.02, velocity: Any = 0.0, **more: Any) -> None:
        """Have a joint state come, 4 ms after the one before, of all commanded joints.

        Args:
            position: Of all, or of each.
            velocity: Likewise.
            more: Other fields, and `stamp` in ns.
        """
        self.stamp = more.pop("stamp", self.stamp + _PERIOD)
        rest = np.zeros(len(self.names))
        fields = {"position": (position + rest).tolist(), "velocity": (velocity + rest).tolist()}
        message = JointState(name=list(self.names), **{**fields, **more})
        message.header.stamp.sec, message.header.stamp.nanosec = divmod(self.stamp, 10**9)
        self.node._joint_states_received([bytes(serialize_message(message))])

    @property
    def sent(self) -> list[np.ndarray]:
        """Efforts that were sent since this was asked for last."""
        taken, self._sent[:] = list(self._sent), []
        return [np.array(deserialize_message(x, Float64MultiArray).data) for x in taken]

    def activate(self, position: Any = 0.02, *, deadline: float = _DEADLINE) -> None:
        """Configure and activate it, once its kernels are there."""
        assert self.node.trigger_configure() is TransitionCallbackReturn.SUCCESS
        end = time.monotonic() + deadline
        while True:
            self.state(position)
            with self.node.lock:
                wrong = list(self.node._refusals())
            if not wrong:
                break
            assert time.monotonic() < end, wrong
            time.sleep(0.05)
        assert self.node.trigger_activate() is TransitionCallbackReturn.SUCCESS
        assert self.sent == []

    def reference(self, message: Any) -> None:
        """Have a reference come."""
        kind = type(message)
        (subscription,) = (x for x in self.node.subscriptions if x.msg_type is kind)
        raw = bytes(serialize_message(message))
        subscription.callback(raw if subscription.raw else message)

    def clear(self) -> str:
        """Clear its faults; return what is still wrong."""
        with self.node.lock:
            return self.node.controller.clear(time.monotonic())

    @property
    def form(self) -> str:
        """The safe form that it is in; "" for none."""
        form = self.node.controller.assembly.supervisor.form
        return form.value if form is not None else ""
