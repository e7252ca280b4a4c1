"""Odometry and IMUs that are not as they should be: frames, numbers, stamps, clocks."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from base_rig import (
    PLAIN,
    check_root,
    imu,
    odometry,
    rover,
    setup,
    stamp,
    times,
)
from moving_frame import flight
from robodyn_ros.conditioning.base_state import BaseState
from robodyn_ros.conditioning.complaints import Severity
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.multi_dof import MultiDofStates
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.root_frames import RootFrames
from robodyn_ros.conditioning.stamps import NEVER, Verdict
from robodyn_ros.errors import ArgumentError
from robodyn_ros.model import ModelBuilder

NAN, INF = math.nan, math.inf
ROUNDING = 1e-12
DIFFERENCE = 5e-3
"""Backward differences 1 ms apart of motions of order 1 lag by half a step each."""


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
        assert [c.kind for c in step.complaints] == ["odometry not in world_frame", "without frame"]
        assert all(c.once for c in step.complaints)
        assert "'odom'" in step.complaints[0].text
        assert "world_frame 'world'" in step.complaints[0].text
    assert rig.states.usable().all()


@pytest.mark.parametrize("prefix", ["", "r1/"])
@pytest.mark.parametrize(
    ("frame_id", "remedy"),
    [
        ("odom", "start with world_frame:=odom if the robot moves in that frame"),
        ("r2/odom", "start with world_frame:=r2/odom if the robot moves in that frame"),
        ("two words", "start with world_frame:='two words' if the robot moves in that frame"),
        ("a\nb", "start with world_frame:='a\\nb' if the robot moves in that frame"),
        ("", "set its header.frame_id to 'world'"),
        ("{prefix}mast", "a frame of the robot: set its header.frame_id to what it moves in"),
    ],
)
def test_odometry_in_another_frame_is_told_with_the_remedy(
    prefix: str, frame_id: str, remedy: str
) -> None:
    rig = setup("odometry", prefix=prefix)
    frame_id = frame_id.format(prefix=prefix)
    (told,) = rig.odometry(odometry(1.0, frame_id=frame_id)).complaints
    assert told.kind == "odometry not in world_frame"
    assert repr(frame_id) in told.text
    assert told.text.endswith(remedy)
    assert rig.states.usable().all()


def test_odometry_in_the_frame_that_the_remedy_names_is_not_complained_of() -> None:
    model = rover("floating")
    plan = FramePlan(model, world_frame="odom")
    states = MultiDofStates(model, plan)
    base = BaseState(plan, RootFrames(model), states, "odometry")
    assert base.take_odometry(odometry(1.0, frame_id="odom"), stamp(1.0), PLAIN).complaints == ()


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
