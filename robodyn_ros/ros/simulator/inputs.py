"""What the simulator is told on topics: commands to joints, and wrenches that act."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from geometry_msgs.msg import WrenchStamped
from rclpy.node import Node
from sensor_msgs.msg import JointState

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.errors import RobodynError
from robodyn_ros.ros import qos
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.joint_commands import REFUSED, CommandReader, Field
from robodyn_ros.ros.services.subject import Known
from robodyn_ros.ros.services.wrenches import wrench_of
from robodyn_ros.ros.simulator.loop import Loop
from robodyn_ros.ros.simulator.world import World
from robodyn_ros.simulation import CommandMode

KINDS: tuple[tuple[CommandMode, Field], ...] = (
    (CommandMode.EFFORT, "effort"),
    (CommandMode.VELOCITY, "velocity"),
    (CommandMode.POSITION, "position"),
)
WRENCH = "~/external_wrench"
_MOST_REASONS = 1000


class Inputs:
    """The subscriptions of the simulator, besides that of its description."""

    def __init__(
        self,
        node: Node,
        loop: Loop,
        timeout: Callable[[], float],
        complain: Callable[[Iterable[Complaint]], None],
    ) -> None:
        """Subscribe.

        Args:
            node: The node.
            loop: What keeps the world.
            timeout: Returns for how long a wrench acts, s.
            complain: Takes what is to be logged and counted; not called with the lock held.
        """
        self._loop, self._timeout, self._complain = loop, timeout, complain
        self._known: Known | None = None
        self._reasons: dict[str, str] = {}
        self.received = 0
        for mode, field in KINDS:
            topic = f"~/{field}_command"
            reader = CommandReader(node.resolve_topic_name(topic), field)
            taken = partial(self._commanded, mode, reader)
            node.create_subscription(JointState, topic, taken, qos.STREAM)
        self._wrench_topic = node.resolve_topic_name(WRENCH)
        node.create_subscription(WrenchStamped, WRENCH, self._pushed, qos.STREAM)

    @property
    def ends(self) -> list[Endpoint]:
        """What is subscribed to, for a look at the other ends."""
        commands = [Endpoint(f"~/{field}_command", JointState, qos.STREAM) for _, field in KINDS]
        return [*commands, Endpoint(WRENCH, WrenchStamped, qos.STREAM)]

    def begin(self, known: Known) -> None:
        """Take inputs for another robot."""
        self._known = known
        self._reasons = {}

    def _commanded(self, mode: CommandMode, reader: CommandReader, message: Any) -> None:
        self.received += 1
        world = self._loop.world
        if world is None:
            return
        values, complaints = reader.read(message, partial(self._refusal, world))
        told = [*complaints]
        if values:
            try:
                with self._loop.turn:
                    world.command(mode, values)
            except RobodynError as error:
                told.append(refused(reader.topic, str(error)))
        self._complain(told)

    def _refusal(self, world: World, name: str) -> str:
        """Return why a coordinate cannot be commanded by a name; "" where it can."""
        if name in world.names:
            return ""
        if name not in self._reasons:
            try:
                world.engines.active.release([name])
            except RobodynError as error:  # it says what to name in its place
                if len(self._reasons) < _MOST_REASONS:
                    self._reasons[name] = str(error)
                return str(error)
        return self._reasons.get(name, "")

    def _pushed(self, message: WrenchStamped) -> None:
        self.received += 1
        self._complain(self._held(message))

    def _held(self, message: WrenchStamped) -> Iterator[Complaint]:
        world, known = self._loop.world, self._known
        if world is None or known is None:
            return
        try:
            frame, wrench = wrench_of(known, message, "message")
            with self._loop.turn:
                world.hold(frame, wrench, self._timeout())
        except RobodynError as error:
            yield refused(self._wrench_topic, str(error))


def refused(topic: str, why: str) -> Complaint:
    """Return the complaint about a message that is not used."""
    text = f"a message on {topic} is refused: {why}"
    return Complaint(Severity.WARN, REFUSED, text, about=topic, once=False)
