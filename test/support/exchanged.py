"""Random models of chosen joints, and the comparison of a model with what was read back."""

from __future__ import annotations

import numpy as np

import robodyn_ros as rd
from robodyn_ros.joints import JOINT_TYPES, Fixed, Gimbal, Joint, Planar, Prismatic, Revolute
from robodyn_ros.model import Model

_SKEW = (0.48, 0.6, 0.64)
_DH = {"a": 0.1, "alpha": 0.3, "s": 0.2, "theta": 0.4}

#: Joints that are one screw after another.
SCREWS: dict[str, Joint] = {
    "fixed": Fixed(),
    "revolute": Revolute(_SKEW),
    "revolute about x": Revolute((1, 0, 0)),
    "prismatic": Prismatic(_SKEW),
    "planar": Planar(_SKEW),
    "gimbal": Gimbal("231", inner=((1, 0, 0),), outer=((0, 0, 1),)),
    "gimbal of two": Gimbal("12"),
    "translational": JOINT_TYPES["translational"](inner=((1, 0, 0),), outer=(_SKEW,)),
    "universal": JOINT_TYPES["universal"]((0, 1, 0), _SKEW),
    "cylindrical": JOINT_TYPES["cylindrical"](_SKEW),
    "helical": JOINT_TYPES["helical"](_SKEW, pitch=0.2),
    "helical about x": JOINT_TYPES["helical"]((1, 0, 0), pitch=-0.1),
    "dh_revolute": JOINT_TYPES["dh_revolute"](**_DH),
    "dh_prismatic": JOINT_TYPES["dh_prismatic"](**_DH),
    "dh_cylindrical": JOINT_TYPES["dh_cylindrical"](**_DH),
    "dh_helical": JOINT_TYPES["dh_helical"](**_DH, pitch=0.3),
}
EVERY_JOINT: dict[str, Joint] = {
    **SCREWS,
    "spherical": JOINT_TYPES["spherical"](),
    "global": JOINT_TYPES["global"](),
    "six_dof": JOINT_TYPES["six_dof"](),
    "floating": JOINT_TYPES["floating"](),
}


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """Return a random rotation matrix."""
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


def random_model(joints: dict[str, Joint], seed: int, root: str | None = None) -> Model:
    """Return a tree with each of the joints, half of their child frames off the joint."""
    rng = np.random.default_rng(seed)
    builder = rd.ModelBuilder(f"tree {seed}")
    builder.add_body("link0")
    for i, name in enumerate(rng.permutation(sorted(joints)), start=1):
        A = rng.normal(size=(3, 3))
        builder.add_body(
            f"link{i}", mass=1.0 + rng.random(), com=rng.normal(size=3), inertia=A @ A.T + np.eye(3)
        )
        off = {"child_position": rng.normal(size=3), "child_rotation": random_rotation(rng)}
        builder.add_joint(
            f"joint{i}",
            joints[name],
            f"link{rng.integers(i)}",
            f"link{i}",
            position=rng.normal(size=3),
            rotation=random_rotation(rng),
            **(off if i % 2 else {}),
        )
    return builder.build(root=root)


def moved_alike(
    robot: rd.Robot, back: rd.Robot, place: list[int], seed: int, *, bodies: bool = True
) -> None:
    """Assert equal efforts and motion where coordinate k of `robot` is `place[k]` of `back`."""
    rng = np.random.default_rng(seed)
    q = robot.random_configuration(rng)
    v, a = rng.normal(size=(2, robot.model.nv))
    there = [q, v, a]
    if place != list(range(robot.model.nv)):  # else quaternions may be among the coordinates
        there = list(np.zeros((3, back.model.nv)))
        for mine, theirs in zip((q, v, a), there, strict=True):
            theirs[place] = mine
    wanted = robot.inverse_dynamics(q, v, a)
    found = back.inverse_dynamics(*there)[place]
    largest = np.max(np.abs(wanted), initial=1.0)
    np.testing.assert_allclose(found, wanted, atol=1e-12 * largest)
    if bodies:
        rows = [back.model.body_index(name) for name in robot.model.body_names]
        for mine, theirs in zip(robot.body_motion(q, v, a), back.body_motion(*there), strict=True):
            np.testing.assert_allclose(theirs[rows], mine, atol=1e-11)
