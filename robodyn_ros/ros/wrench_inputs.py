"""External wrenches from topics: force and torque sensors, or a simulator."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from itertools import islice

import numpy as np
from geometry_msgs.msg import WrenchStamped
from rclpy.exceptions import InvalidTopicNameException

from robodyn_ros.conditioning.acting_wrenches import Told
from robodyn_ros.conditioning.complaints import Complaint, Severity, counted
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.conditioning.tracking import LIMIT
from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.conversions import nanoseconds
from robodyn_ros.ros.feature import Ends, Feature
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.reports import MAX_ROWS, Level, Report
from robodyn_ros.ros.state_node import StateNode
from robodyn_ros.ros.wrench_parameters import ON_ROBOT, topics_named


class WrenchInputs(Feature):
    """Tells a state path of the wrenches that come on `wrench_topics`; nothing without them.

    Messages that cannot be used are left out: the wrench before them acts on until it is too old.
    Called by the node's executor, one thing at a time.
    """

    def __init__(self, node: StateNode) -> None:
        """Subscribe.

        Raises:
            ArgumentError: `wrench_topics` has what is no name of a topic.
        """
        self._node = node
        self._config = node.config
        self._path: StatePath | None = None
        self._ignored = 0
        self._reason = ""
        self._topics = topics_named(node.config.text("wrench_topics"))
        self._ends = tuple(self._subscribed(topic) for topic in self._topics)

    @property
    def ends(self) -> Ends:
        """What is subscribed to."""
        return Ends(inward=self._ends)

    def adopt(self, path: StatePath) -> None:
        """Begin with another description: nothing acts on it yet."""
        self._path = path
        path.wrenches.timeout = self._config.number("wrench_timeout")

    def adopted(self, path: StatePath) -> None:
        """Have the kernel of the motion made ahead, where wrenches matter to it."""
        if self._topics:
            with self._node.lock:
                path.stepper.foresee_wrenches()

    def parameters_changed(self, names: set[str]) -> None:
        """Take another timeout; the sense counts from the next message on."""
        if self._path is not None and "wrench_timeout" in names:
            with self._node.lock:
                self._path.wrenches.timeout = self._config.number("wrench_timeout")

    def reports(self, now: float) -> Iterator[Report]:
        """Report on the wrenches, with `wrench_topics` only."""
        path = self._path
        if not self._topics or path is None:
            return
        with self._node.lock:
            told = list(path.wrenches.told())
            present = self._node.present(path.stamp) if path.stamp is not None else None
        values = {"topics": ", ".join(map(self._node.resolve_topic_name, self._topics))}
        for wrench, acts in islice(told, MAX_ROWS):
            values[f"{wrench.source} at {quoted(wrench.frame)}"] = _described(wrench, present, acts)
        ignored, self._ignored = self._ignored, 0
        if ignored:
            text = f"{counted(ignored, 'message')} left out: {self._reason}"
            yield Report("wrenches", Level.WARN, text, values=values)
            return
        acting = sum(acts for _, acts in told)
        text = f"{acting} of {counted(len(told), 'wrench')}es act" if told else "none came yet"
        yield Report("wrenches", Level.OK, text.replace("1 wrenches", "1 wrench"), values=values)

    def _subscribed(self, topic: str) -> Endpoint:
        profile = qos.joint_states("best_effort")
        try:
            taken = partial(self._received, topic)
            self._node.create_subscription(WrenchStamped, topic, taken, profile)
        except InvalidTopicNameException as error:
            raise ArgumentError(
                f"wrench_topics: {quoted(topic)} is no name of a topic: {error}"
            ) from None
        return Endpoint(topic, WrenchStamped, profile)

    def _received(self, topic: str, message: WrenchStamped) -> None:
        path = self._path
        if path is None:
            return
        full_name = self._node.resolve_topic_name(topic)
        self._node.complain(self._take(path, full_name, message))

    def _take(self, path: StatePath, topic: str, message: WrenchStamped) -> Iterator[Complaint]:
        """Tell the path of a message's wrench; yield why it does not."""
        moment, force = message.wrench.torque, message.wrench.force
        wrench = np.array([moment.x, moment.y, moment.z, force.x, force.y, force.z])
        if not (np.abs(wrench) <= LIMIT).all():
            yield self._leave_out(
                "wrenches not finite",
                f"wrenches on {topic} with a force or torque that is not finite, or beyond"
                f" {LIMIT:g}, are left out",
                topic,
                once=False,
            )
            return
        if self._config.text("wrench_sense") != ON_ROBOT:
            wrench = -wrench
        stamp = nanoseconds(message.header.stamp)
        if stamp == 0:
            stamp = self._node.clock_now()
            text = f"wrenches on {topic} have no stamp; the node's time is taken instead"
            yield Complaint(Severity.WARN, "wrenches without a stamp", text, about=topic)
        frame = self._own_name(path, message.header.frame_id)
        try:
            with self._node.lock:
                path.wrenches.tell(topic, frame, wrench, stamp)
        except UnknownNameError:
            named = quoted(message.header.frame_id)
            yield self._leave_out(
                "wrenches at unknown frames",
                f"wrenches on {topic} at {named} are left out: robot"
                f" {quoted(path.robot.model.name)} has no link or frame of that name; have"
                " frame_id name the one that they act at",
                f"{topic} {named}",
                once=True,
            )

    def _own_name(self, path: StatePath, frame: str) -> str:
        """Return the model's name of a frame, given with or without the prefix."""
        prefix = self._config.text("frame_prefix")
        if frame not in path.robot.model.frames and prefix:
            return frame.removeprefix(prefix)
        return frame

    def _leave_out(self, kind: str, text: str, about: str, *, once: bool) -> Complaint:
        self._ignored += 1
        self._reason = text
        return Complaint(Severity.WARN, kind, text, about=about, once=once)


def _described(wrench: Told, present: int | None, acts: bool) -> str:
    """Return a wrench in words."""
    moment, force = (math.hypot(*part.tolist()) for part in np.split(wrench.wrench, 2))
    text = f"force {force:.4g} N, torque {moment:.4g} N m"
    if present is not None:
        text += f", {1e-9 * (present - wrench.stamp):.3f} s old"
    return text if acts else f"{text}, does not act"
