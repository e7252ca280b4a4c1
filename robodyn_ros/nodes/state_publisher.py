"""`state_publisher`: joint states in; frames, velocities and accelerations of all bodies out."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator

from rclpy.node import Node
from sensor_msgs.msg import JointState

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.state_path import Settings, StatePath, Step
from robodyn_ros.errors import quoted
from robodyn_ros.robot import Robot
from robodyn_ros.ros import backlog, qos
from robodyn_ros.ros.conversions import nanoseconds
from robodyn_ros.ros.description_source import DescriptionSource
from robodyn_ros.ros.diagnostics import DiagnosticsPublisher
from robodyn_ros.ros.parameter_tables import STATE_PARAMETERS
from robodyn_ros.ros.parameters import Parameters
from robodyn_ros.ros.rates import Traffic
from robodyn_ros.ros.reports import Report, clock_report, description_report, traffic_report
from robodyn_ros.ros.speaker import Speaker
from robodyn_ros.ros.state_outputs import StateOutputs

_NO_STAMP = Complaint(
    Severity.WARN,
    "without stamp",
    "joint states without a stamp are given the node's time; set header.stamp in their publisher",
)


class StatePublisher(Node):
    """Publishes the motion of a robot's bodies for every joint state."""

    def __init__(self) -> None:
        super().__init__("state_publisher")
        self._path: StatePath | None = None
        self._traffic = Traffic()
        self._speaker = Speaker(self)
        self._source = DescriptionSource(self, self._adopt)
        self._config = Parameters(
            self,
            STATE_PARAMETERS,
            on_change=self._parameters_changed,
            checks={"robot_description": self._source.check},
        )
        self._settings = self._read_settings()
        self._outputs = StateOutputs(self, self._traffic)
        self._source.start(
            self._config.get("robot_description"),
            self._config.text("robot_description_file"),
        )
        self._subscription = self.create_subscription(
            JointState,
            "joint_states",
            self._joint_state_received,
            qos.joint_states(self._config.text("joint_states_reliability")),
        )
        self._diagnostics = DiagnosticsPublisher(
            self, self._config.number("diagnostics_period"), self._reports
        )

    def _adopt(self, robot: Robot) -> None:
        plan = FramePlan(
            robot.model,
            prefix=self._config.text("frame_prefix"),
            world_frame=self._config.text("world_frame"),
        )
        path = StatePath(robot, plan)
        self._outputs.begin(path, publish_base=bool(self._config["publish_base"]))
        self._path = path
        self._speaker.forget()
        model = robot.model
        self.get_logger().info(
            f"robot {quoted(model.name)}: {model.nb} bodies, {len(plan.slots)} joints to be moved"
        )
        for name, kind in plan.unsourced:
            self.get_logger().warning(
                f"joint {quoted(name)} is {kind}: joint states cannot move it, so the frames"
                " behind it are not published and their states not valid"
            )
        path.start_kernels()

    def _joint_state_received(self, message: JointState) -> None:
        messages = [message, *backlog.waiting(self._subscription)]
        self._traffic.count("input", len(messages))
        self._traffic.last_input = time.monotonic()
        if self._path is None:
            self._traffic.count("dropped without a description", len(messages))
            return
        shown = backlog.to_publish([each.name for each in messages])
        self._traffic.count("merged only, backlog", shown.count(False))
        for each, publish in zip(messages, shown, strict=True):
            self._handle(self._path, each, publish=publish)

    def _handle(self, path: StatePath, message: JointState, *, publish: bool) -> None:
        try:
            step = self._take(path, message)
            if publish:
                self._complain(self._outputs.publish(path, step, self._settings))
        except Exception as error:  # noqa: BLE001
            # Whatever a message holds, the node lives on; an error here is a fault of ours.
            if self.context.ok():
                text = f"joint state dropped by an internal error: {error!r}"
                self._complain([Complaint(Severity.ERROR, "internal errors", text, once=False)])

    def _take(self, path: StatePath, message: JointState) -> Step:
        stamp = nanoseconds(message.header.stamp)
        if stamp == 0:
            stamp = self.get_clock().now().nanoseconds
            self._complain([_NO_STAMP])
        step = path.take(
            message.name,
            message.position,
            message.velocity,
            len(message.effort),
            stamp,
            self._settings,
        )
        self._complain(step.complaints)
        return step

    def _complain(self, complaints: Iterable[Complaint]) -> None:
        self._speaker.say(complaints)
        self._traffic.note(complaints)

    def _read_settings(self) -> Settings:
        config = self._config
        return Settings(
            publish_frequency=config.number("publish_frequency"),
            ignore_timestamp=bool(config["ignore_timestamp"]),
            message_velocity=config.text("velocity_source") == "message",
            filtered_acceleration=config.text("acceleration_source") == "filtered",
            filter_time_constant=config.number("filter_time_constant"),
            stale_after=config.number("stale_after"),
        )

    def _parameters_changed(self, names: set[str]) -> None:
        self._settings = self._read_settings()
        if "robot_description" in names:
            self._source.change(self._config["robot_description"])

    def _reports(self) -> Iterator[Report]:
        robot = self._path.robot if self._path is not None else None
        yield description_report(robot, self._source.waiting_for)
        topic = self._subscription.topic_name
        yield traffic_report(self._traffic, topic, self.count_publishers(topic), time.monotonic())
        if self.get_parameter("use_sim_time").value:
            report = clock_report(self.get_clock().now().nanoseconds)
            if report.is_trouble:
                self._complain([Complaint(Severity.WARN, "clock", report.message, once=False)])
            yield report


def main() -> int:
    """Run the node; the installed executable enters by `robodyn_ros.nodes.executables`."""
    from robodyn_ros.nodes.executables import state_publisher

    return state_publisher()


if __name__ == "__main__":
    sys.exit(main())
