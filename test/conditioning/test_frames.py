"""Frame plans: which joint moves what, names, relative poses, validity of bodies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_ros import load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.errors import ArgumentError
from robodyn_ros.robot import Robot
from robodyn_ros.spatial import quaternion_to_matrix

ROBOTS = Path(__file__).parents[1] / "description" / "robots"
NAMES = sorted(path.name for path in ROBOTS.glob("*.urdf"))


def robot(name: str) -> Robot:
    return load(ROBOTS / name, compile="off")


def homogeneous(position: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    X = np.zeros((*position.shape[:-1], 4, 4))
    X[..., :3, :3], X[..., :3, 3], X[..., 3, 3] = rotation, position, 1.0
    return X


@pytest.mark.parametrize("name", NAMES)
def test_relative_poses_chain_up_to_the_world_poses(name: str) -> None:
    loaded = robot(name)
    model, plan = loaded.model, FramePlan(loaded.model)
    motion = loaded.body_motion(loaded.random_configuration(5))
    bodies = np.arange(1, model.nb)
    poses = plan.relative(bodies, motion.position, motion.rotation)
    X_PB = homogeneous(poses.position, quaternion_to_matrix(poses.quaternion))
    X_W = homogeneous(motion.position, motion.rotation)
    for k, body in enumerate(bodies):
        assert X_W[model.parent[body]] @ X_PB[k] == pytest.approx(X_W[body], abs=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_static_and_moved_frames_are_all_frames_but_those_without_a_source(name: str) -> None:
    model = robot(name).model
    plan = FramePlan(model)
    slots = np.arange(len(plan.slots))
    published = {child for _, child in plan.static(with_world=False)[0]}
    moved = {child for _, child in plan.pairs(plan.children(slots))}
    assert published.isdisjoint(moved)
    unsourced = {name for name, _ in plan.unsourced}
    missing = {model.body_names[body] for body, joint in model.moving if joint.name in unsourced}
    assert published | moved | missing == set(model.body_names[1:])


def test_static_poses_are_those_of_the_kinematics() -> None:
    loaded = robot("fixed_chains.urdf")
    plan = FramePlan(loaded.model)
    motion = loaded.body_motion(loaded.random_configuration(2))
    _, poses = plan.static(with_world=False)
    computed = plan.relative(plan.fixed, motion.position, motion.rotation)
    assert poses.position == pytest.approx(computed.position, abs=1e-15)
    turned = quaternion_to_matrix(poses.quaternion)
    assert turned == pytest.approx(quaternion_to_matrix(computed.quaternion), abs=1e-15)


@pytest.mark.parametrize("prefix", ["", "r1/", "r1"])
def test_a_prefix_is_put_before_every_name_literally(prefix: str) -> None:
    model = robot("fixed_chains.urdf").model
    plan = FramePlan(model, prefix=prefix)
    assert plan.names == tuple(prefix + name for name in model.body_names)
    assert plan.world_frame == prefix + model.body_names[0]
    for pair in plan.static(with_world=False)[0]:
        assert all(name.startswith(prefix) for name in pair)


def test_a_world_frame_is_used_as_it_is_and_can_carry_the_base() -> None:
    model = robot("fixed_chains.urdf").model
    plan = FramePlan(model, prefix="r1/", world_frame="map")
    pairs, poses = plan.static(with_world=True)
    assert pairs[0] == ("map", "r1/" + model.body_names[0])
    assert poses.quaternion[0].tolist() == [0.0, 0.0, 0.0, 1.0]
    assert len(pairs) == len(poses.position)


@pytest.mark.parametrize("world_frame", ["", "root"])
def test_the_root_cannot_be_published_into_itself(world_frame: str) -> None:
    model = robot("single_link.urdf").model
    name = world_frame and model.body_names[0]
    with pytest.raises(ArgumentError, match="world_frame"):
        FramePlan(model, world_frame=name).static(with_world=True)


def test_drivers_move_their_followers() -> None:
    model = robot("mimic_chain.urdf").model
    plan = FramePlan(model)
    followers = [joint.name for _, joint in model.moving if joint.is_follower]
    assert len(followers) >= 2
    for name in followers:
        joint = model.joint(name)
        slot = plan.slots.names.index(joint.driver)
        body = next(b for b, j in model.moving if j is joint)
        assert body in plan.children(np.array([slot]))
        assert name in plan.slots.silent


def test_joints_of_several_coordinates_are_named_and_what_hangs_on_them_is_never_valid() -> None:
    model = robot("every_joint.urdf").model
    plan = FramePlan(model)
    kinds = {kind for _, kind in plan.unsourced}
    assert kinds == {"planar", "floating"}
    count = len(plan.slots)
    valid, age = plan.validity(np.ones(count, dtype=bool), np.zeros(count), 0.0)
    unsourced = {name for name, _ in plan.unsourced}
    for body, joint in model.moving:
        behind = {model.joints[b].name for b in model.support(body)}
        assert valid[body] == behind.isdisjoint(unsourced)
        assert (age[body] == -1.0) == (not behind.isdisjoint(unsourced))
        assert joint is not None


def test_a_body_is_as_valid_and_as_old_as_the_joints_between_it_and_the_root() -> None:
    model = robot("skew_axes.urdf").model
    plan = FramePlan(model)
    rng = np.random.default_rng(1)
    for _ in range(20):
        usable = rng.random(len(plan.slots)) < 0.7
        age = np.where(rng.random(len(plan.slots)) < 0.8, rng.uniform(0, 2, len(plan.slots)), -1.0)
        valid, oldest = plan.validity(usable, age, 1.0)
        for body in range(model.nb):
            own = [
                plan.slots.names.index(model.joints[b].driver or model.joints[b].name)
                for b in model.support(body)
                if model.joints[b].joint.nv == 1
            ]
            assert valid[body] == all(usable[s] and 0.0 <= age[s] <= 1.0 for s in own)
            unreceived = any(age[s] < 0.0 for s in own)
            assert oldest[body] == (-1.0 if unreceived else max([0.0, *age[own]]))


def test_a_robot_without_joints_has_a_plan() -> None:
    model = robot("single_link.urdf").model
    plan = FramePlan(model)
    assert plan.static(with_world=False)[0] == []
    valid, age = plan.validity(np.zeros(0, dtype=bool), np.zeros(0), 1.0)
    assert valid.tolist() == [True]
    assert age.tolist() == [0.0]
