"""A robot in MuJoCo in a process of its own: the hardware that tests of controllers drive.

with closing(Graph()) as graph:
    hardware = MujocoRig(graph, example("panda.urdf"), paused=False, hold=True)
    hardware.start("gravity_compensation", command_joints="...")   # in its namespace, on its clock
    hardware.run_for(2.0)                                          # simulated s
    assert hardware.measured.velocity["panda_joint2"] == pytest.approx(0.0, abs=1e-3)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from geometry_msgs.msg import Inertia, Vector3
from robodyn_interfaces.msg import Payload
from robodyn_interfaces.srv import SetPayload
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from ros_graph import Graph, Inbox, seconds
from simulator_rig import SimulatorRig, efforts, positions, velocities

COMMANDS = "forward_effort_controller/commands"


class Measured(NamedTuple):
    """One joint state: its stamp in s, and rad or m, rad/s or m/s, N m or N by name."""

    time: float
    position: dict[str, float]
    velocity: dict[str, float]
    effort: dict[str, float]


class MujocoRig(SimulatorRig):
    """A mujoco_simulator and what it measures; further methods are those of `SimulatorRig`.

    By default it is paused: `step(n)` takes steps and returns the state after them. With
    `paused=False` it runs in real time, and `run_for` waits for simulated time to pass. Both are
    conditions with deadlines, whatever the machine does. `start(name, **parameters)` starts another
    node of the package in its namespace and on its clock; topics' default names fit.

    Attributes:
        states: what sensors measured; `measured` is the newest.
        truth: what was so, after `watch_truth`; `true_state` is the newest.
        commands: publishes Float64MultiArray to COMMANDS, of the parameter command_joints.
    """

    EXECUTABLE = "mujoco_simulator"

    def __init__(self, graph: Graph, path: Path | str, **options: Any) -> None:
        """Start it and wait for its first state.

        Args:
            graph: the test's graph.
            path: the description; empty where `options` have it, say `mjcf_file`.
            options: parameters of the node; `**{"mass_factors.link3": 1.1}` for those by name.
        """
        super().__init__(graph, path, compiled=False, **options)
        self.truth: Inbox = Inbox()
        self.commands = graph.publisher(Float64MultiArray, f"{self.place}/{COMMANDS}")

    @property
    def measured(self) -> Measured:
        """The newest state that was measured."""
        return measured(self.states[-1])

    @property
    def true_state(self) -> Measured:
        """The newest state that was so, where `watch_truth` was called before."""
        return measured(self.truth[-1])

    @property
    def names(self) -> tuple[str, ...]:
        """The coordinates that have a motor, in the model's order: those of COMMANDS by default."""
        return tuple(self.status.names)

    def watch_truth(self) -> None:
        """Listen to what is so, besides what is measured."""
        self.truth = self.graph.listen(JointState, f"{self.node}/true_joint_states")
        self.graph.wait(lambda: self.truth, "a true state")

    def send(self, values: Sequence[float] | Mapping[str, float]) -> None:
        """Publish efforts once, in the order of command_joints or by names that have a motor."""
        if isinstance(values, Mapping):
            values = [values[name] for name in self.names]
        self.graph.connect(self.commands)
        self.commands.publish(Float64MultiArray(data=[*map(float, values)]))

    def deliver(self, values: Sequence[float] | Mapping[str, float]) -> None:
        """Send efforts until it has received some, whether or not they act by now."""
        before = self.values("commands").get("messages", "0")

        def received() -> bool:
            self.send(values)
            return self.values("commands").get("messages", before) != before

        self.graph.wait(received, "the commands to be received")

    def exert(self, values: Mapping[str, float]) -> None:
        """Publish efforts of all coordinates with a motor until the status has them."""
        wanted = [float(values[name]) for name in self.names]

        def taken() -> bool:
            self.send(wanted)
            return bool(self.status.command.tolist() == wanted)

        self.graph.wait(taken, "the commands")

    def run_for(self, duration: float, timeout: float = 120.0) -> Measured:
        """Wait until so much simulated time has passed, s; return the newest measured state."""
        end = self.measured.time + duration
        what = f"{duration} s of simulated time"
        self.graph.wait(lambda: self.measured.time >= end, what, timeout)
        return self.measured

    def carry(
        self,
        frame: str,
        mass: float,
        com: Sequence[float] = (0.0, 0.0, 0.0),
        inertia: Sequence[float] = (0.0, 0.0, 0.0),
        name: str = "load",
    ) -> Any:
        """Let it truly carry a load, which nobody is told of; mass 0 takes it away.

        `inertia` are ixx, iyy and izz about its centre of mass. Return the reply.
        """
        x, y, z = map(float, com)
        moments = dict(zip(("ixx", "iyy", "izz"), map(float, inertia), strict=True))
        load = Payload(name=name, frame_id=frame, mass=float(mass), com=Vector3(x=x, y=y, z=z))
        load.inertia = Inertia(**moments)
        return self.call(SetPayload, "set_payload", payload=load)


def measured(state: JointState) -> Measured:
    """Return a joint state by names."""
    return Measured(
        seconds(state.header.stamp), positions(state), velocities(state), efforts(state)
    )
