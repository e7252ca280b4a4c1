"""A running state publisher with its inputs and outputs, for tests to talk to."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from robodyn_interfaces.msg import BodyStateArray
from sensor_msgs.msg import JointState

from node_process import NodeProcess
from robodyn_ros import load
from robodyn_ros.robot import Robot
from robodyn_ros.spatial import quaternion_to_matrix
from ros_graph import LATCHED, Graph, Inbox, joint_state, seconds
from tf2_msgs.msg import TFMessage

ARM = Path(__file__).parents[2] / "urdf" / "demo_arm.urdf"
_NUMBERS = itertools.count()

PATIENCE = 0.5
"""Seconds in which a line of the log comes that is to come."""


class Setup:
    """A running state publisher, all of whose topics and frames lie in a namespace of its own."""

    def __init__(
        self,
        graph: Graph,
        path: Path = ARM,
        *more: str,
        bodies: bool = False,
        base: str = "fixed",
        **parameters: object,
    ) -> None:
        """Start it and wait until transforms (and, if asked for, states of bodies) come.

        Args:
            graph: Where.
            path: Description.
            more: Further ROS arguments.
            bodies: Whether to listen to the states of bodies too.
            base: How the root link is held.
            parameters: Parameters of the node.
        """
        self.graph = graph
        self.robot: Robot = load(path, compile="off", base=base)  # type: ignore[arg-type]
        self.place = place = f"/place_{next(_NUMBERS)}"
        self.node = f"{place}/state_publisher"
        self.tf: Inbox = graph.listen(TFMessage, f"{place}/tf")
        self.static: Inbox = graph.listen(TFMessage, f"{place}/tf_static", LATCHED)
        self.bodies: Inbox = Inbox()
        if bodies:
            self.bodies = graph.listen(BodyStateArray, f"{self.node}/body_states")
        self._hears_bodies = bodies
        self.diagnostics: Inbox = graph.listen(DiagnosticArray, f"{place}/diagnostics")
        options = {
            "robot_description_file": path,
            "joint_states_reliability": "reliable",
            "diagnostics_period": 0.2,
            "base": base,
            **parameters,
        }
        moved = [f"/{name}:={place}/{name}" for name in ("tf", "tf_static", "diagnostics")]
        self.arguments = [x for rule in (f"__ns:={place}", *moved) for x in ("-r", rule)]
        self.options = options
        self.process: NodeProcess = graph.start("state_publisher", options, *more, *self.arguments)
        self.input = graph.publisher(JointState, f"{place}/joint_states")
        self.joints = [joint.name for joint in self.robot.model.own_joints if joint.joint.nv == 1]
        self._base = 0.0
        graph.connect(self.input)
        self.fresh()

    def fresh(self) -> Setup:
        """Begin a time of its own for a test: later than all before, nothing received in it."""
        self._base = 1000.0 * (1 + self._base // 1000.0)
        start = self._base - 1.0

        def arrived() -> bool:
            nonlocal start
            start = round(start + 1e-3, 9)
            self.send(self.joints[-1:], [0.0], stamp=start)
            return self.graph.holds(self._has_come(start), within=0.05)

        self.graph.wait(arrived, "the first outputs")
        for inbox in (self.tf, self.bodies):
            inbox.clear()
        self._said = len(self.process.output)
        return self

    def _has_come(self, stamp: float) -> Any:
        def come() -> bool:
            heard = not self._hears_bodies or self.states_at(stamp)
            return stamp in self.stamps() and bool(heard)

        return come

    def time(self, seconds: float) -> float:
        """Return a stamp in the test's own time."""
        return round(self._base + seconds, 9)

    def send(
        self,
        names: Sequence[str],
        position: Sequence[float] = (),
        velocity: Sequence[float] = (),
        **options: Any,
    ) -> None:
        """Publish a joint state."""
        self.input.publish(joint_state(names, position, velocity, **options))

    def wait_for(self, stamp: float) -> None:
        """Wait until transforms with a stamp have come."""
        self.graph.wait(lambda: stamp in self.stamps(), f"transforms at {stamp}")

    def show(
        self,
        names: Sequence[str],
        position: Sequence[float],
        velocity: Sequence[float] = (),
        *,
        stamp: float,
    ) -> TFMessage:
        """Publish a joint state and return the transforms that come for it."""
        self.send(names, position, velocity, stamp=stamp)
        self.wait_for(stamp)
        return self.tf[-1]

    def body_states(
        self,
        names: Sequence[str],
        position: Sequence[float],
        velocity: Sequence[float] = (),
        *,
        at: float,
    ) -> BodyStateArray:
        """Publish a joint state and return the body states that come for it."""
        stamp = self.time(at)
        self.send(names, position, velocity, stamp=stamp)
        self.graph.wait(lambda: self.states_at(stamp), f"body states at {stamp}")
        return self.states_at(stamp)[-1]

    def states_at(self, stamp: float) -> list[BodyStateArray]:
        """Return the body states with a stamp."""
        return [m for m in self.bodies if seconds(m.header.stamp) == stamp]

    def transforms(self) -> list[tuple[float, str]]:
        """Return (stamp, child) of every transform that came."""
        return [(seconds(t.header.stamp), t.child_frame_id) for m in self.tf for t in m.transforms]

    def stamps(self) -> list[float]:
        """Return the stamps of the messages that came."""
        return [seconds(message.transforms[0].header.stamp) for message in self.tf]

    def lines(self, pattern: str) -> list[str]:
        """Return the lines that the node wrote in this test's time and a pattern matches.

        What is wrong with a message is said after what it gives is published: a line may be a
        moment late, and where there is none that moment is waited for.
        """
        end = time.monotonic() + PATIENCE
        while True:
            written = self.process.output[self._said :].splitlines()
            found = [line for line in written if re.search(pattern, line)]
            if found or time.monotonic() > end:
                return found
            time.sleep(0.01)

    def status(self, name: str) -> DiagnosticStatus:
        """Return the newest diagnostic status of a name, an empty one before any."""
        return newest_status(self.diagnostics, name)

    def values(self, name: str) -> dict[str, str]:
        """Return the newest values of one diagnostic status."""
        return {value.key: value.value for value in self.status(name).values}

    def child(self, joint: str) -> str:
        """Return the body that a joint moves."""
        model = self.robot.model
        return next(model.body_names[b] for b, j in model.moving if j.name == joint)


def newest_status(diagnostics: Sequence[DiagnosticArray], name: str) -> DiagnosticStatus:
    """Return the newest diagnostic status of a name, an empty one before any."""
    for message in reversed(diagnostics):
        for found in message.status:
            if found.name.endswith(f": {name}"):
                return found
    return DiagnosticStatus()


def xyz(vector: Any) -> list[float]:
    """Return the numbers of a point or vector."""
    return [vector.x, vector.y, vector.z]


def matrix_of(quaternion: Any) -> np.ndarray:
    """Return the rotation matrix (3, 3) of a quaternion message."""
    return quaternion_to_matrix(np.array([quaternion.x, quaternion.y, quaternion.z, quaternion.w]))


def received_pose(transform: Any) -> np.ndarray:
    """Return rotation and position (3, 4) of a transform."""
    t, r = transform.transform.translation, transform.transform.rotation
    return np.column_stack([matrix_of(r), xyz(t)])


def expected_pose(robot: Robot, q: np.ndarray, transform: Any) -> np.ndarray:
    """Return rotation and position (3, 4) that a transform of a robot ought to have."""
    motion = robot.body_motion(q)
    i, j = (
        robot.model.body_index(name)
        for name in (transform.header.frame_id, transform.child_frame_id)
    )
    R = motion.rotation[i].T
    return np.column_stack([R @ motion.rotation[j], R @ (motion.position[j] - motion.position[i])])
