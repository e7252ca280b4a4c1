"""MuJoCo's side of the figures of a tree of mixed joint types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import mujoco
import numpy as np
from mujoco.rollout import Rollout

import robodyn_ros as rd
from benchmarks.mixed_tree_robot import LINKS, Batch, Rows, Side, one_by_one, quaternions, sizes
from robodyn_ros.kernels.rows import available_threads
from robodyn_ros.spatial import quaternion_from_matrix


class MujocoTree:
    """The tree in MuJoCo, without constraints: rigid-body dynamics alone."""

    def __init__(self, robot: rd.Robot) -> None:
        """Build it; `robot` is ours."""
        self.model = mujoco.MjModel.from_xml_string(_mjcf())
        self.model.opt.disableflags |= int(
            mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
        )
        self.model.opt.timestep = 1.0  # of a step of `rollout`, whose change of rate is read
        self._data = mujoco.MjData(self.model)
        self._matrix = np.zeros((self.model.nv, self.model.nv))
        self._scalar_first = np.arange(self.model.nq)
        for begin in quaternions(robot.model):
            self._scalar_first[begin : begin + 4] = np.roll(np.arange(begin, begin + 4), 1)

    def side(self) -> Side:
        """Return what it does, by our names; it has no analytical derivatives."""
        functions = {
            "inverse_dynamics": self._inverse,
            "forward_dynamics": self._forward,
            "mass_matrix": self._mass_matrix,
        }
        batches = {"forward_dynamics": Batch("rollout of one step", self._rollout)}
        return Side("MuJoCo", functions, lambda rows: one_by_one(self._theirs(rows)), batches)

    def _theirs(self, rows: Rows) -> Rows:
        q, *others = rows
        return np.ascontiguousarray(q[:, self._scalar_first]), *others

    def _inverse(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        data = self._data
        data.qpos[:], data.qvel[:], data.qacc[:] = q, v, a
        mujoco.mj_inverse(self.model, data)
        return data.qfrc_inverse

    def _forward(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        data = self._data
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, v, tau
        mujoco.mj_forward(self.model, data)
        return data.qacc

    def _mass_matrix(self, q: np.ndarray) -> np.ndarray:
        self._data.qpos[:] = q
        mujoco.mj_kinematics(self.model, self._data)
        mujoco.mj_comPos(self.model, self._data)
        mujoco.mj_crb(self.model, self._data)
        mujoco.mj_fullM(self.model, self._data, self._matrix)
        return self._matrix

    def _rollout(self, rows: Rows) -> Callable[[], np.ndarray]:
        """Return a run of its threads: an Euler step of 1 s adds the acceleration to the rate."""
        q, v, tau = self._theirs(rows)
        threads = available_threads()
        copies = [mujoco.MjData(self.model) for _ in range(threads)]
        states = np.hstack([np.zeros((len(q), 1)), q, v])  # time comes first
        controls = np.ascontiguousarray(tau[:, None])
        after = np.zeros((len(q), 1, states.shape[1]))
        rollout = Rollout(nthread=threads)
        kind = int(mujoco.mjtState.mjSTATE_QFRC_APPLIED)

        def batch() -> np.ndarray:
            rollout.rollout(
                self.model, copies, states, controls, control_spec=kind, nstep=1, state=after
            )
            return after[:, 0, 1 + self.model.nq :] - v

        return batch


def _mjcf() -> str:
    """Return the tree as MuJoCo's XML."""
    root = ElementTree.Element("mujoco")
    ElementTree.SubElement(root, "compiler", angle="radian", balanceinertia="false")
    elements = [ElementTree.SubElement(root, "worldbody")]
    kinds = {"turn": "hinge", "slide": "slide", "ball": "ball"}
    for i, (link, size) in enumerate(zip(LINKS, sizes(), strict=True), start=1):
        place = {"pos": _text(size.position), "quat": _quaternion(size.rotation)}
        body = ElementTree.SubElement(elements[link.parent], "body", name=str(i), **place)
        moments, axes = np.linalg.eigh(size.inertia)
        axes = axes * np.sign(np.linalg.det(axes))
        inertial = {"pos": _text(size.com), "quat": _quaternion(axes)}
        inertial |= {"mass": repr(size.mass), "diaginertia": _text(moments)}
        ElementTree.SubElement(body, "inertial", **inertial)
        for kind, axis in link.motions:
            ElementTree.SubElement(body, "joint", type=kinds[kind], axis=_text(axis))
        elements.append(body)
    return ElementTree.tostring(root, encoding="unicode")


def _quaternion(rotation: np.ndarray) -> str:
    return _text(np.roll(quaternion_from_matrix(rotation), 1))


def _text(numbers: Any) -> str:
    return " ".join(repr(float(x)) for x in numbers)
