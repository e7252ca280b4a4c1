"""A running node with dynamics, its inputs and outputs, for tests to talk to."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from diagnostic_msgs.msg import DiagnosticArray
from robodyn_interfaces.msg import Environment, JointDynamics
from sensor_msgs.msg import JointState

from node_process import NodeProcess
from publisher_setup import ARM, newest_status
from robodyn_ros import load
from robodyn_ros.robot import Robot
from ros_graph import LATCHED, Graph, Inbox, joint_state, seconds

_NUMBERS = itertools.count()
TERMS = ("inertial", "coriolis", "gravity", "friction", "armature", "payload", "external")


class DynamicsSetup:
    """A running dynamics_server or robodyn_node in a namespace of its own.

    Attributes:
        robot: The library's robot, to compare with.
        place: The namespace.
        node: Full name of the node.
        efforts: What came on ~/joint_dynamics.
        environments: What came on ~/environment.
    """

    def __init__(
        self,
        graph: Graph,
        path: Path = ARM,
        *more: str,
        executable: str = "dynamics_server",
        listen: bool = True,
        base: str = "fixed",
        **parameters: object,
    ) -> None:
        """Start it; with `listen` wait until efforts come."""
        self.graph = graph
        self.robot: Robot = load(path, compile="off", base=base)  # type: ignore[arg-type]
        self.place = place = f"/dynamics_{next(_NUMBERS)}"
        self.node = f"{place}/{executable}"
        self.efforts: Inbox = Inbox()
        if listen:
            self.efforts = graph.listen(JointDynamics, f"{self.node}/joint_dynamics")
        self.environments: Inbox = graph.listen(Environment, f"{self.node}/environment", LATCHED)
        self.diagnostics: Inbox = graph.listen(DiagnosticArray, f"{place}/diagnostics")
        options = {
            "robot_description_file": path,
            "joint_states_reliability": "reliable",
            "diagnostics_period": 0.2,
            "filter_time_constant": 0.0,
            "base": base,
            **parameters,
        }
        moved = [f"/{name}:={place}/{name}" for name in ("tf", "tf_static", "diagnostics")]
        remappings = [x for rule in (f"__ns:={place}", *moved) for x in ("-r", rule)]
        self.process: NodeProcess = graph.start(executable, options, *more, *remappings)
        self.input = graph.publisher(JointState, f"{place}/joint_states")
        model = self.robot.model
        self.joints = [joint.name for joint in model.own_joints if joint.joint.nv == 1]
        self._stamp = 1000.0
        graph.connect(self.input)
        graph.wait(lambda: bool(self.environments), "the environment")
        if listen:
            self.settle()

    def settle(self) -> None:
        """Send states until efforts come for them, every one: until a kernel computes them."""

        def come() -> bool:
            stamp = self.send(dict.fromkeys(self.joints, 0.0))
            return self.graph.holds(lambda: self.at(stamp), within=0.05)

        self.graph.wait(come, "the first efforts")
        self.graph.wait(
            lambda: come() and self.values("dynamics")["kernel dynamics_step"] == "compiled",
            "the kernel",
        )

    def send(
        self,
        position: dict[str, float],
        velocity: Sequence[float] = (),
        effort: Sequence[float] = (),
        *,
        after: float = 0.01,
    ) -> float:
        """Publish a joint state, so many s after the last one; return its stamp."""
        self._stamp = round(self._stamp + after, 6)
        names = list(position)
        self.input.publish(
            joint_state(names, list(position.values()), velocity, stamp=self._stamp, effort=effort)
        )
        return self._stamp

    def at(self, stamp: float) -> list[JointDynamics]:
        """Return the efforts with a stamp."""
        return [m for m in self.efforts if seconds(m.header.stamp) == stamp]

    def answer(self, *arguments: Any, **named: Any) -> JointDynamics:
        """Publish a joint state and return the efforts that come for it."""
        stamp = self.send(*arguments, **named)
        self.graph.wait(lambda: self.at(stamp), f"efforts at {stamp}")
        return self.at(stamp)[-1]

    def hold(self, q: np.ndarray, effort: Sequence[float] = ()) -> JointDynamics:
        """Let the joints rest at q for three messages, and return the last efforts.

        Far from the ones before in time, so that these do not count.
        """
        position = dict(zip(self.joints, q.tolist(), strict=True))
        still = [0.0] * len(position)
        self.send(position, still, effort, after=1.0)
        self.send(position, still, effort)
        return self.answer(position, still, effort)

    def status(self, name: str) -> Any:
        """Return the newest diagnostic status of a name."""
        return newest_status(self.diagnostics, name)

    def values(self, name: str) -> defaultdict[str, str]:
        """Return the newest values of one diagnostic status."""
        return defaultdict(str, {x.key: x.value for x in self.status(name).values})

    def environment_where(self, condition: Any) -> Environment:
        """Wait for an environment of which something holds, and return it."""
        self.graph.wait(
            lambda: self.environments and condition(self.environments[-1]), "the environment"
        )
        return self.environments[-1]


def column(message: JointDynamics, field: str) -> np.ndarray:
    """Return one array of a message."""
    return np.array(getattr(message, field))
