"""A node that follows a robot's state: joint states and poses in, one step of its path for each.

What becomes of a step is a matter of the node's features.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rclpy.node import Node
from sensor_msgs.msg import JointState

from robodyn_ros.conditioning.complaints import Complaint
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.pose_inputs import PoseInputs, Sample
from robodyn_ros.conditioning.state_path import StatePath, Step
from robodyn_ros.conditioning.state_step import BODY_SIZE
from robodyn_ros.errors import quoted
from robodyn_ros.robot import Robot
from robodyn_ros.ros import qos
from robodyn_ros.ros.base_inputs import IMU, MULTI_DOF, ODOMETRY, BaseInputs
from robodyn_ros.ros.base_parameters import base_of, require_moving
from robodyn_ros.ros.base_program import base_program
from robodyn_ros.ros.clock_watch import is_simulated
from robodyn_ros.ros.closure_reports import path_reports
from robodyn_ros.ros.control_parameters import ControlParameters
from robodyn_ros.ros.conversions import LAST_STAMP
from robodyn_ros.ros.description_notes import about_notes
from robodyn_ros.ros.description_source import DescriptionSource
from robodyn_ros.ros.diagnostics import DiagnosticsPublisher
from robodyn_ros.ros.feature import Feature
from robodyn_ros.ros.features import Features
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.hot_subscription import HotSubscription
from robodyn_ros.ros.joint_state_input import JointStateInput, pause_after
from robodyn_ros.ros.kernel_watch import KernelWatch
from robodyn_ros.ros.meters import StateMeters
from robodyn_ros.ros.parameter_specs import Spec
from robodyn_ros.ros.parameters import Parameters
from robodyn_ros.ros.rates import Traffic
from robodyn_ros.ros.reports import Report, body_count
from robodyn_ros.ros.speaker import Speaker
from robodyn_ros.ros.state_reports import Knowledge, StateReports
from robodyn_ros.ros.state_settings import frame_plan, state_settings
from robodyn_ros.ros.visualization import Snapshot


class StateNode(Node):
    """Keeps the state of a robot, and has its features do something with it.

    Attributes:
        config: Its parameters.
        traffic: Counts what comes and what becomes of it.
        lock: Held by whoever touches the path or what features publish at its rate: joint states
            come in a thread of theirs.
        path: The state path; None before the first description.
    """

    def __init__(self, name: str, parameters: Sequence[Spec]) -> None:
        """Declare the parameters; `follow` does the rest."""
        super().__init__(name)
        self.path: StatePath | None = None
        self.lock = threading.Lock()
        self.traffic, self._pose_traffic = Traffic(), Traffic()
        self._last_change = 0.0
        self._untold: list[Complaint] = []
        self._meters = StateMeters()
        self._speaker = Speaker(self)
        self._kernels = KernelWatch(self, self._kernel_state)
        self._poses: PoseInputs | None = None
        self._features = Features(())
        self.source = DescriptionSource(self, self._adopt)
        self.config = Parameters(
            self,
            parameters,
            on_change=self._parameters_changed,
            checks={"robot_description": self.source.check},
        )
        self._controls = ControlParameters(self.config)
        self._settings = self._state_settings()

    def follow(self, *features: Feature) -> None:
        """Load the robot, and begin to take what comes; features are served in this order.

        Raises:
            RobodynError: the description or a parameter cannot be used.
        """
        self._features = Features(features)
        config = self.config
        self._base_input = config.text("base_input")
        base = base_of(config.text("base"), self._base_input)
        self._program = base_program(config, self.get_logger().warning)
        taken = self._pose_received
        self._pose_subscriptions = BaseInputs(self, multi_dof=taken, odometry=taken, imu=taken)
        self.source.start(
            config.get("robot_description"), config.text("robot_description_file"), base
        )
        self._input = JointStateInput(self.traffic, self._meters, self.clock_now, self._note)
        self._subscription = HotSubscription(
            self,
            JointState,
            "joint_states",
            qos.joint_states(config.text("joint_states_reliability")),
            self._joint_states_received,
            numbered=self._meters.sequence.add,
        )
        self._collector = StateReports(
            self,
            self._subscription,
            self._ends,
            (self.traffic, self._pose_traffic),
            self._meters,
            self.complain,
        )
        self._diagnostics = DiagnosticsPublisher(
            self, config.number("diagnostics_period"), self._reports
        )
        self._subscription.start()

    def destroy_node(self) -> None:
        """End the thread of the joint states, then the node."""
        self._input.closed = True
        self._subscription.stop()
        super().destroy_node()

    def snapshot(self) -> Snapshot | None:
        """Return what is known now, aged by the time since the last message."""
        with self.lock:
            path = self.path
            if path is None or path.stamp is None:
                return None
            valid, _ = path.validity(self.present(path.stamp))
            stamp, result = path.stamp, path.result
        # Without a kernel that takes long; the lock is free meanwhile.
        return Snapshot(path, stamp, result.bodies.reshape(-1, BODY_SIZE), valid, result.q)

    def present(self, stamp: int) -> int:
        """Return the stamp of the last input plus the time since, ns."""
        return stamp + round((time.monotonic() - self._last_change) * 1e9)

    def _now(self) -> int | None:
        path = self.path
        return self.present(path.stamp) if path is not None and path.stamp is not None else None

    def clock_now(self) -> int:
        """Return the node's time, ns; 0 while use_sim_time is set and nothing came on /clock."""
        clock = self.get_clock()
        simulated = is_simulated(clock)
        return min(int(clock.now().nanoseconds), LAST_STAMP) if simulated else time.time_ns()

    def complain(self, complaints: Iterable[Complaint]) -> None:
        """Log what is to be said, and count it; not with the lock held."""
        told = list(complaints)
        self._speaker.say(told)
        self.traffic.note(told)

    def _adopt(self, robot: Robot) -> None:
        require_moving(robot.model.base, self._base_input)
        plan = frame_plan(robot.model, self.config)
        self._controls.begin(robot.model)
        self._settings = self._state_settings()
        path = self._features.foresee(StatePath(robot, plan, self._settings, self.source.drives))
        topics = self._pose_subscriptions
        with self.lock:
            if self.path is not None:
                path.replace(self.path)
            self._features.adopt(path, self.path)
            poses = PoseInputs(
                path,
                self._base_input,
                prefix=self.config.text("frame_prefix"),
                multi_dof_topic=topics.full_name(MULTI_DOF),
                odometry_topic=topics.full_name(ODOMETRY),
                imu_topic=topics.full_name(IMU),
                program=self._program,
            )
            self.path, self._poses = path, poses
        topics.listen(plan, self._base_input)
        self._speaker.forget()
        for feature in self._features.all:
            feature.adopted(path)
        model = robot.model
        self._speaker.say(about_notes(model.notes))
        self.get_logger().info(
            f"robot {quoted(model.name)}: {body_count(model)} bodies, {len(plan.slots)} joints move"
        )
        self._kernels.begin(model.name)

    def _state_settings(self) -> Settings:
        return replace(state_settings(self.config), controls=self._controls.values())

    def _joint_states_received(self, data: list[bytes]) -> None:
        arrival, worked = time.monotonic(), time.thread_time()
        self.traffic.count("input", len(data))
        self.traffic.last_input = arrival
        self._meters.arrivals.add(arrival, len(data))
        self._meters.batch.add(len(data))
        with self.lock:
            path = self.path
            if path is None:
                self.traffic.count("dropped without a description", len(data))
                return
            for prepare in self._features.prepares:
                prepare(path, arrival)
            before, quick = path.result, path.stepper.is_compiled
            self._input.take(path, data, self._publish, newest=not quick)
            if path.result is not before:
                self._last_change = arrival
        self._tell()
        self._meters.processing.add(time.monotonic() - arrival)
        if not quick and self._subscription.mode == "thread":
            # Plain functions hold the lock and the interpreter: services would wait for seconds.
            time.sleep(pause_after(time.thread_time() - worked))

    def _pose_received(self, sample: Sample) -> None:
        self._pose_traffic.count("poses")
        now = time.monotonic()
        with self.lock:
            if self.path is None or self._poses is None:
                return
            for prepare in self._features.prepares:
                prepare(self.path, now)
            before = self.path.result
            taken = self._poses.take(sample, self.clock_now(), self._settings)
            step = self.path.take_poses(taken)
            if self.path.result is not before:
                self._last_change = now
            self._publish(step, now)
        self._speaker.say(step.complaints)
        self._pose_traffic.note(step.complaints)
        self._tell()

    def _publish(self, step: Step, now: float) -> None:
        path = self.path
        if path is None:
            return
        for publish in self._features.publishes:
            complaints = publish(path, step, now)
            if complaints:
                self._note(complaints)

    def _note(self, complaints: Iterable[Complaint]) -> None:
        """Keep what is to be said until the lock is free: a log may block."""
        self._untold.extend(complaints)

    def _tell(self) -> None:
        """Say what was kept; not with the lock held."""
        if self._untold:
            told, self._untold = self._untold, []
            self.complain(told)

    def _parameters_changed(self, names: set[str]) -> None:
        self._settings = self._state_settings()
        with self.lock:
            if self.path is not None:
                self.path.choose(self._settings)
            path = self.path
        for feature in self._features.all:
            feature.parameters_changed(names)
        if "acceleration_source" in names and path is not None:
            self._kernels.begin(path.robot.model.name)
        if "robot_description" in names:
            self.source.change(self.config["robot_description"])

    def _reports(self) -> Iterator[Report]:
        with self.lock:
            known, source = self._known(), self.config.text("acceleration_source")
            worked_out = [*path_reports(self.path, self._now(), source)]
        yield from self._collector.collect(known, self.source.waiting_for)
        yield from map(self._collector.heard_of, worked_out)
        now = time.monotonic()
        for feature in self._features.all:
            yield from feature.reports(now)

    def _ends(self) -> tuple[list[Endpoint], list[Endpoint]]:
        """Return what the node subscribes to besides joint states, and what it publishes."""
        inward, outward = self.source.ends
        inward = [*inward, *self._pose_subscriptions.ends]
        for feature in self._features.all:
            inward.extend(feature.ends.inward)
            outward = [*outward, *feature.ends.outward]
        return inward, outward

    def _known(self) -> Knowledge | None:
        path = self.path
        if path is None or self._poses is None:
            return None
        joints = {name: (age, what) for name, age, what in path.troubles(self._now() or 0)}
        return Knowledge(path.robot, path.stepper.state, joints, self._poses.sources, self._now())

    def _kernel_state(self) -> str:
        with self.lock:
            if self.path is None:
                return "plain"
            states = self.path.stepper.state, self.path.stepper.dynamics_state
            waiting = "compiling" in states or any(x.is_compiling for x in self._features.all)
            return "compiling" if waiting else states[0]
