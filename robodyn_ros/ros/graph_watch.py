"""What does not fit between a node's topics and those at their other ends, by name.

The middleware connects only what fits in type and quality of service; of the rest it says nothing,
or not whose it is. `GraphWatch.look` compares once in a while, for the reports. It reads what
discovery has gathered already, so it never waits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.topic_endpoint_info import TopicEndpointInfo

from robodyn_ros.conditioning.complaints import Complaint, Severity, one_line
from robodyn_ros.errors import quoted
from robodyn_ros.ros.qos_policies import Shortfall, shortfalls

MAX_MISMATCHES = 32
"""Mismatches kept of one look; a graph with more has one fault many times."""

UNNAMED = "a node without a name"
"""Stands for ends whose node is not known: not discovered yet, or no ROS node at all."""

_PLAIN = re.compile(r"[\w/~.\-]{1,255}", re.ASCII)
# InvalidHandle and RCLError are RuntimeErrors; the others come of ends that rclpy cannot convert.
_UNREADABLE = (RuntimeError, ValueError, TypeError, AssertionError)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A subscription or publisher of the node itself.

    Attributes:
        topic: Its name as it was given when it was made: relative, private or absolute, before
            remapping.
        message_type: Class of its messages.
        qos_profile: Its quality of service.
        reliability_parameter: The parameter that sets its reliability; "" when there is none.
        sole: Whether only one node ought to publish the topic.
    """

    topic: str
    message_type: type
    qos_profile: QoSProfile
    reliability_parameter: str = ""
    sole: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Mismatch:
    """Two ends that do not come together.

    Attributes:
        topic: Full name.
        node: Full name of the node at the other end, or `UNNAMED`.
        text: One line with the remedy.
        inward: Whether it is this node that gets nothing.
    """

    topic: str
    node: str
    text: str
    inward: bool


@dataclass(frozen=True, slots=True)
class Connections:
    """What one look at the graph found; topics by their full names.

    Attributes:
        publishers: Who publishes what this node subscribes to; a node is listed as often as it
            has publishers.
        subscribers: Number of subscriptions of what this node publishes.
        mismatches: What does not come together, at most `MAX_MISMATCHES`.
        rivals: Other nodes that publish a topic which ought to have one publisher.
        namesakes: Number of other nodes with the full name of this one.
        unread: Why a topic could not be looked at.
    """

    publishers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    subscribers: Mapping[str, int] = field(default_factory=dict)
    mismatches: tuple[Mismatch, ...] = ()
    rivals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    namesakes: int = 0
    unread: Mapping[str, str] = field(default_factory=dict)

    def complaints(self) -> Iterator[Complaint]:
        """Yield what is to be logged of it: each mismatch, once."""
        for each in self.mismatches:
            yield Complaint(Severity.WARN, "mismatched topics", each.text, about=each.text)


class _Ends(NamedTuple):
    """The far ends of one topic when there were `number` of them."""

    number: int
    infos: tuple[TopicEndpointInfo, ...]


class GraphWatch:
    """Looks at the other ends of a node's topics.

    An end costs some 50 us to look at and a topic may have dozens, so a topic is looked at again
    when the number of its ends has changed or a name was missing, the others by turns, one at each
    call.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._seen: dict[tuple[str, bool], _Ends] = {}

    def look(
        self, subscriptions: Sequence[Endpoint], publishers: Sequence[Endpoint]
    ) -> Connections:
        """Compare the node's ends with the graph.

        Args:
            subscriptions: What the node subscribes to.
            publishers: What it publishes.
        """
        if self._seen:
            del self._seen[next(iter(self._seen))]
        sources: dict[str, tuple[str, ...]] = {}
        listeners: dict[str, int] = {}
        rivals: dict[str, tuple[str, ...]] = {}
        unread: dict[str, str] = {}
        mismatches: set[Mismatch] = set()
        for own in subscriptions:
            topic, infos = self._ends(own, unread, publishing=True)
            sources[topic] = names = _names(infos)
            if own.sole and len(names) > 1:
                rivals[topic] = names
            mismatches.update(_between(topic, own, infos, inward=True))
        for own in publishers:
            topic, infos = self._ends(own, unread, publishing=False)
            listeners[topic] = len(infos)
            mismatches.update(_between(topic, own, infos, inward=False))
            if own.sole:
                _, infos = self._ends(own, unread, publishing=True)
                if others := self._without_own(_names(infos)):
                    rivals[topic] = others
        kept = tuple(sorted(mismatches)[:MAX_MISMATCHES])
        return Connections(sources, listeners, kept, rivals, self._namesakes(), unread)

    def _ends(
        self, own: Endpoint, unread: dict[str, str], *, publishing: bool
    ) -> tuple[str, tuple[TopicEndpointInfo, ...]]:
        """Return a topic's full name and its publishers or subscriptions, none if unreadable."""
        try:
            topic = self._node.resolve_topic_name(own.topic)
        except _UNREADABLE as error:
            unread[own.topic] = one_line(error)
            return own.topic, ()
        key = (topic, publishing)
        node = self._node
        # The count goes by the name as it is, the list by the name before remapping.
        count_of, list_of = (
            (node.count_publishers, node.get_publishers_info_by_topic)
            if publishing
            else (node.count_subscribers, node.get_subscriptions_info_by_topic)
        )
        try:
            ends = self._read(key, own.topic, count_of, list_of)
        except _UNREADABLE as error:
            unread[topic] = one_line(error)
            self._seen.pop(key, None)
            return topic, ()
        return topic, ends

    def _read(
        self,
        key: tuple[str, bool],
        given: str,
        count_of: Callable[[str], int],
        list_of: Callable[[str], list[TopicEndpointInfo]],
    ) -> tuple[TopicEndpointInfo, ...]:
        count = count_of(key[0])
        seen = self._seen.get(key)
        if seen is not None and seen.number == count:
            return seen.infos
        infos = tuple(list_of(given)) if count else ()
        self._seen.pop(key, None)
        if len(infos) == count and UNNAMED not in map(full_name, infos):
            self._seen[key] = _Ends(count, infos)
        return infos

    def _without_own(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the nodes of publishers without this node's one."""
        others = list(names)
        own = self._own_name()
        if own in others:
            others.remove(own)
        return tuple(others)

    def _namesakes(self) -> int:
        try:
            return max(0, self._node.get_fully_qualified_node_names().count(self._own_name()) - 1)
        except _UNREADABLE:
            return 0

    def _own_name(self) -> str:
        return shown_name(self._node.get_fully_qualified_name())


def full_name(info: TopicEndpointInfo) -> str:
    """Return the full name of the node that an end belongs to, fit to be shown, or `UNNAMED`."""
    name, namespace = info.node_name, info.node_namespace
    if not name or name == "_NODE_NAME_UNKNOWN_":
        return UNNAMED
    return shown_name(f"{namespace.rstrip('/')}/{name}")


def shown_name(name: str) -> str:
    """Return a name of the graph as it is, or quoted and cut where no ROS name looks like that."""
    return name if _PLAIN.fullmatch(name) else quoted(name)


def type_name(message_type: type) -> str:
    """Return the name of a message class as the graph has it: "sensor_msgs/msg/JointState"."""
    package, kind = message_type.__module__.split(".")[:2]
    return f"{package}/{kind}/{message_type.__name__}"


def _names(infos: Iterable[TopicEndpointInfo]) -> tuple[str, ...]:
    return tuple(sorted(map(full_name, infos)))


def _between(
    topic: str, own: Endpoint, infos: Iterable[TopicEndpointInfo], *, inward: bool
) -> Iterator[Mismatch]:
    """Yield what does not fit between one of our ends and the far ends of its topic."""
    wanted = type_name(own.message_type)
    for info in infos:
        node = full_name(info)
        if info.topic_type != wanted:
            text = _type_text(node, shown_name(info.topic_type), wanted, inward=inward)
            yield Mismatch(topic, node, f"{topic}: {text}: remap the topic of one of them", inward)
            continue
        if inward:
            found = shortfalls(info.qos_profile, own.qos_profile)
        else:
            found = shortfalls(own.qos_profile, info.qos_profile)
        for each in found:
            yield Mismatch(topic, node, f"{topic}: {_qos_text(node, each, own, inward)}", inward)


def _type_text(node: str, theirs: str, ours: str, *, inward: bool) -> str:
    if inward:
        return f"{node} publishes {theirs}, this node takes {ours}"
    return f"{node} subscribes to {theirs}, this node publishes {ours}"


def _qos_text(node: str, short: Shortfall, own: Endpoint, inward: bool) -> str:
    if not inward:
        return (
            f"this node publishes {short.offered}, {node} asks for {short.requested} and receives"
            f" nothing: let it ask for {short.offered}"
        )
    remedy = f"let it publish {short.requested}"
    if own.reliability_parameter and short.policy == "reliability":
        remedy = f"set {own.reliability_parameter}:={short.offered}"
    return f"{node} publishes {short.offered}, this node asks for {short.requested}: {remedy}"
