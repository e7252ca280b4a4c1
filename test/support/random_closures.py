"""Constraint elements and loops of every kind on random trees, closed at a known configuration.

The tree is put anywhere first; elements are then given the lengths and placements with which they
hold there, so that no solver is needed. What each one keeps is recorded and computed a second time
from the poses of bodies alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from closing_elements import NOTHING, AddedElement, Kept, Loop, Measure, added_loop
from environments import random_inertia
from mixed_trees import CASES, add_anywhere, cases_by_type
from robodyn_ros.algorithms import body_motion, random_configuration
from robodyn_ros.expressions import parse
from robodyn_ros.joints import Cylindrical, Fixed, Gimbal, Joint
from robodyn_ros.model import Environment, Model, ModelBuilder
from robodyn_ros.spatial import rotation_from_rpy

ELEMENTS = ("rod", "point_on_plane", "point_on_cylinder", "skew_axes")
#: How the two links of a constraint stand to each other.
PAIRS = ("branches", "above", "root", "fixed links")


class Mechanism(NamedTuple):
    """A closed mechanism.

    Attributes:
        model: without a partition.
        q: coordinates (nq,) in which it is closed.
        kept: of each element, in order, its residual (..., rows) from poses and coordinates.
        tree: the same without elements and loops; its coordinates come first in q.
        loops: by name.
    """

    model: Model
    q: np.ndarray
    kept: list[Kept]
    tree: Model
    loops: dict[str, Loop]

    def residual(self, q: np.ndarray, environment: Environment | None = None) -> np.ndarray:
        """Return the residual (..., m) at q (..., nq) from the motion of bodies alone."""
        motion = body_motion(self.model, q, environment=environment or Environment())
        poses = {
            name: (motion.rotation[..., i, :, :], motion.position[..., i, :])
            for i, name in enumerate(self.model.body_names)
        }
        values = {j.name: q[..., j.q_index : j.q_index + j.joint.nq] for j in self.model.own_joints}
        return np.concatenate([kept(poses, values) for kept in self.kept], axis=-1)


def grown(
    seed: int,
    bodies: int = 7,
    excluded: tuple[str, ...] = (),
    *,
    coupled: bool = True,
    free: bool = False,
) -> ModelBuilder:
    """Return a builder with a tree of all joint types and fixed links.

    Links b0 ... hang on one of three before them; `fixed_1` and `fixed_2` are fixed to two of
    them. With `coupled` there are joints that follow others too: `led` and `nodding` are moved by
    formulas of control element `c`, and of a joint. With `free` too these links are there, and
    all joints have coordinates of their own.
    """
    rng = np.random.default_rng([51, seed])
    builder = ModelBuilder(f"closed {seed}")
    types = cases_by_type("fixed", *excluded)
    begin = int(rng.integers(len(types)))
    single: list[str] = []
    for i in range(bodies):
        _add_link(builder, rng, f"b{i}")
        if i == 0:
            continue
        joint = CASES[str(rng.choice(types[(begin + i) % len(types)]))]
        add_anywhere(builder, rng, i, joint, parent=int(rng.integers(max(0, i - 3), i)))
        if joint.nv == 1:
            single.append(f"j{i}")
    added: list[tuple[str, Joint, int]] = [
        ("fixed_1", Fixed(), bodies - 1),
        ("fixed_2", Fixed(), 1),
        ("led", Cylindrical((0.0, 0.6, 0.8)), bodies - 2),
        ("nodding", Gimbal("12"), 1),
    ]
    for name, kind, carrier in added if coupled else added[:2]:
        _add_link(builder, rng, name)
        at = {"position": rng.normal(size=3), "rotation": rotation_from_rpy(rng.normal(size=3))}
        builder.add_joint(f"to_{name}", kind, f"b{carrier}", name, **at)
    if coupled and not free:
        _couple(builder, rng, single)
    return builder


def _couple(builder: ModelBuilder, rng: np.random.Generator, single: list[str]) -> None:
    """Let joints follow; `single` are the names of those with one number."""
    builder.add_control("c")
    builder.add_follower("to_led", [parse("0.4*sin(c) + 0.1*c^2"), parse("0.3*c")])
    builder.add_follower("to_nodding", [parse("c*c"), parse(f"0.5*{(*single, 'c')[0]} - c")])
    if len(single) > 2:
        builder.add_mimic(single[1], single[0], rng.uniform(-2.0, 2.0), rng.uniform(-1.0, 1.0))
    if len(single) > 3:
        builder.add_follower(single[3], [parse(f"sin({single[0]}*c) + 0.2*{single[2]}^2")])


def _add_link(builder: ModelBuilder, rng: np.random.Generator, name: str) -> None:
    inertia = 0.2 * random_inertia(rng)
    com = rng.uniform(-0.5, 0.5, 3)
    builder.add_body(name, mass=rng.uniform(0.5, 2.0), com=com, inertia=inertia)


def mechanism(
    seed: int,
    constraints: Sequence[str],
    *,
    pair: str = "branches",
    base: str = "fixed",
    root: str | None = None,
    formulas: bool = False,
    bodies: int = 7,
    excluded: tuple[str, ...] = (),
    coupled: bool = True,
) -> Mechanism:
    """Return a random tree with constraints, each between links that stand to each other as said.

    Args:
        seed: of all that is random.
        constraints: names of `ELEMENTS`, or of `mixed_trees.CASES` for loops.
        pair: one of `PAIRS`.
        base: kind of base.
        root: link that is the root, the first by default.
        formulas: whether lengths are formulas of the control element and of a joint.
        bodies: number of the tree's links.
        excluded: names of types that are not to occur in the tree.
        coupled: whether there are joints that follow.
    """
    builder = grown(seed, bodies, excluded, coupled=coupled)
    tree = builder.build(base, root)  # type: ignore[arg-type]
    rng = np.random.default_rng([52, seed])
    q = 0.6 * random_configuration(tree, rng)
    for joint in tree.own_joints:
        if joint.joint.quaternion_start is not None:
            at = joint.q_index + joint.joint.quaternion_start
            q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
    motion = body_motion(tree, q)
    poses = {
        name: (motion.rotation[i], motion.position[i]) for i, name in enumerate(tree.body_names)
    }
    values = {j.name: q[j.q_index : j.q_index + j.joint.nq] for j in tree.own_joints}
    kept: list[Kept] = []
    loops: dict[str, Loop] = {}
    coordinates: list[np.ndarray] = []
    for k, kind in enumerate(constraints):
        first, second = _pair(tree, rng, pair)
        if kind in ELEMENTS:
            added = AddedElement(builder, rng, f"e{k}", first, second)
            measure = _measure(tree, rng) if formulas else NOTHING
            kept.append(getattr(added, kind)(poses, values, measure))
        else:
            z, found = added_loop(builder, rng, f"loop{k}", kind, first, second, poses)
            loops[f"loop{k}"] = found
            coordinates.append(z)
            kept.append(found.kept)
    # Elements are numbered loops first.
    order = sorted(range(len(kept)), key=lambda k: constraints[k] in ELEMENTS)
    # Control elements come last.
    end = len(q) - coupled
    whole = np.concatenate([q[:end], *coordinates, q[end:]])
    model = builder.build(base, root)  # type: ignore[arg-type]
    return Mechanism(model, whole, [kept[k] for k in order], tree, loops)


def _measure(tree: Model, rng: np.random.Generator) -> Measure:
    single = [j.name for j in tree.own_joints if j.joint.nv == 1 and j.name != "c"]
    x = str(rng.choice(single)) if single else "c"
    return Measure(
        f" + 0.2*sin(c) - 0.1*c*{x}^2",
        lambda q: (0.2 * np.sin(q["c"]) - 0.1 * q["c"] * q[x] ** 2)[..., 0],
    )


def _pair(tree: Model, rng: np.random.Generator, kind: str) -> tuple[str, str]:
    """Return two links in random order."""
    names = [body.name for body in tree.bodies if not body.auxiliary and body.name != "world"]
    links = [name for name in names if name not in ("fixed_1", "fixed_2")]
    if kind == "fixed links":
        pairs = [("fixed_1", "fixed_2")]
    else:
        numbers = {name: tree.body_index(name) for name in links}
        above = {(a, b) for a in links for b in links if numbers[a] in tree.support(numbers[b])}
        above = {(a, b) for a, b in above if a != b}
        first = tree.body_names[1 if tree.base != "fixed" else 0]
        inner = [(a, b) for a, b in sorted(above) if a != first]
        apart = [
            (a, b)
            for a in links
            for b in links
            if a < b and first not in (a, b) and (a, b) not in above and (b, a) not in above
        ]
        # A chain has no branches.
        pairs = {
            "above": inner,
            "root": [(first, b) for b in links if b != first],
            "branches": apart or inner,
        }[kind]
    found = pairs[int(rng.integers(len(pairs)))]
    return found if rng.integers(2) else (found[1], found[0])
