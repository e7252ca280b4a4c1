"""Efforts of a state path: computed with the motion, measured, and what they rest on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from differentiation import error
from effort_paths import DEMO_ARM, UNFILTERED, move, on_every_base, surrounded
from robodyn_ros import load
from robodyn_ros.algorithms import effort_terms
from robodyn_ros.algorithms.energy import energy
from robodyn_ros.conditioning.dynamics_step import Efforts, evaluate_of
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.path_dynamics import PathDynamics
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.robot import Robot
from state_path_rig import MS, path_of, take

pytestmark = pytest.mark.usefixtures("compiling_here")

TOLERANCE = 1e-12  # a few roundings of numbers of order 1, norm-wise


def moved(robot: Robot, settings: Settings = UNFILTERED) -> PathDynamics:
    """Return the dynamics of a path whose joints move, with two samples each."""
    path = StatePath(robot, FramePlan(robot.model), settings)
    dynamics = PathDynamics(path)
    assert dynamics.want(wait=True) is (robot.compile_mode == "wait")
    move(path)
    return dynamics


@pytest.mark.parametrize("compile", ["wait", "off"])
@on_every_base
def test_efforts_are_those_of_the_library_in_one_step(file: Path, base: str, compile: str) -> None:
    robot = surrounded(file, compile, base)
    dynamics = moved(robot)
    result, block = dynamics.path.result, dynamics.block()
    assert (result.dynamics is not None) is (compile == "wait")
    state = (result.q, result.v, result.a)
    assert np.abs(result.a).max() > 0.1
    found = Efforts(*block.efforts)
    expected = effort_terms(robot.model, *state, environment=robot.environment)
    for name in Efforts._fields[:-1]:
        assert error(getattr(found, name), getattr(expected, name)) <= TOLERANCE, name
    zeros = np.zeros(robot.model.nv)
    weight = effort_terms(robot.model, state[0], zeros, zeros, environment=robot.environment)
    assert error(found.payload_weight, weight.payload) <= TOLERANCE
    kinetic, potential = energy(robot.model, *state[:2], environment=robot.environment)
    assert error(block.energies, np.array([kinetic, potential])) <= TOLERANCE


def test_the_motion_is_the_same_bit_for_bit_with_and_without_efforts() -> None:
    robot = load(DEMO_ARM, compile="wait")
    with_efforts = moved(robot)
    alone = StatePath(robot, FramePlan(robot.model), UNFILTERED)
    move(alone)
    for name in ("memory", "q", "v", "a", "relative", "bodies"):
        x, y = (getattr(path.result, name) for path in (with_efforts.path, alone))
        assert np.array_equal(x, y), name


def test_a_payload_comes_and_goes_by_the_same_kernel_and_leaves_no_trace() -> None:
    robot = load(DEMO_ARM, compile="wait")

    def efforts() -> Efforts:
        dynamics.path.joints.reset()
        dynamics.follow(robot.environment)
        move(dynamics.path)
        assert dynamics.path.result.dynamics is not None
        return Efforts(*dynamics.block().efforts)

    dynamics = moved(robot)
    before = efforts()
    robot.set_payload(robot.model.body_names[-1], 2.0, (0.0, 0.0, 0.1))
    payload = efforts()
    assert np.abs(payload.payload).max() > 1.0
    assert payload.gravity == pytest.approx(before.gravity)
    robot.clear_payload()
    assert np.array_equal(efforts(), before)
    dynamics.leave()
    move(dynamics.path)
    assert not dynamics.is_wanted


def test_gravity_alone_can_change() -> None:
    dynamics = moved(load(DEMO_ARM, compile="off"))
    heavy = Efforts(*dynamics.block().efforts).gravity
    dynamics.set_gravity(np.array([0.0, 0.0, -4.905]))
    assert Efforts(*dynamics.block().efforts).gravity == pytest.approx(0.5 * heavy)


def test_an_effort_rests_on_its_joint_on_what_carries_it_and_on_what_it_carries() -> None:
    path = path_of("every_joint.urdf")
    model = path.robot.model
    support = PathDynamics(path).support
    everything = np.ones(len(path.plan.slots) + len(path.plan.multi), dtype=bool)
    assert support.valid(everything).all()
    names = [*path.plan.slots.names, *path.plan.multi_slots.names]
    for slot, name in enumerate(name.partition("/")[0] for name in names):
        usable = everything.copy()
        usable[slot] = False
        valid = support.valid(usable)
        bodies = [body for body, joint in model.moving if name in (joint.name, joint.driver)]
        concerned = {
            joint.driver or joint.name
            for body in bodies
            for other in (*model.subtree(body), *model.support(body))
            if (joint := model.joints[other]) is not None
        }
        for column, coordinate in enumerate(model.coordinate_names):
            owner = coordinate.partition("/")[0]
            assert valid[column] == (owner not in concerned), (name, coordinate)


def test_an_effort_is_valid_once_position_velocity_and_acceleration_are_known() -> None:
    path = path_of("skew_axes.urdf", UNFILTERED)
    dynamics = PathDynamics(path)
    names = path.plan.slots.names
    assert not dynamics.valid(0).any()
    for at, expected in ((10, False), (20, True)):
        take(path, dict.fromkeys(names, 0.1), at, velocity=[0.5] * len(names))
        assert dynamics.valid(at * MS).all() == expected
    assert not dynamics.valid(5000 * MS).any(), "too old by then"
    take(path, {names[-1]: float("nan")}, 30)
    assert not dynamics.valid(30 * MS).any(), "one joint of the chain is not known"


def test_without_accelerations_efforts_are_those_at_constant_speed_and_valid() -> None:
    settings = Settings(choices=Choices(filtered_acceleration=False))
    path = path_of("skew_axes.urdf", settings)
    dynamics = PathDynamics(path)
    names = path.plan.slots.names
    take(path, dict.fromkeys(names, 0.1), 10, velocity=[0.5] * len(names))
    assert dynamics.valid(10 * MS).all()
    assert not Efforts(*dynamics.block().efforts).inertial.any()


def test_measured_efforts_are_kept_by_joint_and_refused_where_odd() -> None:
    path = path_of("skew_axes.urdf")
    dynamics = PathDynamics(path)
    names = path.plan.slots.names
    values = dict.fromkeys(names, 0.1)
    take(path, values, 10, effort=[1.0] * len(names))
    assert not dynamics.measured.usable(10 * MS, 1.0).any(), "nobody asked for them"
    dynamics.want()
    sent = [float(k) for k in range(len(names))]
    sent[1], sent[2] = float("nan"), -float("inf")
    take(path, dict(reversed(values.items())), 20, effort=sent[::-1])
    measured = dynamics.measured
    usable = measured.usable(20 * MS, 1.0)
    assert usable.tolist() == [k not in (1, 2) for k in range(len(names))]
    assert measured.value[usable].tolist() == [x for x in sent if np.isfinite(x)]
    assert np.isfinite(measured.value).all()
    reasons = measured.reasons(20 * MS, 1.0)
    assert "not finite" in reasons[1]
    assert reasons[0] == ""
    take(path, values, 30, effort=[1.0])
    assert measured.value[3] == 3.0, "an array of a wrong length is not used"
    take(path, values, 30, effort=[7.0] * len(names))
    assert measured.value[3] == 3.0, "nor a message of a time that was"
    assert not measured.usable(2000 * MS, 1.0).any()
    assert "2.0 s old" in measured.reasons(2020 * MS, 1.0)[0]
    assert measured.usable(2000 * MS, 0.0)[0]
    take(path, values, -5000)
    assert "no effort" in measured.reasons(0, 1.0)[0], "the clock was reset"


def test_another_operation_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="dynamics_step"):
        evaluate_of(load(DEMO_ARM, compile="off").model, "nothing")
