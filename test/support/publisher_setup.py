"""A running state publisher with its input and its transforms, for tests to talk to."""

from __future__ import annotations

import re
from pathlib import Path

from sensor_msgs.msg import JointState

from robodyn_ros import load
from robodyn_ros.robot import Robot
from ros_graph import LATCHED, Graph, Inbox, NodeProcess, joint_state, seconds
from tf2_msgs.msg import TFMessage

ARM = Path(__file__).parents[2] / "urdf" / "demo_arm.urdf"


class Setup:
    """A running state publisher with its input and its transforms."""

    def __init__(
        self, graph: Graph, path: Path = ARM, *more: str, place: str = "", **parameters: object
    ) -> None:
        self.graph = graph
        self.robot: Robot = load(path, compile="off")
        self.tf: Inbox = graph.listen(TFMessage, f"{place}/tf")
        self.static: Inbox = graph.listen(TFMessage, f"{place}/tf_static", LATCHED)
        options = {"robot_description_file": path, **parameters}
        if place:
            absolute = ("/tf", "/tf_static", "/diagnostics")
            moved = [f"{name}:={place}{name}" for name in absolute]
            more = (*more, *(x for rule in (f"__ns:={place}", *moved) for x in ("-r", rule)))
        self.process: NodeProcess = graph.start("state_publisher", options, *more)
        self.input = graph.publisher(JointState, f"{place}/joint_states")
        self.joints = [joint.name for joint in self.robot.model.own_joints if joint.joint.nv == 1]
        self._base = 0.0
        graph.connect(self.input)
        graph.hear(f"{place}/tf")
        self.fresh()

    def fresh(self) -> Setup:
        """Begin a time of its own for a test: later than all before, nothing received in it."""
        self._base = 1000.0 * (1 + self._base // 1000.0)
        start = self._base - 1.0

        def arrived() -> bool:
            nonlocal start
            start += 1e-3
            self.send(self.joints[-1:], [0.0], stamp=start)
            self.graph.spin(0.03)
            return any(abs(stamp - start) < 1.0 for stamp in self.stamps())

        self.graph.wait(arrived, "the first transforms")
        self.graph.spin(0.2)
        self.tf.clear()
        self._said = len(self.process.output)
        return self

    def time(self, seconds: float) -> float:
        """Return a stamp in the test's own time."""
        return round(self._base + seconds, 9)

    def send(self, names, position=(), velocity=(), **options) -> None:
        """Publish a joint state."""
        self.input.publish(joint_state(names, position, velocity, **options))

    def wait_for(self, stamp: float) -> None:
        """Wait until transforms with a stamp have come."""
        self.graph.wait(lambda: stamp in self.stamps(), f"transforms at {stamp}")

    def show(self, names, position, velocity=(), *, stamp: float) -> TFMessage:
        """Publish a joint state and return the transforms that come for it."""
        self.send(names, position, velocity, stamp=stamp)
        self.wait_for(stamp)
        return self.tf[-1]

    def transforms(self) -> list[tuple[float, str]]:
        """Return (stamp, child) of every transform that came."""
        return [(seconds(t.header.stamp), t.child_frame_id) for m in self.tf for t in m.transforms]

    def stamps(self) -> list[float]:
        """Return the stamps of the messages that came."""
        return [seconds(message.transforms[0].header.stamp) for message in self.tf]

    def lines(self, pattern: str) -> list[str]:
        """Return the lines that the node wrote in this test's time and a pattern matches."""
        written = self.process.output[self._said :].splitlines()
        return [line for line in written if re.search(pattern, line)]
