"""What is sent: ramped, bounded, finite, and the safe form where something is wrong."""

from __future__ import annotations

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.control import (
    Commanded,
    EffortShaper,
    Fault,
    FaultKind,
    GravityLaw,
    RobotState,
    SafeForm,
    SafeGains,
    SafeLaw,
    Supervisor,
)
from robodyn_ros.errors import ArgumentError, UnknownNameError

STALE = Fault(FaultKind.STALE_STATE, "silent")


class NotFinite:
    """A law that goes wrong."""

    def begin(self, state: RobotState) -> None:
        """Do nothing."""

    def effort(self, state: RobotState) -> np.ndarray:
        """Return what no motor can do."""
        return np.full_like(state.v, np.nan)


def supervised(robot: rd.Robot, law=None, form=SafeForm.HOLD_GRAVITY, **more) -> Supervisor:
    nv = robot.model.nv
    commanded = Commanded.of(robot.model, (), dict.fromkeys(robot.model.coordinate_names, 200.0))
    shaper = EffortShaper(np.full(nv, 200.0), more.get("slew", 0.0), more.get("ramp", 0.0))
    gains = SafeGains(6.0, 3.0)
    return Supervisor(
        robot,
        law or GravityLaw(robot, robot, np.full(nv, 2.0), 0.0),
        commanded,
        shaper,
        SafeLaw(robot, robot, gains, commanded),
        dict.fromkeys(FaultKind, form),
        driver_compensates_gravity=more.get("compensated", False),
    )


@pytest.fixture
def state(robot: rd.Robot, rng: np.random.Generator) -> RobotState:
    return RobotState(robot.random_configuration(rng), rng.normal(size=robot.model.nv), 0)


def test_inactive_means_nothing(robot, state) -> None:
    made = supervised(robot)
    assert made.command(0.0, state) is None
    made.activate(0.0, state, None)
    assert made.command(0.1, state) is not None
    assert made.command(0.2, None) is None  # nothing new, nothing wrong
    made.deactivate()
    assert made.command(0.3, state) is None
    assert not made.fail(STALE)


def test_it_ramps_in_from_what_it_is_given(robot, state) -> None:
    made = supervised(robot, ramp=1.0)
    start = np.full(robot.model.nv, 3.0)
    made.activate(10.0, state, start)
    wanted = robot.gravity_force(state.q) - 2.0 * state.v
    np.testing.assert_allclose(made.command(10.0, state).effort, start)
    np.testing.assert_allclose(made.command(10.5, state).effort, 0.5 * (start + wanted))
    np.testing.assert_allclose(made.command(11.0, state).effort, wanted)


def test_efforts_keep_their_limits_and_their_pace() -> None:
    shaper = EffortShaper(np.array([10.0, 1.0]), slew_time=0.1, ramp_time=0.0)
    shaper.begin(0.0, np.zeros(2))
    shaped = shaper.shape(0.01, np.array([50.0, -0.05]))
    np.testing.assert_allclose(shaped.effort, [1.0, -0.05])
    assert shaped.saturated.tolist() == [True, False]
    assert shaped.slowed.tolist() == [True, False]
    np.testing.assert_allclose(shaper.shape(5.0, np.array([50.0, -9.0])).effort, [10.0, -1.0])
    np.testing.assert_allclose(shaper.shape(4.0, np.array([0.0, 0.0])).effort, [10.0, -1.0])


def test_the_weight_is_held_where_it_was_while_nothing_comes(robot, state) -> None:
    made = supervised(robot)
    made.activate(0.0, state, None)
    made.command(0.0, state)
    assert made.fail(STALE)
    assert not made.fail(STALE)
    np.testing.assert_allclose(made.command(0.2, None).effort, robot.gravity_force(state.q))
    damped = robot.gravity_force(state.q) - 3.0 * robot.mass_matrix(state.q) @ state.v
    np.testing.assert_allclose(made.command(0.3, state).effort, damped)


def test_a_position_is_held_where_the_fault_was(robot, state) -> None:
    made = supervised(robot, form=SafeForm.HOLD_POSITION)
    made.activate(0.0, state, None)
    made.command(0.0, state)
    made.fail(STALE)
    later = RobotState(robot.integrate(state.q, state.v, 0.01), state.v, 10**7)
    error = robot.difference(later.q, state.q)
    pull = robot.mass_matrix(later.q) @ (36.0 * error - 12.0 * later.v)
    wanted = robot.gravity_force(later.q) + pull
    np.testing.assert_allclose(made.command(0.01, later).effort, wanted)
    stale = made.command(0.02, None)
    np.testing.assert_allclose(stale.effort, robot.gravity_force(later.q))


def test_stop_sends_nothing_and_wins(robot, state) -> None:
    made = supervised(robot)
    made._forms[FaultKind.DEADMAN] = SafeForm.STOP
    made.activate(0.0, state, None)
    made.fail(STALE)
    made.fail(Fault(FaultKind.DEADMAN, "let go"))
    assert made.command(0.1, state) is None
    made.clear(1.0, state)
    assert made.command(1.1, state) is not None


def test_what_is_not_finite_is_never_sent(robot, state) -> None:
    made = supervised(robot, NotFinite())
    made.activate(0.0, state, None)
    sent = made.command(0.0, state)
    assert FaultKind.NOT_FINITE in made.faults
    np.testing.assert_allclose(
        sent.effort, robot.gravity_force(state.q) - 3.0 * robot.mass_matrix(state.q) @ state.v
    )
    lost = RobotState(np.full_like(state.q, np.nan), state.v, 0)
    np.testing.assert_array_equal(made.command(0.1, lost).effort, sent.effort)


def test_a_law_that_fails_is_a_fault_with_its_reason(robot, state) -> None:
    class Failing(NotFinite):
        def effort(self, state: RobotState) -> np.ndarray:
            return np.linalg.inv(np.zeros((2, 2)))

    made = supervised(robot, Failing())
    made.activate(0.0, state, None)
    assert np.isfinite(made.command(0.0, state).effort).all()
    assert "Singular matrix" in made.faults[FaultKind.NOT_FINITE].text


def test_a_safe_form_that_fails_repeats_what_was_sent_last(robot, state, monkeypatch) -> None:
    made = supervised(robot)
    made.activate(0.0, state, None)
    last = made.command(0.0, state).effort.copy()
    made.fail(STALE)

    def failing(*_: object, **__: object) -> np.ndarray:
        raise ArgumentError("no such thing")

    monkeypatch.setattr(made._safe, "effort", failing)
    for given in (None, state):
        np.testing.assert_array_equal(made.command(1.0, given).effort, last)
    told = [fault.text for fault in made.untold]
    assert len(told) == 2
    assert told[1] == (
        "the safe form gave no finite efforts (no such thing): what was sent last is repeated"
    )


def test_a_position_is_held_where_the_state_is_by_which_the_fault_is_found(robot, state) -> None:
    made = supervised(robot, form=SafeForm.HOLD_POSITION)
    made.activate(0.0, state, None)
    moved = state._replace(q=state.q + 0.1, v=np.zeros_like(state.v))
    made.see(moved)
    made.fail(STALE)
    effort = made.command(1.0, moved).effort
    np.testing.assert_allclose(effort, robot.gravity_force(moved.q), atol=1e-9)


def test_a_driver_that_holds_the_weight_is_not_sent_it(robot, state) -> None:
    made = supervised(robot, compensated=True)
    made.activate(0.0, state, None)
    np.testing.assert_allclose(made.command(0.0, state).effort, -2.0 * state.v, atol=1e-12)


def test_clearing_ramps_from_what_is_sent(robot, state) -> None:
    made = supervised(robot, ramp=1.0)
    made.activate(0.0, state, np.zeros(robot.model.nv))
    made.fail(STALE)
    last = made.command(5.0, None).effort
    made.clear(6.0, state)
    assert made.form is None
    np.testing.assert_allclose(made.command(6.0, state).effort, last)


def test_commands_have_the_order_that_is_asked_for(robot) -> None:
    names = robot.model.coordinate_names
    made = Commanded.of(robot.model, names[::-1])
    assert made.names == names[::-1]
    assert made.column.tolist() == list(range(len(names)))[::-1]
    with pytest.raises(UnknownNameError, match=names[0]):
        Commanded.of(robot.model, [names[0] + "x"])
    with pytest.raises(ArgumentError, match="twice"):
        Commanded.of(robot.model, [names[0], names[0]])


def test_a_joint_without_a_limit_is_named(robot) -> None:
    names = robot.model.coordinate_names
    limits = dict.fromkeys(names, 10.0)
    assert not Commanded.of(robot.model, (), limits).without_limit
    builder = rd.load(
        '<robot name="r"><link name="a"/><joint name="j" type="continuous">'
        '<parent link="a"/><child link="b"/></joint><link name="b"><inertial>'
        '<mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        "</inertial></link></robot>",
        compile="off",
    )
    assert Commanded.of(builder.model, ()).without_limit == ("j",)
    assert not Commanded.of(builder.model, (), {"j": 2.0}).without_limit
