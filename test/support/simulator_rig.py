"""A simulator in a process of its own and in a namespace of its own, and its library twin."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import WrenchStamped
from robodyn_interfaces.msg import SimulatorStatus
from robodyn_interfaces.srv import Push, SetSimulatorState, StepSimulation
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState, MultiDOFJointState
from std_srvs.srv import SetBool, Trigger

from publisher_setup import newest_status
from robodyn_ros import load
from robodyn_ros.simulation import Simulator
from ros_graph import Graph, Inbox, seconds

KERNELS = 300.0
"""Seconds for kernels to be compiled, on a machine that does something else as well."""
_NUMBERS = itertools.count(1)
_MOVED = ("clock", "diagnostics", "tf", "tf_static")


class SimulatorRig:
    """A simulator node, mostly paused, and what comes of it.

    `EXECUTABLE` is the node's name.

    Attributes:
        node: Its full name.
        place: Its namespace.
        states, poses, clock, statuses, diagnostics, wrenches: What it published.
    """

    EXECUTABLE = "simulator"

    def __init__(self, graph: Graph, path: Path | str, *, compiled: bool = True, **options: Any):
        """Start it, by default paused, and wait for its first state.

        Args:
            graph: The test's graph.
            path: The description; empty where `options` have it.
            compiled: Whether to wait for its kernels.
            options: Parameters of the node.
        """
        self.graph = graph
        self.place = place = f"/simulated_{next(_NUMBERS)}"
        self.node = f"{place}/{self.EXECUTABLE}"
        self.path = path
        self.states: Inbox = graph.listen(JointState, f"{place}/joint_states")
        self.poses: Inbox = graph.listen(MultiDOFJointState, f"{place}/multi_dof_joint_states")
        self.clock: Inbox = graph.listen(Clock, f"{place}/clock")
        self.statuses: Inbox = graph.listen(SimulatorStatus, f"{self.node}/status")
        self.diagnostics: Inbox = graph.listen(DiagnosticArray, f"{place}/diagnostics")
        self.wrenches: Inbox = graph.listen(WrenchStamped, f"{self.node}/external_wrenches")
        self.arguments = ["-r", f"__ns:={place}"]
        for name in _MOVED:
            self.arguments += ["-r", f"/{name}:={place}/{name}"]
        self.options = {"paused": True, "diagnostics_period": 0.2, **options}
        given = {**({"robot_description_file": path} if path else {}), **self.options}
        self.process = graph.start(self.EXECUTABLE, given, *self.arguments)
        graph.wait(lambda: self.states and self.statuses, "the first state of the simulator")
        if compiled:
            self.wait_for_kernels()

    def start(self, name: str, **options: Any) -> Any:
        """Start another node of the package beside it, on its clock."""
        given = {"use_sim_time": True, "diagnostics_period": 0.2, **options}
        return self.graph.start(name, given, *self.arguments)

    def wait_for_kernels(self) -> None:
        """Wait until steps are taken by kernels."""
        what = "kernels of the simulator"
        self.graph.wait(lambda: "compiled" not in self.status.trouble, what, KERNELS)

    @property
    def status(self) -> SimulatorStatus:
        """The newest status."""
        return self.statuses[-1]

    def twin(self, **options: Any) -> Simulator:
        """Return a simulator of the library for the same robot, waited for."""
        base = self.options.get("base", None)
        return Simulator(load(self.path, base=base, compile="wait"), **options)

    def fresh(self) -> SimulatorRig:
        """Go back to the initial state, paused, with nothing received."""
        self.pause()
        self.reset()
        self.graph.wait(lambda: not self.status.trouble and self.status.paused, "a fresh start")
        self.show()
        for inbox in (self.states, self.poses, self.clock, self.wrenches):
            inbox.clear()
        return self

    def call(self, kind: Any, name: str, **fields: Any) -> Any:
        """Call a service of the simulator."""
        return self.graph.call(kind, f"{self.node}/{name}", kind.Request(**fields))

    def reset(self) -> None:
        """Have it reset."""
        assert self.call(Trigger, "reset").success

    def pause(self, paused: bool = True) -> None:
        """Pause it, or let it go on."""
        assert self.call(SetBool, "pause", data=paused).success

    def step(self, steps: int) -> JointState:
        """Have it take steps; return the state after them."""
        reply = self.call(StepSimulation, "step", steps=steps)
        assert reply.success, reply.message
        return self.state_at(seconds(reply.time))

    def state_at(self, time: float) -> JointState:
        """Wait for the joint state of a simulated time and return it."""

        def found() -> JointState | None:
            newest = reversed(self.states)
            return next((x for x in newest if abs(seconds(x.header.stamp) - time) < 1e-9), None)

        self.graph.wait(found, f"the state at {time}")
        state = found()
        assert state is not None
        return state

    def show(self) -> JointState:
        """Wait for one more state, as a paused simulator publishes it, and return it."""
        count = len(self.states)
        self.graph.wait(lambda: len(self.states) > count, "another state")
        return self.states[-1]

    def set_state(self, names: Any = (), position: Any = (), velocity: Any = ()) -> Any:
        """Put it into a state; return the reply."""
        numbers = {"position": [*map(float, position)], "velocity": [*map(float, velocity)]}
        return self.call(SetSimulatorState, "set_state", names=[*names], **numbers)

    def push(self, frame: str, wrench: Any, duration: float) -> Any:
        """Push it by [moment; force]; return the reply."""
        return self.call(Push, "push", wrench=wrench_message(frame, wrench), duration=duration)

    def command(self, kind: str, names: Any, values: Any) -> None:
        """Publish a command and wait until the status has it."""
        publisher = self.graph.publisher(JointState, f"{self.node}/{kind}_command")
        self.graph.connect(publisher)
        count = len(self.statuses)
        message = JointState(name=[*names], **{kind: [*map(float, values)]})
        publisher.publish(message)
        mode = {"effort": 1, "velocity": 2, "position": 3}[kind]

        def taken() -> bool:
            status = self.status
            modes = dict(zip(status.names, status.mode, strict=True))
            return len(self.statuses) > count + 1 and all(modes[x] == mode for x in names)

        self.graph.wait(taken, f"the {kind} command")
        self.graph.node.destroy_publisher(publisher)

    def diagnostic(self, name: str) -> DiagnosticStatus:
        """Return the newest diagnostic status of a name."""
        return newest_status(self.diagnostics, name)

    def values(self, name: str) -> dict[str, str]:
        """Return the newest values of a diagnostic status."""
        return {value.key: value.value for value in self.diagnostic(name).values}


def wrench_message(frame: str, wrench: Any) -> WrenchStamped:
    """Return a wrench [moment; force] (6,) on a frame."""
    message = WrenchStamped()
    message.header.frame_id = frame
    moment, force = message.wrench.torque, message.wrench.force
    moment.x, moment.y, moment.z, force.x, force.y, force.z = map(float, wrench)
    return message


def positions(state: JointState) -> dict[str, float]:
    """Return positions by name."""
    return dict(zip(state.name, state.position, strict=True))


def velocities(state: JointState) -> dict[str, float]:
    """Return velocities by name."""
    return dict(zip(state.name, state.velocity, strict=True))


def efforts(state: JointState) -> dict[str, float]:
    """Return efforts by name."""
    return dict(zip(state.name, state.effort, strict=True))


def told(simulator: Simulator, numbers: np.ndarray) -> dict[str, float]:
    """Return numbers (nv,) of a library simulator by coordinate name."""
    return dict(zip(simulator.robot.model.coordinate_names, numbers.tolist(), strict=True))
