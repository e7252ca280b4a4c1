"""Whether an answer is right: against the plain functions, by way of the names alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from differentiation import error
from dynamics_rig import Host
from robodyn_ros import algorithms
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import quaternion_exponential

LIVE = 1
LARGEST = 1e6
"""Of the numbers in a request and of the plain answer; beyond, rounding is not told from faults."""
TOLERANCE = 1e-9
TERMS = ("inertial", "coriolis", "gravity", "friction", "armature", "payload", "external")


class Answers:
    """Judges answers of one host in one environment."""

    def __init__(self, host: Host) -> None:
        assert host.robot is not None
        self._host = host
        self._model: Model = host.model
        self._environment: Environment = host.robot.environment

    def require_right(self, service: str, request: Any, reply: Any) -> None:
        """Fail where a reply with success is wrong."""
        if service in ("set_payload", "model_report"):
            assert reply.message == ""
            return
        names = [*request.names] or [*self._model.coordinate_names]
        assert [*reply.names] == names
        index = [self._model.coordinate_names.index(name) for name in names]
        assert len(set(index)) == len(index)
        q, v = self._state(request, names)
        if max(np.abs(q).max(), np.abs(v).max()) > LARGEST:
            return
        judge: Callable[..., None] = getattr(self, f"_{service}")
        judge(request, reply, index, q, v)

    def _state(self, request: Any, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
        model = self._model
        q, v = algorithms.neutral(model), np.zeros(model.nv)
        if request.rest == LIVE and len(names) < model.nv:
            live = self._host.live()
            q, v = live.q.copy(), live.v.copy()
        values = dict(zip(names, request.position, strict=True))
        for joint in model.own_joints:
            kind, start = joint.joint, joint.q_index
            own = [f"{joint.name}/{axis}" for axis in kind.axes] or [joint.name]
            place = {n: k for k, n in enumerate(own)}
            if kind.quaternion_start is not None:
                turns = [values[n] for n in own if n in values and n[-2:] in ("rx", "ry", "rz")]
                if turns:
                    q[start + 3 : start + 7] = quaternion_exponential(np.array(turns))
                place = {f"{joint.name}/{x}": k for k, x in enumerate("xyz")}
            for name, k in place.items():
                if name in values:
                    q[start + k] = values[name]
        self._set(v, names, getattr(request, "velocity", ()))
        return q, v

    def _set(self, entries: np.ndarray, names: list[str], values: Any) -> None:
        for k, name in enumerate(names):
            entries[self._model.coordinate_names.index(name)] = values[k] if len(values) else 0.0

    def _of(self, request: Any, index: list[int], values: Any) -> np.ndarray:
        found = np.zeros(self._model.nv)
        if len(values):
            found[index] = values
        return found

    def _options(self, request: Any) -> dict[str, Any]:
        pulls: dict[str, np.ndarray] = {}
        for message in request.external_wrenches:
            t, f = message.wrench.torque, message.wrench.force
            pull = np.array([t.x, t.y, t.z, f.x, f.y, f.z])
            frame = message.header.frame_id
            pulls[frame] = pulls.get(frame, np.zeros(6)) + pull
        return {
            "environment": self._environment,
            "external_wrenches": pulls or None,
            "wrench_axes": "local",
        }

    def _inverse_dynamics(
        self, request: Any, reply: Any, index: list[int], q: np.ndarray, v: np.ndarray
    ) -> None:
        a = self._of(request, index, request.acceleration)
        if np.abs(a).max() > LARGEST:
            return
        plain = algorithms.effort_terms(self._model, q, v, a, **self._options(request))
        effort = plain.total if request.friction else plain.total - plain.friction
        assert error(reply.effort, effort[index]) < TOLERANCE
        for term in TERMS:
            assert error(getattr(reply, term), getattr(plain, term)[index]) < TOLERANCE, term

    def _forward_dynamics(
        self, request: Any, reply: Any, index: list[int], q: np.ndarray, v: np.ndarray
    ) -> None:
        """Put the accelerations back: efforts must be those asked."""
        model, options = self._model, self._options(request)
        tau = self._of(request, index, request.effort)
        a = np.zeros(model.nv)
        a[index] = reply.acceleration
        if request.unnamed == 1:
            a = algorithms.forward_dynamics(model, q, v, tau, friction=request.friction, **options)
            scale = max(1.0, float(np.abs(a).max()))
            assert np.abs(a[index] - np.array(reply.acceleration)).max() < TOLERANCE * scale
        back = algorithms.inverse_dynamics(model, q, v, a, friction=request.friction, **options)
        mass = algorithms.mass_matrix(model, q, environment=self._environment)
        scale = max(1.0, float((np.abs(mass) @ np.abs(a)).max()), float(np.abs(tau).max()))
        assert np.abs(back - tau)[index].max() < TOLERANCE * scale

    def _mass_matrix(
        self, request: Any, reply: Any, index: list[int], q: np.ndarray, v: np.ndarray
    ) -> None:
        mass = algorithms.mass_matrix(self._model, q, environment=self._environment)
        assert error(reply.matrix, mass[np.ix_(index, index)].ravel()) < TOLERANCE

    def _jacobian(
        self, request: Any, reply: Any, index: list[int], q: np.ndarray, v: np.ndarray
    ) -> None:
        J = algorithms.jacobian(self._model, q, request.frame)
        assert error(reply.matrix, J[:, index].ravel()) < TOLERANCE

    def _body_motion(
        self, request: Any, reply: Any, index: list[int], q: np.ndarray, v: np.ndarray
    ) -> None:
        a = self._of(request, index, request.acceleration)
        if np.abs(a).max() > LARGEST:
            return
        motion = algorithms.body_motion(self._model, q, v, a)
        bodies = reply.bodies.bodies
        for field, expected in {
            "position": motion.position,
            "twist": motion.linear_velocity,
            "acceleration": motion.linear_acceleration,
        }.items():
            found = [_xyz(body, field) for body in bodies]
            assert error(found, expected) < TOLERANCE, field


def _xyz(body: Any, field: str) -> list[float]:
    vector = body.pose.position if field == "position" else getattr(body, field).linear
    return [vector.x, vector.y, vector.z]
