"""Efforts as ros2_control's forward_command_controller takes them: numbers in a fixed order.

They come on a subscription of their own, so that a controller at 1 kHz costs a few percent of a
processor and not half of it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from rclpy.clock import Clock, ClockType
from rclpy.exceptions import InvalidTopicNameException
from rclpy.node import Node
from std_msgs.msg import Float64MultiArray

from robodyn_ros.conditioning.complaints import Complaint, counted
from robodyn_ros.errors import ArgumentError, RobodynError, quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.cdr.float_array_reader import numbers_in
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.hot_subscription import HotSubscription
from robodyn_ros.ros.simulator.inputs import Inputs, refused
from robodyn_ros.ros.simulator.loop import Loop
from robodyn_ros.ros.simulator.world import World
from robodyn_ros.simulation import CommandMode

_TELLING = 0.1
"""Seconds after which complaints of the subscription's thread are told at the latest."""
_MOST = 16
"""Complaints that wait."""


class ControllerInputs(Inputs):
    """The simulator's subscriptions, and that of a controller's efforts."""

    def __init__(
        self,
        node: Node,
        loop: Loop,
        timeout: Callable[[], float],
        complain: Callable[[Iterable[Complaint]], None],
        *,
        topic: str,
        joints: Sequence[str],
    ) -> None:
        """Subscribe.

        Args:
            node: The node.
            loop: What keeps the world.
            timeout: Returns for how long a wrench acts, s.
            complain: Takes what is to be logged and counted; not called with the lock held.
            topic: Of the efforts, "" for none.
            joints: Coordinates that they are of; none for all that have a motor.

        Raises:
            ArgumentError: the topic has no possible name.
        """
        super().__init__(node, loop, timeout, complain)
        self._joints, self._topic = tuple(joints), topic
        self._untold: deque[str] = deque(maxlen=_MOST)
        self._hot: HotSubscription | None = None
        if topic:
            try:
                self._hot = HotSubscription(
                    node, Float64MultiArray, topic, qos.COMMANDS_LISTENER, self._forwarded
                )
            except InvalidTopicNameException as error:
                raise ArgumentError(
                    f"effort_commands_topic {quoted(topic)} is no name of a topic: {error}"
                ) from None
            clock = Clock(clock_type=ClockType.STEADY_TIME)
            node.create_timer(_TELLING, self._tell, clock=clock)
            self._hot.start()

    def stop(self) -> None:
        """End the subscription's thread."""
        if self._hot is not None:
            self._hot.stop()

    @property
    def ends(self) -> list[Endpoint]:
        """What is subscribed to, for a look at the other ends."""
        if not self._topic:
            return super().ends
        return [*super().ends, Endpoint(self._topic, Float64MultiArray, qos.COMMANDS_LISTENER)]

    def _forwarded(self, messages: list[bytes]) -> None:
        """Take the newest of messages that can be taken; in a thread of its own."""
        self.received += len(messages)
        world = self._loop.world
        if world is None:
            return
        for data in reversed(messages):
            if not (why := self._taken(world, data)):
                return
            self._untold.append(why)

    def _taken(self, world: World, data: bytes) -> str:
        """Take a message; return why it cannot be, or ""."""
        try:
            efforts = numbers_in(data)
        except Exception:  # noqa: BLE001 - whatever the bytes are, they are no such message
            return "its bytes cannot be read"
        return self._exerted(world, efforts)

    def _tell(self) -> None:
        """Say what was wrong, in the executor."""
        if self._hot is not None and self._untold:
            told = [self._untold.popleft() for _ in range(len(self._untold))]
            self._complain(refused(self._hot.topic_name, why) for why in told)

    def _exerted(self, world: World, efforts: Sequence[float]) -> str:
        """Let motors exert efforts; return why they cannot, or ""."""
        names = self._joints or world.names
        if len(efforts) != len(names):
            return (
                f"it has {counted(len(efforts), 'number')} for {counted(len(names), 'joint')}; give"
                " one for each of command_joints, in that order"
            )
        for name, effort in zip(names, efforts, strict=True):
            if not math.isfinite(effort):
                return f"the effort of {quoted(name)} is {effort}; give a finite number"
        try:
            with self._loop.turn:
                world.command(CommandMode.EFFORT, dict(zip(names, efforts, strict=True)))
        except RobodynError as error:
            return str(error)
        return ""
