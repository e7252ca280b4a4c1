"""Multi-DOF joint states: names, lengths, stamps, and who moves the base."""

from __future__ import annotations

import math

import numpy as np
import pytest

from moving_frame import flight
from multi_dof_rig import IDENTITY, MS, Setup, kinds, mixed, one_joint
from robodyn_ros.conditioning.complaints import Severity
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.stamps import NEVER, Verdict
from robodyn_ros.description import load_model
from robodyn_ros.joints import Floating, Planar, Revolute
from robodyn_ros.model import ModelBuilder
from robodyn_ros.spatial import (
    quaternion_from_matrix,
)
from robots import OWN_ROBOTS

NAN, INF = math.nan, math.inf
ROUNDING = 1e-12


def test_values_go_by_name_and_leave_other_coordinates_alone() -> None:
    setup = Setup(mixed())
    names = setup.plan.multi_slots.names
    assert sorted(names) == ["right_shoulder", "string"]
    poses = {"string": (1.0, 2.0, 3.0, 0, 0, 0, 1), "right_shoulder": (0.1, 0, 0.2, 0, 0, 0, 1)}
    order = ["string", "right_shoulder"]
    step = setup.take(order, [poses[name] for name in order])
    assert sorted(step.moved) == [len(setup.plan.slots), len(setup.plan.slots) + 1]
    assert setup.states.q[setup.plan.multi[names.index("string")].q][:3].tolist() == [1, 2, 3]
    others = [k for k, name in enumerate(setup.plan.slots.names) if "/" not in name]
    assert setup.states.q[setup.plan.q_index[others]].tolist() == [0.0] * len(others)
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
    assert inputs[3][:3] == pytest.approx(flight(0.3).position)


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
