"""Models made straight from a parent array, in any numbering that puts parents first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robodyn_ros.joints import JointLimits, Revolute
from robodyn_ros.model import Body, Model, ModelBuilder, OwnCoordinates, TreeJoint
from robodyn_ros.model.elements import constant
from robodyn_ros.spatial import rotation_from_rpy


def placement(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return a joint's rotation and position, random but the same for the same name."""
    rng = np.random.default_rng(list(name.encode()))
    return constant(rotation_from_rpy(rng.uniform(-3, 3, 3))), constant(rng.uniform(-1, 1, 3))


def axis(name: str) -> tuple[float, float, float]:
    """Return a joint's axis, random but the same for the same name."""
    x, y, z = np.random.default_rng([1, *name.encode()]).normal(size=3)
    return (float(x), float(y), float(z))


def tree_of(parents: Sequence[int], names: Sequence[str] | None = None) -> Model:
    """Return the tree of revolute joints with lambda(1), lambda(2), ... = `parents`.

    Bodies are called as `names` says (0, 1, ... by default); joint and placement go by the name.
    The numbering is kept, where a `ModelBuilder` would renumber depth first.
    """
    names = [str(i) for i in range(len(parents) + 1)] if names is None else names
    zero = constant(np.zeros((3, 3)))
    bodies = [Body(name, 1.0, constant(np.zeros(3)), zero) for name in names]
    joints: list[TreeJoint | None] = [None]
    for i, parent in enumerate(parents, start=1):
        own = OwnCoordinates(i - 1, i - 1, 1, 1)
        kind = Revolute(axis(names[i]))
        joints.append(
            TreeJoint(f"j{names[i]}", kind, parent, *placement(names[i]), own, JointLimits())
        )
    return Model("tree", "fixed", tuple(bodies), tuple(joints))


def built_tree(parents: Sequence[int], order: Sequence[int] | None = None) -> Model:
    """Return the same tree by way of a `ModelBuilder`, its joints added in `order`."""
    builder = ModelBuilder("tree")
    numbers = range(1, len(parents) + 1)
    for i in [0, *numbers]:
        builder.add_body(str(i), mass=1.0)
    for i in numbers if order is None else order:
        R, p = placement(str(i))
        kind = Revolute(axis(str(i)))
        builder.add_joint(f"j{i}", kind, str(parents[i - 1]), str(i), position=p, rotation=R)
    return builder.build()


def serial_chain(length: int, *, backwards: bool = False) -> ModelBuilder:
    """Return a builder with a chain of revolute joints, described from the tip if `backwards`."""
    builder = ModelBuilder("chain")
    R, p = placement("link")
    joint = Revolute(axis("link"))
    numbers = range(length, 0, -1) if backwards else range(1, length + 1)
    for i in (*numbers, 0):
        builder.add_body(str(i), mass=1.0)
    for i in numbers:
        builder.add_joint(f"j{i}", joint, str(i - 1), str(i), position=p, rotation=R)
    return builder
