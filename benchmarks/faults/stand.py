"""A controller of an arm that stands away from its reference, and what it sends."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from std_msgs.msg import Float64MultiArray, String
from std_srvs.srv import Trigger

from benchmarks.control import PANDA, path_of
from benchmarks.control_graph import EXECUTABLES, ControlGraph, arguments
from benchmarks.faults.source import Source
from benchmarks.state_path.processes import module
from robodyn_ros import load
from robodyn_ros.ros.controllers.thread_priority import prefer

Floats = NDArray[np.float64]

RATE = 500.0
SHIFT = 0.05
"""rad between the arm and the reference: springs pull, which safe forms do not."""
SETTLED = 1e-6
FIRST = 1e-3
"""N m by which a command differs from that of the law."""
_PATIENCE = 60.0
_MOST_REPEATED = 50
_COMMANDS = QoSProfile(depth=2000, reliability=ReliabilityPolicy.BEST_EFFORT)
"""As mujoco_simulator listens."""
_LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class _Command(NamedTuple):
    """When the middleware took it and gave it, monotonic s, and its efforts (n,)."""

    sent: float
    received: float
    effort: Floats


class Reaction(NamedTuple):
    """What came of one fault.

    Attributes:
        first: s until the first command of the safe form is sent.
        received: s until it is received.
        reached: s until its efforts are there, sent.
        gap: s, the longest without a command, of all commands around the fault.
    """

    first: float
    received: float
    reached: float
    gap: float


class Stand(ControlGraph):
    """A Panda under computed torque, its driver a process of ours.

    Attributes:
        robot: Its model.
        feed: Its driver.
        switch: The deadman.
        repeated: How often it did not stay at its law until a fault was injected.
    """

    CONTROLLER = "computed_torque"

    def __init__(self, **parameters: Any) -> None:
        """Start driver and controller."""
        super().__init__(self.CONTROLLER)
        path = path_of(PANDA)
        self.robot = load(path, compile="off")
        self.description = path.read_text()
        self._names = list(PANDA.position)
        self._at = np.zeros(self.robot.model.nq)
        self._at[: len(self._names)] = list(PANDA.position.values())
        self._side, self._shift = 1.0, 0.0
        self._commands: list[_Command] = []
        descriptions = self.node.create_publisher(String, "robot_description", _LATCHED)
        descriptions.publish(String(data=self.description))
        self._descriptions = descriptions
        # Not from here: who sends to the controller may have to wait, and this process measures.
        self.switch = Source("benchmarks.faults.switch")
        self.stack.callback(self.switch.kill)
        self._since = 0.0
        self.repeated = 0
        self.node.create_subscription(
            Float64MultiArray,
            "forward_effort_controller/commands",
            self._received,
            _COMMANDS,
        )
        options = {
            "command_joints": f"'{', '.join(self._names)}'",
            "check_order": "never",
            "ramp_time": 0.0,
            "diagnostics_period": 0.5,
            "outlier_rejection": False,
            **parameters,
        }
        self.controller = self.stack.enter_context(
            module(EXECUTABLES, arguments(self.CONTROLLER, options))
        )
        self.feed = self._driver()
        self.stack.callback(self.feed.kill)

    def __enter__(self) -> Self:
        """Activate the controller."""
        self.activate()
        self.is_preferred = not prefer(30)
        return self

    def _driver(self) -> Source:
        """Start the driver, as the arm stands."""
        weight = self.robot.gravity_force(self._at)
        joints = [
            f"{name}={x}={effort}"
            for name, x, effort in zip(self._names, self._at, weight, strict=False)
        ]
        return Source("benchmarks.faults.feed", str(RATE), *joints)

    def describe(self, description: str) -> float:
        """Publish a description; return when."""
        begun = time.monotonic()
        self._descriptions.publish(String(data=description))
        return begun

    def _received(self, message: Float64MultiArray, about: dict[str, int]) -> None:
        sent, received = (
            about[key] * 1e-9 - self._since for key in ("source_timestamp", "received_timestamp")
        )
        self._commands.append(_Command(sent, received, np.array(message.data)))

    def weight(self) -> Floats:
        """Return the efforts (n,) that hold the weight where the arm is."""
        q = self._at.copy()
        count = len(self._names)
        q[:count] += self._shift
        found: Floats = np.asarray(self.robot.gravity_force(q))[:count]
        return found

    def ready(self) -> None:
        """Return to the law, and have it pull."""
        if not self.feed.runs:
            self.feed.start()
        self.feed.thaw()
        self.switch.tell("hold")
        self.feed.tell("good")
        self.feed.tell(f"shift {self._shift}")
        self.wait(self._cleared, "the fault to be cleared", _PATIENCE)
        self._side = -self._side
        self._shift = self._side * SHIFT
        self.feed.tell(f"shift {self._shift}")
        self.wait(self._pulls, "the law to pull", _PATIENCE)
        self.spin(0.3)
        if not self._pulls():  # something else has happened meanwhile
            self.repeated += 1
            if self.repeated > _MOST_REPEATED:
                raise SystemExit(f"the controller does not stay at its law: {self.report()}")
            self.ready()

    def _cleared(self) -> bool:
        self.spin(0.1)
        return bool(
            self.call(Trigger, f"{self.CONTROLLER}/clear_faults", Trigger.Request()).success
        )

    def _pulls(self) -> bool:
        last = self._commands[-1].effort if self._commands else None
        return last is not None and float(np.max(np.abs(last - self.weight()))) > 1.0

    def reaction(self, inject: Callable[[], float], wanted: Floats) -> Reaction:
        """Inject a fault and return how soon the safe form is there.

        Args:
            inject: Begins the fault; returns the monotonic time of its beginning, s.
            wanted: (n,) efforts of the safe form.
        """
        law = self._commands[-1].effort
        count = len(self._commands) - 1
        self._since = time.time() - time.monotonic()
        begun = inject()

        def there() -> bool:
            return bool(np.max(np.abs(self._commands[-1].effort - wanted)) < SETTLED)

        self.wait(there, "the safe form", _PATIENCE)
        seen = self._commands[count:]
        changed = [one for one in seen if np.max(np.abs(one.effort - law)) > FIRST]
        reached = next(one for one in seen if np.max(np.abs(one.effort - wanted)) < SETTLED)
        first = changed[0]
        if first.sent < begun:
            raise SystemExit(f"another fault came before the one injected: {self.report()}")
        gap = max(np.diff([one.sent for one in seen]))
        return Reaction(
            first.sent - begun, first.received - begun, reached.sent - begun, float(gap)
        )
