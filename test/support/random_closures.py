"""Constraint elements and loops of every kind on random trees, closed at a known configuration.

The tree is put anywhere first; elements are then given the lengths and placements with which they
hold there, so that no solver is needed. What each one keeps is recorded and computed a second time
from the poses of bodies alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from environments import random_inertia
from mixed_trees import CASES, add_anywhere, cases_by_type
from robodyn_ros.algorithms import body_motion, random_configuration
from robodyn_ros.expressions import parse
from robodyn_ros.joints import Cylindrical, Fixed, Gimbal, JointLimits
from robodyn_ros.model import Environment, Model, ModelBuilder
from robodyn_ros.spatial import compose, invert, rotation_from_rpy

ELEMENTS = ("rod", "point_on_plane", "point_on_cylinder", "skew_axes")
#: How the two links of a constraint stand to each other.
PAIRS = ("branches", "above", "root", "fixed links")

Pose = tuple[np.ndarray, np.ndarray]
Poses = Mapping[str, Pose]
Values = Mapping[str, np.ndarray]
Kept = Callable[[Poses, Values], np.ndarray]


class Mechanism(NamedTuple):
    """A closed mechanism.

    Attributes:
        model: without a partition.
        q: coordinates (nq,) in which it is closed.
        kept: of each element, in order, its residual (..., rows) from poses and coordinates.
    """

    model: Model
    q: np.ndarray
    kept: list[Kept]

    def residual(self, q: np.ndarray, environment: Environment | None = None) -> np.ndarray:
        """Return the residual (..., m) at q (..., nq) from the motion of bodies alone."""
        motion = body_motion(self.model, q, environment=environment or Environment())
        poses = {
            name: (motion.rotation[..., i, :, :], motion.position[..., i, :])
            for i, name in enumerate(self.model.body_names)
        }
        values = {j.name: q[..., j.q_index : j.q_index + j.joint.nq] for j in self.model.own_joints}
        return np.concatenate([kept(poses, values) for kept in self.kept], axis=-1)


def grown(seed: int, bodies: int = 7, excluded: tuple[str, ...] = ()) -> ModelBuilder:
    """Return a builder with a tree of all joint types, fixed links and joints that follow.

    Links b0 ... hang on one of three before them; `fixed_1` and `fixed_2` are fixed to two of
    them, `led` and `nodding` moved by formulas of control element `c`, and of a joint.
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
    builder.add_control("c")
    for name, kind, carrier in (
        ("fixed_1", Fixed(), bodies - 1),
        ("fixed_2", Fixed(), 1),
        ("led", Cylindrical((0.0, 0.6, 0.8)), bodies - 2),
        ("nodding", Gimbal("12"), 1),
    ):
        _add_link(builder, rng, name)
        at = {"position": rng.normal(size=3), "rotation": rotation_from_rpy(rng.normal(size=3))}
        builder.add_joint(f"to_{name}", kind, f"b{carrier}", name, **at)
    builder.add_follower("to_led", [parse("0.4*sin(c) + 0.1*c^2"), parse("0.3*c")])
    builder.add_follower("to_nodding", [parse("c*c"), parse(f"0.5*{(*single, 'c')[0]} - c")])
    if len(single) > 2:
        builder.add_mimic(single[1], single[0], rng.uniform(-2.0, 2.0), rng.uniform(-1.0, 1.0))
    if len(single) > 3:
        builder.add_follower(single[3], [parse(f"sin({single[0]}*c) + 0.2*{single[2]}^2")])
    return builder


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
    """
    builder = grown(seed, bodies, excluded)
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
    loops: list[np.ndarray] = []
    for k, kind in enumerate(constraints):
        first, second = _pair(tree, rng, pair)
        if kind in ELEMENTS:
            added = _Element(builder, rng, f"e{k}", first, second)
            measure = _measure(tree, rng) if formulas else _nothing
            kept.append(getattr(added, kind)(poses, values, measure))
        else:
            z, found = _loop(builder, rng, f"loop{k}", kind, first, second, poses)
            loops.append(z)
            kept.append(found)
    # Elements are numbered loops first.
    order = sorted(range(len(kept)), key=lambda k: constraints[k] in ELEMENTS)
    controls = q[len(q) - 1 :]
    whole = np.concatenate([q[:-1], *loops, controls])
    model = builder.build(base, root)  # type: ignore[arg-type]
    return Mechanism(model, whole, [kept[k] for k in order])


class _Measure(NamedTuple):
    """What a formula adds to a constant: its text, and its value from coordinates by name."""

    text: str
    value: Callable[[Values], np.ndarray]


_nothing = _Measure("", lambda _: np.zeros(()))


def _measure(tree: Model, rng: np.random.Generator) -> _Measure:
    single = [j.name for j in tree.own_joints if j.joint.nv == 1 and j.name != "c"]
    x = str(rng.choice(single)) if single else "c"
    return _Measure(
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


class _Element:
    """Adds an element that holds in given poses, and returns how its residual is computed."""

    def __init__(
        self, builder: ModelBuilder, rng: np.random.Generator, name: str, first: str, second: str
    ) -> None:
        self.builder, self.name, self.first, self.second = builder, name, first, second
        self.points = rng.uniform(-0.5, 0.5, (2, 3))
        self.axes = rng.normal(size=(2, 3))
        self.axes /= np.linalg.norm(self.axes, axis=1)[:, None]

    def _ends(self, poses: Poses) -> tuple[np.ndarray, ...]:
        """Return both points, both directions, and the origin of body 1, in world axes."""
        (R_1, p_1), (R_2, p_2) = poses[self.first], poses[self.second]
        C_1, C_2 = p_1 + R_1 @ self.points[0], p_2 + R_2 @ self.points[1]
        return C_1, C_2, R_1 @ self.axes[0], R_2 @ self.axes[1], p_1

    def _kept(
        self, size: Callable[[Poses], np.ndarray], poses: Poses, values: Values, more: _Measure
    ) -> tuple[object, Kept]:
        """Return the measure with which `size` is kept in given poses, and the residual."""
        length = float(size(poses) - more.value(values))
        measure = parse(f"{length!r}{more.text}") if more.text else length
        return measure, lambda p, q: (size(p) - length - more.value(q))[..., None]

    def rod(self, poses: Poses, values: Values, more: _Measure) -> Kept:
        def size(at: Poses) -> np.ndarray:
            C_1, C_2, *_ = self._ends(at)
            return np.linalg.norm(C_2 - C_1, axis=-1)

        measure, kept = self._kept(size, poses, values, more)
        self.builder.add_rod(
            self.name, self.first, self.points[0], self.second, self.points[1], measure
        )
        return kept

    def point_on_plane(self, poses: Poses, values: Values, more: _Measure) -> Kept:
        def size(at: Poses) -> np.ndarray:
            _, C_2, n, _, origin = self._ends(at)
            return np.einsum("...i,...i", n, C_2 - origin)

        measure, kept = self._kept(size, poses, values, more)
        self.builder.add_point_on_plane(
            self.name, self.first, 3.0 * self.axes[0], measure, self.second, self.points[1]
        )
        return kept

    def point_on_cylinder(self, poses: Poses, values: Values, more: _Measure) -> Kept:
        def size(at: Poses) -> np.ndarray:
            C_1, C_2, n, *_ = self._ends(at)
            return np.linalg.norm(np.cross(n, C_2 - C_1), axis=-1)

        measure, kept = self._kept(size, poses, values, more)
        line = (self.points[0], 2.0 * self.axes[0])
        self.builder.add_point_on_cylinder(
            self.name, self.first, *line, self.second, self.points[1], measure
        )
        return kept

    def skew_axes(self, poses: Poses, values: Values, more: _Measure) -> Kept:
        def size(at: Poses) -> np.ndarray:
            C_1, C_2, n_1, n_2, _ = self._ends(at)
            across = np.cross(n_1, n_2)
            return np.einsum("...i,...i", C_2 - C_1, across) / np.linalg.norm(across, axis=-1)

        measure, kept = self._kept(size, poses, values, more)
        lines = (self.first, self.points[0], self.axes[0]), (self.points[1], self.axes[1])
        self.builder.add_skew_axes(self.name, *lines[0], self.second, *lines[1], measure)
        return kept


def _loop(
    builder: ModelBuilder,
    rng: np.random.Generator,
    name: str,
    case: str,
    parent: str,
    child: str,
    poses: Poses,
) -> tuple[np.ndarray, Kept]:
    """Add a loop of a joint that holds in given poses; return its coordinates and residual.

    Its successor frame is where it must be in the child, or its predecessor frame in the parent.
    """
    joint = CASES[case]
    z = joint.random(rng, (JointLimits(),) * joint.nv)
    if joint.quaternion_start is None:
        z = 0.6 * z
    mount = rotation_from_rpy(rng.uniform(-np.pi, np.pi, 3)), rng.uniform(-0.5, 0.5, 3)
    seat: Pose = (np.eye(3), np.zeros(3))
    if rng.integers(2):
        seat = compose(invert(poses[child]), compose(compose(poses[parent], mount), joint.pose(z)))
    else:
        mount = compose(compose(invert(poses[parent]), poses[child]), invert(joint.pose(z)))
    builder.add_loop(
        name,
        joint,
        parent,
        child,
        rotation=mount[0],
        position=mount[1],
        child_rotation=seat[0],
        child_position=seat[1],
        armature=rng.uniform(0.0, 0.2, joint.nv),
        damping=rng.uniform(0.0, 0.2, joint.nv),
        friction=rng.uniform(0.0, 0.2, joint.nv),
    )

    def kept(at: Poses, values: Values) -> np.ndarray:
        local = values.get(name, np.zeros(0))
        copy = compose(compose(at[parent], mount), compose(joint.pose(local), invert(seat)))
        R = np.swapaxes(copy[0], -1, -2) @ at[child][0]
        turn = Rotation.from_matrix(R.reshape(-1, 3, 3)).as_quat(canonical=True)
        offset = np.einsum("...ji,...j", copy[0], at[child][1] - copy[1])
        return np.concatenate([2.0 * turn[:, :3].reshape(offset.shape), offset], axis=-1)

    return z, kept
