"""What a state publisher reports of itself, collected once a period from all who know a part."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rclpy.node import Node
from sensor_msgs.msg import JointState

from robodyn_ros.conditioning.base_state import Source
from robodyn_ros.conditioning.complaints import Complaint, Severity, counted
from robodyn_ros.robot import Robot
from robodyn_ros.ros.clock_watch import ClockWatch
from robodyn_ros.ros.closure_reports import NAME as MECHANISM
from robodyn_ros.ros.graph_reports import RivalryReporter, connections_report
from robodyn_ros.ros.graph_watch import Endpoint, GraphWatch
from robodyn_ros.ros.hot_subscription import HotSubscription
from robodyn_ros.ros.joint_reports import joints_report
from robodyn_ros.ros.meters import StateMeters
from robodyn_ros.ros.name_reports import NameReporter
from robodyn_ros.ros.rates import Traffic
from robodyn_ros.ros.reports import (
    Level,
    Report,
    clock_report,
    description_report,
    listed,
    traffic_report,
)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of the robot at one moment.

    Attributes:
        robot: The robot.
        kernel: State of its compiled function: "plain", "compiling" or "compiled".
        joints: Age in s (-1 for none) and what is wrong ("" for nothing), by joint.
        sources: What moves a base.
        now: The moment, by the clock of the stamps, ns; None before the first input.
    """

    robot: Robot
    kernel: str
    joints: Mapping[str, tuple[float, str]]
    sources: Sequence[Source]
    now: int | None


class StateReports:
    """Collects the reports of one node."""

    def __init__(
        self,
        node: Node,
        subscription: HotSubscription,
        ends: Callable[[], tuple[Sequence[Endpoint], Sequence[Endpoint]]],
        traffic: tuple[Traffic, Traffic],
        meters: StateMeters,
        complain: Callable[[Iterable[Complaint]], None],
    ) -> None:
        """Prepare.

        Args:
            node: The node.
            subscription: Its input.
            ends: Returns what the node subscribes to besides, and what it publishes.
            traffic: Its counts: of joint states, and of whole poses.
            meters: Its meters.
            complain: Takes what is to be logged.
        """
        self._subscription = subscription
        self._input = Endpoint(
            "joint_states", JointState, subscription.qos_profile, "joint_states_reliability"
        )
        self._ends = ends
        self._traffic, self._pose_traffic = traffic
        self._meters = meters
        self._complain = complain
        self._clock = ClockWatch(node)
        self._graph = GraphWatch(node)
        self._rivalry = RivalryReporter()
        self._names = NameReporter()
        self._robot: Robot | None = None

    def collect(self, known: Knowledge | None, waiting_for: str) -> Iterator[Report]:
        """Yield the reports, and log what of them is to be heard.

        Args:
            known: What is known; None without a description.
            waiting_for: Full name of the topic that one is waited for on, "" for none.
        """
        now = time.monotonic()
        clock = self._clock.state(now)
        inward, outward = self._ends()
        found = self._graph.look([self._input, *inward], outward)
        self._complain(found.complaints())
        topic = self._subscription.topic_name
        publishers = found.publishers.get(topic, ())
        robot = known.robot if known is not None else None
        self._follow(robot)
        kernels = {"state_step": known.kernel} if known is not None else {}
        yield description_report(robot, waiting_for, kernels)
        yield traffic_report(
            self._traffic,
            topic,
            publishers,
            now,
            self._meters.read(now),
            simulated=clock.simulated,
        )
        poses = [poses_report(self._pose_traffic, now)] if self._pose_traffic.total else []
        if known is not None:
            names = self._names.report(
                self._traffic.mentioned.get("unknown names", {}), known.joints
            )
            self._complain(self._names.complaints)
            yield names
            outliers = {
                name: mention
                for traffic in (self._traffic, self._pose_traffic)
                for name, mention in traffic.mentioned.get("outliers", {}).items()
            }
            yield joints_report(self._names.explained(known.joints), outliers)
            if known.sources:
                yield base_report(known.sources, known.now)
        yield from poses
        yield self._heard(self._rivalry.report(self._traffic.recent, topic, publishers))
        yield connections_report(found)
        yield self._heard(clock_report(clock))
        yield self._path_report()

    def _follow(self, robot: Robot | None) -> None:
        """Forget what was said of another robot's joints; before the first one nothing was."""
        if self._robot is not None and robot is not self._robot:
            self._traffic.forget()
            self._pose_traffic.forget()
        self._robot = robot

    def heard_of(self, report: Report) -> Report:
        """Log a warning about a mechanism, and return it; errors are told with the messages."""
        if report.name == MECHANISM and report.level is Level.WARN:
            return self._heard(report)
        return report

    def _heard(self, report: Report) -> Report:
        """Log a report of trouble, and return it."""
        if report.is_trouble:
            text = report.message
            self._complain([Complaint(Severity.WARN, report.name, text, once=False)])
        return report

    def _path_report(self) -> Report:
        subscription = self._subscription
        values = {"served by": subscription.mode}
        if subscription.reason:
            values["reason"] = subscription.reason
        return Report("message path", Level.OK, f"served by {subscription.mode}", values=values)


def base_report(sources: Sequence[Source], now: int | None) -> Report:
    """Report on what moves the base.

    Args:
        sources: The sources in use.
        now: Time by the clock of their stamps, ns; None before any input.
    """
    troubles = [source.trouble for source in sources if source.trouble]
    values = {}
    for source in sources:
        seen = "nothing received"
        if now is not None and source.stamp > 0:
            seen = f"age {max(0.0, (now - source.stamp) * 1e-9):.3f} s"
        values[f"{source.name} on {source.topic}"] = source.trouble or seen
    if troubles:
        return Report("base", Level.WARN, "; ".join(troubles), values=values)
    return Report("base", Level.OK, "the base's motion is known", values=values)


def poses_report(traffic: Traffic, now: float) -> Report:
    """Report on what moves whole poses; `now` is monotonic, s."""
    values = {f"{name} rate": f"{rate:.1f} Hz" for name, rate in traffic.rates(now).items()}
    values |= {name: str(count) for name, count in traffic.total.items()}
    troubles = traffic.take_troubles()
    number = traffic.recent.get("poses", 0)
    text = f"{counted(number, 'message')} with whole poses in this period"
    if troubles:
        text += "; lately: " + listed(troubles, len(troubles))
    return Report("poses", Level.WARN if troubles else Level.OK, text, values=values)
