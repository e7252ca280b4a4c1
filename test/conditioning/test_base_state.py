"""The motion of a moving base from odometry and IMU, against frames that move analytically."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

from moving_frame import flight
from robodyn_ros.algorithms import BodyMotion, body_motion
from robodyn_ros.conditioning.base_sources import ImuSample, OdometrySample
from robodyn_ros.conditioning.base_state import BaseState
from robodyn_ros.conditioning.complaints import Severity
from robodyn_ros.conditioning.frame_motion import Motion
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.multi_dof import MultiDofStates
from robodyn_ros.conditioning.multi_dof_input import MultiStep
from robodyn_ros.conditioning.root_frames import RootFrames
from robodyn_ros.conditioning.stamps import NEVER, Verdict
from robodyn_ros.conditioning.state_path import Settings
from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints import Fixed, Revolute
from robodyn_ros.model import BaseMotion, Environment, Model, ModelBuilder
from robodyn_ros.spatial import (
    quaternion_exponential,
    quaternion_from_matrix,
    quaternion_product,
    quaternion_to_matrix,
    rotation_from_rpy,
)

MS = 1_000_000
NAN, INF = math.nan, math.inf
PLAIN = Settings(choices=Choices(filter_time_constant=0.0))
ROUNDING = 1e-12
DIFFERENCE = 5e-3
"""Backward differences 1 ms apart of motions of order 1 lag by half a step each."""
GRAVITY = np.array([0.0, 0.0, -9.81])
#: Where the sensors sit on the root link: R_RS and p_RS.
PLACES = {
    "rover": (np.eye(3), np.zeros(3)),
    "mast": (rotation_from_rpy([0.3, -0.2, 1.1]), np.array([0.4, -0.3, 0.8])),
    "camera": (
        rotation_from_rpy([0.3, -0.2, 1.1]) @ rotation_from_rpy([0.0, 0.5, 0.0]),
        np.array([0.4, -0.3, 0.8])
        + rotation_from_rpy([0.3, -0.2, 1.1]) @ np.array([0.1, 0.2, 0.0]),
    ),
}


def rover(base: str) -> Model:
    """Return a body with a mast, a camera frame on it, and an arm that moves."""
    builder = ModelBuilder("rover")
    for name in ("rover", "mast", "arm", "hand"):
        builder.add_body(name, mass=1.0, com=(0.1, 0.0, 0.2))
    R, p = PLACES["mast"]
    builder.add_joint("bolts", Fixed(), "rover", "mast", position=p, rotation=R)
    builder.add_joint("shoulder", Revolute((0.0, 1.0, 0.0)), "rover", "arm", position=(0.2, 0, 0.1))
    builder.add_joint("wrist", Revolute(), "arm", "hand", position=(0.5, 0.0, 0.0))
    builder.add_frame("camera", "mast", (0.1, 0.2, 0.0), rotation_from_rpy([0.0, 0.5, 0.0]))
    return builder.build(base)  # type: ignore[arg-type]


def on_root(t: float, place: str) -> tuple[np.ndarray, np.ndarray]:
    """Return attitude (3, 3) and position (3,) of a sensor while the root link flies."""
    root, (R_RS, p_RS) = flight(t), PLACES[place]
    R = quaternion_to_matrix(root.quaternion)
    return R @ R_RS, root.position + R @ p_RS


def odometry(t: float, place: str = "rover", **changes: object) -> OdometrySample:
    """Return what an odometry of a frame on the flying root link says.

    The velocity of the frame's origin is a difference of its positions, independent of any formula
    for rigid bodies.
    """
    R, p = on_root(t, place)
    h = 1e-5
    speed = (on_root(t + h, place)[1] - on_root(t - h, place)[1]) / (2.0 * h)
    twist = np.concatenate([R.T @ flight(t).angular_velocity, R.T @ speed])
    sample = OdometrySample(stamp(t), "world", place, p, quaternion_from_matrix(R), twist)
    return replace(sample, **changes)


def imu(t: float, place: str = "rover", heading: float = 0.0, **changes: object) -> ImuSample:
    """Return what an IMU on the flying root link says; its own north may lie elsewhere."""
    R, p = on_root(t, place)
    h = 1e-3
    ahead, behind = on_root(t + h, place)[1], on_root(t - h, place)[1]
    acceleration = (ahead - 2.0 * p + behind) / h**2
    north = quaternion_exponential(np.array([0.0, 0.0, heading]))
    return replace(
        ImuSample(
            stamp(t),
            place,
            quaternion_product(north, quaternion_from_matrix(R)),
            R.T @ flight(t).angular_velocity,
            R.T @ (acceleration - GRAVITY),
        ),
        **changes,
    )


def stamp(t: float) -> int:
    return round(t * 1e9) + 1_000_000_000_000


@dataclass
class Setup:
    """One model and what moves its base."""

    model: Model
    states: MultiDofStates
    base: BaseState
    settings: Settings

    def odometry(self, sample: OdometrySample, now: int = 7) -> MultiStep:
        """Take an odometry."""
        return self.base.take_odometry(sample, now, self.settings)

    def imu(self, sample: ImuSample, now: int = 7) -> MultiStep:
        """Take what an IMU says."""
        return self.base.take_imu(sample, now, self.settings)

    def bodies(self) -> BodyMotion:
        """Return the motion of all bodies, the arm's joints moving in some way."""
        states = self.states
        q, v, a = states.q.copy(), states.v.copy(), states.a.copy()
        q[-2:], v[-2:], a[-2:] = (0.3, -0.7), (1.1, 0.4), (-0.6, 2.0)
        x = states.base_motion
        given = BaseMotion(x[:3], x[3:12].reshape(3, 3), *(x[k : k + 3] for k in (12, 15, 18, 21)))
        return body_motion(self.model, q, v, a, environment=Environment(base_motion=given))


def setup(
    source: str, base: str = "floating", settings: Settings = PLAIN, *, prefix: str = ""
) -> Setup:
    model = rover(base)
    plan = FramePlan(model, prefix=prefix)
    states = MultiDofStates(model, plan)
    topics = {"odometry_topic": "/r1/odom", "imu_topic": "/r1/imu"}
    state = BaseState(plan, RootFrames(model, prefix), states, source, **topics)
    return Setup(model, states, state, settings)


def check_root(found: Motion | BodyMotion, expected: Motion, tolerance: float) -> None:
    """Compare the root link's motion, in world axes."""
    if isinstance(found, BodyMotion):
        rows = (x[1] for x in found[2:])
        found = Motion(found.position[1], quaternion_from_matrix(found.rotation[1]), *rows)
    assert abs(found.quaternion @ expected.quaternion) == pytest.approx(1.0, abs=tolerance)
    for name in ("position", *Motion._fields[2:]):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), abs=tolerance), name


def times(count: int = 40) -> list[float]:
    return [1.0 + 1e-3 * k for k in range(count)]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("base", ["floating", "prescribed"])
def test_odometry_of_a_frame_on_the_root_link_moves_the_root_link(base, place) -> None:
    rig = setup("odometry", base)
    for t in times():
        step = rig.odometry(odometry(t, place))
        assert step.complaints == ()
        assert step.moved.tolist() == [2]
    check_root(rig.bodies(), flight(times()[-1]), DIFFERENCE)
    assert rig.states.usable().tolist() == [True]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("heading", [0.0, 2.1])
def test_an_imu_adds_accelerations_to_odometry_whatever_its_north(place, heading) -> None:
    rig = setup("odometry_and_imu")
    for t in times():
        rig.odometry(odometry(t))
        assert rig.imu(imu(t, place, heading)).complaints == ()
    # Only the filtered angular acceleration lags.
    check_root(rig.bodies(), flight(times()[-1]), 1e-3)


@pytest.mark.parametrize("base", ["floating", "prescribed"])
@pytest.mark.parametrize("source", ["odometry", "imu", "odometry_and_imu"])
def test_both_kinds_of_base_move_every_body_alike(base, source) -> None:
    floating, other = setup(source, "floating"), setup(source, base)
    for rig in (floating, other):
        for t in times(5):
            if source != "imu":
                rig.odometry(odometry(t, "mast"))
            if source != "odometry":
                rig.imu(imu(t + 4e-4, "camera", 0.4))
        check_root(rig.bodies(), rig.base.motion, ROUNDING)
    for x, y in zip(floating.bodies(), other.bodies(), strict=True):
        assert x == pytest.approx(y, abs=1e-11)


@pytest.mark.parametrize("place", PLACES)
def test_an_imu_alone_gives_attitude_rates_and_acceleration_in_place(place) -> None:
    rig = setup("imu")
    for t in times():
        assert rig.imu(imu(t, place)).moved.tolist() == [2]
    truth = flight(times()[-1])
    still = np.zeros(3)
    check_root(rig.bodies(), truth._replace(position=still, linear_velocity=still), 1e-3)
    assert rig.states.usable().tolist() == [True]


def test_an_imu_at_rest_feels_gravity_and_shows_no_acceleration() -> None:
    rig = setup("imu")
    tilt = quaternion_from_matrix(rotation_from_rpy([0.4, -0.9, 2.0]))
    force = quaternion_to_matrix(tilt).T @ np.array([0.0, 0.0, 9.81])
    rig.imu(ImuSample(1, "rover", tilt, np.zeros(3), force))
    assert rig.base.motion.linear_acceleration == pytest.approx(np.zeros(3), abs=ROUNDING)


def test_another_gravity_is_the_one_that_is_added() -> None:
    rig = setup("imu")
    rig.base.gravity = np.array([0.0, 0.0, -1.62])
    rig.imu(ImuSample(1, "rover", np.array([0, 0, 0, 1.0]), np.zeros(3), np.zeros(3)))
    assert rig.base.motion.linear_acceleration.tolist() == [0.0, 0.0, -1.62]


def test_planar_odometry_on_a_slope_lets_no_gravity_into_the_acceleration() -> None:
    """The odometry knows the heading only, the IMU the true tilt and another north."""
    rig = setup("odometry_and_imu")
    heading = quaternion_from_matrix(rotation_from_rpy([0.0, 0.0, 0.9]))
    tilted = quaternion_from_matrix(
        rotation_from_rpy([0.0, 0.0, 2.0]) @ rotation_from_rpy([0.0, 0.3, 0.0])
    )
    along = np.array([0.5, 0.0, 0.0])
    force = along - quaternion_to_matrix(tilted).T @ GRAVITY
    rig.odometry(OdometrySample(1, "world", "rover", np.zeros(3), heading, np.zeros(6)))
    rig.imu(ImuSample(1, "rover", tilted, np.zeros(3), force))
    slope = rotation_from_rpy([0.0, 0.0, 0.9]) @ rotation_from_rpy([0.0, 0.3, 0.0])
    assert rig.base.motion.linear_acceleration == pytest.approx(slope @ along, abs=1e-9)
    assert rig.base.motion.quaternion == pytest.approx(heading, abs=ROUNDING)


def test_a_newer_imu_carries_attitude_and_rate_on_but_moves_no_frame() -> None:
    rig = setup("odometry_and_imu")
    rig.imu(imu(1.0, "mast", 0.7))
    rig.odometry(odometry(1.0))
    step = rig.imu(imu(1.1, "mast", 0.7))
    assert step.moved.size == 0
    now, then = flight(1.1), flight(1.0)
    assert abs(rig.base.motion.quaternion @ now.quaternion) == pytest.approx(1.0, abs=1e-9)
    assert rig.base.motion.angular_velocity == pytest.approx(now.angular_velocity, abs=1e-6)
    assert rig.base.motion.position == pytest.approx(then.position)
    assert rig.states.stamp.tolist() == [stamp(1.0)]
    rig.odometry(odometry(1.2))
    assert abs(rig.base.motion.quaternion @ flight(1.2).quaternion) == pytest.approx(1.0)


def test_an_imu_without_orientation_uses_the_odometrys_attitude() -> None:
    rig = setup("odometry_and_imu")
    for t in times():
        rig.odometry(odometry(t))
        rig.imu(imu(t, "camera", quaternion=None))
    check_root(rig.bodies(), flight(times()[-1]), 1e-3)


def test_a_stale_imu_gives_way_to_filtered_odometry_and_diagnostics_say_so() -> None:
    rig = setup("odometry_and_imu", settings=replace(PLAIN, stale_after=0.01))
    rig.imu(imu(1.0, linear_acceleration=np.array([50.0, 0.0, 0.0])))
    for t in times():
        rig.odometry(odometry(t))
    check_root(rig.bodies(), flight(times()[-1]), DIFFERENCE)
    told = {source.name: source.trouble for source in rig.base.sources}
    assert told["odometry"] == ""
    assert "IMU on /r1/imu older than stale_after" in told["IMU"]
    assert rig.states.reasons == [""]
    rig.imu(imu(1.04))
    assert rig.base.sources[1].trouble == ""


def test_nothing_is_valid_before_the_first_message_and_the_reason_names_the_topic() -> None:
    for source, text in (
        ("odometry", "no odometry yet on /r1/odom"),
        ("imu", "no IMU yet on /r1/imu"),
        ("odometry_and_imu", "no odometry yet on /r1/odom"),
    ):
        rig = setup(source)
        assert rig.states.reasons == [text]
        assert rig.states.stamp.tolist() == [NEVER]
        assert not rig.states.usable().any()
    rig.imu(imu(1.0))
    assert rig.states.reasons == ["no odometry yet on /r1/odom"]
    assert [source.stamp for source in rig.base.sources] == [NEVER, stamp(1.0)]


@pytest.mark.parametrize(
    ("missing", "text"),
    [("quaternion", "gives no orientation"), ("angular_velocity", "gives no angular velocity")],
)
def test_an_imu_alone_that_lacks_something_is_not_valid(missing: str, text: str) -> None:
    rig = setup("imu")
    rig.imu(imu(1.0, **{missing: None}))
    assert not rig.states.usable().any()
    assert text in rig.states.reasons[0]
    rig.imu(imu(1.1))
    assert rig.states.usable().all()


@pytest.mark.parametrize("prefix", ["", "r1/"])
def test_frames_carry_the_prefix_or_not(prefix: str) -> None:
    rig = setup("odometry", prefix=prefix)
    for k, name in enumerate((f"{prefix}mast", "mast")):
        step = rig.odometry(odometry(1.0 + 0.1 * k, "mast", child_frame_id=name))
        assert step.complaints == ()
        assert rig.base.motion.position == pytest.approx(flight(1.0 + 0.1 * k).position)


@pytest.mark.parametrize("name", ["base_footprint", "arm", "hand", "r2/rover", "rover/", "world"])
def test_a_frame_that_is_not_on_the_root_link_is_refused_with_what_it_should_be(name) -> None:
    for rig, send in (
        (setup("odometry", prefix="r1/"), lambda r: r.odometry(odometry(1.0, child_frame_id=name))),
        (setup("imu", prefix="r1/"), lambda r: r.imu(imu(1.0, frame_id=name))),
    ):
        step = send(rig)
        (told,) = (c for c in step.complaints if c.kind == "frame not on the root link")
        assert repr(name) in told.text
        assert "'r1/rover'" in told.text
        assert "'r1/mast'" in told.text
        assert "'r1/camera'" in told.text
        assert not told.once
        assert step.verdict is None
        assert not rig.states.usable().any()
        assert repr(name) in rig.states.reasons[0]


def test_a_wrong_frame_in_between_does_not_undo_what_is_known() -> None:
    rig = setup("odometry")
    rig.odometry(odometry(1.0))
    rig.odometry(odometry(1.1, child_frame_id="elsewhere"))
    assert rig.states.usable().all()
    assert rig.states.reasons == [""]
    assert "elsewhere" in rig.base.sources[0].trouble


def test_frames_left_out_mean_the_root_link_with_one_warning() -> None:
    rig = setup("odometry")
    for t in (1.0, 1.1):
        step = rig.odometry(odometry(t, child_frame_id="", frame_id="odom"))
        assert [c.kind for c in step.complaints] == ["odometry in another frame", "without frame"]
        assert all(c.once for c in step.complaints)
        assert "'odom'" in step.complaints[0].text
        assert "world_frame 'world'" in step.complaints[0].text
    assert rig.states.usable().all()


BAD = {
    "not finite": {"position": np.array([NAN, 0.0, 0.0])},
    "out of bounds": {"position": np.array([0.0, -2e9, 0.0])},
    "not a rotation": {"quaternion": np.zeros(4)},
    "not a rotation ": {"quaternion": np.array([0.0, 0.0, 0.0, 1.5])},
}


@pytest.mark.parametrize("kind", BAD)
def test_an_odometry_that_is_not_sane_is_not_used(kind: str) -> None:
    rig = setup("odometry_and_imu")
    rig.odometry(odometry(1.0))
    before = rig.states.q.copy()
    step = rig.odometry(odometry(1.01, **BAD[kind]))
    assert [c.kind for c in step.complaints] == [kind.strip()]
    assert step.moved.size == 0
    assert not rig.states.usable().any()
    assert "odometry" in rig.states.reasons[0]
    assert rig.states.q == pytest.approx(before)
    rig.odometry(odometry(1.02))
    assert rig.states.usable().all()


@pytest.mark.parametrize("bad", [INF, 1e10])
def test_a_twist_that_is_not_sane_leaves_the_pose_valid(bad: float) -> None:
    rig = setup("odometry")
    rig.odometry(odometry(1.0))
    step = rig.odometry(odometry(1.01, "mast", twist=np.full(6, bad)))
    assert len(step.complaints) == 1
    assert step.moved.tolist() == [2]
    assert rig.states.position_valid.all()
    assert not rig.states.velocity_valid.any()
    assert all(np.isfinite(x).all() for x in rig.states.inputs)


def test_velocity_without_a_twist_is_filtered_from_poses() -> None:
    nan = np.full(6, NAN)
    for rig, twist in (
        (setup("odometry"), {"twist": nan}),
        (setup("odometry", settings=Settings(choices=Choices(False, True, 0.0))), {}),
    ):
        rig.odometry(odometry(1.0, "mast", **twist))
        assert not rig.states.velocity_valid.any()
        assert "velocity" in rig.states.reasons[0]
        for t in times()[1:]:
            rig.odometry(odometry(t, "mast", **twist))
        check_root(rig.bodies(), flight(times()[-1]), DIFFERENCE)


@pytest.mark.parametrize("field", ["quaternion", "angular_velocity", "linear_acceleration"])
@pytest.mark.parametrize("bad", [NAN, INF, 1e10])
def test_what_is_not_sane_of_an_imu_is_as_if_not_given(field: str, bad: float) -> None:
    rig = setup("odometry_and_imu")
    rig.odometry(odometry(1.0))
    value = np.full(4 if field == "quaternion" else 3, bad)
    step = rig.imu(imu(1.001, "mast", **{field: value}))
    assert len(step.complaints) == 1
    assert "IMU" in step.complaints[0].text
    assert rig.base.sources[1].trouble
    assert all(np.isfinite(x).all() for x in rig.states.inputs)
    assert rig.states.usable().all()


def test_accelerations_switched_off_leave_what_an_imu_measures() -> None:
    settings = Settings(choices=Choices(filtered_acceleration=False))
    rig = setup("odometry_and_imu", settings=settings)
    for t in times(5):
        rig.odometry(odometry(t))
    assert not rig.base.motion.linear_acceleration.any()
    for t in times(5):
        rig.imu(imu(t))
    truth = flight(times(5)[-1])
    assert rig.base.motion.linear_acceleration == pytest.approx(truth.linear_acceleration, abs=1e-4)
    assert not rig.base.motion.angular_acceleration.any()


def test_a_message_without_a_stamp_is_given_the_nodes_time() -> None:
    rig = setup("odometry_and_imu")
    for step in (rig.odometry(odometry(1.0, stamp=0), 77), rig.imu(imu(1.0, stamp=0), 78)):
        assert [c.kind for c in step.complaints] == ["without stamp"]
        assert step.complaints[0].once
    assert rig.states.stamp.tolist() == [77]


def test_repeated_and_late_stamps_are_dropped_source_by_source() -> None:
    rig = setup("odometry_and_imu")
    rig.odometry(odometry(1.0))
    rig.imu(imu(1.0))
    for send, sample in ((rig.odometry, odometry), (rig.imu, imu)):
        for t, verdict in ((1.0, Verdict.REPEATED), (0.9, Verdict.LATE)):
            step = send(sample(t))
            assert (step.verdict, step.moved.size) == (verdict, 0)
            assert len(step.complaints) == 1
    check_root(rig.base.motion._replace(angular_acceleration=np.zeros(3)), flight(1.0), 2.0)
    assert rig.states.stamp.tolist() == [stamp(1.0)]


def test_a_clock_that_starts_over_forgets_both_sources() -> None:
    rig = setup("odometry_and_imu")
    for t in times(3):
        rig.odometry(odometry(t + 50.0))
        rig.imu(imu(t + 50.0))
    step = rig.odometry(odometry(1.0))
    assert step.verdict is Verdict.RESET
    assert [c.severity for c in step.complaints] == [Severity.WARN]
    assert rig.states.stamp.tolist() == [stamp(1.0)]
    assert rig.base.motion.position == pytest.approx(flight(1.0).position)
    assert rig.base.sources[1].stamp == NEVER
    rig.imu(imu(1.0))
    assert rig.states.stamp.tolist() == [stamp(1.0)]
    assert rig.states.usable().all()


def test_every_message_counts_where_stamps_are_ignored() -> None:
    rig = setup("odometry", settings=replace(PLAIN, ignore_timestamp=True))
    for t in (5.0, 5.0, 1.0):
        assert rig.odometry(odometry(t)).moved.tolist() == [2]


def test_reset_forgets_everything() -> None:
    rig = setup("odometry_and_imu")
    rig.odometry(odometry(1.0))
    rig.base.reset()
    assert not rig.states.usable().any()
    assert rig.states.q[:7].tolist() == [0.0] * 6 + [1.0]


def test_a_base_that_cannot_be_moved_is_refused() -> None:
    fixed, floating = rover("fixed"), rover("floating")
    for model, source in ((fixed, "odometry"), (floating, "none"), (floating, "gps")):
        plan = FramePlan(model)
        with pytest.raises(ArgumentError, match="base"):
            BaseState(plan, RootFrames(model), MultiDofStates(model, plan), source)


def test_a_robot_of_one_link_names_it_alone() -> None:
    builder = ModelBuilder("ball")
    builder.add_body("ball", mass=1.0)
    frames = RootFrames(builder.build("floating"), "p_")
    assert frames.names == ("p_ball",)
    assert frames.described() == "the root link 'p_ball'"
    assert frames.root_in("other") is None


def test_many_fixed_frames_make_a_text_of_bounded_length() -> None:
    builder = ModelBuilder("hedgehog")
    builder.add_body("hedgehog", mass=1.0)
    for k in range(200):
        builder.add_frame(f"spine{k}", "hedgehog")
    assert len(RootFrames(builder.build("floating")).described()) < 300
