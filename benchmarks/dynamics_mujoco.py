"""MuJoCo's side of the figures of dynamics, for arms."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

import mujoco
import numpy as np

from benchmarks.dynamics_robots import Opponent

TOLERANCE = 1e-9
"""MuJoCo keeps inertias as principal moments and quaternions, which costs some digits."""

ARMS = ("UR5", "Panda")


class MujocoArm:
    """An arm in MuJoCo, without constraints and passive forces: rigid-body dynamics alone."""

    def __init__(self, one: Opponent) -> None:
        """Load the description without its shapes, whose meshes MuJoCo would look for."""
        self.model = mujoco.MjModel.from_xml_string(_bare(one.text))
        self.model.opt.disableflags |= int(
            mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
        )
        for array in (self.model.dof_damping, self.model.dof_frictionloss, self.model.dof_armature):
            array[:] = 0.0
        self.data = mujoco.MjData(self.model)
        names = [self.model.joint(k).name for k in range(self.model.njnt)]
        self.order = np.array([one.robot.model.own_joint(name).v_index for name in names])
        self._matrix = np.zeros((self.model.nv, self.model.nv))

    def functions(self) -> dict[str, Callable[..., np.ndarray]]:
        """Return its functions by the names of ours."""
        return {
            "inverse_dynamics": self._inverse,
            "mass_matrix": self._mass_matrix,
            "forward_dynamics": self._forward,
        }

    def rows(self, rows: tuple[np.ndarray, ...]) -> list[tuple[np.ndarray, ...]]:
        """Return rows in MuJoCo's order, one by one."""
        arrays = (np.ascontiguousarray(x[:, self.order]) for x in rows)
        return list(zip(*arrays, strict=True))

    def require_equality(self, name: str, one: Opponent, count: int) -> None:
        """Exit where a function differs from ours."""
        function = self.functions()[name]
        rows = one.rows(count, seed=1)[: 1 if name == "mass_matrix" else 3]
        ours = getattr(one.robot, name)(*rows)
        for k, row in enumerate(self.rows(rows)):
            expected = ours[k][np.ix_(*[self.order] * (ours.ndim - 1))]
            scale = max(1.0, float(np.max(np.abs(expected))))
            worst = float(np.max(np.abs(function(*row) - expected))) / scale
            if not worst < TOLERANCE:
                raise SystemExit(f"{one.name}: {name} differs from MuJoCo by {worst:.2e}")

    def _inverse(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        data = self.data
        data.qpos[:], data.qvel[:], data.qacc[:] = q, v, a
        mujoco.mj_inverse(self.model, data)
        return data.qfrc_inverse

    def _forward(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        data = self.data
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, v, tau
        mujoco.mj_forward(self.model, data)
        return data.qacc

    def _mass_matrix(self, q: np.ndarray) -> np.ndarray:
        self.data.qpos[:] = q
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_crb(self.model, self.data)
        mujoco.mj_fullM(self.model, self.data, self._matrix)
        return self._matrix


def _bare(text: str) -> str:
    """Return a description of links and joints without shapes."""
    root = ElementTree.fromstring(text)  # noqa: S314 - a file of example-robot-data
    for link in root.iter("link"):
        for tag in ("visual", "collision"):
            for element in link.findall(tag):
                link.remove(element)
    options = ElementTree.SubElement(root, "mujoco")
    ElementTree.SubElement(options, "compiler", balanceinertia="false", strippath="false")
    return ElementTree.tostring(root, encoding="unicode")
