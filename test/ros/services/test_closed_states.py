"""Requests about closed mechanisms: what is open is completed, what contradicts is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from robodyn_interfaces.srv import BodyMotion

from dynamics_rig import Host, ask
from robodyn_ros.errors import RobodynError
from robodyn_ros.model import Model
from robodyn_ros.ros.services import body_motion
from robodyn_ros.ros.services.subject import Subjects
from robots import loaded

EXAMPLES = Path(__file__).parents[3] / "examples"
NEUTRAL = 2


@pytest.fixture(scope="module")
def model() -> Model:
    """A four-bar linkage with one motor."""
    return loaded(EXAMPLES / "four_bar.yaml")


@pytest.fixture
def host(model: Model) -> Host:
    """Such a robot, nothing measured."""
    return Host(model)


def refusal(host: Host, service: str, **fields: object) -> str:
    """Return why a request is refused."""
    with pytest.raises(RobodynError) as error:
        ask(host, service, **fields)
    return str(error.value)


def closed(host: Host, motor: float) -> np.ndarray:
    """Return the configuration at an angle of the motor."""
    robot = host.robot
    return robot.assemble(robot.initial_state[0], motor=motor).q


def test_efforts_need_no_more_than_the_motor(host: Host) -> None:
    fields = {"position": [2.2], "velocity": [1.0], "acceleration": [0.5]}
    reply = ask(host, "inverse_dynamics", names=["motor"], **fields)
    robot, q = host.robot, closed(host, 2.2)
    v, a = robot.complete(q, [1.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0])
    assert [*reply.names] == ["motor"]
    assert reply.effort[0] == pytest.approx(robot.inverse_dynamics(q, v, a)[0], abs=1e-9)


def test_bodies_move_as_the_motor_takes_them(host: Host) -> None:
    request = BodyMotion.Request(names=["motor"], position=[2.2], velocity=[1.0])
    reply = BodyMotion.Response()
    body_motion.fill(Subjects(host).now(), request, reply, 0)
    names = [body.name for body in reply.bodies.bodies]
    assert names == ["base", "crank", "coupler", "rocker"]
    robot, q = host.robot, closed(host, 2.2)
    v, _ = robot.complete(q, [1.0, 0.0, 0.0, 0.0])
    motion = robot.body_motion(q, v)
    coupler = reply.bodies.bodies[2]
    at = coupler.pose.position
    assert [at.x, at.y, at.z] == pytest.approx(motion.position[2], abs=1e-9)
    turn = coupler.twist.angular
    assert [turn.x, turn.y, turn.z] == pytest.approx(motion.angular_velocity[2], abs=1e-9)


def test_another_coordinate_may_take_the_motor_s_place(host: Host) -> None:
    q = closed(host, 2.1)
    reply = ask(host, "forward_dynamics", names=["pivot"], position=[q[2]], unnamed=1)
    expected = host.robot.forward_dynamics(q, np.zeros(4), np.zeros(4))
    assert reply.acceleration[0] == pytest.approx(expected[2], abs=1e-7)


def test_all_coordinates_may_be_named_where_they_agree(host: Host) -> None:
    q = closed(host, 2.1)
    reply = ask(host, "inverse_dynamics", position=[*q])
    assert reply.effort[0] == pytest.approx(host.robot.gravity_force(q)[0], abs=1e-9)
    assert [*reply.effort[1:]] == [0.0, 0.0, 0.0]


def test_positions_that_contradict_each_other_are_told(host: Host) -> None:
    text = refusal(host, "inverse_dynamics", names=["motor", "pivot"], position=[2.0, 2.5])
    assert "position contradicts the mechanism's constraints: 'pivot' = 2.5, which follows" in text


def test_positions_at_which_it_cannot_close_are_told(host: Host) -> None:
    text = refusal(host, "mass_matrix", names=["pivot"], position=[0.1])
    assert "the mechanism has no such state: it cannot close at 'pivot' = 0.1: " in text
    assert " lacks " in text


def test_names_that_leave_the_state_open_are_told(host: Host) -> None:
    model = loaded(EXAMPLES / "delta_robot.yaml")
    delta = Host(model)
    (motor, *others) = delta.robot.independent_names
    text = refusal(delta, "mass_matrix", names=[motor], position=[0.3])
    assert "names do not determine the mechanism's state" in text
    assert repr(others[0]) in text
    begin = float(model.defaults.q[model.position_names.index(motor)])
    reply = ask(delta, "mass_matrix", names=[motor], position=[begin + 0.02], rest=NEUTRAL)
    assert reply.matrix[0] > 0.0
