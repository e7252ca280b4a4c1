"""A controller of an arm that stands away from its reference, and what it sends."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from std_msgs.msg import Bool, Float64MultiArray, String
from std_srvs.srv import Trigger

from benchmarks.control import PANDA, path_of
from benchmarks.control_graph import EXECUTABLES, ControlGraph, arguments
from benchmarks.state_path.processes import module
from robodyn_ros import load
from robodyn_ros.ros.cdr.float_array_reader import numbers_in
from robodyn_ros.ros.controllers.thread_priority import prefer
from robodyn_ros.ros.hot_subscription import HotSubscription

Floats = NDArray[np.float64]

RATE = 500.0
SHIFT = 0.05
"""rad between the arm and the reference: springs pull, which safe forms do not."""
SETTLED = 1e-6
FIRST = 1e-3
"""N m by which a command differs from that of the law."""
_PATIENCE = 60.0
_COMMANDS = QoSProfile(depth=2000, reliability=ReliabilityPolicy.BEST_EFFORT)
"""As mujoco_simulator listens."""
_LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class Reaction(NamedTuple):
    """What came of one fault.

    Attributes:
        first: s until the first command of the safe form.
        reached: s until its efforts are there.
        gap: s, the longest without a command, of all commands around the fault.
    """

    first: float
    reached: float
    gap: float


class Stand(ControlGraph):
    """A Panda under computed torque, its driver a process of ours.

    Attributes:
        robot: Its model.
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
        self._commands: list[tuple[float, Floats]] = []
        self._held = True
        descriptions = self.node.create_publisher(String, "robot_description", _LATCHED)
        descriptions.publish(String(data=self.description))
        self._descriptions = descriptions
        self._deadman = self.node.create_publisher(Bool, "deadman", 10)
        self.node.create_timer(0.02, self._press)
        # In a thread of its own: what it says of times is not to be late.
        sys.setswitchinterval(1e-4)
        self._hot = HotSubscription(
            self.node,
            Float64MultiArray,
            "forward_effort_controller/commands",
            _COMMANDS,
            self._received,
        )
        self._hot.start()
        self.stack.callback(self._hot.stop)
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
        self.stack.callback(self._end_feed)
        self.start_feed()

    def __enter__(self) -> Self:
        """Activate the controller."""
        self.activate()
        self.is_preferred = not prefer(30)
        return self

    def start_feed(self) -> None:
        """Start the driver, as the arm stands."""
        weight = self.robot.gravity_force(self._at)
        joints = [
            f"{name}={x}={effort}"
            for name, x, effort in zip(self._names, self._at, weight, strict=False)
        ]
        command = [sys.executable, "-m", "benchmarks.faults.feed", str(RATE), *joints]
        self._feed = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def _end_feed(self) -> None:
        self._feed.kill()
        self._feed.wait()

    def kill_feed(self) -> float:
        """Kill the driver; return when."""
        begun = time.monotonic()
        self._end_feed()
        return begun

    def freeze_feed(self) -> float:
        """Stop the driver where it is; return when."""
        begun = time.monotonic()
        self._feed.send_signal(signal.SIGSTOP)
        return begun

    def tell(self, line: str) -> float:
        """Have the driver do something else; return the time of its first state of that kind."""
        to, back = self._feed.stdin, self._feed.stdout
        if to is None or back is None:
            raise SystemExit("the driver cannot be told anything")
        to.write(f"{line}\n")
        return float(back.readline())

    def _press(self) -> None:
        if self._held:
            self._deadman.publish(Bool(data=True))

    def let_go(self) -> float:
        """Let the deadman go; return when."""
        self._held = False
        begun = time.monotonic()
        self._deadman.publish(Bool(data=False))
        return begun

    def fall_silent(self) -> float:
        """Let the deadman fall silent; return when it spoke last."""
        self._held = False
        begun = time.monotonic()
        self._deadman.publish(Bool(data=True))
        return begun

    def describe(self, description: str) -> float:
        """Publish a description; return when."""
        begun = time.monotonic()
        self._descriptions.publish(String(data=description))
        return begun

    def _received(self, messages: list[bytes]) -> None:
        now = time.monotonic()
        self._commands.extend((now, np.array(numbers_in(data))) for data in messages)

    def weight(self) -> Floats:
        """Return the efforts (n,) that hold the weight where the arm is."""
        q = self._at.copy()
        count = len(self._names)
        q[:count] += self._shift
        found: Floats = np.asarray(self.robot.gravity_force(q))[:count]
        return found

    def ready(self) -> None:
        """Return to the law, and have it pull."""
        if self._feed.poll() is not None:
            self.start_feed()
        self._feed.send_signal(signal.SIGCONT)
        self._held = True
        self.tell("good")
        self.tell(f"shift {self._shift}")
        self.wait(self._cleared, "the fault to be cleared", _PATIENCE)
        self._side = -self._side
        self._shift = self._side * SHIFT
        self.tell(f"shift {self._shift}")
        self.wait(self._pulls, "the law to pull", _PATIENCE)
        self.spin(0.3)

    def _cleared(self) -> bool:
        self.spin(0.1)
        return bool(
            self.call(Trigger, f"{self.CONTROLLER}/clear_faults", Trigger.Request()).success
        )

    def _pulls(self) -> bool:
        last = self._commands[-1][1] if self._commands else None
        return last is not None and float(np.max(np.abs(last - self.weight()))) > 1.0

    def reaction(self, inject: Callable[[], float], wanted: Floats) -> Reaction:
        """Inject a fault and return how soon the safe form is there.

        Args:
            inject: Begins the fault; returns the monotonic time of its beginning, s.
            wanted: (n,) efforts of the safe form.
        """
        law = self._commands[-1][1]
        count = len(self._commands) - 1
        begun = inject()

        def there() -> bool:
            return bool(np.max(np.abs(self._commands[-1][1] - wanted)) < SETTLED)

        self.wait(there, "the safe form", _PATIENCE)
        seen = self._commands[count:]
        changed = (at for at, effort in seen if np.max(np.abs(effort - law)) > FIRST)
        settled = (at for at, effort in seen if np.max(np.abs(effort - wanted)) < SETTLED)
        gap = max(np.diff([at for at, _ in seen]))
        return Reaction(next(changed) - begun, next(settled) - begun, float(gap))
