"""The kinematic operations of the catalogue."""

from __future__ import annotations

from robodyn_ros import algorithms
from robodyn_ros.algorithms.integrate import coordinate_rates, integrate
from robodyn_ros.robot.kind import MOTION, Call, Kind, Shape
from robodyn_ros.spatial import Array

_VECTOR: Shape = ("nb", 3)


def _body_motion(call: Call) -> tuple[Array, ...]:
    return algorithms.body_motion(call.model, *call.state, environment=call.environment)


def _center_of_mass_motion(call: Call) -> tuple[Array, ...]:
    return algorithms.center_of_mass_motion(call.model, *call.state, environment=call.environment)


def _marker_motion(call: Call) -> tuple[Array, ...]:
    return algorithms.marker_motion(call.model, *call.state, environment=call.environment)


def _jacobian(call: Call) -> tuple[Array, ...]:
    (q,) = call.state
    return (algorithms.jacobian(call.model, q, call.frame, environment=call.environment),)


def _jacobian_bias(call: Call) -> tuple[Array, ...]:
    q, v = call.state
    around = call.environment
    return (algorithms.jacobian_bias(call.model, q, v, call.frame, environment=around),)


def _integrate(call: Call) -> tuple[Array, ...]:
    q, v = call.state
    return (integrate(call.model, q, v, call.arguments["dt"]),)


def _coordinate_rates(call: Call) -> tuple[Array, ...]:
    return (coordinate_rates(call.model, *call.state),)


KINEMATIC_KINDS: dict[str, Kind] = {
    "body_motion": Kind(
        MOTION,
        tuple(
            zip(
                algorithms.BodyMotion._fields,
                (_VECTOR, ("nb", 3, 3), *[_VECTOR] * 4),
                strict=True,
            )
        ),
        _body_motion,
    ),
    "center_of_mass_motion": Kind(
        MOTION,
        tuple((field, _VECTOR) for field in algorithms.CenterOfMassMotion._fields),
        _center_of_mass_motion,
    ),
    "marker_motion": Kind(
        MOTION,
        tuple((field, ("markers", 3)) for field in algorithms.MarkerMotion._fields),
        _marker_motion,
    ),
    "jacobian": Kind(("q",), (("jacobian", (6, "nv")),), _jacobian, of_frame=True),
    "jacobian_bias": Kind(("q", "v"), (("bias", (6,)),), _jacobian_bias, of_frame=True),
    "integrate": Kind(("q", "v", "dt"), (("moved", ("nq",)),), _integrate),
    "coordinate_rates": Kind(("q", "v"), (("rates", ("nq",)),), _coordinate_rates),
}
