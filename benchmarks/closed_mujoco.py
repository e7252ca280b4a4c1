"""MuJoCo's side of the figures of closed mechanisms: its soft equality constraints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import mujoco
import numpy as np
from mujoco.rollout import Rollout

from benchmarks.closed_cases import CLOSED, Case, Engine, States
from benchmarks.closed_newton import independent_rows
from robodyn_ros.joints import Floating, Prismatic, Universal
from robodyn_ros.kernels.rows import available_threads
from robodyn_ros.spatial import quaternion_from_matrix, quaternion_to_matrix

STIFFEST = "0.9999 0.9999 0.001 0.5 2"
"""Impedance: the least softness that it allows."""
HARDER = 1e-4
"""Factor of the weights from which it makes the softness, which is too large for 1e-3 as it is."""
SLOWLY = "1 1"
"""Time constant with which constraints that are open are closed: the states are closed."""
LEAST_MOMENT = 1e-12
"""kg m^2; it takes no slender rods."""


class MujocoSide:
    """A mechanism in MuJoCo: `connect` holds two points together."""

    def __init__(self, case: Case) -> None:
        """Build it."""
        self._case = case
        self.model = mujoco.MjModel.from_xml_string(_mjcf(case))
        self.model.opt.gravity[:] = case.gravity
        self.model.opt.timestep = 1.0  # of a step of `rollout`, whose change of rate is read
        self.model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        self.model.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
        self.model.opt.tolerance, self.model.opt.iterations = 1e-14, 100
        self.model.body_invweight0[:] *= HARDER
        self.data = mujoco.MjData(self.model)
        links = case.links
        self._floats = isinstance(links[0].kind, Floating)
        self._free = np.array([k for k in range(self.model.nv) if k not in case.given])
        start = self.converted(case.states(1, seed=5)).q[0]
        jacobian, _ = self._equations(start)
        self._rows = independent_rows(jacobian[:, self._free])

    def engine(self) -> Engine:
        """Return what it does."""
        return Engine(
            "MuJoCo",
            self.converted,
            self._accelerated,
            lambda: self.data.qfrc_constraint,
            self._accelerations,
            self._assembled,
            lambda q: self._equations(q)[0],
            lambda q: self._equations(q)[1].copy(),
            self._rollout,
            True,
        )

    def converted(self, states: States) -> States:
        """Return our states in its coordinates: of a free body velocities in world axes first."""
        q, v, tau, guess = self._case.tree(states)
        if self._floats:
            v, tau = (self._world_first(q, x) for x in (v, tau))
            order = [0, 1, 2, 6, 3, 4, 5, *range(7, q.shape[1])]
            q, guess = (np.ascontiguousarray(x[:, order]) for x in (q, guess))
        return States(q, v, tau, guess)

    def _world_first(self, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        R = np.asarray(quaternion_to_matrix(q[:, 3:7]))
        return np.hstack([np.einsum("nij,nj->ni", R, x[:, 3:6]), x[:, :3], x[:, 6:]])

    def _accelerations(self, states: States, found: np.ndarray) -> np.ndarray:
        """Return accelerations from rest in our coordinates."""
        if not self._floats:
            return found
        R = np.asarray(quaternion_to_matrix(states.q[:, [4, 5, 6, 3]]))
        slides = np.einsum("nji,nj->ni", R, found[:, :3])
        return np.hstack([found[:, 3:6], slides, found[:, 6:]])

    def _accelerated(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        data = self.data
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, v, tau
        data.qacc_warmstart[:] = 0.0
        mujoco.mj_forward(self.model, data)
        return data.qacc

    def _equations(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the constraints' Jacobian, and how far they are open."""
        self.data.qpos[:] = q
        mujoco.mj_fwdPosition(self.model, self.data)
        jacobian = self.data.efc_J.reshape(self.data.nefc, self.model.nv)
        return jacobian, self.data.efc_pos

    def _assembled(self, guess: np.ndarray) -> np.ndarray:
        """Newton's method with square equations, as short as Python allows."""
        q, step = guess.copy(), np.zeros(self.model.nv)
        for _ in range(10):
            jacobian, gaps = self._equations(q)
            if abs(gaps).max() < CLOSED:
                break
            part = jacobian[self._rows][:, self._free]
            step[self._free] = np.linalg.solve(part, -gaps[self._rows])
            mujoco.mj_integratePos(self.model, q, step, 1.0)
        return q

    def _rollout(self, states: States) -> Callable[[], np.ndarray]:
        """Return a run of its threads: an Euler step of 1 s adds the acceleration to the rate."""
        q, v, tau, _ = states
        copies = [mujoco.MjData(self.model) for _ in range(available_threads())]
        begin = np.hstack([np.zeros((len(q), 1)), q, v])  # time comes first
        controls = np.ascontiguousarray(tau[:, None])
        after = np.zeros((len(q), 1, begin.shape[1]))
        rollout = Rollout(nthread=len(copies))
        kind = int(mujoco.mjtState.mjSTATE_QFRC_APPLIED)

        def batch() -> np.ndarray:
            rollout.rollout(
                self.model, copies, begin, controls, control_spec=kind, nstep=1, state=after
            )
            return after[:, 0, 1 + self.model.nq :] - v

        return batch


def _mjcf(case: Case) -> str:
    """Return the mechanism as MuJoCo's XML."""
    root = ElementTree.Element("mujoco")
    ElementTree.SubElement(root, "compiler", angle="radian", balanceinertia="false")
    world = ElementTree.SubElement(root, "worldbody")
    elements = {case.robot.model.body_names[0]: world}
    for link in case.links:
        place = {"pos": _text(link.joint.position), "quat": _quaternion(link.joint.rotation)}
        body = ElementTree.SubElement(elements[link.parent], "body", name=link.name, **place)
        moments, axes = np.linalg.eigh(np.array(link.body.inertia))
        axes = axes * np.sign(np.linalg.det(axes))
        inertial = {"pos": _text(link.body.com), "quat": _quaternion(axes)}
        inertial["diaginertia"] = _text(np.maximum(moments, LEAST_MOMENT))
        ElementTree.SubElement(body, "inertial", mass=repr(float(link.body.mass)), **inertial)
        for kind, axis in _motions(link.kind):
            if kind == "free":
                ElementTree.SubElement(body, "freejoint")
            else:
                ElementTree.SubElement(body, "joint", type=kind, axis=_text(axis))
        elements[link.name] = body
    equalities = ElementTree.SubElement(root, "equality")
    for k, loop in enumerate(case.loops):
        ends = ((loop.parent, loop.on_parent), (loop.child, loop.on_child))
        names = {}
        for n, (name, point) in enumerate(ends, start=1):
            names[f"site{n}"] = f"loop{k}_{n}"
            site = {"name": names[f"site{n}"], "pos": _text(point)}
            ElementTree.SubElement(elements[name], "site", **site)
        ElementTree.SubElement(equalities, "connect", solref=SLOWLY, solimp=STIFFEST, **names)
    return ElementTree.tostring(root, encoding="unicode")


def _motions(kind: Any) -> list[tuple[str, Any]]:
    """Return the stack of motions that a joint is."""
    if isinstance(kind, Floating):
        return [("free", None)]
    if isinstance(kind, Universal):
        return [("hinge", kind.first_axis), ("hinge", kind.second_axis)]
    return [("slide" if isinstance(kind, Prismatic) else "hinge", kind.axis)]


def _quaternion(rotation: Any) -> str:
    return _text(np.roll(quaternion_from_matrix(np.array(rotation)), 1))


def _text(numbers: Any) -> str:
    return " ".join(repr(float(x)) for x in numbers)
