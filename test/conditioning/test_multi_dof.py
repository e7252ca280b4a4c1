"""Joints moved as whole poses: projection, rates, names, lengths, stamps, what is not sane."""

from __future__ import annotations

import math

import numpy as np
import pytest

from moving_frame import drive, flight
from robodyn_ros.algorithms import body_motion
from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.frame_motion import Motion
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.multi_dof import MultiDofStates
from robodyn_ros.conditioning.multi_dof_input import MultiDofInput, MultiStep
from robodyn_ros.conditioning.stamps import NEVER, Verdict
from robodyn_ros.conditioning.state_path import Settings
from robodyn_ros.description import load_model
from robodyn_ros.joints import Floating, Joint, Planar, Revolute
from robodyn_ros.model import Model, ModelBuilder
from robodyn_ros.spatial import (
    axis_alignment,
    quaternion_from_matrix,
    quaternion_product,
    rotation_from_rpy,
)
from robots import OWN_ROBOTS

MS = 1_000_000
NAN, INF = math.nan, math.inf
PLAIN = Settings(choices=Choices(filter_time_constant=0.0))
ROUNDING = 1e-12
IDENTITY = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
AXES = [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.3, -0.5, 0.8)]


def one_joint(joint: Joint) -> Model:
    """Return a robot with one arm, called j, whose joint frame is the root link's."""
    builder = ModelBuilder("one")
    builder.add_body("base")
    builder.add_body("arm", mass=1.0)
    builder.add_joint("j", joint, "base", "arm")
    return builder.build()


class Setup:
    """The states of one model and the input that feeds them."""

    def __init__(self, model: Model, *, base_input: str = "none", settings: Settings = PLAIN):
        self.model, self.settings = model, settings
        self.plan = FramePlan(model)
        self.states = MultiDofStates(model, self.plan)
        self.input = MultiDofInput(self.plan, self.states, base_input=base_input)

    def take(self, names, transforms=(), twists=(), *, at: float = 1, wrenches: int = 0):
        """Take a message at a time in ms."""
        stamp = round(at * MS)
        return self.input.take(names, transforms, twists, wrenches, stamp, self.settings)

    def give(self, name: str, motion: Motion, *, at: float, twist: bool = True) -> MultiStep:
        """Take a message that gives one joint's motion at a time in ms."""
        pose = (*motion.position, *motion.quaternion)
        rates = ((*motion.angular_velocity, *motion.linear_velocity),) if twist else ()
        return self.take([name], (pose,), rates, at=at)


def mixed() -> Model:
    return load_model(OWN_ROBOTS / "every_joint.urdf")


def kinds(complaints: tuple[Complaint, ...]) -> list[str]:
    return [complaint.kind for complaint in complaints if complaint.severity is Severity.WARN]


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
        assert step.moved.tolist() == [0]
        assert setup.states.q == pytest.approx(q, abs=ROUNDING)
        assert setup.states.v == pytest.approx(v, abs=ROUNDING)


def test_a_floating_pose_and_twist_are_the_joints_coordinates() -> None:
    joint = Floating()
    rng = np.random.default_rng(2)
    setup = Setup(one_joint(joint))
    for at in range(1, 20):
        q, v = joint.random(rng, None), rng.normal(size=6)
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


def check_body(setup: Setup, given: Motion, tolerance: float) -> None:
    """Compare the arm's motion at the states' coordinates with a motion in the root's frame."""
    states = setup.states
    found = body_motion(setup.model, states.q, states.v, states.a)
    turned = np.abs(quaternion_from_matrix(found.rotation[1]) @ given.quaternion)
    assert turned == pytest.approx(1.0, abs=tolerance)
    assert found.position[1] == pytest.approx(given.position, abs=tolerance)
    for name in Motion._fields[2:]:
        assert getattr(found, name)[1] == pytest.approx(getattr(given, name), abs=tolerance)


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
    off = Setup(one_joint(Floating()), settings=Settings(choices=Choices(True, False, 0.0)))
    own = Setup(one_joint(Floating()), settings=Settings(choices=Choices(False, True, 0.0)))
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
    assert step.moved.tolist() == [0]
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


def test_values_go_by_name_and_leave_other_coordinates_alone() -> None:
    setup = Setup(mixed())
    names = setup.plan.multi_slots.names
    assert sorted(names) == ["right_shoulder", "string"]
    poses = {"string": (1.0, 2.0, 3.0, 0, 0, 0, 1), "right_shoulder": (0.1, 0, 0.2, 0, 0, 0, 1)}
    order = ["string", "right_shoulder"]
    step = setup.take(order, [poses[name] for name in order])
    assert sorted(step.moved) == [len(setup.plan.slots), len(setup.plan.slots) + 1]
    assert setup.states.q[setup.plan.multi[names.index("string")].q][:3].tolist() == [1, 2, 3]
    assert setup.states.q[setup.plan.q_index].tolist() == [0.0] * len(setup.plan.slots)
    partial = setup.take(["string"], [poses["string"]], at=7)
    assert partial.moved.tolist() == [len(setup.plan.slots) + names.index("string")]
    assert setup.states.age(8 * MS).tolist() == pytest.approx(
        [0.001 if name == "string" else 0.007 for name in names]
    )


def test_unknown_names_are_ignored_and_told() -> None:
    setup = Setup(mixed())
    step = setup.take(["nobody", "string"], (IDENTITY, IDENTITY))
    assert [c.severity for c in step.complaints] == [Severity.DEBUG]
    assert len(step.moved) == 1
    assert kinds(setup.take(["nobody"], (IDENTITY,)).complaints) == ["without a known name"]
    prefixed = setup.take(["left/string"], (IDENTITY,))
    assert "names with a prefix or suffix" in kinds(prefixed.complaints)


def test_the_last_of_repeated_names_counts_and_is_complained_of() -> None:
    setup = Setup(one_joint(Floating()))
    step = setup.take(["j", "j"], (IDENTITY, (5.0, 0, 0, 0, 0, 0, 1)))
    assert kinds(step.complaints) == ["repeated names"]
    assert setup.states.q[0] == 5.0


def test_a_joint_with_one_coordinate_is_told_where_it_belongs() -> None:
    setup = Setup(mixed())
    step = setup.take(["hip", "string"], (IDENTITY, IDENTITY))
    assert kinds(step.complaints) == ["one coordinate"]
    assert "'hip'" in step.complaints[-1].text
    assert "joint_states" in step.complaints[-1].text
    assert len(step.moved) == 1


@pytest.mark.parametrize(
    ("transforms", "twists", "wrenches", "wrong"),
    [(2, 0, 0, "transforms has 2"), (1, 3, 0, "twist has 3"), (1, 0, 2, "wrench has 2")],
)
def test_arrays_of_wrong_length_are_rejected_with_counts(
    transforms: int, twists: int, wrenches: int, wrong: str
) -> None:
    setup = Setup(one_joint(Floating()))
    step = setup.take(["j"], (IDENTITY,) * transforms, ((0.0,) * 6,) * twists, wrenches=wrenches)
    assert kinds(step.complaints) == ["wrong lengths"]
    assert f"{wrong} entries for 1 names" in step.complaints[0].text
    assert len(step.moved) == (1 if transforms == 1 else 0)


def test_a_message_without_names_or_values_does_nothing() -> None:
    setup = Setup(one_joint(Floating()))
    for step in (setup.take([]), setup.take(["j"])):
        assert step.verdict is None
        assert step.moved.size == 0
    assert not setup.states.usable().any()


def test_repeated_and_late_stamps_are_dropped_and_a_reset_starts_over() -> None:
    setup = Setup(mixed())
    first = (1.0, 0, 0, 0, 0, 0, 1)
    assert setup.take(["string"], (first,), at=5000).verdict is Verdict.NEW
    for at, verdict in ((5000, Verdict.REPEATED), (4990, Verdict.LATE)):
        step = setup.take(["string"], (IDENTITY,), at=at)
        assert (step.verdict, step.moved.size) == (verdict, 0)
    string = setup.plan.multi_slots.names.index("string")
    assert setup.states.q[setup.plan.multi[string].q][0] == 1.0
    step = setup.take(["right_shoulder"], (IDENTITY,), at=5010)
    step = setup.take(["right_shoulder"], (IDENTITY,), at=10)
    assert step.verdict is Verdict.RESET
    assert kinds(step.complaints) == ["clock resets"]
    assert setup.states.stamp[string] == NEVER
    assert setup.states.q[setup.plan.multi[string].q][0] == 0.0


def test_every_message_counts_where_stamps_are_ignored() -> None:
    setup = Setup(one_joint(Floating()), settings=Settings(ignore_timestamp=True))
    for at in (5, 5, 1):
        assert setup.take(["j"], (IDENTITY,), at=at).moved.tolist() == [0]


@pytest.mark.parametrize("base", ["floating", "prescribed"])
def test_the_base_takes_messages_unless_another_input_moves_it(base) -> None:
    builder = ModelBuilder("rover")
    builder.add_body("rover", mass=1.0)
    builder.add_body("wheel", mass=1.0)
    builder.add_joint("axle", Revolute(), "rover", "wheel")
    model = builder.build(base)
    given = flight(0.4)
    name = f"{base}_base"
    free = Setup(model)
    assert free.give(name, given, at=1).moved.tolist() == [1]
    assert free.states.usable().all()
    taken = Setup(model, base_input="odometry")
    step = taken.give(name, given, at=1)
    assert kinds(step.complaints) == ["base moved twice"]
    assert step.moved.size == 0
    assert not taken.states.usable().any()
    taken.states.place(name, given, MS)
    taken.input.reset()
    assert taken.states.usable().all()
    x = taken.states.base_motion if base == "prescribed" else taken.states.q
    assert x[:3] == pytest.approx(given.position)


def test_inputs_are_the_arrays_that_messages_change() -> None:
    setup = Setup(load_model(OWN_ROBOTS / "every_joint.urdf", base="prescribed"))
    inputs = setup.states.inputs
    before = [x.copy() for x in inputs]
    setup.give("prescribed_base", flight(0.3), at=1)
    setup.give("string", flight(0.3), at=2)
    assert [x is y for x, y in zip(inputs, setup.states.inputs, strict=True)] == [True] * 4
    assert [not np.array_equal(x, y) for x, y in zip(before, inputs, strict=True)][:2] == [True] * 2
    assert not np.array_equal(before[3], inputs[3])
    assert setup.states.base_pose == pytest.approx([*flight(0.3)[0], *flight(0.3)[1]])


def test_a_joint_turned_round_by_rerooting_is_given_as_described() -> None:
    model = load_model(OWN_ROBOTS / "every_joint.urdf", root="right_arm")
    setup = Setup(model)
    joint = Planar((0.0, -1.0, 0.0))
    R, p = joint.pose(np.array([0.3, -0.2, 0.9]))
    step = setup.take(["right_shoulder"], ((*p, *quaternion_from_matrix(R)),))
    assert step.complaints == ()
    entry = next(x for x in setup.plan.multi if x.name == "right_shoulder")
    assert setup.states.q[entry.q] == pytest.approx([0.3, -0.2, 0.9], abs=ROUNDING)


def test_troubles_tell_age_and_reason_of_every_joint() -> None:
    setup = Setup(mixed())
    setup.take(["string"], (IDENTITY,), ((0.0,) * 6,), at=1000)
    told = {name: (age, why) for name, age, why in setup.states.troubles(3000 * MS, 1.0)}
    assert told["string"] == (2.0, "stale: 2.0 s")
    assert told["right_shoulder"][0] == -1.0
    assert "multi_dof_joint_states" in told["right_shoulder"][1]


@pytest.mark.parametrize("name", ["x\n[FATAL] forged", "\x1b[2J", "j/" + "x" * 100_000])
def test_no_name_makes_more_of_a_complaint_than_one_short_line(name: str) -> None:
    complaints = Setup(one_joint(Floating())).take([name, name], (IDENTITY,) * 2).complaints
    assert complaints
    for complaint in complaints:
        assert complaint.text.isprintable()
        assert len(complaint.text) < 400
