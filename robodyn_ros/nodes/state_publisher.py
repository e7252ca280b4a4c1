"""`state_publisher`: joint states in; frames, velocities and accelerations of all bodies out."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable, Iterator

from rclpy.clock import ROSClock
from rclpy.node import Node
from sensor_msgs.msg import JointState

from robodyn_ros.conditioning.complaints import Complaint
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.pose_inputs import PoseInputs, Sample
from robodyn_ros.conditioning.state_path import Settings, StatePath, Step
from robodyn_ros.conditioning.state_step import BODY_SIZE
from robodyn_ros.errors import quoted
from robodyn_ros.robot import Robot
from robodyn_ros.ros import qos
from robodyn_ros.ros.base_inputs import IMU, MULTI_DOF, ODOMETRY, BaseInputs
from robodyn_ros.ros.base_parameters import base_of
from robodyn_ros.ros.conversions import LAST_STAMP
from robodyn_ros.ros.description_notes import about_notes
from robodyn_ros.ros.description_source import DescriptionSource
from robodyn_ros.ros.diagnostics import DiagnosticsPublisher
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.hot_subscription import HotSubscription
from robodyn_ros.ros.joint_state_input import JointStateInput
from robodyn_ros.ros.kernel_watch import KernelWatch
from robodyn_ros.ros.meters import StateMeters
from robodyn_ros.ros.parameter_tables import STATE_PARAMETERS
from robodyn_ros.ros.parameters import Parameters
from robodyn_ros.ros.rates import Traffic
from robodyn_ros.ros.reports import Report
from robodyn_ros.ros.speaker import Speaker
from robodyn_ros.ros.state_outputs import StateOutputs
from robodyn_ros.ros.state_reports import Knowledge, StateReports
from robodyn_ros.ros.visualization import Snapshot, Visualization


class StatePublisher(Node):
    """Publishes the motion of a robot's bodies for every joint state."""

    def __init__(self) -> None:
        super().__init__("state_publisher")
        self._path: StatePath | None = None
        #: Held by whoever touches the path or the outputs: joint states come in a thread of theirs.
        self._lock = threading.Lock()
        self._last_change = 0.0
        self._untold: list[Complaint] = []
        self._traffic = Traffic()
        self._pose_traffic = Traffic()
        self._meters = StateMeters()
        self._speaker = Speaker(self)
        self._kernels = KernelWatch(self, self._kernel_state)
        self._source = DescriptionSource(self, self._adopt)
        self._config = Parameters(
            self,
            STATE_PARAMETERS,
            on_change=self._parameters_changed,
            checks={"robot_description": self._source.check},
        )
        self._settings = self._read_settings()
        self._outputs = StateOutputs(self, self._traffic)
        self._base_input = self._config.text("base_input")
        base = base_of(self._config.text("base"), self._base_input)
        self._poses: PoseInputs | None = None
        taken = self._pose_received
        self._pose_subscriptions = BaseInputs(self, multi_dof=taken, odometry=taken, imu=taken)
        self._visualization = Visualization(self, self._config, self._traffic, self._snapshot)
        self._source.start(
            self._config.get("robot_description"),
            self._config.text("robot_description_file"),
            base,
        )
        self._input = JointStateInput(
            self._traffic,
            self._meters,
            self._clock_now,
            self._note,
        )
        self._subscription = HotSubscription(
            self,
            JointState,
            "joint_states",
            qos.joint_states(self._config.text("joint_states_reliability")),
            self._joint_states_received,
            numbered=self._meters.sequence.add,
        )
        self._collector = StateReports(
            self,
            self._subscription,
            self._ends,
            (self._traffic, self._pose_traffic),
            self._meters,
            self._complain,
        )
        self._diagnostics = DiagnosticsPublisher(
            self, self._config.number("diagnostics_period"), self._reports
        )
        self._subscription.start()

    def destroy_node(self) -> None:
        """End the thread of the joint states, then the node."""
        self._input.closed = True
        self._subscription.stop()
        super().destroy_node()

    def _adopt(self, robot: Robot) -> None:
        plan = FramePlan(
            robot.model,
            prefix=self._config.text("frame_prefix"),
            world_frame=self._config.text("world_frame"),
            publish_base=bool(self._config["publish_base"]),
        )
        path = StatePath(robot, plan, self._settings)
        topics = self._pose_subscriptions
        poses = PoseInputs(
            path,
            self._base_input,
            prefix=self._config.text("frame_prefix"),
            multi_dof_topic=topics.full_name(MULTI_DOF),
            odometry_topic=topics.full_name(ODOMETRY),
            imu_topic=topics.full_name(IMU),
        )
        with self._lock:
            if self._path is not None:
                path.replace(self._path)
            self._outputs.begin(path)
            self._path, self._poses = path, poses
        self._visualization.clear()
        topics.listen(plan, self._base_input)
        self._speaker.forget()
        model = robot.model
        self._speaker.say(about_notes(model.notes))
        self.get_logger().info(
            f"robot {quoted(model.name)}: {model.nb} bodies, {len(plan.slots)} joints to be moved"
        )
        self._kernels.begin(model.name)

    def _joint_states_received(self, data: list[bytes]) -> None:
        arrival = time.monotonic()
        self._traffic.count("input", len(data))
        self._traffic.last_input = arrival
        self._meters.arrivals.add(arrival, len(data))
        self._meters.batch.add(len(data))
        with self._lock:
            path = self._path
            if path is None:
                self._traffic.count("dropped without a description", len(data))
                return
            before = path.result
            self._input.take(path, data, self._publish)
            if path.result is not before:
                self._last_change = arrival
        self._tell()
        self._meters.processing.add(time.monotonic() - arrival)

    def _pose_received(self, sample: Sample) -> None:
        self._pose_traffic.count("poses")
        now = time.monotonic()
        with self._lock:
            if self._path is None or self._poses is None:
                return
            before = self._path.result
            taken = self._poses.take(sample, self._clock_now(), self._settings)
            step = self._path.take_poses(taken)
            if self._path.result is not before:
                self._last_change = now
            self._publish(step, now)
        self._speaker.say(step.complaints)
        self._pose_traffic.note(step.complaints)
        self._tell()

    def _clock_now(self) -> int:
        """Return the node's time, ns; 0 while use_sim_time is set and nothing came on /clock."""
        clock = self.get_clock()
        simulated = isinstance(clock, ROSClock) and clock.ros_time_is_active
        return min(int(clock.now().nanoseconds), LAST_STAMP) if simulated else time.time_ns()

    def _publish(self, step: Step, now: float) -> None:
        if self._path is not None:
            complaints = self._outputs.publish(self._path, step, now)
            if complaints:
                self._note(complaints)

    def _snapshot(self) -> Snapshot | None:
        """Return what is known now, aged by the time since the last message."""
        with self._lock:
            path = self._path
            if path is None or path.stamp is None:
                return None
            valid, _ = path.validity(self._present(path.stamp))
            stamp, result = path.stamp, path.result
        # Without a kernel that takes long; the lock is free meanwhile.
        return Snapshot(path, stamp, result.bodies.reshape(-1, BODY_SIZE), valid)

    def _note(self, complaints: Iterable[Complaint]) -> None:
        """Keep what is to be said until the lock is free: a log may block."""
        self._untold.extend(complaints)

    def _tell(self) -> None:
        """Say what was kept; not with the lock held."""
        if self._untold:
            told, self._untold = self._untold, []
            self._complain(told)

    def _complain(self, complaints: Iterable[Complaint]) -> None:
        """Log what is to be said, and count it; not with the lock held."""
        told = list(complaints)
        self._speaker.say(told)
        self._traffic.note(told)

    def _read_settings(self) -> Settings:
        config = self._config
        return Settings(
            publish_frequency=config.number("publish_frequency"),
            ignore_timestamp=bool(config["ignore_timestamp"]),
            stale_after=config.number("stale_after"),
            publish_outliers=bool(config["publish_outliers"]),
            choices=Choices(
                message_velocity=config.text("velocity_source") == "message",
                filtered_acceleration=config.text("acceleration_source") == "filtered",
                filter_time_constant=config.number("filter_time_constant"),
                outlier_rejection=bool(config["outlier_rejection"]),
            ),
        )

    def _parameters_changed(self, names: set[str]) -> None:
        self._settings = self._read_settings()
        with self._lock:
            if self._path is not None:
                self._path.choose(self._settings)
        if any(name.startswith("visualization") for name in names):
            self._visualization.parameters_changed()
        if "robot_description" in names:
            self._source.change(self._config["robot_description"])

    def _reports(self) -> Iterator[Report]:
        with self._lock:
            known = self._known()
        yield from self._collector.collect(known, self._source.waiting_for)

    def _ends(self) -> tuple[list[Endpoint], list[Endpoint]]:
        """Return what the node subscribes to besides joint states, and what it publishes."""
        inward, outward = self._source.ends
        inward = [*inward, *self._pose_subscriptions.ends]
        return inward, [*outward, *self._outputs.ends, self._visualization.end]

    def _known(self) -> Knowledge | None:
        path = self._path
        if path is None or self._poses is None:
            return None
        now = self._present(path.stamp) if path.stamp is not None else None
        joints = {name: (age, what) for name, age, what in path.troubles(now or 0)}
        return Knowledge(path.robot, path.stepper.state, joints, self._poses.sources, now)

    def _kernel_state(self) -> str:
        with self._lock:
            return self._path.stepper.state if self._path is not None else "plain"

    def _present(self, stamp: int) -> int:
        """Return the stamp of the last input plus the time since, ns."""
        return stamp + round((time.monotonic() - self._last_change) * 1e9)


def main() -> int:
    """Run the node; the installed executable enters by `robodyn_ros.nodes.executables`."""
    from robodyn_ros.nodes.executables import state_publisher

    return state_publisher()


if __name__ == "__main__":
    sys.exit(main())
