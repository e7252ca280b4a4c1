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
    assert "of frame 'root' on" in tree.turn("map", "root").trouble
    take(tree, "cart", "root", np.eye(3))
    for frame in ("odom", "map"):
        assert "not in one tree" in tree.turn(frame, "root").trouble


@pytest.mark.parametrize(
    "bad", [(0.0, 0.0, 0.0, 0.0), (np.nan, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0)]
)
def test_a_quaternion_that_is_none_is_left_out_and_told_while_it_matters(bad: tuple) -> None:
    tree = FrameTree()
    tree.take("map", "root", bad, 1, fixed=False, now=0.0)
    assert "'root' have no unit quaternion" in tree.turn("map", "root").trouble
    take(tree, "map", "root", np.eye(3))
    assert tree.turn("map", "root").trouble == ""
    tree.take("map", "root", bad, 2, fixed=False, now=0.0)
    assert tree.turn("map", "root").trouble == ""
    assert "quaternion" in tree.turn("map", "other").trouble
    take(tree, "map", "root", np.eye(3))
    assert "quaternion" not in tree.turn("map", "other").trouble


def test_a_loop_says_nothing_of_how_its_frames_are_turned() -> None:
    rng, tree = np.random.default_rng(2), FrameTree()
    A, B, C = (random_rotation(rng) for _ in range(3))
    take(tree, "map", "odom", A)
    take(tree, "odom", "root", B)
    take(tree, "root", "tool", C)
    take(tree, "root", "eye", A)
    take(tree, "root", "map", C)
    for ends in (("map", "root"), ("root", "map"), ("tool", "odom"), ("odom", "eye")):
        assert "form a loop" in tree.turn(*ends).trouble
    # Below the loop all is well.
    assert tree.turn("tool", "root").rotation == pytest.approx(C, abs=EXACT)
    assert tree.turn("eye", "tool").rotation == pytest.approx(C.T @ A, abs=EXACT)
    take(tree, "earth", "map", C)
    assert tree.turn("root", "map").rotation == pytest.approx(A @ B, abs=EXACT)


def test_what_ties_no_two_frames_changes_nothing() -> None:
    tree = FrameTree()
    take(tree, "map", "root", np.eye(3))
    for parent, child in (("root", "root"), ("", "root"), ("map", ""), ("map", "map"), ("/", "x")):
        take(tree, parent, child, rotation_from_rpy([1.0, 0.0, 0.0]))
    assert tree.turn("map", "root").rotation == pytest.approx(np.eye(3))
    assert tree.turn("map", "x").trouble


def test_a_leading_slash_makes_no_other_frame() -> None:
    tree, R = FrameTree(), rotation_from_rpy([0.3, 0.2, 0.1])
    take(tree, "/map", "odom", R)
    take(tree, "odom", "/root", R)
    for ends in (("/root", "map"), ("root", "/map")):
        assert tree.turn(*ends).rotation == pytest.approx(R @ R, abs=EXACT)


def test_frames_beyond_all_measure_are_not_taken() -> None:
    tree = FrameTree()
    for k in range(CAPACITY + 10):
        take(tree, "x", f"n{k}", np.eye(3))
        tree.take("x", f"bad{k}", (0.0, 0.0, 0.0, 0.0), 1, fixed=False, now=0.0)
    assert tree.turn("x", f"n{CAPACITY + 5}").trouble
    assert tree.turn("x", f"n{CAPACITY - 1}").trouble == ""
    assert len(tree.turn("x", "y").trouble) < 1000
