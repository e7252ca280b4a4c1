"""Rotations between frames of TF, and how old they are."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from robodyn_ros.conditioning.frame_tree import CAPACITY, FrameTree
from robodyn_ros.spatial import quaternion_from_matrix, rotation_from_rpy

EXACT = 1e-12


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    return rotation_from_rpy(rng.uniform(-1.5, 1.5, 3))


def take(tree: FrameTree, parent: str, child: str, R: np.ndarray, **options) -> None:
    options = {"stamp": 0, "fixed": True, "now": 0.0} | options
    tree.take(parent, child, tuple(quaternion_from_matrix(R).tolist()), **options)


def test_rotations_go_up_one_branch_and_down_the_other() -> None:
    rng, tree = np.random.default_rng(1), FrameTree()
    A, B, C, D = (random_rotation(rng) for _ in range(4))
    take(tree, "map", "odom", A)
    take(tree, "odom", "cart", B)
    take(tree, "cart", "root", C)
    take(tree, "odom", "camera", D)
    assert tree.turn("root", "map").rotation == pytest.approx(A @ B @ C, abs=EXACT)
    assert tree.turn("map", "root").rotation == pytest.approx((A @ B @ C).T, abs=EXACT)
    turn = tree.turn("camera", "root")
    assert turn.rotation == pytest.approx((B @ C).T @ D, abs=EXACT)
    assert set(turn.children) == {"camera", "cart", "root"}
    assert (turn.since, turn.trouble) == (inf, "")
    assert tree.turn("map", "map").rotation == pytest.approx(np.eye(3))


def test_a_transform_ages_from_when_its_stamp_last_changed() -> None:
    tree, R = FrameTree(), np.eye(3)
    take(tree, "a", "b", R, stamp=1, fixed=False, now=10.0)
    take(tree, "b", "c", R, stamp=5, fixed=False, now=11.0)
    assert tree.turn("a", "c").since == 10.0
    take(tree, "a", "b", R, stamp=1, fixed=False, now=20.0)
    assert tree.turn("a", "c").since == 10.0, "the same one again"
    take(tree, "a", "b", R, stamp=2, fixed=False, now=21.0)
    assert tree.turn("a", "c").since == 11.0
    assert tree.turn("a", "b").since == 21.0


def test_what_is_missing_is_named() -> None:
    tree = FrameTree()
    assert "'map' nor 'root'" in tree.turn("map", "root").trouble
    take(tree, "map", "odom", np.eye(3))
    take(tree, "cart", "root", np.eye(3))
    trouble = tree.turn("odom", "root").trouble
    assert "not in one tree" in trouble


def test_loops_and_nonsense_do_no_harm() -> None:
    tree = FrameTree()
    take(tree, "a", "b", np.eye(3))
    take(tree, "b", "a", np.eye(3))
    assert tree.turn("a", "b").trouble == ""
    assert tree.turn("a", "z").trouble
    for bad in ((0.0, 0.0, 0.0, 0.0), (np.nan, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 2.0)):
        tree.take("x", "y", bad, 1, fixed=False, now=0.0)
    assert tree.turn("x", "y").trouble
    for k in range(CAPACITY + 10):
        take(tree, "x", f"n{k}", np.eye(3))
    assert tree.turn("x", f"n{CAPACITY + 5}").trouble
