"""Every joint type with several rates is moved by whole poses, as far as those tell its place."""

from __future__ import annotations

import numpy as np
import pytest

from joint_cases import JOINTS, state
from multi_dof_rig import MS, Setup, check_body, kinds, one_joint
from robodyn_ros.algorithms import body_motion
from robodyn_ros.conditioning.frame_motion import Motion
from robodyn_ros.joints import Gimbal, Placed, Planar, Reversed, Spherical, Universal
from robodyn_ros.model import ModelBuilder
from robodyn_ros.spatial import quaternion_from_matrix, rotation_from_rpy

ROUNDING = 1e-11
SEVERAL = sorted(
    name
    for name, joint in JOINTS.items()
    if joint.nv > 1
    and not isinstance(joint, (Reversed, Placed))
    and not name.endswith(("tiny", "huge"))
)


def motion_of(model, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> Motion:
    """Return the motion of the arm in the base."""
    found = body_motion(model, q, v, a)
    return Motion(
        found.position[1], quaternion_from_matrix(found.rotation[1]), *(x[1] for x in found[2:])
    )


@pytest.mark.parametrize("name", SEVERAL)
def test_a_pose_its_velocity_and_acceleration_are_the_joints_coordinates(name: str) -> None:
    joint = JOINTS[name]
    model = one_joint(joint)
    for seed in range(3):
        setup = Setup(model)
        given = motion_of(model, *state(joint, seed))
        setup.states.place("j", given, MS)
        check_body(setup, given, ROUNDING)


@pytest.mark.parametrize("name", SEVERAL)
def test_a_message_moves_it_without_complaints(name: str) -> None:
    joint = JOINTS[name]
    setup = Setup(one_joint(joint))
    q, v, _ = state(joint, 4)
    step = setup.give("j", motion_of(setup.model, q, v, 0.0 * v), at=1)
    assert step.complaints == ()
    assert step.moved.tolist() == [len(setup.plan.slots)]
    assert setup.states.usable().all()
    # Where several coordinates have this pose, their rates differ too.
    if joint.type_name != "gimbal":
        assert setup.states.v == pytest.approx(v, abs=ROUNDING)


@pytest.mark.parametrize(
    "joint", [Universal(), Spherical(), Gimbal("23", outer=[(0, 0, 1)])], ids=lambda j: j.type_name
)
def test_a_pose_that_the_joint_cannot_have_is_told_once_and_the_nearest_counts(joint) -> None:
    setup = Setup(one_joint(joint))
    q, v, _ = state(joint, 1)
    given = motion_of(setup.model, q, v, 0.0 * v)
    off = given._replace(position=given.position + np.array([0.3, 0.2, -0.4]))
    first, second = (setup.give("j", off, at=at) for at in (1, 2))
    assert kinds(first.complaints) == ["off the joint"]
    text = first.complaints[0].text
    assert "m and" in text
    assert f"rad off what a {joint.type_name} joint can do; the nearest that it can counts" in text
    assert first.complaints[0].once
    assert kinds(second.complaints) == ["off the joint"]
    assert setup.states.usable().all()
    assert np.isfinite(setup.states.q).all()


def test_at_gimbal_lock_rates_stay_finite() -> None:
    """What of a velocity the joint cannot do there is left out."""
    joint = Gimbal("123")
    for off in (0.0, 1e-9, 1e-7):
        setup = Setup(one_joint(joint))
        q = np.array([0.3, 0.5 * np.pi - off, -0.4])
        R, p = joint.pose(q)
        twist = (*(R @ np.array([0.4, -0.7, 0.9])), 0.0, 0.0, 0.0)
        setup.take(["j"], ((*p, *quaternion_from_matrix(R)),), (twist,))
        assert np.max(np.abs(setup.states.v)) < 2.0
        assert joint.pose(setup.states.q)[0] == pytest.approx(R, abs=1e-7)


@pytest.mark.parametrize("inner", [Planar(), Universal()], ids=lambda j: j.type_name)
def test_the_transform_is_that_of_the_described_joint_wherever_it_sits(inner) -> None:
    """The joint's own frames count, not the origins that the description gives on both sides."""
    builder = ModelBuilder("one")
    builder.add_body("base")
    builder.add_body("arm", mass=1.0)
    at, turn = np.array([0.2, -0.1, 0.4]), rotation_from_rpy([0.3, 0.8, -0.5])
    builder.add_joint("j", inner, "base", "arm", child_position=at, child_rotation=turn)
    model = builder.build()
    assert isinstance(model.own_joint("j").joint, Placed)
    setup = Setup(model)
    q, v, _ = state(inner, 2)
    setup.give("j", motion_of(one_joint(inner), q, v, 0.0 * v), at=1)
    assert setup.states.q == pytest.approx(q, abs=ROUNDING)
    assert setup.states.v == pytest.approx(v, abs=ROUNDING)
