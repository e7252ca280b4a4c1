"""Random trees that mix every joint type, and what hypothesis draws them from."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from environments import random_base, random_inertia, random_payload
from joint_cases import JOINTS
from robodyn_ros.algorithms import random_configuration
from robodyn_ros.joints import Joint
from robodyn_ros.model import Environment, Model, ModelBuilder
from robodyn_ros.spatial import rotation_from_rpy

BASES = ("fixed", "floating", "prescribed")

#: Cases of every type; the builder itself puts joints anywhere in the child, or turns them round.
CASES: dict[str, Joint] = {
    name: joint
    for name, joint in JOINTS.items()
    if not name.startswith(("reversed-", "placed-")) and not name.endswith(("-tiny", "-huge"))
}


def cases_by_type(*excluded: str) -> list[list[str]]:
    """Return the names of the cases, type by type, without the excluded types."""
    found: dict[str, list[str]] = {}
    for name in sorted(CASES):
        found.setdefault(CASES[name].type_name, []).append(name)
    return [names for kind, names in found.items() if kind not in excluded]


def mixed_tree(
    seed: int,
    bodies: int = 12,
    base: str = "fixed",
    *,
    reach: int = 3,
    followers: int = 0,
    rerooted: bool = False,
    excluded: tuple[str, ...] = (),
) -> Model:
    """Return a random tree whose joints go through all types, beginning with a random one.

    Args:
        seed: of all that is random.
        bodies: how many links.
        base: kind of base.
        reach: a link hangs on one of that many before it: 1 makes a chain.
        followers: how many joints of one rate follow another, at most.
        rerooted: whether another link than the first is the root.
        excluded: names of types that are not to occur.
    """
    rng = np.random.default_rng([31, seed])
    builder = ModelBuilder(f"mixed {seed}")
    types = cases_by_type(*excluded)
    begin = int(rng.integers(len(types)))
    single: list[str] = []
    for i in range(bodies):
        builder.add_body(
            f"b{i}",
            mass=rng.uniform(0.5, 2.0),
            com=rng.uniform(-0.5, 0.5, 3),
            inertia=0.2 * random_inertia(rng),
        )
        if i == 0:
            continue
        joint = CASES[str(rng.choice(types[(begin + i) % len(types)]))]
        add_anywhere(builder, rng, i, joint, parent=int(rng.integers(max(0, i - reach), i)))
        if joint.nv == 1:
            single.append(f"j{i}")
    for follower, driver in list(zip(single[1::2], single[::2], strict=False))[:followers]:
        builder.add_mimic(follower, driver, rng.uniform(-2.0, 2.0), rng.uniform(-1.0, 1.0))
    tip = f"b{bodies - 1}"
    builder.add_frame("tool", tip, rng.normal(size=3), rotation_from_rpy(rng.normal(size=3)))
    builder.add_marker("point", tip, position=rng.normal(size=3))
    builder.add_marker("arrow", tip, direction=rng.normal(size=3))
    root = f"b{rng.integers(1, bodies)}" if rerooted and bodies > 1 else None
    return builder.build(base, root)  # type: ignore[arg-type]


def add_anywhere(
    builder: ModelBuilder, rng: np.random.Generator, i: int, joint: Joint, parent: int
) -> None:
    """Hang link i on `parent`, anywhere in both; each rate has parameters of its own."""
    off = {
        "child_position": rng.uniform(-0.5, 0.5, 3),
        "child_rotation": rotation_from_rpy(rng.uniform(-np.pi, np.pi, 3)),
    }
    builder.add_joint(
        f"j{i}",
        joint,
        f"b{parent}",
        f"b{i}",
        position=rng.uniform(-0.5, 0.5, 3),
        rotation=rotation_from_rpy(rng.uniform(-np.pi, np.pi, 3)),
        armature=rng.uniform(0.0, 0.5, joint.nv) * (i % 3 == 0),
        damping=rng.uniform(0.0, 0.5, joint.nv),
        friction=rng.uniform(0.0, 0.5, joint.nv),
        **(off if rng.integers(2) else {}),
    )


#: A case of every type that moves, short ones where a type has several.
ONE_OF_EACH = (
    *("revolute-skew", "spherical-inner z", "prismatic-x", "gimbal-23 outer z", "continuous-x"),
    *("planar-skew", "global", "helical-left-handed", "universal-skew", "cylindrical-skew"),
    *("translational-one skew", "six_dof", "dh_revolute-all", "dh_prismatic-all", "floating"),
    *("dh_cylindrical-all", "dh_helical-all", "user_defined-turned and slid"),
)


def tree_of_every_type(
    base: str = "fixed", *, arms: int = 9, names: tuple[str, ...] = ONE_OF_EACH
) -> Model:
    """Return some arms, a case of `CASES` in each joint in turn; one joint of many follows."""
    rng = np.random.default_rng(33)
    builder = ModelBuilder("every type")
    builder.add_body("b0", mass=1.0)
    for i, name in enumerate(names, start=1):
        inertia = 0.2 * random_inertia(rng)
        com = rng.uniform(-0.3, 0.3, 3)
        builder.add_body(f"b{i}", mass=rng.uniform(0.5, 2.0), com=com, inertia=inertia)
        add_anywhere(builder, rng, i, CASES[name], parent=max(0, i - arms))
    tip = f"b{len(names)}"
    builder.add_frame("tool", tip, (0.1, 0.2, 0.3))
    builder.add_marker("point", tip, position=(0.3, -0.2, 0.1))
    builder.add_marker("arrow", tip, direction=(0.0, 0.6, 0.8))
    single = [f"j{i}" for i, name in enumerate(names, start=1) if CASES[name].nv == 1]
    if len(single) > 3:
        builder.add_mimic(single[-1], single[0], -0.5, 0.2)
    return builder.build()


def mixed_state(model: Model, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return random q, v and a of order 1; displacements up to 1 m, angles up to half a turn."""
    rng = np.random.default_rng([32, seed])
    q = random_configuration(model, rng)
    return q, *rng.uniform(-1.0, 1.0, (2, model.nv))


def around(model: Model, seed: int) -> Environment:
    """Return tilted gravity, a payload at the tool, and a base that moves if it is prescribed."""
    environment = Environment(gravity=np.array([1.0, -2.0, -9.0]))
    if model.base == "prescribed":
        environment = environment.with_base_motion(random_base(seed))
    return environment.with_payload(random_payload("tool", seed))


def trees(
    most: int = 30, *, excluded: tuple[str, ...] = (), bases: tuple[str, ...] = BASES
) -> st.SearchStrategy[tuple[Model, int]]:
    """Return mixed trees of any shape, each with a seed for what else is random about it."""

    def grown(drawn: tuple[int, int, str, int, int, bool]) -> tuple[Model, int]:
        seed, bodies, base, reach, followers, rerooted = drawn
        model = mixed_tree(
            seed,
            bodies,
            base,
            reach=reach,
            followers=followers,
            rerooted=rerooted,
            excluded=excluded,
        )
        return model, seed

    return st.tuples(
        st.integers(0, 10_000),
        st.integers(2, most),
        st.sampled_from(bases),
        st.sampled_from((1, 3, most)),
        st.integers(0, 3),
        st.booleans(),
    ).map(grown)
