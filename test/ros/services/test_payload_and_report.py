"""Payloads by service, and the model report."""

from __future__ import annotations

import json

import numpy as np
import pytest
from geometry_msgs.msg import Inertia, Vector3
from robodyn_interfaces.msg import Payload

from dynamics_rig import Host, ask
from robodyn_ros.errors import ArgumentError, DescriptionError, UnknownNameError
from robodyn_ros.ros.services.payload import MOST_PAYLOADS
from robots import example, loaded

Q = [0.3, -1.1, 0.9, -0.4, 0.8, 0.2]


@pytest.fixture
def host() -> Host:
    """A UR5."""
    return Host(loaded(example("ur5_robot.urdf")))


def load(name: str = "", frame: str = "tool0", mass: float = 1.5, ixx: float = 0.03) -> Payload:
    """Return a payload with something off every diagonal."""
    return Payload(
        name=name,
        frame_id=frame,
        mass=mass,
        com=Vector3(x=0.01, y=0.02, z=0.1),
        inertia=Inertia(ixx=ixx, ixy=0.001, ixz=0.002, iyy=0.031, iyz=0.003, izz=0.032),
    )


def effort(host: Host) -> bytes:
    """Return moving efforts, every bit of them."""
    reply = ask(host, "inverse_dynamics", position=Q, velocity=[0.5] * 6, acceleration=[0.7] * 6)
    return reply.effort.tobytes()


def test_attach_replace_and_detach_restore_every_bit(host: Host) -> None:
    assert host.robot is not None
    bare = effort(host)
    ask(host, "set_payload", payload=load())
    (carried,) = host.robot.payloads
    assert (carried.name, carried.frame, carried.mass) == ("tool0", "tool0", 1.5)
    np.testing.assert_array_equal(carried.com, [0.01, 0.02, 0.1])
    matrix = [[0.03, 0.001, 0.002], [0.001, 0.031, 0.003], [0.002, 0.003, 0.032]]
    np.testing.assert_array_equal(carried.inertia, matrix)
    once = effort(host)
    assert once != bare
    ask(host, "set_payload", payload=load(mass=3.0))
    assert len(host.robot.payloads) == 1
    assert effort(host) != once
    ask(host, "set_payload", payload=load(name="screws", mass=0.2))
    assert [x.name for x in host.robot.payloads] == ["tool0", "screws"]
    ask(host, "set_payload", payload=Payload(name="screws"), remove=True)
    ask(host, "set_payload", payload=Payload(frame_id="tool0"), remove=True)
    assert host.robot.payloads == ()
    assert effort(host) == bare


def test_no_mass_changes_nothing_and_removes(host: Host) -> None:
    assert host.robot is not None
    bare = effort(host)
    ask(host, "set_payload", payload=load(mass=0.0))
    assert effort(host) == bare
    ask(host, "set_payload", payload=load())
    ask(host, "set_payload", payload=load(mass=0.0))
    assert host.robot.payloads == ()
    assert effort(host) == bare


def test_a_frame_may_carry_the_prefix(host: Host) -> None:
    assert host.robot is not None
    ask(host, "set_payload", prefix="r1/", payload=load(frame="r1/tool0"))
    (carried,) = host.robot.payloads
    assert (carried.name, carried.frame) == ("tool0", "tool0")
    ask(host, "set_payload", prefix="r1/", payload=Payload(frame_id="r1/tool0"), remove=True)
    assert host.robot.payloads == ()


@pytest.mark.parametrize(
    ("payload", "pattern"),
    [
        (load(mass=-1.0), r"mass must be >= 0 kg, got -1"),
        (load(mass=float("nan")), r"mass must be one finite number"),
        (load(ixx=float("inf")), r"inertia must be finite numbers"),
        (load(ixx=5.0), r"the largest exceeds the sum of the others"),
        (load(ixx=-0.5), r"negative principal moment"),
    ],
)
def test_what_no_body_can_have_is_refused(host: Host, payload: Payload, pattern: str) -> None:
    assert host.robot is not None
    before = host.robot.environment
    with pytest.raises(ArgumentError, match=pattern):
        ask(host, "set_payload", payload=payload)
    assert host.robot.environment is before


def test_frames_and_names_that_are_not_there_are_refused(host: Host) -> None:
    with pytest.raises(UnknownNameError, match=r"'tool1'; available: tool0"):
        ask(host, "set_payload", payload=load(frame="tool1"))
    with pytest.raises(ArgumentError, match=r"payload\.frame_id is empty"):
        ask(host, "set_payload", payload=load(frame=""))
    with pytest.raises(UnknownNameError, match=r"no payload is called 'box'; available: none"):
        ask(host, "set_payload", payload=Payload(name="box"), remove=True)
    with pytest.raises(ArgumentError, match=r"name and frame_id are both empty"):
        ask(host, "set_payload", remove=True)


def test_the_report_is_the_models(host: Host) -> None:
    assert host.robot is not None
    reply = ask(host, "model_report")
    assert reply.text == host.robot.report().text()
    assert json.loads(reply.json) == host.robot.report().to_dict()


@pytest.mark.parametrize("service", ["set_payload", "model_report"])
def test_without_a_model_nothing_is_answered(service: str) -> None:
    with pytest.raises(DescriptionError, match=r"no model yet"):
        ask(Host(None), service)


def test_payloads_do_not_pile_up_for_ever(host: Host) -> None:
    assert host.robot is not None
    for number in range(MOST_PAYLOADS):
        ask(host, "set_payload", payload=load(name=f"part {number}"))
    with pytest.raises(ArgumentError, match=r"'part 64' is one too many: 64 .*, say 'part 0'"):
        ask(host, "set_payload", payload=load(name="part 64"))
    ask(host, "set_payload", payload=load(name="part 64", mass=0.0))  # removes what is not there
    ask(host, "set_payload", payload=load(name="part 3", mass=2.0))
    ask(host, "set_payload", payload=load(name="part 0"), remove=True)
    ask(host, "set_payload", payload=load(name="part 64"))
    assert len(host.robot.payloads) == MOST_PAYLOADS


def test_a_payload_has_no_endless_name(host: Host) -> None:
    assert host.robot is not None
    with pytest.raises(ArgumentError, match=r"payload.name has 256 characters: 'xxx"):
        ask(host, "set_payload", payload=load(name=256 * "x"))
    ask(host, "set_payload", payload=load(name=255 * "x"))
    assert len(host.robot.payloads) == 1
