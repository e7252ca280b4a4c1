"""The surroundings of a robot in a node that only shows its motion: given, or followed.

Gravity, payloads, joint parameters and the units of efforts matter to accelerations from forward
dynamics; gravity also to what an IMU on a moving base measures.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from rclpy.exceptions import InvalidTopicNameException
from robodyn_interfaces.msg import Environment

from robodyn_ros.conditioning.complaints import Complaint, Severity, counted
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.errors import ArgumentError, RobodynError, quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.environment_message import Told, environment_told
from robodyn_ros.ros.feature import Ends, Feature
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.reports import MAX_ROWS, Level, Report
from robodyn_ros.ros.robot_loads import JointParameters
from robodyn_ros.ros.state_node import StateNode


class FollowedEnvironment(Feature):
    """Keeps a state path's surroundings at what parameters say, or another node's messages.

    A message that cannot be used is refused as a whole, and the one before holds on. Called by the
    node's executor, one thing at a time.

    Attributes:
        factor: (n,) from what a slot of joint states reports as effort to N m or N; 0 for refused.
        compensated: Whether the robot's own driver adds the efforts that hold the weight.
        lack_gravity: Whether efforts of joint states lack those that hold the weight.
        trouble: Why the surroundings are not known; "" where they are.
    """

    def __init__(self, node: StateNode) -> None:
        """Subscribe to the topic that is to be followed, if any.

        Raises:
            ArgumentError: `environment_topic` is no name of a topic.
        """
        self._node = node
        self._config = node.config
        self._joints = JointParameters(node.config)
        self._path: StatePath | None = None
        self._message: Environment | None = None
        self._told: Told | None = None
        self._refused = ""
        self._lost: list[Complaint] = []
        self.factor: NDArray[np.float64] = np.zeros(0)
        self.compensated = self.lack_gravity = False
        self.trouble = ""
        self._ends: tuple[Endpoint, ...] = ()
        self._topic = ""
        topic = self._config.text("environment_topic")
        if topic:
            try:
                node.create_subscription(Environment, topic, self._received, qos.LATCHED)
            except InvalidTopicNameException as error:
                raise ArgumentError(
                    f"environment_topic {quoted(topic)} is no name of a topic: {error}"
                ) from None
            self._topic = node.resolve_topic_name(topic)
            self._ends = (Endpoint(topic, Environment, qos.LATCHED),)

    @property
    def ends(self) -> Ends:
        """What is subscribed to."""
        return Ends(inward=self._ends)

    def adopt(self, path: StatePath) -> None:
        """Put another robot into the surroundings that were known before."""
        self._lost = list(self._joints.begin(path.robot.model))
        self._path = path
        self._told, self._refused = None, ""
        if self._message is not None:
            self._lost.extend(self._take(path, self._message))
        described = path.robot.model.defaults.environment.gravity
        self._config.fall_back("gravity", described.tolist())
        self._surround(path)

    def adopted(self, path: StatePath) -> None:
        """Say what does not go together with it."""
        self._node.complain(self._lost)

    def parameters_changed(self, names: set[str]) -> None:
        """Take what concerns the surroundings."""
        path = self._path
        own = {"gravity", "driver_compensates_gravity", "measured_efforts_include_gravity"}
        if path is None or not any(x in own or x.startswith("joints.") for x in names):
            return
        with self._node.lock:
            self._surround(path)

    def reports(self, now: float) -> Iterator[Report]:
        """Report on what is followed."""
        if not self._topic or self._path is None:
            return
        told = self._told
        values = {"topic": self._topic}
        if told is not None:
            x, y, z = told.gravity.tolist()
            values["gravity"] = f"{x:.4f}, {y:.4f}, {z:.4f} m/s^2 in world axes"
            values["driver compensates gravity"] = str(told.compensated).lower()
            values["payloads"] = str(len(told.payloads))
            for load in told.payloads[:MAX_ROWS]:
                kept = f"{load.mass:.4g} kg on {quoted(load.frame)}"
                values[f"payload {quoted(load.name)}"] = kept
        if self._refused or told is None:
            text = self._refused or f"no environment yet on {self._topic}"
            yield Report("environment", Level.WARN, text, values=values)
            return
        text = f"followed; {counted(len(told.payloads), 'payload')}"
        yield Report("environment", Level.OK, text, values=values)

    def _received(self, message: Environment) -> None:
        # Kept even if refused: it may be of a description that is about to come here too.
        self._message, path = message, self._path
        if path is None:
            return
        complaints = list(self._take(path, message))
        if not complaints:
            with self._node.lock:
                self._surround(path)
        self._node.complain(complaints)

    def _take(self, path: StatePath, message: Environment) -> Iterator[Complaint]:
        """Keep what a message says of a path's robot; yield why it cannot be used."""
        plan, prefix = path.plan, self._config.text("frame_prefix")
        try:
            self._told = environment_told(message, path.robot.model, plan.world_frame, prefix)
            self._refused = ""
        except RobodynError as error:
            robot = quoted(path.robot.model.name)
            kept = "the one before holds on" if self._told is not None else "none is known"
            self._refused = (
                f"an environment on {self._topic} does not fit robot {robot} and is refused,"
                f" {kept}: {error}"
            )
            yield Complaint(Severity.WARN, "environments refused", self._refused, once=False)

    def _surround(self, path: StatePath) -> None:
        """Give a path what is known; its lock is held, or nobody uses it yet."""
        told, robot = self._told, path.robot
        if told is None:
            described = robot.model.defaults.environment.gravity
            gravity = np.array(self._config.get("gravity") or described)
            told = Told(gravity, (), bool(self._config["driver_compensates_gravity"]))
        self._joints.apply(robot)
        robot.environment = replace(robot.environment, gravity=told.gravity, payloads=told.payloads)
        path.gravity = told.gravity
        path.drive.follow(robot.environment)
        included = bool(self._config["measured_efforts_include_gravity"])
        self.lack_gravity = lack = told.compensated and not included
        measured = self._joints.measured(robot.model, compensated=lack)
        path.drive.scale(measured.factor, measured.refused, compensated=lack)
        self.factor, self.compensated = measured.factor, told.compensated
        waiting = self._topic and self._told is None
        self.trouble = (
            f"no environment known from {self._topic}: start the node that publishes it, or leave"
            " environment_topic empty"
            if waiting
            else ""
        )
        path.drive.trouble = self.trouble
