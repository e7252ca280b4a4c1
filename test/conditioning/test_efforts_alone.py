"""Joint states with nothing but efforts: measured efforts are new, positions grow old."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros import load
from robodyn_ros.conditioning.complaints import Severity
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.path_dynamics import PathDynamics
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.stamps import Verdict
from robodyn_ros.conditioning.state_path import StatePath
from state_path_rig import MS, ROBOTS

DRIVEN = Settings(choices=Choices(forward_dynamics=True, outlier_rejection=False))


def path_of(settings: Settings = DRIVEN) -> StatePath:
    robot = load(ROBOTS / "skew_axes.urdf", compile="off")
    return StatePath(robot, FramePlan(robot.model), settings)


def test_they_change_accelerations_and_nothing_else() -> None:
    path = path_of()
    names = path.plan.slots.names
    zeros = [0.0] * len(names)
    path.take(names, zeros, zeros, zeros, 10 * MS)
    q, v, before = path.result.q, path.result.v, path.result.a
    step = path.take(names, (), (), [2.0] * len(names), 310 * MS)
    assert step.bodies
    assert len(step.frames) == 0  # no old position is stamped anew
    assert step.verdict is Verdict.NEW
    assert not step.complaints
    assert np.array_equal(path.result.q, q)
    assert np.array_equal(path.result.v, v)
    assert np.abs(path.result.a - before).max() > 0.1
    _, age = path.validity(310 * MS)
    assert age.max() == pytest.approx(0.3)
    assert path.accelerated(310 * MS).all()
    path.take(names, (), (), [2.0] * len(names), 2010 * MS)
    valid, age = path.validity(2010 * MS)
    assert age.max() == pytest.approx(2.0)
    assert not valid[age > 0.0].any()
    assert not path.accelerated(2010 * MS).any()
    assert "is not known" in path.acceleration_troubles(2010 * MS)[names[0]]


def test_measured_efforts_are_those_and_positions_keep_their_stamps() -> None:
    path = path_of(Settings())
    dynamics = PathDynamics(path)
    names = path.plan.slots.names
    path.take(names, [0.2] * len(names), (), (), 10 * MS)
    dynamics.want()
    step = path.take(names, (), (), [3.0] * len(names), 20 * MS)
    assert step.bodies
    assert len(step.frames) == 0
    assert dynamics.measured.value.tolist() == [3.0] * len(names)
    assert dynamics.measured.is_complete(20 * MS)
    assert path.joints.age(20 * MS) == pytest.approx(0.01)
    assert path.result.q == pytest.approx(np.full(len(names), 0.2))


def test_they_pass_other_messages_by() -> None:
    """Three publishers with the same stamps, one for each kind: none is taken for a repetition."""
    path = path_of()
    names = path.plan.slots.names
    some = [0.1] * len(names)
    for stamp in (10 * MS, 20 * MS):
        assert path.take(names, some, (), (), stamp).verdict is Verdict.NEW
        assert path.take(names, (), some, (), stamp).verdict is Verdict.NEW
        assert path.take(names, (), (), some, stamp).verdict is Verdict.NEW
    assert path.take(names, (), (), some, 20 * MS).verdict is Verdict.REPEATED
    assert path.take(names, (), (), some, 15 * MS).verdict is Verdict.LATE


def test_a_name_of_many_is_enough() -> None:
    path = path_of()
    names = path.plan.slots.names
    zeros = [0.0] * len(names)
    path.take(names, zeros, zeros, (), 10 * MS)
    path.take(names[:1], (), (), [1.5], 20 * MS)
    assert path.drive.efforts.value[0] == 1.5
    assert set(path.acceleration_troubles(20 * MS)) == set(names[1:])


def test_where_nobody_asks_for_efforts_they_are_left_and_it_is_said() -> None:
    path = path_of(Settings())
    names = path.plan.slots.names
    step = path.take(names, (), (), [1.0] * len(names), 10 * MS)
    assert step.verdict is None
    assert not step.bodies
    assert path.stamp is None
    (told,) = step.complaints
    assert told.severity is Severity.INFO
    assert told.kind == "efforts only"
    step = path.take(["nobody"], (), (), [1.0], 10 * MS)
    assert "efforts only" not in {x.kind for x in step.complaints}


def test_before_any_position_they_move_nothing() -> None:
    path = path_of()
    names = path.plan.slots.names
    step = path.take(names, (), (), [1.0] * len(names), 10 * MS)
    assert len(step.frames) == 0
    _, age = path.validity(10 * MS)
    assert (age[path.plan.rests_on.any(axis=1)] == -1.0).all()
    assert not path.accelerated(10 * MS).any()
