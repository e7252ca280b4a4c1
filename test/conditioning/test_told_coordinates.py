"""Joint states give the coordinates of joints with several by `joint/axis`."""

from __future__ import annotations

import numpy as np
import pytest

from joint_cases import JOINTS
from multi_dof_rig import one_joint
from robodyn_ros import load
from robodyn_ros.algorithms import body_motion
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.multi_dof_input import MultiDofSample
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.pose_inputs import PoseInputs
from robodyn_ros.conditioning.state_path import StatePath, Step
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.robot import Robot
from robodyn_ros.spatial import quaternion_from_matrix
from state_path_rig import MS, texts

SETTINGS = Settings(choices=Choices(filter_time_constant=0.0, filtered_acceleration=False))
TOLD = {
    "planar",
    "gimbal",
    "translational",
    "cylindrical",
    "universal",
    "user_defined",
    "dh_cylindrical",
}
WRIST = """mechanism: 1
name: wrist
bodies: {base: , upper: {mass: 1}, hand: {mass: 1, inertia: [0.1, 0, 0, 0.2, 0, 0.3]}}
joints:
  elbow: {type: revolute, parent: base, child: upper, axis: [0, 1, 0]}
  wrist: {type: gimbal, sequence: "123", parent: upper, child: hand}
"""
NAMES = ["elbow", "wrist/rx", "wrist/ry", "wrist/rz"]
Q = [0.3, 0.4, -0.5, 0.6]
V = [1.0, 2.0, -3.0, 4.0]


def wrist(compile: str = "off") -> StatePath:
    robot = load(WRIST, compile=compile)
    return StatePath(robot, FramePlan(robot.model), SETTINGS)


def take(path: StatePath, names: list[str], q: list[float], v: list[float], at: float) -> Step:
    return path.take(names, q, v, (), round(at * MS))


def frames(path: StatePath, step: Step) -> list[str]:
    return [path.plan.names[body] for body in step.frames]


@pytest.mark.parametrize("name", sorted(JOINTS))
def test_the_coordinates_are_those_whose_rate_is_their_derivative(name: str) -> None:
    joint = JOINTS[name]
    told = told_coordinates(one_joint(joint))
    if joint.nv == 1:
        assert [one.name for one in told] == ["j"]
    elif joint.nq == joint.nv and joint.type_name in TOLD:
        assert [one.name for one in told] == [f"j/{axis}" for axis in joint.axes]
        assert [(one.q, one.v) for one in told] == [(k, k) for k in range(joint.nv)]
    else:
        assert told == ()


@pytest.mark.parametrize("compile", ["off", "wait"])
def test_the_angles_of_a_gimbal_move_it_in_any_order(compile: str) -> None:
    path = wrist(compile)
    assert path.stepper.prepare(wait=True) == (compile == "wait")
    order = [2, 0, 3, 1]
    step = take(path, [NAMES[k] for k in order], [Q[k] for k in order], [V[k] for k in order], 1)
    assert frames(path, step) == ["upper", "hand"]
    motion = body_motion(path.robot.model, np.array(Q), np.array(V))
    hand = path.bodies()[2]
    assert hand[:3] == pytest.approx(motion.position[2], abs=1e-12)
    assert hand[10:13] == pytest.approx(motion.angular_velocity[2], abs=1e-12)
    valid, age = path.validity(MS)
    assert (valid.all(), age.any()) == (True, False)


def test_a_joint_of_which_a_coordinate_never_came_is_neither_shown_nor_valid() -> None:
    path = wrist()
    step = take(path, NAMES[:3], Q[:3], V[:3], 1)
    assert frames(path, step) == ["upper"]
    assert path.validity(MS)[0].tolist() == [True, True, False]
    troubles = {name: why for name, _, why in path.troubles(MS) if why}
    assert troubles == {
        "wrist/rz": "never received",
        "wrist": "wrist/rz: never received",
    }
    step = take(path, NAMES[3:], Q[3:], V[3:], 2)
    assert frames(path, step) == ["hand"]
    valid, age = path.validity(2 * MS)
    assert valid.all()
    assert age.tolist() == pytest.approx([0.0, 1e-3, 1e-3])


def test_who_spoke_last_moves_a_joint() -> None:
    path = wrist()
    poses = PoseInputs(path, "none")

    def pose(at: float, angle: float) -> Step:
        turn = (0.0, 0.0, float(np.sin(angle / 2)), float(np.cos(angle / 2)))
        sample = MultiDofSample(
            round(at * MS), ("wrist",), ((0.0, 0.0, 0.0, *turn),), ((0.0,) * 6,), 0
        )
        return path.take_poses(poses.take(sample, 0, SETTINGS))

    take(path, NAMES, Q, V, 1)
    assert frames(path, pose(2, 0.7)) == ["hand"]
    assert path.result.q == pytest.approx([0.3, 0.0, 0.0, 0.7])
    assert path.validity(2 * MS)[0].all()
    take(path, NAMES[:1], [0.302], [1.0], 3)
    assert path.result.q == pytest.approx([0.302, 0.0, 0.0, 0.7])
    assert path.validity(3 * MS)[0].all()
    take(path, NAMES[1:], [0.1, 0.2, 0.3], [0.0] * 3, 4)
    assert path.result.q == pytest.approx([0.302, 0.1, 0.2, 0.3])
    assert path.validity(4 * MS)[0].all()


def test_the_joint_s_own_name_is_told_what_to_give() -> None:
    step = take(wrist(), ["elbow", "wrist"], [0.0, 0.0], [], 1)
    assert texts(step) == [
        "joint 'wrist' has several coordinates: a joint state cannot move it by that name, give it"
        " on multi_dof_joint_states, or give each by its name, 'wrist/rx' to 'wrist/rz'"
    ]


def test_a_gimbal_moves_as_its_pose_says_too() -> None:
    told, posed = wrist(), wrist()
    take(told, NAMES, Q, [0.0] * 4, 1)
    take(posed, NAMES[:1], Q[:1], [0.0], 1)
    model = Robot(told.robot.model, compile="off").model
    R, p = model.joint("wrist").joint.pose(np.array(Q[1:]))
    pose = (*p, *quaternion_from_matrix(R))
    sample = MultiDofSample(MS, ("wrist",), (tuple(map(float, pose)),), ((0.0,) * 6,), 0)
    posed.take_poses(PoseInputs(posed, "none").take(sample, 0, SETTINGS))
    assert posed.bodies()[2, :7] == pytest.approx(told.bodies()[2, :7], abs=1e-12)


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_a_workspace_is_not_the_world_but_has_its_place_in_it(base: str) -> None:
    text = f"mechanism: 1\nbase: {base}\nbodies: {{raft: {{mass: 1}}}}\n" + (
        "workspace: {name: quay, position: [1, 2, 3]}\n"
    )
    model = load(text, compile="off").model
    pairs, poses = FramePlan(model, prefix="r/", world_frame="quay").static()
    assert pairs == [({"fixed": "r/raft", "floating": "quay"}[base], "r/quay")]
    assert poses.position.tolist() == [[1.0, 2.0, 3.0]]
    plan = FramePlan(model, world_frame="quay")
    assert (plan.world_frame, plan.state_frame) == ({"fixed": "raft"}.get(base, "world"), "quay")
    assert plan.static()[0] == [(plan.world_frame, "quay")]
