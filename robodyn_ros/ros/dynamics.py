"""Dynamics as a feature of a node that follows a robot's state.

The robot's surroundings, the stream of efforts, and what the services ask for.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.conditioning.complaints import Complaint
from robodyn_ros.conditioning.path_dynamics import PathDynamics
from robodyn_ros.conditioning.state_path import StatePath, Step
from robodyn_ros.errors import DescriptionError
from robodyn_ros.model import Payload
from robodyn_ros.robot import Robot
from robodyn_ros.robot.run_time import base_motion_of
from robodyn_ros.ros.attitude import attitude
from robodyn_ros.ros.dynamics_host import Live
from robodyn_ros.ros.dynamics_reports import Surroundings, dynamics_report, measured_report
from robodyn_ros.ros.environment_stream import EnvironmentStream
from robodyn_ros.ros.feature import Ends, Feature
from robodyn_ros.ros.gravity_input import GravityInput
from robodyn_ros.ros.joint_dynamics import JointDynamicsStream, measured_reasons
from robodyn_ros.ros.reports import Report
from robodyn_ros.ros.robot_loads import JointParameters, attach, carry_over, loads_given
from robodyn_ros.ros.state_node import StateNode

Floats = NDArray[np.float64]
_OF_WEIGHT = {"driver_compensates_gravity", "measured_efforts_include_gravity"}


class Dynamics(Feature):
    """Keeps gravity, payloads and joint parameters, and publishes what follows from them.

    It is the `DynamicsHost` of the node's services. What it does besides `prepare` and `publish` is
    done by the node's executor, one thing at a time.

    Attributes:
        stream: The stream of efforts.
    """

    def __init__(self, node: StateNode) -> None:
        """Make the outputs and subscribe to the source of gravity.

        Raises:
            ArgumentError: parameters that do not go together.
        """
        self._node = node
        self._config = node.config
        self._given = loads_given(node.config)
        self._joints = JointParameters(node.config)
        self._environment = EnvironmentStream(node)
        self.stream = JointDynamicsStream(node, node.traffic)
        self._dynamics: PathDynamics | None = None
        self._lost: list[Complaint] = []
        self._watchers: set[str] = set()
        self._gravity = GravityInput(node, node.config, self._attitude, self._gravity_changed)

    @property
    def ends(self) -> Ends:
        """What is subscribed to and published."""
        return Ends(self._gravity.ends.inward, (self.stream.end, self._environment.end))

    def adopt(self, path: StatePath) -> None:
        """Take another description, with the payloads of the one before."""
        robot = path.robot
        self._lost = list(self._joints.begin(robot.model))
        self._gravity.describe(robot.model.defaults.environment.gravity)
        robot.gravity = self._gravity.vector
        if self._dynamics is None:
            attach(robot, self._given)
        elif self._dynamics.path is not path:
            self._lost += carry_over(robot, self._dynamics.path.robot.payloads)
        self._joints.apply(robot)
        self._dynamics = PathDynamics(path)
        self.stream.begin(self._dynamics, path.plan.world_frame)
        path.drive.follow(robot.environment)
        path.gravity = self._gravity.vector
        self._measure(path)

    def adopted(self, path: StatePath) -> None:
        """Announce the surroundings, and have the kernel of efforts made ahead."""
        with self._node.lock:
            path.stepper.foresee_dynamics(external=bool(self._config.text("wrench_topics")))
        self._gravity.begin(path.plan.names[0])
        self._node.complain(self._lost)
        self._announce()

    def prepare(self, path: StatePath, now: float) -> None:
        """Have efforts computed along, while somebody listens to them."""
        if path.is_driven:
            trouble = self._gravity.trouble(now, path.stale_after)
            path.drive.trouble = "" if self.measured_lack_gravity else trouble
        if self._dynamics is not None:
            self.stream.prepare(self._dynamics, now, watched=bool(self._watchers))

    def watch(self, who: str, *, wanted: bool) -> None:
        """Have efforts computed for more than who listens to their stream, or no longer."""
        (self._watchers.add if wanted else self._watchers.discard)(who)

    def publish(self, path: StatePath, step: Step, now: float) -> Iterable[Complaint]:
        """Publish the efforts of a step."""
        dynamics = self._dynamics
        if dynamics is None:
            return ()
        known = not self._gravity.trouble(now, path.stale_after)
        return self.stream.publish(dynamics, step, now, gravity_known=known)

    def parameters_changed(self, names: set[str]) -> None:
        """Take what concerns dynamics."""
        if "gravity" in names:
            self._gravity.parameters_changed()
        dynamics = self._dynamics
        if dynamics is None:
            return
        of_joints = any(name.startswith("joints.") for name in names)
        if of_joints:
            self._joints.apply(dynamics.path.robot)
            self._follow(dynamics)
        if of_joints or names & _OF_WEIGHT:
            with self._node.lock:
                self._measure(dynamics.path)
            self._announce()

    def reports(self, now: float) -> Iterator[Report]:
        """Report on the surroundings and on measured efforts."""
        dynamics = self._dynamics
        if dynamics is None:
            return
        path = dynamics.path
        with self._node.lock:
            kernel = path.stepper.dynamics_state
            reasons: dict[str, str] | None = None
            if dynamics.is_wanted and path.stamp is not None:
                stamp = self._node.present(path.stamp)
                reasons = measured_reasons(
                    path.plan.slots.names,
                    self.stream.measured,
                    lambda: dynamics.measured.reasons(stamp, path.stale_after),
                )
        yield dynamics_report(
            Surroundings(
                self._gravity.source,
                self._gravity.vector,
                now - self._gravity.since(),
                self._gravity.trouble(now, path.stale_after),
                path.robot.payloads,
                compensated=self.driver_compensates_gravity,
                kernel=kernel,
            ),
        )
        yield measured_report(len(path.plan.slots), reasons)

    @property
    def robot(self) -> Robot | None:
        """The robot in its surroundings of this moment; None while there is no description."""
        dynamics = self._dynamics
        if dynamics is None or self._node.path is None:
            return None
        robot = dynamics.path.robot
        if not np.array_equal(robot.gravity, self._gravity.vector):
            robot.gravity = self._gravity.vector
        if robot.model.base == "prescribed":
            with self._node.lock:
                motion = base_motion_of(dynamics.path.rest.base_motion.copy())
            robot.environment = robot.environment.with_base_motion(motion)
        return robot

    @property
    def of_path(self) -> PathDynamics | None:
        """Efforts of the path of this moment; None while there is no description."""
        return self._dynamics

    @property
    def waiting_for(self) -> str:
        """Why there is no robot, with what to do; "" where there is one."""
        topic = self._node.source.waiting_for
        return topic and (
            f"waiting for a description on {topic}; publish one there, or set robot_description or"
            " robot_description_file"
        )

    @property
    def surroundings_trouble(self) -> str:
        """Why gravity is not known; "" where it is."""
        dynamics = self._dynamics
        stale_after = dynamics.path.stale_after if dynamics is not None else 0.0
        return self._gravity.trouble(time.monotonic(), stale_after)

    @property
    def driver_compensates_gravity(self) -> bool:
        """Whether the robot's own driver adds the efforts that hold the weight."""
        return bool(self._config["driver_compensates_gravity"])

    @property
    def measured_lack_gravity(self) -> bool:
        """Whether efforts of joint states lack those that hold the weight."""
        included = bool(self._config["measured_efforts_include_gravity"])
        return self.driver_compensates_gravity and not included

    def live(self) -> Live:
        """Return the measured state."""
        path = self._required().path
        with self._node.lock:
            stamp = path.stamp
            now = self._node.present(stamp) if stamp is not None else 0
            known = list(path.troubles(now))
            q, v = path.result.q.copy(), path.result.v.copy()
        ages = {name: age for name, age, _ in known}
        troubles = {name: reason for name, _, reason in known if reason}
        return Live(q, v, stamp or 0, ages, troubles)

    def set_payload(
        self,
        frame: str,
        mass: float,
        com: ArrayLike = (0.0, 0.0, 0.0),
        inertia: ArrayLike | None = None,
        *,
        name: str | None = None,
    ) -> Payload | None:
        """Attach, replace or (mass 0) remove a payload, and announce it."""
        return self._change("set_payload", frame, mass, com, inertia, name=name)

    def clear_payload(self, name: str | None = None) -> None:
        """Detach a payload, or all, and announce it."""
        self._change("clear_payload", name)

    def _change(self, setter: str, *arguments: Any, **named: Any) -> Any:
        """Call a setter of the robot; the stream of efforts follows at once."""
        dynamics = self._required()
        changed = getattr(dynamics.path.robot, setter)(*arguments, **named)
        self._follow(dynamics)
        self._announce()
        return changed

    def _follow(self, dynamics: PathDynamics) -> None:
        """Have the stream take what the robot's environment says now."""
        with self._node.lock:
            environment = dynamics.path.robot.environment
            dynamics.follow(environment)
            dynamics.path.drive.follow(environment)
            self._set_gravity(dynamics)

    def _set_gravity(self, dynamics: PathDynamics) -> None:
        """Have all of the path take gravity as it is now; called with the lock held."""
        vector, path = self._gravity.vector, dynamics.path
        dynamics.set_gravity(vector)
        path.drive.set_gravity(vector)
        path.gravity = vector

    def _required(self) -> PathDynamics:
        if self._dynamics is None or self._node.path is None:
            raise DescriptionError(self.waiting_for or "there is no description yet")
        return self._dynamics

    def _measure(self, path: StatePath) -> None:
        """Have measured efforts taken for what the parameters say; called with the lock held."""
        compensated = self.measured_lack_gravity
        measured = self._joints.measured(path.robot.model, compensated=compensated)
        self.stream.measured = measured
        path.drive.scale(measured.factor, measured.refused, compensated=compensated)

    def _gravity_changed(self) -> None:
        if self._dynamics is not None:
            with self._node.lock:
                self._set_gravity(self._dynamics)
            self._announce()

    def _announce(self) -> None:
        if self._dynamics is not None:
            self._environment.announce(
                self._dynamics.path.plan.world_frame,
                self._gravity.vector,
                self._dynamics.path.robot.payloads,
                driver_compensates=self.driver_compensates_gravity,
            )

    def _attitude(self, frame: str) -> Floats | str:
        """Return how a link or frame is turned in the world, or why that is not known."""
        if self._dynamics is None:
            return "there is no description yet"
        path = self._dynamics.path
        with self._node.lock:
            stamp = self._node.present(path.stamp) if path.stamp is not None else 0
            return attitude(path, stamp, frame, self._config.text("frame_prefix"))
