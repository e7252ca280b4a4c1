"""Rooting a tree at another link: the same bodies, joints and coordinates, seen from elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from differentiation import error
from robodyn_ros.algorithms import body_motion
from robodyn_ros.joints import Fixed, JointLimits, Reversed, Revolute
from robodyn_ros.model import Model, ModelBuilder
from robots import random_tree
from sampling import few, parent_arrays
from trees import axis, placement

ROUNDING = 1e-13


def described(parents: list[int]) -> ModelBuilder:
    builder = ModelBuilder("tree")
    for i in range(len(parents) + 1):
        builder.add_body(str(i), mass=0.5 + i)
    for i, parent in enumerate(parents, start=1):
        R, p = placement(str(i))
        limits = JointLimits(-float(i), float(i))
        joint = Fixed() if i % 3 == 0 else Revolute(axis(str(i)))
        builder.add_joint(
            f"j{i}", joint, str(parent), str(i), position=p, rotation=R, limits=limits, damping=i
        )
    return builder


def edges(model: Model) -> dict[str, frozenset[str]]:
    names = model.body_names
    return {j.name: frozenset((names[i], names[j.parent])) for i, j in model.moving}


def relative_poses(model: Model, values: dict[str, float], seen_from: str) -> dict[str, np.ndarray]:
    """Return each body's homogeneous pose in the frame of one body."""
    q = np.array([values[name] for name in model.joint_names])
    motion = body_motion(model, q)
    here = np.zeros((model.nb, 4, 4))
    here[:, :3, :3], here[:, :3, 3], here[:, 3, 3] = motion.rotation, motion.position, 1.0
    back = np.linalg.inv(here[model.body_index(seen_from)])
    return {name: back @ here[k] for k, name in enumerate(model.body_names)}


@few
@given(parent_arrays(10), st.integers(0, 10))
def test_any_tree_at_any_link(parents: list[int], choice: int) -> None:
    builder = described(parents)
    root = str(choice % (len(parents) + 1))
    before, after = builder.build(), builder.build(root=root)
    assert after.body_names[0] == root
    assert set(after.body_names) == set(before.body_names)
    assert set(after.joint_names) == set(before.joint_names)
    assert edges(after) == edges(before)
    assert (after.nq, after.nv) == (before.nq, before.nv)
    masses = [sorted((b.name, b.mass) for b in model.bodies) for model in (before, after)]
    assert masses[0] == masses[1]
    rng = np.random.default_rng(choice)
    values = {name: float(rng.normal()) for name in before.joint_names}
    poses = relative_poses(before, values, root)
    for name, pose in relative_poses(after, values, root).items():
        assert error(pose, poses[name]) < ROUNDING


def test_only_joints_on_the_way_to_the_new_root_turn_round() -> None:
    model = described([0, 1, 1, 2, 4]).build(root="4")
    assert model.parent == (-1, 0, 1, 2, 2, 0)
    assert model.body_names == ("4", "2", "1", "0", "3", "5")
    turned = {j.name: isinstance(j.joint, Reversed) for _, j in model.moving}
    assert turned == {"j4": True, "j2": True, "j1": True, "j3": False, "j5": True} | {"j5": False}


def test_a_fixed_joint_turns_round_into_a_fixed_joint() -> None:
    model = described([0, 1, 2]).build(root="3")
    joint = model.joint("j3")
    R, p = placement("3")
    assert joint.joint == Fixed()
    assert error(joint.rotation, R.T) < 1e-15
    assert error(joint.position, -R.T @ p) < 1e-15


def test_what_belongs_to_a_joint_stays_with_it() -> None:
    """Signs too: limits, damping and coordinates need no conversion."""
    before, after = (described([0, 1, 2, 3]).build(root=root) for root in (None, "4"))
    for _, joint in before.moving:
        same = after.joint(joint.name)
        assert same.limits == joint.limits
        assert same.damping == joint.damping
        assert same.joint.type_name == joint.joint.type_name
        assert same.joint.axes == joint.joint.axes


def test_rooting_at_the_descriptions_own_root_changes_nothing() -> None:
    builder = described([0, 1, 1, 2])
    assert builder.build(root="0").fingerprint == builder.build().fingerprint


def test_relative_velocities_and_accelerations_stay() -> None:
    """Where the old root is held still in the new model's axes, all else moves as before."""
    before, after = random_tree(6), random_tree(6, root="b10")
    rng = np.random.default_rng(6)
    q = {j.name: j.joint.random(rng, j.limits) for j in before.own_joints}
    v = {j.name: rng.uniform(-1, 1, j.joint.nv) for j in before.own_joints}
    motions = []
    for model in (before, after):
        state = [np.concatenate([x[j.name] for j in model.own_joints]) for x in (q, v)]
        motion = body_motion(model, *state)
        old = model.body_index("b0")
        back = motion.rotation[old].T
        relative = motion.angular_velocity - motion.angular_velocity[old]
        order = [model.body_index(f"b{i}") for i in range(12)]
        motions.append((relative @ back.T)[order])
    assert error(motions[1], motions[0]) < ROUNDING


@pytest.mark.parametrize("base", ["floating", "prescribed"])
def test_the_new_root_is_the_one_that_the_base_moves(base: str) -> None:
    model = random_tree(2, base=base, root="b7")
    assert model.body_names[:2] == ("world", "b7")
    assert model.joint(f"{base}_base").parent == 0


def test_frames_stay_on_their_link() -> None:
    before, after = random_tree(4), random_tree(4, root="b9")
    for model in (before, after):
        assert model.body_names[model.frame("tool").body] == "b11"
    assert error(after.frame("tool").position, before.frame("tool").position) == 0.0
