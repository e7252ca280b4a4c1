"""Dynamics of the same description by MuJoCo, in our conventions.

MuJoCo reads the URDF itself; only what it need not or cannot know is taken out of the text first:
shapes, inertials of nothing at all, and mimic tags, which it turns into soft constraints. Followers
are free joints here, moved as our model says, and projected on their drivers by virtual work.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import mujoco
import numpy as np
from lxml import etree

from dynamics_oracle import Dynamics, State, is_root_joint, moving_joints
from robodyn_ros.model import Body, Model
from robodyn_ros.model.inertia import central
from robodyn_ros.spatial import quaternion_to_matrix
from robots import loaded

#: MuJoCo's mjMINVAL and mjEPS.
_SMALLEST = 1e-15
_EPS = 1e-14

#: Why MuJoCo refuses a description: words of its error, and what our model says of them.
MASSLESS = "mass and inertia of moving bodies must be larger than mjMINVAL"
NOT_POSITIVE = "inertia must have positive eigenvalues"
TRIANGLE = "inertia must satisfy A + B >= C"


def reasons_against(model: Model) -> set[str]:
    """Return the words with which MuJoCo must refuse a model; empty for one it can represent."""
    reasons = {reason for body in model.bodies for reason in _reasons_against_body(body)}
    for i, _ in model.lumped.moving:
        mass, _, inertia = central(model.lumped.inertias[i])
        if mass < _SMALLEST or np.linalg.eigvalsh(inertia)[0] < _SMALLEST:
            reasons.add(MASSLESS)
    return reasons


def _reasons_against_body(body: Body) -> set[str]:
    """Return what is wrong with a body's inertia; a mass point has none and is welcome."""
    if not body.inertia.any():
        return set()
    smallest, middle, largest = np.linalg.eigvalsh(body.inertia)
    if smallest < _EPS:
        return {NOT_POSITIVE}
    return {TRIANGLE} if smallest + middle < largest - _EPS else set()


def _is_nothing(body: Body) -> bool:
    return body.mass == 0.0 and not body.inertia.any()


@cache
def built(path: Path, base: str) -> mujoco.MjModel:
    """Return MuJoCo's model; a ValueError has its words where it refuses."""
    other = mujoco.MjModel.from_xml_string(_text(path, loaded(path, base)))
    # Limits, contacts and friction of joints are constraints to MuJoCo.
    other.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    other.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    return other


def _text(path: Path, model: Model) -> str:
    """Return the URDF with a root link "world", which is MuJoCo's own, and without the rest."""
    robot = etree.fromstring(path.read_bytes(), etree.XMLParser(remove_comments=True))
    for element in list(robot):
        if element.tag not in ("link", "joint"):
            robot.remove(element)
    for link in robot.findall("link"):
        shapes = link.findall("visual") + link.findall("collision")
        nothing = _is_nothing(model.bodies[model.body_index(link.get("name"))])
        for element in shapes + (link.findall("inertial") if nothing else []):
            link.remove(element)
        link.set("name", f"link/{link.get('name')}")
    for joint in robot.findall("joint"):
        for element in joint.findall("mimic"):
            joint.remove(element)
        for end in ("parent", "child"):
            joint.find(end).set("link", f"link/{joint.find(end).get('link')}")
    etree.SubElement(robot, "link", name="world")
    kind, root = ("floating", 1) if model.base == "floating" else ("fixed", 0)
    joint = etree.SubElement(robot, "joint", name="root_joint", type=kind)
    etree.SubElement(joint, "parent", link="world")
    etree.SubElement(joint, "child", link=f"link/{model.body_names[root]}")
    compiler = {"fusestatic": "false", "balanceinertia": "false", "boundmass": "0"}
    etree.SubElement(etree.SubElement(robot, "mujoco"), "compiler", boundinertia="0", **compiler)
    return etree.tostring(robot, encoding="unicode")


def mujoco_dynamics(
    path: Path, model: Model, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> Dynamics:
    """Return the dynamics of our states q (N, nq), v and a (N, nv) by MuJoCo."""
    other = built(path, model.base)
    data = mujoco.MjData(other)
    state = _state(model, other, q, v, a)
    rows = [_one(other, data, *x) for x in zip(state.q, state.v, state.a, strict=True)]
    tau, bias, gravity, M, *rest = (np.stack(column) for column in zip(*rows, strict=True))
    # What an acceleration of zero in our coordinates is in theirs counts to the bias.
    drift = state.a - np.einsum("nij,nj->ni", state.G, a)
    bias = bias + np.einsum("nij,nj->ni", M, drift)
    efforts = [state.efforts(x) for x in (tau, bias, gravity)]
    return Dynamics(*efforts, state.projected(M), *rest)


def _state(
    model: Model, other: mujoco.MjModel, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> State:
    """Return states in MuJoCo's coordinates.

    A free joint's q is (x y z, qw qx qy qz), its v the velocity in world axes, then the angular
    velocity in the child's.
    """
    theirs = np.zeros((len(q), other.nq))
    G = np.zeros((len(q), other.nv, model.nv))
    drift = np.zeros((len(q), other.nv))
    for joint in moving_joints(model):
        name = "root_joint" if is_root_joint(joint) else joint.name
        place = other.joint(name)
        q_at, v_at = place.qposadr[0], place.dofadr[0]
        coordinates = joint.coordinates
        columns, z = list(coordinates.columns()), coordinates.position(q)
        if place.type[0] == mujoco.mjtJoint.mjJNT_FREE:
            theirs[:, q_at : q_at + 7] = z[:, [0, 1, 2, 6, 3, 4, 5]]
            R = quaternion_to_matrix(z[:, 3:])
            G[:, v_at : v_at + 3, columns[3:]] = R
            G[:, v_at + 3 : v_at + 6, columns[:3]] = np.eye(3)
            dz = coordinates.velocity(q, v)
            turned = np.cross(dz[:, :3], dz[:, 3:])
            drift[:, v_at : v_at + 3] = np.einsum("nij,nj->ni", R, turned)
        else:
            theirs[:, q_at] = z[:, 0]
            G[:, v_at, columns] = coordinates.velocity_map(q)[..., 0, :]
    rates = np.einsum("nij,nj->ni", G, v)
    return State(theirs, rates, np.einsum("nij,nj->ni", G, a) + drift, G)


def _one(
    other: mujoco.MjModel, data: mujoco.MjData, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Return one state's dynamics in MuJoCo's coordinates."""
    tau, bias, gravity = np.zeros((3, other.nv))
    M = np.zeros((other.nv, other.nv))
    data.qpos[:], data.qvel[:], data.qacc[:] = q, 0.0, 0.0
    mujoco.mj_forward(other, data)
    mujoco.mj_rne(other, data, 0, gravity)
    data.qvel[:] = v
    mujoco.mj_forward(other, data)
    data.qacc[:] = a
    mujoco.mj_rne(other, data, 1, tau)
    mujoco.mj_rne(other, data, 0, bias)
    mujoco.mj_fullM(other, data, M)
    potential, kinetic = data.energy
    mujoco.mj_subtreeVel(other, data)
    # Subtree 0 is everything, what is fixed to the world included.
    linear = other.body_subtreemass[0] * data.subtree_linvel[0]
    momentum = np.concatenate([data.subtree_angmom[0], linear])
    energy = np.array([kinetic, potential])
    return tau, bias, gravity, M, energy, data.subtree_com[0].copy(), momentum
