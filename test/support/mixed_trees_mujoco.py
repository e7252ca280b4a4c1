"""A tree of ours as MuJoCo's model: hinges, slides, balls and free joints, stacked in one body.

Several joints in one MuJoCo body move it one after the other, each in the axes that those before
it have made: our gimbals, cylindrical and planar joints and free motion below the root are such
stacks. MuJoCo has no screws and no formulas, so that such joints cannot be compared, nor can trees
that were re-rooted, whose joints are turned round.
"""

from __future__ import annotations

from typing import NamedTuple
from xml.etree import ElementTree

import mujoco
import numpy as np

from mixed_trees_motions import NOWHERE, Motion, Pose, stack_of
from mixed_trees_states import Local, Place, State, their_state
from robodyn_ros.model import BaseMotion, Model
from robodyn_ros.model.elements import Body
from robodyn_ros.spatial import (
    compose,
    invert,
    quaternion_exponential,
    quaternion_from_matrix,
    quaternion_to_matrix,
)

#: Types that MuJoCo has nothing for.
NOT_IN_MUJOCO = ("helical", "dh_helical", "user_defined")

_KINDS = {"turn": "hinge", "slide": "slide", "ball": "ball"}


class Built(NamedTuple):
    """MuJoCo's model of a tree, and where our joints and bodies are in it.

    Attributes:
        ours: the tree.
        model: MuJoCo's.
        data: its workspace.
        places: of every motion.
        seats: pose of each of our bodies in the frame of MuJoCo's body of the same number and 1.
    """

    ours: Model
    model: mujoco.MjModel
    data: mujoco.MjData
    places: list[Place]
    seats: list[Pose]

    def state(
        self, state: tuple[np.ndarray, np.ndarray, np.ndarray], base: BaseMotion | None = None
    ) -> State:
        """Return our state in its coordinates; `base` moves a prescribed one."""
        carried = None if base is None else _carried(base)
        sizes = (self.model.nq, self.model.nv)
        return their_state(self.ours, self.places, _convert, sizes, state, carried)

    def body_poses(self) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations and positions of our bodies where its data are now."""
        names = [_name(i) for i in range(self.ours.nb)]
        at = [(self.data.body(n).xmat.reshape(3, 3), self.data.body(n).xpos) for n in names]
        poses = [compose(pose, seat) for pose, seat in zip(at, self.seats, strict=True)]
        return np.array([R for R, _ in poses]), np.array([p for _, p in poses])

    def inverse_dynamics(self, state: State) -> np.ndarray:
        """Return its efforts (its nv,); leaves poses and inertias in its data."""
        tau = np.zeros(self.model.nv)
        self.data.qpos[:], self.data.qvel[:] = state.q, state.v
        mujoco.mj_forward(self.model, self.data)
        self.data.qacc[:] = state.a
        mujoco.mj_rne(self.model, self.data, 1, tau)
        return tau

    def mass_matrix(self) -> np.ndarray:
        """Return its mass matrix where its data are now."""
        M = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, M)
        return M


def built(model: Model) -> Built:
    """Return a tree as MuJoCo's model.

    Raises:
        ValueError: a joint is turned round, or is a screw.
    """
    robot = ElementTree.Element("mujoco")
    ElementTree.SubElement(
        robot, "compiler", angle="radian", balanceinertia="false", inertiafromgeom="false"
    )
    world = ElementTree.SubElement(robot, "worldbody")
    elements = [_body(world, model.bodies[0], 0, NOWHERE, NOWHERE)]
    seats: list[Pose] = [NOWHERE]
    names: list[tuple[int, Motion, str]] = []
    for i, joint in model.moving:
        home, motions, placed = stack_of(joint.joint)
        at = compose(compose(seats[joint.parent], (joint.rotation, joint.position)), home)
        seats.append(invert(placed))
        # Only what hangs on the world itself may be free there.
        is_base = model.base != "fixed" and i == 1
        parent = world if is_base else elements[joint.parent]
        element = _body(parent, model.bodies[i], i, at, seats[i])
        elements.append(element)
        if is_base:
            ElementTree.SubElement(element, "freejoint", name="base")
            names += [(i, motion, "base") for motion in motions]
            continue
        for k, motion in enumerate(motions):
            names.append((i, motion, f"{joint.name}/{k}"))
            _joints(element, motion, names[-1][2])
    other = mujoco.MjModel.from_xml_string(ElementTree.tostring(robot, encoding="unicode"))
    other.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    joints = dict(model.moving)
    places = []
    for i, motion, name in names:
        there = other.joint(name)
        places.append(Place(joints[i], motion, int(there.qposadr[0]), int(there.dofadr[0])))
    return Built(model, other, mujoco.MjData(other), places, seats)


def _name(i: int) -> str:
    return f"body{i}"


def _body(parent: ElementTree.Element, body: Body, i: int, at: Pose, seat: Pose) -> ElementTree:
    """Add a body, whose frame is where its joints move it: ours has pose `seat` in that."""
    element = ElementTree.SubElement(parent, "body", name=_name(i), **_pose(at))
    if body.mass:
        moments, axes = np.linalg.eigh(body.inertia)
        axes = axes * np.sign(np.linalg.det(axes))
        place = compose(seat, (axes, np.asarray(body.com)))
        mass = {"mass": repr(float(body.mass)), "diaginertia": _text(moments)}
        ElementTree.SubElement(element, "inertial", **_pose(place), **mass)
    return element


def _joints(element: ElementTree.Element, motion: Motion, name: str) -> None:
    """Add a motion's joints; free motion below the root is three slides and a ball."""
    if motion.kind in ("free", "six_dof"):
        for k, axis in enumerate(np.eye(3)):
            label = name if k == 0 else f"{name}/{k}"
            ElementTree.SubElement(element, "joint", type="slide", name=label, axis=_text(axis))
        ElementTree.SubElement(element, "joint", type="ball", name=f"{name}/3")
        return
    if motion.kind not in _KINDS:
        raise ValueError(f"MuJoCo has no joint for {motion}")
    axis = {"axis": _text(np.array(motion.axis))} if motion.axis else {}
    ElementTree.SubElement(element, "joint", type=_KINDS[motion.kind], name=name, **axis)


def _pose(at: Pose) -> dict[str, str]:
    R, p = at
    return {"pos": _text(p), "quat": _text(np.roll(quaternion_from_matrix(np.asarray(R)), 1))}


def _text(numbers: np.ndarray) -> str:
    return " ".join(repr(float(x)) for x in numbers)


def _convert(motion: Motion, z: np.ndarray, dz: np.ndarray) -> Local:
    """Return a motion's state: quaternions have qw first, linear rates are in the axes before it.

    Those of free motion, in its own axes with us, turn with it.
    """
    same, still = np.eye(len(motion.v)), np.zeros(len(motion.v))
    match motion.kind:
        case "ball":
            quaternion = z if len(z) == 4 else quaternion_exponential(z)
            return Local(np.roll(quaternion, 1), same, still)
        case "six_dof":
            return Local(_free(z), same, still)
        case "free":
            R = quaternion_to_matrix(z[3:])
            rates = np.zeros((6, 6))
            rates[:3, 3:], rates[3:, :3] = R, np.eye(3)
            drift = np.concatenate([R @ np.cross(dz[:3], dz[3:]), np.zeros(3)])
            return Local(_free(z), rates, drift)
    return Local(z, same, still)


def _free(z: np.ndarray) -> np.ndarray:
    return np.concatenate([z[:3], np.roll(z[3:], 1)])


def _carried(base: BaseMotion) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a free joint's state for a given motion of the root link."""
    R = np.asarray(base.rotation)
    q = np.concatenate([base.position, np.roll(quaternion_from_matrix(R), 1)])
    rates = np.concatenate([base.linear_velocity, R.T @ base.angular_velocity])
    return q, rates, np.concatenate([base.linear_acceleration, R.T @ base.angular_acceleration])
