"""Rows of a bag are what the library computes for its states, whatever the messages look like."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bag_files import SECOND, START, Message, joint_state, stamps, states
from robodyn_ros.bags import Block, Choices, Conditioning, EffortReports, replay
from robodyn_ros.bags import states as states_module
from robodyn_ros.bags.evaluation import TERMS
from robodyn_ros.robot import Robot

EXACT = 1e-12
NO_ACCELERATION = Choices(conditioning=Conditioning(filtered_acceleration=False))


def in_order(messages: list[Message]) -> list[Message]:
    """Return messages recorded one after the other, whatever their stamps are."""
    return [x._replace(received=START + k * SECOND // 100) for k, x in enumerate(messages)]


def joined(bag: Path, robot: Robot, choices: Choices | None = None) -> Block:
    """Return all rows of a bag as one block."""
    blocks = list(replay(bag, robot, choices))
    fields = {
        name: np.concatenate([getattr(block, name) for block in blocks])
        for name in Block.__dataclass_fields__
        if name not in ("terms", "bodies")
    }
    terms = {name: np.concatenate([block.terms[name] for block in blocks]) for name in TERMS}
    return Block(**fields, terms=terms, bodies=None)


@pytest.mark.parametrize("storage", ["sqlite3", "mcap"])
@pytest.mark.parametrize("compression", ["", "file", "message"])
def test_rows_are_those_of_the_library(make, arm, run, storage: str, compression: str) -> None:
    bag = make(run, storage=storage, compression=compression)
    found = joined(bag, arm, NO_ACCELERATION)
    t, q, v, _ = states(300, arm.model.nv)
    assert found.stamp.tolist() == stamps(t)
    assert found.time == pytest.approx(t, abs=1e-9)
    assert (found.q == q).all()
    assert (found.velocity == v).all()
    assert not found.acceleration.any()
    terms = arm.effort_terms(q, v)
    for name in TERMS:
        assert found.terms[name] == pytest.approx(getattr(terms, name), abs=EXACT)
    assert found.effort == pytest.approx(arm.inverse_dynamics(q, v, friction=True), abs=EXACT)
    energy = arm.energy(q, v)
    assert found.kinetic == pytest.approx(energy.kinetic, abs=EXACT)
    assert found.potential == pytest.approx(energy.potential, abs=EXACT)
    assert found.valid.all()
    assert found.residual == pytest.approx(found.measured - found.effort, abs=EXACT)


@pytest.mark.parametrize("storage", ["sqlite3", "mcap"])
def test_a_file_alone_is_a_bag(make, arm, run, storage: str) -> None:
    bag = make(run, storage=storage)
    file = next(x for x in bag.iterdir() if x.suffix in (".db3", ".mcap"))
    assert (joined(file, arm).effort == joined(bag, arm).effort).all()


def test_residuals_of_what_the_model_itself_asks_for_are_small(make, arm, run) -> None:
    found = joined(make(run), arm)
    inner = slice(20, -20)
    scale = np.max(np.abs(found.measured), axis=0)
    assert np.max(np.abs(found.residual[inner]) / scale) < 0.02


def test_derivatives_of_positions_alone(make, arm) -> None:
    names = arm.model.coordinate_names
    t, q, v, a = states(600, arm.model.nv)
    bag = make([joint_state(names, q[k], stamp=s) for k, s in enumerate(stamps(t))])
    found = joined(bag, arm)
    inner = slice(20, -20)
    assert found.velocity[inner] == pytest.approx(v[inner], abs=0.02)
    assert found.acceleration[inner] == pytest.approx(a[inner], abs=0.1)
    assert np.isnan(found.measured).all()
    assert np.isnan(found.residual).all()


def test_names_come_in_any_order_and_in_part(make, arm) -> None:
    names = list(arm.model.coordinate_names)
    t, q, v, _ = states(200, arm.model.nv)
    messages: list[Message] = []
    for k, stamp in enumerate(stamps(t)):
        order = list(np.random.default_rng(k).permutation(len(names)))
        messages += [
            joint_state([names[i] for i in part], q[k, part], v[k, part], stamp=stamp)
            for part in (order[:3], order[3:])
        ]
    found = joined(make(messages), arm, NO_ACCELERATION)
    assert len(found) == 2 * 200 - 1  # not before all joints were told
    assert (found.q[::2] == q).all()
    assert (found.velocity[::2] == v).all()


def test_two_publishers_at_rates_of_their_own(make, arm) -> None:
    names = list(arm.model.coordinate_names)
    t, q, v, _ = states(400, arm.model.nv)
    messages = []
    for k, stamp in enumerate(stamps(t)):
        messages.append(joint_state(names[:-1], q[k, :-1], v[k, :-1], stamp=stamp))
        if k % 10 == 0:
            messages.append(joint_state(names[-1:], q[k, -1:], stamp=stamp + 1000))
    found = joined(make(messages), arm)
    assert found.valid[30:].all()
    assert (found.q[1:12, -1] == q[0, -1]).sum() == 10
    slow = found.velocity[100:300, -1]
    assert np.max(np.abs(slow - np.interp(found.time[100:300], t, v[:, -1]))) < 0.3


def test_what_is_old_is_not_valid(make, arm) -> None:
    names = list(arm.model.coordinate_names)
    t, q, v, _ = states(400, arm.model.nv)
    messages = [
        joint_state(
            names if k < 100 else names[:-1],
            *(x[k, : None if k < 100 else -1] for x in (q, v)),
            stamp=s,
        )
        for k, s in enumerate(stamps(t))
    ]
    found = joined(make(messages), arm)
    assert found.valid[:200].all()
    assert not found.valid[201:, -1].any()
    assert found.q[-1, -1] == q[99, -1]
    never = Choices(conditioning=Conditioning(stale_after=0.0))
    assert joined(make(messages, "again"), arm, never).valid.all()


def test_a_bag_that_loops_starts_over(make, arm, run) -> None:
    bag = make(run + [m._replace(received=m.received + 10 * SECOND) for m in run])
    one = replay(bag, arm)
    found = list(one)
    assert one.counts["clock resets"] == 1
    assert len(found) == 2
    first, second = found
    assert set(second.segment) == {1}
    for name in ("q", "velocity", "acceleration", "effort", "stamp"):
        assert (getattr(first, name) == getattr(second, name)).all()
    assert second.time[0] == pytest.approx(first.time[-1] + 0.01)


def test_repeated_and_late_messages_are_dropped(make, arm, run) -> None:
    messages = [*run[:50], run[49], run[45], *run[50:]]
    one = replay(make(in_order(messages)), arm)
    found = list(one)
    assert sum(map(len, found)) == 300
    assert (one.counts["repeated"], one.counts["late"]) == (1, 1)


def test_a_message_of_before_a_reset_does_not_come_back(make, arm, run) -> None:
    early = [
        joint_state(
            arm.model.coordinate_names, [0.1 * k] * arm.model.nv, stamp=SECOND + k * SECOND // 100
        )
        for k in range(50)
    ]
    messages = [*run, *early[:20], run[-1], *early[20:]]
    one = replay(make(in_order(messages)), arm)
    assert [len(block) for block in one] == [300, 50]
    assert one.counts["late"] == 1


def test_messages_without_a_stamp_have_their_time_of_recording(make, arm) -> None:
    names = arm.model.coordinate_names
    t, q, _, _ = states(100, arm.model.nv)
    bag = make([joint_state(names, q[k], stamp=0, received=s) for k, s in enumerate(stamps(t))])
    one = replay(bag, arm)
    found = list(one)
    assert found[0].stamp.tolist() == stamps(t)
    assert one.counts["without stamp"] == 100


def test_numbers_that_are_not_sane_make_efforts_invalid(make, arm) -> None:
    names = arm.model.coordinate_names
    t, q, v, _ = states(200, arm.model.nv)
    q[50, 1] = np.nan
    q[80, 2] += 1.0
    messages = [
        joint_state(names, q[k], v[k], np.ones(len(names)), stamp=s)
        for k, s in enumerate(stamps(t))
    ]
    one = replay(make(messages), arm)
    (found,) = list(one)
    assert one.insane == {names[1]: 1}
    assert one.outliers == {names[2]: 1}
    assert np.flatnonzero(~found.valid.all(axis=1)).tolist() == [50, 80]
    assert not found.valid[50, 0]  # it carries joint 2
    assert np.isnan(found.residual[50, 0])
    assert np.isfinite(found.effort).all()
    assert found.q[50, 1] == q[49, 1]


def test_a_part_of_the_time(make, arm, run) -> None:
    bag = make(run)
    found = joined(bag, arm, Choices(start=0.5, end=1.0))
    assert found.stamp[0] == START + SECOND // 2
    assert found.stamp[-1] == START + SECOND - SECOND // 100
    assert found.time[0] == 0.0


def test_chunks_make_no_difference(make, arm, run, monkeypatch: pytest.MonkeyPatch) -> None:
    bag = make(run)
    at_once = joined(bag, arm)
    monkeypatch.setattr(states_module, "CHUNK", 37)
    monkeypatch.setattr(states_module, "_MARGIN", 0.3)
    blocks = list(replay(bag, arm))
    assert len(blocks) > 4
    in_chunks = joined(bag, arm)
    for name in ("q", "velocity", "effort", "valid", "time"):
        assert getattr(in_chunks, name) == pytest.approx(getattr(at_once, name), abs=1e-9)


def test_a_replay_can_be_iterated_over_again(make, arm, run) -> None:
    one = replay(make(run), arm)
    first, second = list(one), list(one)
    assert (first[0].effort == second[0].effort).all()
    assert one.counts["rows"] == 300


def test_efforts_have_units_and_gains(make, arm, run) -> None:
    names = arm.model.coordinate_names
    bag = make(run)
    plain = joined(bag, arm)
    reports = EffortReports(units={"": "A", names[0]: "unknown"}, gains={"": 2.0, names[1]: -3.0})
    one = replay(bag, arm, Choices(efforts=reports))
    (found,) = list(one)
    assert np.isnan(found.measured[:, 0]).all()
    assert found.measured[:, 1] == pytest.approx(-3.0 * plain.measured[:, 1])
    assert found.measured[:, 2] == pytest.approx(2.0 * plain.measured[:, 2])
    assert list(one.refused) == [names[0]]


def test_a_driver_that_compensates_gravity(make, arm, run) -> None:
    arm.set_payload(arm.model.body_names[-1], 2.0, (0.0, 0.0, 0.1))
    names = arm.model.coordinate_names
    t, q, v, _ = states(100, arm.model.nv)
    terms = arm.effort_terms(q, v)
    weight = arm.effort_terms(q)
    sent = terms.total - weight.gravity - weight.payload
    bag = make([joint_state(names, q[k], v[k], sent[k], stamp=s) for k, s in enumerate(stamps(t))])
    choices = Choices(
        conditioning=NO_ACCELERATION.conditioning,
        efforts=EffortReports(driver_compensates_gravity=True),
    )
    assert np.max(np.abs(joined(bag, arm, choices).residual)) < EXACT * 1e2


def test_friction_may_be_left_out(make, arm, run) -> None:
    found = joined(make(run), arm, Choices(friction=False))
    assert not found.terms["friction"].any()
    assert found.effort == pytest.approx(sum(found.terms.values()), abs=EXACT)


def test_bodies_move_as_the_library_says(make, arm, run) -> None:
    (found,) = list(replay(make(run), arm, Choices(bodies=True)))
    motion = arm.body_motion(found.q, found.velocity, found.acceleration)
    assert found.bodies is not None
    assert found.bodies.position == pytest.approx(motion.position)


def test_efforts_in_messages_of_their_own(make, arm) -> None:
    names = arm.model.coordinate_names
    t, q, v, _ = states(100, arm.model.nv)
    messages = []
    for k, stamp in enumerate(stamps(t)):
        messages.append(joint_state(names, q[k], v[k], stamp=stamp))
        messages.append(joint_state(names, effort=np.full(len(names), k), stamp=stamp))
    found = joined(make(messages), arm)
    assert len(found) == 200
    assert found.measured[1::2, 0].tolist() == list(range(100))
    assert found.valid.all()
