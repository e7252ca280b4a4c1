"""How a builder numbers bodies, joints and coordinates, whatever the order of description."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robodyn_ros.model import Model
from robots import random_tree
from sampling import few, parent_arrays
from trees import built_tree


def assert_numbered_by_the_rules(model: Model) -> None:
    """Parents first; joint i moves body i; coordinates without gaps in the order of the joints."""
    assert model.parent[0] == -1
    assert model.joints[0] is None
    assert len(model.joints) == len(model.bodies) == len(model.parent) == model.nb
    nq = nv = 0
    for i, joint in model.moving:
        assert 0 <= model.parent[i] < i
        assert joint.parent == model.parent[i]
        if joint.is_follower or joint.joint.nv == 0:
            continue
        assert (joint.q_index, joint.v_index) == (nq, nv)
        nq, nv = nq + joint.joint.nq, nv + joint.joint.nv
    assert (nq, nv) == (model.nq, model.nv)
    assert len(model.coordinate_names) == nv
    assert len(set(model.coordinate_names)) == nv
    assert len(set(model.body_names)) == model.nb
    assert [model.body_index(name) for name in model.body_names] == list(range(model.nb))


def assert_depth_first(model: Model) -> None:
    """Each subtree is a run of consecutive numbers."""
    for i in range(model.nb):
        below = model.subtree(i)
        assert below == tuple(range(i, i + len(below)))


@pytest.mark.parametrize("base", ["fixed", "floating", "prescribed"])
@pytest.mark.parametrize("root", [None, "b0", "b4", "b11"])
@pytest.mark.parametrize("seed", range(3))
def test_random_trees_of_every_joint_type(seed: int, root: str | None, base: str) -> None:
    model = random_tree(seed, base=base, root=root)
    assert_numbered_by_the_rules(model)
    assert_depth_first(model)


@few
@given(parent_arrays(12), st.randoms(use_true_random=False))
def test_the_order_of_joints_does_not_change_the_tree(parents: list[int], shuffler) -> None:  # type: ignore[no-untyped-def]
    order = list(range(1, len(parents) + 1))
    shuffler.shuffle(order)
    model = built_tree(parents, order)
    assert_numbered_by_the_rules(model)
    assert_depth_first(model)
    assert model.body_names[0] == "0"
    for i, joint in model.moving:
        child, parent = model.body_names[i], model.body_names[model.parent[i]]
        assert joint.name == f"j{child}"
        assert parent == str(parents[int(child) - 1])


def test_children_keep_the_order_in_which_they_are_described() -> None:
    for order in itertools.permutations([1, 2, 3]):
        model = built_tree([0, 0, 0], order)
        assert model.body_names == ("0", *map(str, order))


@pytest.mark.parametrize("parents", [[0, 1, 2, 1, 4, 4], [0, 1, 1, 3]])
def test_a_depth_first_description_keeps_its_numbers(parents: list[int]) -> None:
    model = built_tree(parents)
    assert model.parent == (-1, *parents)
    assert model.body_names == tuple(map(str, range(len(parents) + 1)))


def test_names_of_coordinates() -> None:
    model = random_tree(0, base="floating")
    names = model.coordinate_names
    assert names[:6] == tuple(f"floating_base/{axis}" for axis in ("rx", "ry", "rz", "x", "y", "z"))
    for joint in model.own_joints:
        here = names[joint.v_index : joint.v_index + joint.joint.nv]
        if joint.joint.nv == 1:
            assert here == (joint.name,)
        else:
            assert here == tuple(f"{joint.name}/{axis}" for axis in joint.joint.axes)
    assert model.joint_names == tuple(joint.name for joint in model.own_joints)
    for _, joint in model.moving:
        owns = joint.joint.nv > 0 and not joint.is_follower
        assert (joint.name in model.joint_names) == owns


def test_planar_joints_name_their_coordinates_in_the_order_of_v() -> None:
    model = random_tree(0)
    planar = next(j for j in model.own_joints if j.joint.type_name == "planar")
    expected = tuple(f"{planar.name}/{axis}" for axis in ("x", "y", "rz"))
    assert model.coordinate_names[planar.v_index : planar.v_index + 3] == expected


def test_building_twice_gives_equal_models() -> None:
    first, second = random_tree(3), random_tree(3)
    assert first.fingerprint == second.fingerprint
    assert np.array_equal(first.parent, second.parent)
