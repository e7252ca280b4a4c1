"""A tree that mixes joint types, for us, for Pinocchio and for MuJoCo.

Twelve links with all joints that MuJoCo can stack in one body: hinges, slides, balls, and what
consists of them. The tree is given three times, as a stack of elementary motions for each joint,
so that no side reads what another side has written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple
from xml.etree import ElementTree

import mujoco
import numpy as np
import pinocchio as pin

import robodyn_ros as rd
from robodyn_ros.joints import (
    Continuous,
    Cylindrical,
    Gimbal,
    Joint,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Translational,
    Universal,
)
from robodyn_ros.spatial import quaternion_from_matrix, rotation_from_rpy

REACH = 1.5
"""Angles, displacements, rates, accelerations and efforts are random up to this."""

X, Y, Z, SKEW = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.48, 0.6, 0.64)


class Link(NamedTuple):
    """A link: number of its parent, our joint, and the stack of motions that the joint is."""

    parent: int
    joint: Joint
    motions: tuple[tuple[str, tuple[float, float, float]], ...]


def _turns(*axes: tuple[float, float, float]) -> tuple[tuple[str, Any], ...]:
    return tuple(("turn", axis) for axis in axes)


def _slides(*axes: tuple[float, float, float]) -> tuple[tuple[str, Any], ...]:
    return tuple(("slide", axis) for axis in axes)


LINKS = (
    Link(0, Revolute(Z), _turns(Z)),
    Link(1, Universal(X, Y), _turns(X, Y)),
    Link(2, Prismatic(SKEW), _slides(SKEW)),
    Link(3, Spherical(), (("ball", Z),)),
    Link(4, Continuous(Y), _turns(Y)),
    Link(1, Gimbal("321"), _turns(Z, Y, X)),
    Link(6, Cylindrical(X), (*_turns(X), *_slides(X))),
    Link(7, Gimbal("12", outer=(Z,)), (*_turns(X, Y), ("slide", (0.0, 0.0, -1.0)))),
    Link(8, Revolute(SKEW), _turns(SKEW)),
    Link(0, Translational(), _slides(X, Y, Z)),
    Link(10, Planar(Z), (*_slides(X, Y), *_turns(Z))),
    Link(11, Spherical(), (("ball", Z),)),
)


class Sizes(NamedTuple):
    """Mass, centre of mass, inertia about it, and the joint's place in the parent, of each link."""

    mass: float
    com: np.ndarray
    inertia: np.ndarray
    position: np.ndarray
    rotation: np.ndarray


def sizes() -> list[Sizes]:
    """Return random sizes, the same each time."""
    rng = np.random.default_rng(12)
    found = []
    for _ in LINKS:
        points = rng.normal(size=(5, 3))
        spread = 0.05 * points.T @ points
        inertia = np.trace(spread) * np.eye(3) - spread
        rotation = rotation_from_rpy(rng.uniform(-3.0, 3.0, 3))
        com, position = rng.uniform(-0.3, 0.3, (2, 3))
        found.append(Sizes(rng.uniform(0.5, 2.0), com, inertia, position, rotation))
    return found


def ours() -> rd.Robot:
    """Return our side."""
    builder = rd.ModelBuilder("mixed tree")
    builder.add_body("0")
    for i, (link, size) in enumerate(zip(LINKS, sizes(), strict=True), start=1):
        builder.add_body(str(i), mass=size.mass, com=size.com, inertia=size.inertia)
        place = {"position": size.position, "rotation": size.rotation}
        builder.add_joint(f"j{i}", link.joint, str(link.parent), str(i), **place)
    return rd.Robot(builder.build(), compile="wait")


class Side(NamedTuple):
    """Another engine's side: its functions by our names, and our rows in its coordinates."""

    name: str
    functions: dict[str, Callable[..., np.ndarray]]
    rows: Callable[[tuple[np.ndarray, ...]], list[tuple[np.ndarray, ...]]]


def pinocchios() -> Side:
    """Return Pinocchio's side: joints of its own where it has one, else composites."""
    model = pin.Model()
    numbers = [0]
    for link, size in zip(LINKS, sizes(), strict=True):
        place = pin.SE3(size.rotation, size.position)
        number = model.addJoint(numbers[link.parent], _pinocchio_joint(link), place, str(link))
        inertia = pin.Inertia(size.mass, size.com, size.inertia)
        model.appendBodyToJoint(number, inertia, pin.SE3.Identity())
        numbers.append(number)
    data = model.createData()
    functions = {
        "inverse_dynamics": partial(pin.rnea, model, data),
        "forward_dynamics": partial(pin.aba, model, data),
        "mass_matrix": partial(pin.crba, model, data),
    }
    return Side("Pinocchio", functions, lambda rows: list(zip(*rows, strict=True)))


def _pinocchio_joint(link: Link) -> object:
    """Return Pinocchio's joint with coordinates equal to ours."""
    if isinstance(link.joint, Universal):
        return pin.JointModelUniversal(*map(np.array, (X, Y)))
    if link.joint == Gimbal("321"):
        return pin.JointModelSphericalZYX()
    if isinstance(link.joint, Translational):
        return pin.JointModelTranslation()
    kinds = {
        "turn": pin.JointModelRevoluteUnaligned,
        "slide": pin.JointModelPrismaticUnaligned,
        "ball": lambda axis: pin.JointModelSpherical(),
    }
    parts = [kinds[kind](np.array(axis)) for kind, axis in link.motions]
    if len(parts) == 1:
        return parts[0]
    composite = pin.JointModelComposite(len(parts))
    for part in parts:
        composite.addJoint(part)
    return composite


def mujocos(robot: rd.Robot) -> Side:
    """Return MuJoCo's side, without constraints: rigid-body dynamics alone."""
    model = mujoco.MjModel.from_xml_string(_mjcf())
    model.opt.disableflags |= int(
        mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    )
    data = mujoco.MjData(model)
    M = np.zeros((model.nv, model.nv))

    def inverse(q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        data.qpos[:], data.qvel[:], data.qacc[:] = q, v, a
        mujoco.mj_inverse(model, data)
        return data.qfrc_inverse

    def forward(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, v, tau
        mujoco.mj_forward(model, data)
        return data.qacc

    def mass_matrix(q: np.ndarray) -> np.ndarray:
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_crb(model, data)
        mujoco.mj_fullM(model, data, M)
        return M

    scalar_first = np.arange(robot.model.nq)
    for begin in _quaternions(robot.model):
        scalar_first[begin : begin + 4] = np.roll(np.arange(begin, begin + 4), 1)

    def rows(given: tuple[np.ndarray, ...]) -> list[tuple[np.ndarray, ...]]:
        q, *others = given
        return list(zip(np.ascontiguousarray(q[:, scalar_first]), *others, strict=True))

    functions = {
        "inverse_dynamics": inverse,
        "forward_dynamics": forward,
        "mass_matrix": mass_matrix,
    }
    return Side("MuJoCo", functions, rows)


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


def _quaternions(model: rd.Model) -> Iterator[int]:
    """Yield where each quaternion begins in q."""
    for joint in model.own_joints:
        if joint.joint.quaternion_start is not None:
            yield joint.q_index + joint.joint.quaternion_start


def random_rows(model: rd.Model, count: int, seed: int) -> tuple[np.ndarray, ...]:
    """Return distinct random rows of q, v and of accelerations or efforts."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-REACH, REACH, (count, model.nq))
    for begin in _quaternions(model):
        part = q[:, begin : begin + 4]
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    v, x = rng.uniform(-REACH, REACH, (2, count, model.nv))
    return q, v, x
