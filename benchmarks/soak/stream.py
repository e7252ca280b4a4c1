"""The publisher of the run: 500 joint states a second, with one fault after another."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from typing import Protocol

from rcl_interfaces.srv import SetParameters
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from benchmarks.soak.disturbances import KINDS
from benchmarks.soak.faults import SECOND, Fault, Message, Tick
from benchmarks.soak.motion import Label, Truth

RATE = 500.0
GAP = (0.05, 0.4)
"""Seconds without a fault after the output has come back."""
PATIENCE = 5.0
"""Seconds after which the next fault comes, even if the output has not come back."""
_CATCH_UP = 0.2
_DEEP = QoSProfile(depth=1000, reliability=ReliabilityPolicy.RELIABLE)
_LATCHED = QoSProfile(
    depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL
)


class Watcher(Protocol):
    """Who checks what comes of it."""

    def sent(self, stamp: int, label: Label) -> None:
        """Learn what a stamp stands for."""

    def unstamped(self, time: float) -> None:
        """Learn that a message without a stamp was sent."""

    def expect(self, kind: str, time: float) -> None:
        """Learn that a fault has ended, and the output has to come back."""

    @property
    def has_recovered(self) -> bool:
        """Whether it has."""


class Stream:
    """Publishes in a thread of its own.

    Attributes:
        offset: Of the clock that the stamps are of, ns.
        faults: Spells by kind.
        count: Messages sent.
        epoch: Node's time at time 0 of the motion, ns.
    """

    def __init__(self, node: Node, truth: Truth, watcher: Watcher, seed: int) -> None:
        self._truth, self._watcher = truth, watcher
        self._rng = random.Random(seed)  # noqa: S311 - faults are no secrets
        self._states = node.create_publisher(JointState, "joint_states", _DEEP)
        self._rival = node.create_publisher(JointState, "joint_states", _DEEP)
        self._descriptions = node.create_publisher(String, "robot_description", _LATCHED)
        self._client = node.create_client(SetParameters, "state_publisher/set_parameters")
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._stopping = self._is_over = False
        self._fault = Fault(self._rng)
        self._waiting: list[type[Fault]] = []
        self._is_faulty, self._until = False, 0.0
        self.failure: BaseException | None = None
        self.offset = 0
        self.faults: Counter[str] = Counter()
        self.count = 0
        self.epoch = 0

    def describe(self, text: str) -> None:
        """Publish a robot description."""
        self._descriptions.publish(String(data=text))

    def set_parameter(self, parameter: Parameter) -> None:
        """Ask the node to take a parameter, and do not wait."""
        request = SetParameters.Request(parameters=[parameter.to_parameter_msg()])
        self._client.call_async(request)

    @property
    def is_connected(self) -> bool:
        """Whether the node listens."""
        return self._states.get_subscription_count() > 0 and self._client.service_is_ready()

    def start(self) -> None:
        """Begin."""
        self.epoch = time.time_ns()
        self._start = time.monotonic()
        self._thread.start()

    def stop(self) -> None:
        """End after the fault of the moment."""
        self._stopping = True
        self._thread.join()

    def abandon(self) -> None:
        """End at once."""
        self._is_over = True
        self.stop()

    @property
    def now(self) -> float:
        """Time of the motion, s."""
        return time.monotonic() - self._start

    def _run(self) -> None:
        try:
            self._ticks()
        except BaseException as error:
            self.failure = error
            raise

    def _ticks(self) -> None:
        due = 1.0
        self._watcher.expect("start", due)
        self._until = due + 1.0
        while not (self._stopping and (self._is_over or not self._is_faulty)):
            late = self.now - due
            if late < 0.0:
                time.sleep(-late)
            elif late > _CATCH_UP:
                due = self.now
            self._change(due)
            tick = Tick(self._truth, due, self.epoch + round(due * SECOND) + self.offset)
            for message in self._fault.messages(tick):
                self._publish(message, due)
            due += 1.0 / RATE

    def _publish(self, message: Message, due: float) -> None:
        if message.label is not None and message.stamp:
            self._watcher.sent(message.stamp, message.label)
        elif message.label is not None:
            self._watcher.unstamped(due)
        publisher = self._rival if message.fights else self._states
        publisher.publish(message.data)
        self.count += 1

    def _change(self, due: float) -> None:
        """Begin a spell, or end one, when it is time."""
        if self._is_faulty and due >= self._until:
            self._fault.end(self)
            self._watcher.expect(self._fault.kind(), due)
            self._fault, self._is_faulty = Fault(self._rng), False
            self._until = due
        elif not self._is_faulty and not self._stopping:
            if not self._watcher.has_recovered and due < self._until + PATIENCE:
                return
            if self._until <= due and self._fault.count == 0:
                self._fault.count = 1
                self._until = due + self._rng.uniform(*GAP)
            elif self._until <= due:
                self._begin(due)

    def _begin(self, due: float) -> None:
        if not self._waiting:
            self._waiting = self._rng.sample(KINDS, len(KINDS))
        self._fault = self._waiting.pop()(self._rng)
        least, most = self._fault.least, self._fault.most
        self._until = due + least * (most / least) ** self._rng.random()
        self._is_faulty = True
        self.faults[self._fault.kind()] += 1
        self._fault.begin(self)
