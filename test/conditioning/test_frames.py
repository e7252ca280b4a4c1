"""Frame plans: which joint moves what, names, relative poses, validity of bodies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_ros import load
from robodyn_ros.conditioning.complaints import Severity
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.state_step import relative_block
from robodyn_ros.description.load import load_model
from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints import Fixed, Joint
from robodyn_ros.model import ModelBuilder
from robodyn_ros.robot import Robot
from robodyn_ros.spatial import quaternion_to_matrix
from robots import OWN_ROBOTS

ROBOTS = Path(__file__).parents[1] / "description" / "robots"
NAMES = sorted(path.name for path in ROBOTS.glob("*.urdf"))


def robot(name: str, base: str = "fixed") -> Robot:
    return load(ROBOTS / name, base=base, compile="off")


def homogeneous(position: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    X = np.zeros((*position.shape[:-1], 4, 4))
    X[..., :3, :3], X[..., :3, 3], X[..., 3, 3] = rotation, position, 1.0
    return X


@pytest.mark.parametrize("name", NAMES)
def test_relative_poses_chain_up_to_the_world_poses(name: str) -> None:
    loaded = robot(name)
    model = loaded.model
    q = loaded.random_configuration(5)
    motion, poses = loaded.body_motion(q), relative_block(model, q, ())
    X_PB = homogeneous(poses[:, :3], quaternion_to_matrix(poses[:, 3:]))
    X_W = homogeneous(motion.position, motion.rotation)
    for body in range(1, model.nb):
        assert X_W[model.parent[body]] @ X_PB[body] == pytest.approx(X_W[body], abs=1e-14)


@pytest.mark.parametrize("base", ["fixed", "floating", "prescribed"])
@pytest.mark.parametrize("name", NAMES)
def test_static_and_moved_frames_are_all_frames(name: str, base: str) -> None:
    model = robot(name, base).model
    plan = FramePlan(model, publish_base=base != "fixed")
    slots = np.arange(len(plan.slots) + len(plan.multi))
    published = {child for _, child in plan.static(with_world=False)[0]}
    moved = {child for _, child in plan.pairs(plan.children(slots))}
    assert published.isdisjoint(moved)
    assert published | moved == set(model.body_names[1:])
    assert plan.unsourced == ()


def test_static_poses_are_those_of_the_kinematics() -> None:
    loaded = robot("fixed_chains.urdf")
    plan = FramePlan(loaded.model)
    _, poses = plan.static(with_world=False)
    computed = relative_block(loaded.model, loaded.random_configuration(2), ())[plan.fixed]
    assert poses.position == pytest.approx(computed[:, :3], abs=1e-15)
    turned = quaternion_to_matrix(poses.quaternion)
    assert turned == pytest.approx(quaternion_to_matrix(computed[:, 3:]), abs=1e-15)


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


@pytest.mark.parametrize("base", ["fixed", "floating", "prescribed"])
def test_slots_of_whole_poses_follow_in_model_order_and_tell_their_coordinates(base: str) -> None:
    model = robot("every_joint.urdf", base).model
    plan = FramePlan(model)
    first = {"fixed": [], "floating": ["floating"], "prescribed": ["prescribed"]}[base]
    kinds = [entry.type_name for entry in plan.multi]
    assert sorted(kinds) == sorted([*first, "planar", "floating"])
    assert kinds[: len(first)] == first
    assert [entry.body for entry in plan.multi] == sorted(entry.body for entry in plan.multi)
    assert plan.multi_slots.names == tuple(entry.name for entry in plan.multi)
    owned = [*plan.q_index]
    for entry in plan.multi:
        joint = model.joint(entry.name)
        assert model.joints[entry.body] is joint
        owned.extend(range(model.nq)[entry.q])
        if entry.type_name != "prescribed":
            assert (entry.q.start, entry.v.start) == (joint.q_index, joint.v_index)
            assert (entry.joint.nq, entry.joint.nv) == (
                entry.q.stop - entry.q.start,
                entry.v.stop - entry.v.start,
            )
    assert sorted(set(owned)) == list(range(model.nq))


@pytest.mark.parametrize("base", ["fixed", "floating", "prescribed"])
def test_bodies_behind_a_whole_pose_are_as_valid_and_as_old_as_it_is(base: str) -> None:
    model = robot("every_joint.urdf", base).model
    plan = FramePlan(model)
    count, single = len(plan.slots) + len(plan.multi), len(plan.slots)
    for k, entry in enumerate(plan.multi):
        usable, age = np.ones(count, dtype=bool), np.zeros(count)
        usable[single + k], age[single + k] = False, 0.25
        valid, oldest = plan.validity(usable, age, 0.0)
        behind = np.array([entry.body in model.support(body) for body in range(model.nb)])
        assert valid.tolist() == (~behind).tolist()
        assert oldest.tolist() == np.where(behind, 0.25, 0.0).tolist()


def test_bodies_behind_a_joint_that_no_input_moves_are_never_valid() -> None:
    builder = ModelBuilder("odd")
    for name in ("base", "slider", "tip"):
        builder.add_body(name)
    builder.add_joint("double", TwoSliders(), "base", "slider")
    builder.add_joint("end", Fixed(), "slider", "tip")
    plan = FramePlan(builder.build())
    assert plan.unsourced == (("double", "two_sliders"),)
    assert plan.multi == ()
    valid, age = plan.validity(np.ones(0, dtype=bool), np.zeros(0), 0.0)
    assert valid.tolist() == [True, False, False]
    assert age.tolist() == [0.0, -1.0, -1.0]


class TwoSliders(Joint):
    """A joint of two coordinates that no message gives: as a pose, or as numbers with rates."""

    type_name = "two_sliders"

    nq = nv = 2
    axes = ("x", "y")

    def rate(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return no derivatives of the coordinates."""
        return 2.0 * v

    def pose(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the translation."""
        return np.eye(3), np.append(q, 0.0)

    def motion_subspace(self, q: np.ndarray) -> np.ndarray:
        """Return the two directions."""
        return np.eye(6)[:, 3:5]


@pytest.mark.parametrize("base", ["floating", "prescribed"])
@pytest.mark.parametrize("prefix", ["", "r1/"])
def test_a_moving_base_lives_in_a_world_that_takes_no_prefix(base: str, prefix: str) -> None:
    model = robot("fixed_chains.urdf", base).model
    for given, expected in (("", "world"), ("map", "map"), ("r1/world", "r1/world")):
        plan = FramePlan(model, prefix=prefix, world_frame=given)
        assert plan.world_frame == expected
        assert plan.names == (expected, *(prefix + name for name in model.body_names[1:]))
        assert plan.pairs(np.array([1])) == [(expected, prefix + model.body_names[1])]


@pytest.mark.parametrize("base", ["floating", "prescribed"])
def test_the_moving_root_link_is_published_only_on_request_and_never_latched(base: str) -> None:
    model = robot("fixed_chains.urdf", base).model
    for publish in (True, False):
        plan = FramePlan(model, publish_base=publish)
        slot = np.array([len(plan.slots)])
        assert plan.multi[0].body == 1
        assert plan.children(slot).tolist() == ([1] if publish else [])
        assert 1 not in plan.fixed
        for pairs, poses in (plan.static(), plan.static(with_world=True)):
            assert model.body_names[1] not in {child for _, child in pairs}
            assert len(pairs) == len(poses.position) == len(plan.fixed)
        valid, age = plan.validity(np.zeros(slot[0] + 1, dtype=bool), np.zeros(slot[0] + 1), 0.0)
        assert valid.tolist() == [True] + [False] * (model.nb - 1)
        assert not age.any()


@pytest.mark.parametrize("link", ["world", "world_"])
def test_the_worlds_default_name_gives_way_to_links_called_so(link: str) -> None:
    builder = ModelBuilder("globe")
    for name in {"world", link}:
        builder.add_body(name)
    if link != "world":
        builder.add_joint("j", Fixed(), "world", link)
    plan = FramePlan(builder.build("floating"))
    assert plan.world_frame == ("world_" if link == "world" else "world__")
    assert len(set(plan.names)) == len(plan.names)
    assert FramePlan(builder.build("floating"), prefix="a/").world_frame == "world"


def test_a_world_frame_that_is_a_link_of_a_moving_robot_is_refused() -> None:
    model = robot("fixed_chains.urdf", "floating").model
    for prefix in ("", "r1/"):
        with pytest.raises(ArgumentError, match="world_frame"):
            FramePlan(model, prefix=prefix, world_frame=prefix + model.body_names[1])


def test_publish_base_puts_a_fixed_root_into_its_world() -> None:
    model = robot("fixed_chains.urdf").model
    plan = FramePlan(model, world_frame="map", publish_base=True)
    assert plan.static()[0][0] == ("map", model.body_names[0])
    assert len(FramePlan(model, world_frame="map").static()[0]) == len(plan.static()[0]) - 1


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


def test_a_joint_state_that_names_a_planar_joint_is_told_where_to_give_it() -> None:
    plan = FramePlan(load_model(OWN_ROBOTS / "every_joint.urdf"))
    (told,) = plan.slots.layout(["right_shoulder", "left_wrist"]).complaints
    assert told.severity is Severity.WARN
    assert "'right_shoulder'" in told.text
    assert "multi_dof_joint_states" in told.text


@pytest.mark.parametrize("publish_base", [False, True])
def test_a_link_behind_the_root_does_not_stand_in_for_the_world(publish_base: bool) -> None:
    model = load_model(OWN_ROBOTS / "every_joint.urdf")
    link = model.body_names[2]
    with pytest.raises(ArgumentError, match=f"'{link}'"):
        FramePlan(model, world_frame=link, publish_base=publish_base)
