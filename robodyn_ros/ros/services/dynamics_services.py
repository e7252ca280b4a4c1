"""The dynamics services of a node."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from rclpy.node import Node
from rclpy.service import Service
from robodyn_interfaces.srv import (
    BodyMotion,
    ForwardDynamics,
    InverseDynamics,
    Jacobian,
    MassMatrix,
    ModelReport,
    SetPayload,
)

from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.errors import ClosureError
from robodyn_ros.ros.dynamics_host import DynamicsHost
from robodyn_ros.ros.feature import Feature
from robodyn_ros.ros.reports import Report
from robodyn_ros.ros.services import (
    body_motion,
    forward_dynamics,
    inverse_dynamics,
    matrices,
    model_report,
    payload,
)
from robodyn_ros.ros.services.answering import Answering
from robodyn_ros.ros.services.subject import Subject, Subjects

Fill = Callable[[Subject, Any, Any], None]


class DynamicsServices(Feature):
    """Answers requests about a node's robot, one at a time, in the node's executor.

    Every request is answered: one that cannot be served with `success` false and the reason, also
    where that is a fault of ours. Robot and measured state are taken once for each request.
    """

    def __init__(
        self,
        node: Node,
        host: DynamicsHost,
        *,
        frame_prefix: str | None = None,
        world_frame: str | None = None,
    ) -> None:
        """Make the services, all of them private names of the node.

        Args:
            node: The node.
            host: What knows the robot; mostly the node itself.
            frame_prefix: That of the node's frames; its parameter of this name by default.
            world_frame: That of the bodies' motion; its parameter of this name by default.
        """
        self._node = node
        self._subjects = Subjects(
            host,
            prefix=_text(node, "frame_prefix", frame_prefix),
            world_frame=_text(node, "world_frame", world_frame),
        )
        kinds = self._kinds().items()
        self._answering = Answering(
            node, [(name, kind, partial(self._fill, fill)) for name, (kind, fill) in kinds]
        )

    @property
    def services(self) -> tuple[Service, ...]:
        """The services."""
        return self._answering.services

    def adopted(self, path: StatePath) -> None:
        """Have the kernel of inverse dynamics compiled before somebody waits for it."""
        robot = path.robot
        try:
            robot.effort_terms(robot.initial_state[0])
        except ClosureError as error:
            self._node.get_logger().warning(f"where it begins it has no efforts: {error}")

    def reports(self, now: float) -> Iterable[Report]:
        """Report who asks how often, and why there was no answer."""
        yield self._answering.report(now)

    def _kinds(self) -> dict[str, tuple[type, Fill]]:
        return {
            "inverse_dynamics": (InverseDynamics, inverse_dynamics.fill),
            "forward_dynamics": (ForwardDynamics, forward_dynamics.fill),
            "mass_matrix": (MassMatrix, matrices.fill_mass_matrix),
            "jacobian": (Jacobian, matrices.fill_jacobian),
            "body_motion": (BodyMotion, self._fill_body_motion),
            "set_payload": (SetPayload, payload.fill),
            "model_report": (ModelReport, model_report.fill),
        }

    def _fill(self, fill: Fill, request: Any, reply: Any) -> None:
        fill(self._subjects.now(), request, reply)

    def _fill_body_motion(self, subject: Subject, request: Any, reply: Any) -> None:
        now = self._node.get_clock().now().nanoseconds
        body_motion.fill(subject, request, reply, now)


def _text(node: Node, parameter: str, given: str | None) -> str:
    if given is not None:
        return given
    return str(node.get_parameter(parameter).value) if node.has_parameter(parameter) else ""
