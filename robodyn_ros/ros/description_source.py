"""Where the robot description comes from, and what happens when it changes.

From a parameter or a file it must be good at start-up, and is then published, latched, on the
topic `robot_description` for others (RViz reads it there). Without either that topic is subscribed,
and until something comes the operator is told, every few seconds, which topic is waited for. A bad
description later is logged and the old model stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.subscription import Subscription
from rclpy.timer import Timer
from std_msgs.msg import String

from robodyn_ros.conditioning.complaints import one_line
from robodyn_ros.description.load import load_description
from robodyn_ros.description.published import description_text
from robodyn_ros.description.source import Document, read_source, text_document
from robodyn_ros.errors import ArgumentError, RobodynError
from robodyn_ros.expressions import Expression
from robodyn_ros.model.builder import Base
from robodyn_ros.robot import Robot
from robodyn_ros.ros import qos
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.parameter_specs import Value

if TYPE_CHECKING:
    from robodyn_ros.description.mechanism import Mechanism, Shape
    from robodyn_ros.description.visuals import Visuals

TOPIC = "robot_description"
WARN_PERIOD = 3.0


@dataclass(frozen=True, slots=True)
class Description:
    """A description that loads.

    Attributes:
        text: It itself.
        robot: The robot.
        drawing: Shapes to draw its bodies with.
        drives: Formulas of time that drive its control elements.
        document: What it was read from.
        found: All that it says.
    """

    text: str
    robot: Robot
    drawing: tuple[Shape, ...] = ()
    drives: Mapping[str, Expression] = field(default_factory=dict)
    document: Document | None = None
    found: Mechanism | None = None


def load_text(text: str, base: Base | None = "fixed") -> Description:
    """Return the robot of a description's text, which is never taken for a path.

    `base` as in `load`.

    Raises:
        RobodynError: it cannot be used; one line says why.
    """
    return _description(text, text_document(text), base)


def load_file(path: str, base: Base | None = "fixed") -> Description:
    """Return the robot of a .urdf, .xacro or .yaml file; `base` as in `load`.

    Raises:
        RobodynError: it cannot be used; one line names the file and says why.
    """
    document = read_source(path)
    return _description(description_text(document), document, base)


def _description(text: str, document: Document, base: Base | None) -> Description:
    found = load_description(document, base=base)
    return Description(text, Robot(found.model), found.drawing, found.drives, document, found)


class DescriptionSource:
    """Gives a node its robot, at start-up and after every change."""

    def __init__(
        self,
        node: Node,
        adopt: Callable[[Robot], None],
        *,
        publish: bool = True,
        topic: str = TOPIC,
    ) -> None:
        """Prepare; nothing is loaded before `start`.

        Args:
            node: The node.
            adopt: Called with the robot whenever there is another one. It may refuse it with a
                RobodynError, which counts as a bad description.
            publish: Whether a description from a parameter or file is published on the topic.
            topic: The topic, as the node resolves it.
        """
        self._topic = topic
        self._node = node
        self._adopt_robot = adopt
        self._publishes = publish
        self._base: Base | None = "fixed"
        self._current: Description | None = None
        self._offered: Description | None = None
        self._checked: Description | None = None
        #: Why the last description that came was not taken; "" where it was.
        self.refusal = ""
        #: Formulas of time of the description in use, or about to be, by control.
        self.drives: Mapping[str, Expression] = {}
        self._publisher: Publisher | None = None
        self._subscription: Subscription | None = None
        self._clock = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer: Timer | None = None

    @property
    def waiting_for(self) -> str:
        """The topic that a description is still waited for on; "" once there is one."""
        return "" if self._current is not None else self._node.resolve_topic_name(self._topic)

    def drawing(self) -> tuple[Shape, ...]:
        """Return the shapes that the description in use draws bodies with."""
        return self._current.drawing if self._current is not None else ()

    def visuals(self) -> Visuals:
        """Return all that the description in use draws its robot with, read anew."""
        return _visuals(self._current)

    def offered_visuals(self) -> Visuals:
        """Return the same of the description that is in use or about to be."""
        return _visuals(self._offered)

    @property
    def ends(self) -> tuple[list[Endpoint], list[Endpoint]]:
        """What is subscribed to, and what is published, for a look at the other ends."""
        end = [Endpoint(self._topic, String, qos.LATCHED, sole=True)]
        return (
            end if self._subscription is not None else [],
            end if self._publisher is not None else [],
        )

    def start(self, text: Value | None, path: str, base: Base | None = "fixed") -> None:
        """Load from the parameter (None when it is not set) or the file, or begin to listen.

        Args:
            text: The description, None where the parameter is not set.
            path: The file, "" for none.
            base: How the root link is held, as in `load`: None for as the description says.

        Raises:
            RobodynError: the description given is bad, or both are given.
        """
        self._base = base
        if text is not None and path:
            raise ArgumentError("give robot_description or robot_description_file, not both")
        if text is not None:
            self._take(load_text(str(text), self._base))
            return
        if path:
            self._take(load_file(path, self._base))
            return
        self._subscription = self._node.create_subscription(
            String, self._topic, self._received, qos.LATCHED
        )
        self._timer = self._node.create_timer(WARN_PERIOD, self._remind, clock=self._clock)

    def give(self, text: str, robot: Robot) -> None:
        """Take a robot that was made elsewhere, whose description, as near as it comes, is a text.

        Raises:
            RobodynError: the node cannot take it.
        """
        self._take(Description(text, robot))

    def check(self, text: Value) -> str:
        """Return what is wrong with a new value of the parameter, or ""."""
        try:
            self._checked = load_text(str(text), self._base)
        except RobodynError as error:
            self._node.get_logger().error(f"robot_description is not changed: {one_line(error)}")
            return str(error)
        return ""

    def change(self, text: Value) -> None:
        """Take a new value of the parameter; from now on the topic is published, not read."""
        checked = self._checked
        if checked is None or checked.text != text:
            checked = load_text(str(text), self._base)
        if self._subscription is not None:
            self._node.destroy_subscription(self._subscription)
            self._subscription = None
        self._try(checked, "the parameter robot_description")

    def _received(self, message: String) -> None:
        if self._current is not None and message.data == self._current.text:
            return
        origin = self._node.resolve_topic_name(self._topic)
        try:
            description = load_text(message.data, self._base)
        except RobodynError as error:
            self._refuse(error, origin)
            return
        self._try(description, origin)

    def _try(self, description: Description, origin: str) -> None:
        try:
            self._take(description)
        except RobodynError as error:
            self._refuse(error, origin)

    def _refuse(self, error: RobodynError, origin: str) -> None:
        self.refusal = one_line(error)
        kept = "the model in use stays" if self._current is not None else "still without a model"
        self._node.get_logger().error(f"bad description from {origin}, {kept}: {one_line(error)}")

    def _take(self, description: Description) -> None:
        self.drives, self._offered = description.drives, description
        self._adopt_robot(description.robot)
        self._current, self.refusal = description, ""
        if self._timer is not None:
            self._node.destroy_timer(self._timer)
            self._timer = None
        if self._publishes and self._subscription is None:
            if self._publisher is None:
                self._publisher = self._node.create_publisher(
                    String, self._topic, qos.LATCHED, event_callbacks=qos.QUIET
                )
            self._publisher.publish(String(data=description.text))

    def _remind(self) -> None:
        self._node.get_logger().warning(
            f"no robot description yet: waiting for one on {self.waiting_for}"
        )


def _visuals(description: Description | None) -> Visuals:
    # Imported here because most nodes draw nothing.
    from robodyn_ros.description.visuals import Visuals, visuals_of

    if description is None or description.document is None or description.found is None:
        return Visuals()
    return visuals_of(description.document, description.found)
