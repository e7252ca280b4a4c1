"""Joints moved as whole poses: projection, rates, and what is not sane."""

from __future__ import annotations

import math

import numpy as np
import pytest

from moving_frame import drive, flight
from multi_dof_rig import IDENTITY, MS, Setup, check_body, kinds, one_joint
from robodyn_ros.conditioning.frame_motion import Motion
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.stamps import NEVER
from robodyn_ros.joints import Floating, JointLimits, Planar
from robodyn_ros.spatial import (
    axis_alignment,
    quaternion_from_matrix,
    quaternion_product,
    rotation_from_rpy,
)

NAN, INF = math.nan, math.inf
ROUNDING = 1e-12
AXES = [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.3, -0.5, 0.8)]


@pytest.mark.parametrize("axis", AXES)
def test_a_planar_pose_and_twist_are_the_joints_coordinates(axis) -> None:
    joint = Planar(axis)
    rng = np.random.default_rng(1)
    for at in range(1, 20):
        setup = Setup(one_joint(joint))
        q, v = rng.uniform([-2, -2, -3], [2, 2, 3]), rng.normal(size=3)
        R, p = joint.pose(q)
        V = joint.motion_subspace(q) @ v
        twist = (*(R @ V[:3]), *(R @ V[3:]))
        step = setup.take(["j"], ((*p, *quaternion_from_matrix(R)),), (twist,), at=at)
        assert step.complaints == ()
        assert step.moved.tolist() == [len(setup.plan.slots)]
        assert setup.states.q == pytest.approx(q, abs=ROUNDING)
        assert setup.states.v == pytest.approx(v, abs=ROUNDING)


def test_a_floating_pose_and_twist_are_the_joints_coordinates() -> None:
    joint = Floating()
    rng = np.random.default_rng(2)
    setup = Setup(one_joint(joint))
    for at in range(1, 20):
        q, v = joint.random(rng, JointLimits()), rng.normal(size=6)
        R, p = joint.pose(q)
        twist = (*(R @ v[:3]), *(R @ v[3:]))
        setup.take(["j"], ((*p, *q[3:]),), (twist,), at=at)
        assert setup.states.q == pytest.approx(q, abs=ROUNDING)
        assert setup.states.v == pytest.approx(v, abs=ROUNDING)


@pytest.mark.parametrize("t", [0.0, 0.7, 2.9])
def test_a_placed_motion_is_that_of_the_body_down_to_the_classical_acceleration(t: float) -> None:
    given = flight(t)
    setup = Setup(one_joint(Floating()))
    setup.states.place("j", given, MS)
    check_body(setup, given, ROUNDING)


@pytest.mark.parametrize("axis", AXES)
def test_a_motion_in_the_plane_is_that_of_a_planar_joints_body(axis) -> None:
    to_axis = axis_alignment(np.array(axis) / np.linalg.norm(axis))
    flat = drive(1.3)
    quaternion = quaternion_from_matrix(to_axis)
    back = quaternion * np.array([-1.0, -1.0, -1.0, 1.0])
    given = Motion(
        to_axis @ flat.position,
        quaternion_product(quaternion_product(quaternion, flat.quaternion), back),
        *(to_axis @ vector for vector in flat[2:]),
    )
    setup = Setup(one_joint(Planar(axis)))
    setup.states.place("j", given, MS)
    check_body(setup, given, ROUNDING)


DIFFERENCE = 5e-3
"""Backward differences 1 ms apart of motions of order 1 lag by half a step each."""


@pytest.mark.parametrize(("path", "joint"), [(flight, Floating()), (drive, Planar())])
@pytest.mark.parametrize("twist", [True, False])
def test_rates_not_given_are_filtered_from_what_is(path, joint, twist: bool) -> None:
    setup = Setup(one_joint(joint))
    for at in range(1, 60):
        setup.give("j", path(at * 1e-3), at=at, twist=twist)
    assert setup.states.velocity_valid.all()
    check_body(setup, path(59e-3), DIFFERENCE)


def test_the_filter_settles_as_its_time_constant_says() -> None:
    """A jump of the velocity's slope passes a first-order filter with g = dt / (tau + dt)."""
    tau, dt = 0.02, 0.001
    setup = Setup(
        one_joint(Floating()), settings=Settings(choices=Choices(filter_time_constant=tau))
    )
    speed = 0.0
    for at in range(1, 23):
        speed += dt if at > 2 else 0.0
        setup.take(["j"], (IDENTITY,), ((0.0, 0.0, 0.0, speed, 0.0, 0.0),), at=at)
    expected = 1.0 - (tau / (tau + dt)) ** 20
    assert setup.states.a[3] == pytest.approx(expected, abs=1e-9)


def test_accelerations_are_zero_when_switched_off_and_velocities_filtered_on_request() -> None:
    off, own = (
        Setup(one_joint(Floating()), settings=Settings(choices=choices))
        for choices in (
            Choices(filtered_acceleration=False, filter_time_constant=0.0),
            Choices(message_velocity=False, filter_time_constant=0.0),
        )
    )
    for at in range(1, 6):
        pose, twist = (0.01 * at**2, 0, 0, 0, 0, 0, 1), (9.0, 9.0, 9.0, 0.0, 0.0, 9.0 * at)
        off.take(["j"], (pose,), (twist,), at=10 * at)
        own.take(["j"], (pose,), (twist,), at=10 * at)
    # A constant velocity's components in turning axes do have a derivative.
    w, v = off.states.v[:3], off.states.v[3:]
    assert off.states.a.tolist() == [0.0, 0.0, 0.0, *(-np.cross(w, v))]
    assert own.states.v == pytest.approx([0, 0, 0, 9.0, 0, 0])
    assert own.states.a == pytest.approx([0, 0, 0, 200.0, 0, 0])


def test_a_quaternion_of_the_other_sign_is_the_same_attitude() -> None:
    setup = Setup(one_joint(Floating()))
    for at in range(1, 8):
        motion = flight(at * 1e-3)
        flipped = motion._replace(quaternion=motion.quaternion * (-1.0) ** at)
        setup.give("j", flipped, at=at, twist=False)
    check_body(setup, flight(7e-3), DIFFERENCE)


def test_half_a_turn_of_heading_past_pi_is_no_jump() -> None:
    setup = Setup(one_joint(Planar()))
    for k, heading in enumerate((math.pi - 0.001, -math.pi + 0.001)):
        turn = (0.0, 0.0, math.sin(heading / 2), math.cos(heading / 2))
        setup.take(["j"], ((0.0, 0.0, 0.0, *turn),), at=10 * k + 1)
    assert setup.states.v[2] == pytest.approx(0.2)
    assert abs(setup.states.q[2]) == pytest.approx(math.pi - 0.001)


def test_velocity_is_not_known_from_one_pose_and_the_reason_says_so() -> None:
    setup = Setup(one_joint(Floating()))
    setup.take(["j"], (IDENTITY,))
    assert setup.states.position_valid.tolist() == [True]
    assert setup.states.usable().tolist() == [False]
    assert "two poses" in setup.states.reasons[0]
    setup.take(["j"], (IDENTITY,), at=5)
    assert setup.states.usable().tolist() == [True]
    assert setup.states.reasons == [""]


@pytest.mark.parametrize(
    ("offset", "turn"),
    [
        ((0.0, 0.0, 0.02), (0.0, 0.0)),
        ((0.0, 0.0, 0.0), (0.01, 0.0)),
        ((0.0, 0.0, -1.0), (0.0, 0.3)),
    ],
)
def test_a_pose_off_the_plane_is_told_once_and_projected(offset, turn) -> None:
    R = rotation_from_rpy([*turn, 0.0]) @ rotation_from_rpy([0.0, 0.0, 0.7])
    position = np.array([1.0, 2.0, 0.0]) + offset
    setup = Setup(one_joint(Planar()))
    step = setup.take(["j"], ((*position, *quaternion_from_matrix(R)),))
    assert kinds(step.complaints) == ["off the plane"]
    assert step.complaints[0].once
    assert setup.states.position_valid.all()
    assert setup.states.q == pytest.approx([1.0, 2.0, 0.7], abs=0.02)


def test_a_pose_within_tolerance_of_the_plane_is_silent() -> None:
    setup = Setup(one_joint(Planar()))
    assert setup.take(["j"], ((1.0, 2.0, 9e-4, 4e-4, 0.0, 0.0, 1.0),)).complaints == ()


BAD_POSES = {
    "not finite": (NAN, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
    "not finite ": (0.0, 0.0, 0.0, 0.0, INF, 0.0, 1.0),
    "out of bounds": (0.0, 2e9, 0.0, 0.0, 0.0, 0.0, 1.0),
    "not a rotation": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "not a rotation ": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.02),
    "not a rotation  ": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1e300),
}


@pytest.mark.parametrize("kind", BAD_POSES)
@pytest.mark.parametrize("joint", [Planar(), Floating()])
def test_a_pose_that_is_not_sane_makes_its_joint_invalid_until_a_sane_one(kind, joint) -> None:
    setup = Setup(one_joint(joint))
    setup.take(["j"], ((1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0),), ((0.0,) * 6,), at=1)
    before = setup.states.q.copy()
    step = setup.take(["j"], (BAD_POSES[kind],), ((0.0,) * 6,), at=2)
    assert kinds(step.complaints) == [kind.strip()]
    assert step.moved.size == 0
    assert not setup.states.usable().any()
    assert setup.states.reasons[0]
    assert setup.states.q.tolist() == before.tolist()
    assert setup.states.stamp.tolist() == [MS]
    setup.take(["j"], (IDENTITY,), ((0.0,) * 6,), at=3)
    assert setup.states.usable().all()


def test_a_norm_a_little_off_one_is_normalised() -> None:
    setup = Setup(one_joint(Floating()))
    assert setup.take(["j"], ((0.0, 0.0, 0.0, 0.0, 0.6, 0.0, 0.805),)).complaints == ()
    assert np.linalg.norm(setup.states.q[3:]) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("bad", [INF, -INF, 2e9])
def test_a_twist_that_is_not_sane_makes_the_velocity_invalid_alone(bad: float) -> None:
    setup = Setup(one_joint(Floating()))
    setup.take(["j"], (IDENTITY,), ((0.0, 0.0, 0.0, 1.0, 0.0, 0.0),), at=1)
    step = setup.take(["j"], (IDENTITY,), ((0.0, 0.0, bad, 1.0, 0.0, 0.0),), at=2)
    assert len(kinds(step.complaints)) == 1
    assert step.moved.tolist() == [len(setup.plan.slots)]
    assert setup.states.position_valid.all()
    assert not setup.states.velocity_valid.any()
    assert np.isfinite(setup.states.v).all()


def test_a_twist_of_nan_says_that_there_is_none() -> None:
    setup = Setup(one_joint(Floating()))
    for at in (1, 11):
        step = setup.take(["j"], ((0.1 * at, 0, 0, 0, 0, 0, 1),), ((NAN,) * 6,), at=at)
        assert step.complaints == ()
    assert setup.states.v[3] == pytest.approx(100.0)


def test_the_largest_sane_values_leave_everything_finite() -> None:
    setup = Setup(one_joint(Floating()))
    for at in range(1, 6):
        end = 1e9 * (-1.0) ** at
        setup.take(["j"], ((end, end, end, 0, 0, 0, 1),), ((end,) * 6,), at=at * 1e-6)
        assert all(np.isfinite(x).all() for x in (setup.states.q, setup.states.v, setup.states.a))


def test_a_twist_alone_moves_no_frame_and_no_stamp() -> None:
    setup = Setup(one_joint(Planar()))
    step = setup.take(["j"], (), ((0.0, 0.0, 3.0, 1.0, 2.0, 0.0),))
    assert step.moved.size == 0
    assert setup.states.v == pytest.approx([1.0, 2.0, 3.0])
    assert setup.states.stamp.tolist() == [NEVER]
    assert not setup.states.usable().any()
