"""A client of the dynamics services for Python nodes, usable in callbacks too."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from numpy.typing import ArrayLike
from rclpy.node import Node
from robodyn_interfaces.msg import Payload
from robodyn_interfaces.srv import (
    BodyMotion,
    ForwardDynamics,
    InverseDynamics,
    Jacobian,
    MassMatrix,
    ModelReport,
    SetPayload,
)

from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.client_calls import (
    NoReplyError,
    Reply,
    RequestRefusedError,
    ServiceCalls,
    positive_seconds,
)
from robodyn_ros.ros.client_requests import (
    Rest,
    Unnamed,
    Values,
    flag,
    payload_message,
    state_fields,
    text,
    unnamed_field,
    wrench_messages,
)
from robodyn_ros.ros.client_results import (
    Accelerations,
    Bodies,
    Efforts,
    JacobianResult,
    MassMatrixResult,
    Report,
)

__all__ = [
    "Accelerations",
    "Bodies",
    "DynamicsClient",
    "Efforts",
    "JacobianResult",
    "MassMatrixResult",
    "NoReplyError",
    "Reply",
    "Report",
    "RequestRefusedError",
]

P = ParamSpec("P")
T = TypeVar("T")

_SERVICES = {
    "inverse_dynamics": InverseDynamics,
    "forward_dynamics": ForwardDynamics,
    "mass_matrix": MassMatrix,
    "jacobian": Jacobian,
    "body_motion": BodyMotion,
    "set_payload": SetPayload,
    "model_report": ModelReport,
}


def _waiting(
    method: Callable[Concatenate[DynamicsClient, P], Reply[T]],
) -> Callable[Concatenate[DynamicsClient, P], T]:
    """Return the method that waits for the reply of one that ends in _async."""

    @functools.wraps(method)
    def call(self: DynamicsClient, *args: P.args, **named: P.kwargs) -> T:
        return self._calls.wait(method(self, *args, **named))

    call.__name__ = method.__name__.removesuffix("_async")
    call.__qualname__ = method.__qualname__.removesuffix("_async")
    return cast("Callable[Concatenate[DynamicsClient, P], T]", call)


class DynamicsClient:
    """Asks a `dynamics_server` (or `robodyn_node`) by coordinate name.

    Each service has two methods: `NAME` waits and returns the result, `NAME_async` returns a
    `Reply` at once. Both may be used anywhere, in callbacks of any executor and outside: a thread
    of the client's own takes the replies. Only a server in the same process must be spun by
    another thread than the one that waits.

    Arguments common to all: `position`, `velocity` and so on are mappings by coordinate name, or
    sequences in the order of `names` (None: all, in the model's order). `rest` says what the other
    coordinates take: "error", "live" for the measured state, "neutral". `timeout` in s replaces
    the client's.

    Errors of all: RequestRefusedError with the server's reason, NoReplyError where none came,
    ArgumentError and UnknownNameError for arguments that make no request.
    """

    def __init__(self, node: Node, server: str = "dynamics_server", timeout: float = 5.0) -> None:
        """Connect to a server, which need not be there yet.

        Args:
            node: Gives context, namespace and remapping rules. It may be spun or not.
            server: Name of the server's node, relative to the node's namespace or absolute.
            timeout: Seconds that a call waits for server and reply together.

        Raises:
            ArgumentError: a name that no node can have, or a timeout that is none.
        """
        self._timeout = positive_seconds(timeout)
        server = text("server", server).rstrip("/")
        if not server:
            raise ArgumentError("server is empty; give the name of the server's node")
        self._calls = ServiceCalls(
            node, [(kind, f"{server}/{name}") for name, kind in _SERVICES.items()]
        )

    def __enter__(self) -> DynamicsClient:
        """Return the client."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """End the client's thread; replies that are still to come fail with a NoReplyError."""
        self._calls.close()

    def inverse_dynamics_async(
        self,
        position: Values,
        velocity: Values | None = None,
        acceleration: Values | None = None,
        *,
        names: Sequence[str] | None = None,
        rest: Rest = "error",
        external_wrenches: Mapping[str, ArrayLike] | None = None,
        friction: bool = False,
        timeout: float | None = None,
    ) -> Reply[Efforts]:
        """Ask for the efforts that produce accelerations, with their terms.

        Args:
            position: rad or m.
            velocity: rad/s or m/s; zero by default.
            acceleration: rad/s^2 or m/s^2; zero by default.
            names: see the class.
            rest: see the class.
            external_wrenches: [moment; force] (6,) by frame, N m and N, exerted on the robot at
                the frame's origin, in its axes.
            friction: whether the effort includes joint friction and damping.
            timeout: see the class.
        """
        request = InverseDynamics.Request(
            **state_fields(position, names, rest, velocity=velocity, acceleration=acceleration),
            external_wrenches=wrench_messages(external_wrenches),
            friction=flag("friction", friction),
        )
        return self._call(InverseDynamics, request, Efforts.of, timeout)

    def forward_dynamics_async(
        self,
        position: Values,
        velocity: Values | None = None,
        effort: Values | None = None,
        *,
        names: Sequence[str] | None = None,
        rest: Rest = "error",
        unnamed: Unnamed = "locked",
        external_wrenches: Mapping[str, ArrayLike] | None = None,
        friction: bool = False,
        timeout: float | None = None,
    ) -> Reply[Accelerations]:
        """Ask for the accelerations that efforts (N m or N, zero by default) produce.

        `unnamed` says how the other coordinates move: "locked", held still, or "zero_effort",
        free. The other arguments are those of `inverse_dynamics`.
        """
        request = ForwardDynamics.Request(
            **state_fields(position, names, rest, velocity=velocity, effort=effort),
            unnamed=unnamed_field(unnamed),
            external_wrenches=wrench_messages(external_wrenches),
            friction=flag("friction", friction),
        )
        return self._call(ForwardDynamics, request, Accelerations.of, timeout)

    def mass_matrix_async(
        self,
        position: Values,
        *,
        names: Sequence[str] | None = None,
        rest: Rest = "error",
        timeout: float | None = None,
    ) -> Reply[MassMatrixResult]:
        """Ask for the named rows and columns of the mass matrix."""
        request = MassMatrix.Request(**state_fields(position, names, rest))
        return self._call(MassMatrix, request, MassMatrixResult.of, timeout)

    def jacobian_async(
        self,
        frame: str,
        position: Values,
        *,
        names: Sequence[str] | None = None,
        rest: Rest = "error",
        timeout: float | None = None,
    ) -> Reply[JacobianResult]:
        """Ask for the named columns of a link's or frame's Jacobian."""
        request = Jacobian.Request(
            **state_fields(position, names, rest), frame=text("frame", frame)
        )
        return self._call(Jacobian, request, JacobianResult.of, timeout)

    def body_motion_async(
        self,
        position: Values,
        velocity: Values | None = None,
        acceleration: Values | None = None,
        *,
        names: Sequence[str] | None = None,
        rest: Rest = "error",
        timeout: float | None = None,
    ) -> Reply[Bodies]:
        """Ask for pose, velocity and acceleration of every body."""
        request = BodyMotion.Request(
            **state_fields(position, names, rest, velocity=velocity, acceleration=acceleration)
        )
        return self._call(BodyMotion, request, Bodies.of, timeout)

    def set_payload_async(
        self,
        frame: str,
        mass: float,
        com: ArrayLike = (0.0, 0.0, 0.0),
        inertia: ArrayLike | None = None,
        *,
        name: str | None = None,
        timeout: float | None = None,
    ) -> Reply[None]:
        """Attach a payload to the server's robot, or replace the one of this name.

        Arguments are those of `Robot.set_payload`: mass in kg (0 removes it), com in m and
        inertia (3, 3) about it in kg m^2, both in the axes of `frame`; None is a point mass.
        """
        request = SetPayload.Request(payload=payload_message(frame, mass, com, inertia, name))
        return self._call(SetPayload, request, _nothing, timeout)

    def clear_payload_async(self, name: str, *, timeout: float | None = None) -> Reply[None]:
        """Remove a payload by its name, which is its frame's where none was given."""
        request = SetPayload.Request(payload=Payload(name=text("name", name)), remove=True)
        return self._call(SetPayload, request, _nothing, timeout)

    def model_report_async(self, *, timeout: float | None = None) -> Reply[Report]:
        """Ask what the server's model holds."""
        return self._call(ModelReport, ModelReport.Request(), Report.of, timeout)

    inverse_dynamics = _waiting(inverse_dynamics_async)
    forward_dynamics = _waiting(forward_dynamics_async)
    mass_matrix = _waiting(mass_matrix_async)
    jacobian = _waiting(jacobian_async)
    body_motion = _waiting(body_motion_async)
    set_payload = _waiting(set_payload_async)
    clear_payload = _waiting(clear_payload_async)
    model_report = _waiting(model_report_async)

    def _call(
        self, kind: type, request: Any, convert: Callable[[Any], T], timeout: float | None
    ) -> Reply[T]:
        return self._calls.call(
            kind, request, convert, self._timeout if timeout is None else timeout
        )


def _nothing(reply: Any) -> None:
    """Return what a reply without fields gives."""
