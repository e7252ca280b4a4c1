"""Rates for which the mass matrix is singular, against Pinocchio's mass matrix."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from robodyn_ros.algorithms.inertia_free import LARGEST, inertia_free_rates
from robodyn_ros.joints import Continuous, Floating, Planar, Prismatic, Revolute
from robodyn_ros.model import ModelBuilder
from robots import every_base, loaded, random_tree, usable_urdfs

BALL = np.eye(3) * 0.01
X, Y, Z = np.eye(3)
#: Of the eigenvalues of a mass matrix with ones on its diagonal: zero but for rounding.
ZERO = 1e-12


def chain(*joints, mass=1.0, inertia=BALL, com=(0.1, 0.2, 0.3), armature=0.0):
    """Return a chain of massless links, j1, j2, ..., of which only the last has mass."""
    builder = ModelBuilder("chain")
    builder.add_body("b0")
    for k, kind in enumerate(joints, start=1):
        last = k == len(joints)
        builder.add_body(
            f"b{k}", **({"mass": mass, "com": com, "inertia": inertia} if last else {})
        )
        position = (0.0, 0.0, 0.1)
        builder.add_joint(f"j{k}", kind, f"b{k - 1}", f"b{k}", position=position, armature=armature)
    return builder


@pytest.mark.parametrize(
    ("joints", "body", "expected"),
    [
        ([Revolute(Z)], {}, ()),
        ([Revolute(Z)], {"mass": 0.0, "inertia": None}, (("j1",),)),
        ([Revolute(Z)], {"mass": 0.0}, ()),
        ([Revolute(Z)], {"inertia": None}, ()),
        ([Revolute(Z)], {"inertia": None, "com": (0, 0, 1)}, (("j1",),)),
        ([Prismatic(Z)], {"inertia": None, "com": (0, 0, 1)}, ()),
        ([Revolute(Z), Continuous(Z)], {}, (("j1", "j2"),)),
        ([Revolute(Z), Continuous(X)], {}, ()),
        ([Prismatic(Z), Revolute(Y), Prismatic(Z)], {}, ()),
        ([Prismatic(Z), Prismatic(Z), Revolute(Y)], {}, (("j1", "j2"),)),
        ([Planar(Z)], {"inertia": None, "com": (0, 0, 0)}, (("j1/rz",),)),
        ([Floating()], {}, ()),
        ([Floating()], {"inertia": np.diag([0, 0.1, 0.1]), "com": (1, 0, 0)}, (("j1/rx",),)),
        ([Revolute(Z)], {"mass": 0.0, "inertia": None, "armature": 0.1}, ()),
        ([Revolute(Z), Continuous(Z)], {"armature": 0.1}, ()),
    ],
)
def test_a_chain_with_mass_at_its_end(joints, body, expected) -> None:
    assert inertia_free_rates(chain(*joints, **body).build()) == expected


def test_a_point_on_six_joints_can_be_turned_about_freely() -> None:
    """It resists in three directions; three rates of six remain, and they take all six joints."""
    builder = chain(*map(Revolute, (Z, Y, X, Z, Y, X)), inertia=None)
    (group,) = inertia_free_rates(builder.build())
    assert set(group) == {f"j{k}" for k in range(1, 7)}


def test_what_follows_a_joint_resists_it() -> None:
    builder = chain(Revolute(Z), mass=0.0, inertia=None)
    builder.add_body("other", mass=1.0, inertia=BALL)
    builder.add_joint("follower", Revolute(X), "b0", "other")
    builder.add_mimic("follower", "j1", 2.0)
    assert inertia_free_rates(builder.build()) == ()


@pytest.mark.parametrize("seed", range(4))
@every_base
def test_random_trees_are_sound(seed: int, base: str) -> None:
    assert inertia_free_rates(random_tree(seed, base=base)) == ()


def test_nothing_moves_without_joints() -> None:
    builder = ModelBuilder("stone")
    builder.add_body("stone")
    assert inertia_free_rates(builder.build()) == ()


@pytest.mark.parametrize("mass", [0.0, 1.0])
def test_of_very_long_chains_massless_ends_are_found(mass: float) -> None:
    joints = [Revolute((X, Y, Z)[k % 3]) for k in range(LARGEST + 1)]
    builder = chain(*joints)
    last = f"b{LARGEST + 1}"
    builder.add_body("end", mass=mass)
    builder.add_joint("spin", Revolute(X), last, "end")
    assert inertia_free_rates(builder.build()) == ((("spin",),) if mass == 0.0 else ())


def without_followers() -> list[Path]:
    """Return the example robots that Pinocchio sees as we do."""
    paths = usable_urdfs()
    return [
        path
        for path in paths
        if loaded(path).nv and not any(joint.is_follower for _, joint in loaded(path).moving)
    ]


@pytest.mark.parametrize("path", without_followers(), ids=lambda path: path.stem)
def test_real_robots_are_singular_where_pinocchios_mass_matrix_is(path: Path) -> None:
    other = pin.buildModelFromUrdf(str(path))
    data = other.createData()
    q = pin.integrate(other, pin.neutral(other), np.random.default_rng(7).uniform(0.2, 1, other.nv))
    upper = np.triu(pin.crba(other, data, q))
    M = upper + np.triu(upper, 1).T
    scale = np.sqrt(np.diag(M))
    by_name = {name: scale[other.joints[i].idx_v] for i, name in enumerate(other.names) if i}
    singles = {(name,) for name, value in by_name.items() if value <= 1e-8 * np.max(scale)}
    found = inertia_free_rates(loaded(path))
    assert {group for group in found if len(group) == 1} == singles
    held = scale > 1e-8 * np.max(scale)
    unit = M[np.ix_(held, held)] / np.outer(scale[held], scale[held])
    dependent = np.linalg.eigvalsh(unit)[0] < ZERO
    assert any(len(group) > 1 for group in found) == dependent
