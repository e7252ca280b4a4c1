"""A robot with the dynamics services, without and with a node: the least that they can live in."""

from __future__ import annotations

from typing import Any

import numpy as np
from rclpy.node import Node
from robodyn_interfaces.srv import (
    BodyMotion,
    ForwardDynamics,
    InverseDynamics,
    Jacobian,
    MassMatrix,
    ModelReport,
    SetPayload,
)

from robodyn_ros.errors import DescriptionError
from robodyn_ros.model import Model, Payload
from robodyn_ros.robot import Robot
from robodyn_ros.ros.dynamics_host import Live
from robodyn_ros.ros.services import (
    forward_dynamics,
    inverse_dynamics,
    matrices,
    model_report,
    payload,
)
from robodyn_ros.ros.services.dynamics_services import DynamicsServices
from robodyn_ros.ros.services.subject import Subjects

KINDS = {
    "inverse_dynamics": InverseDynamics,
    "forward_dynamics": ForwardDynamics,
    "mass_matrix": MassMatrix,
    "jacobian": Jacobian,
    "body_motion": BodyMotion,
    "set_payload": SetPayload,
    "model_report": ModelReport,
}
FILLS = {
    "inverse_dynamics": inverse_dynamics.fill,
    "forward_dynamics": forward_dynamics.fill,
    "mass_matrix": matrices.fill_mass_matrix,
    "jacobian": matrices.fill_jacobian,
    "set_payload": payload.fill,
    "model_report": model_report.fill,
}


class Host:
    """What the services ask a node for, with everything settable."""

    def __init__(self, model: Model | None, compile: str = "off") -> None:
        self.robot = None if model is None else Robot(model, compile=compile)  # type: ignore[arg-type]
        self.waiting_for = "waiting for a robot description on /somewhere/robot_description"
        self.surroundings_trouble = ""
        self.driver_compensates_gravity = False
        self.measured: Live | None = None

    @property
    def model(self) -> Model:
        """The robot's model."""
        assert self.robot is not None
        return self.robot.model

    def measure(
        self,
        q: np.ndarray,
        v: np.ndarray,
        *,
        stamp: int = 0,
        ages: dict[str, float] | None = None,
        **troubles: str,
    ) -> None:
        """Take a state as measured, with what keeps joints by name from being used."""
        self.measured = Live(q, v, stamp, ages or {}, troubles)

    def live(self) -> Live:
        """Return what was measured; every joint never received before."""
        if self.robot is None:
            raise DescriptionError(self.waiting_for)
        if self.measured is None:
            never = dict.fromkeys(self.model.joint_names, "never received")
            zero = np.zeros(self.model.nv)
            return Live(self.robot.neutral(), zero, 0, dict.fromkeys(never, -1.0), never)
        return self.measured

    def set_payload(self, *args: Any, **named: Any) -> Payload | None:
        """Hand on to the robot."""
        assert self.robot is not None
        return self.robot.set_payload(*args, **named)

    def clear_payload(self, name: str | None = None) -> None:
        """Hand on to the robot."""
        assert self.robot is not None
        self.robot.clear_payload(name)


def ask(host: Host, service: str, request: Any = None, *, prefix: str = "", **fields: Any) -> Any:
    """Return a service's reply, computed without a node; what it refuses raises."""
    kind = KINDS[service]
    reply = kind.Response()
    subject = Subjects(host, prefix=prefix).now()
    FILLS[service](subject, kind.Request(**fields) if request is None else request, reply)
    return reply


class ServiceNode(Node):
    """A node with nothing but the services."""

    def __init__(self, host: Host, name: str = "dynamics_server", **options: Any) -> None:
        super().__init__(name, **options)
        self.services_of_dynamics = DynamicsServices(self, host)

    def answer(self, service: str, request: Any) -> Any:
        """Return what the handler of a service answers."""
        found = next(
            x for x in self.services_of_dynamics.services if x.srv_name.endswith(f"/{service}")
        )
        return found.callback(request, KINDS[service].Response())
