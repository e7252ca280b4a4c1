"""The service against the plain function: terms, wrenches, friction, payloads, compensation."""

from __future__ import annotations

import numpy as np
import pytest
from geometry_msgs.msg import WrenchStamped

from differentiation import error
from dynamics_requests import positions, wrench
from dynamics_rig import Host, ask
from robodyn_ros import algorithms
from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.model import Model
from robodyn_ros.robot import Robot
from robots import OWN_ROBOTS, example, loaded, random_state, random_tree

TERMS = ("inertial", "coriolis", "gravity", "friction", "armature", "payload", "external")
ROUNDING = 1e-12


def host_of(model: Model) -> tuple[Host, Robot]:
    host = Host(model)
    assert host.robot is not None
    return host, host.robot


@pytest.mark.parametrize("seed", range(8))
def test_every_term_is_the_plain_functions(seed: int) -> None:
    model = random_tree(seed, base=("fixed", "floating")[seed % 2])
    host, robot = host_of(model)
    robot.set_payload("tool", 1.5, (0.1, 0, 0.2), np.eye(3) * 0.01)
    for joint in model.own_joints:
        robot.set_joint_parameters(joint.name, armature=0.3, damping=0.4, friction=0.5)
    q, v, a = random_state(model, seed)
    position = positions(model, q)
    pull = np.array([1.0, -2.0, 3.0, 4.0, 5.0, -6.0])
    order = np.random.default_rng(seed).permutation(model.nv)
    reply = ask(
        host,
        "inverse_dynamics",
        names=[model.coordinate_names[i] for i in order],
        position=position[order].tolist(),
        velocity=v[order].tolist(),
        acceleration=a[order].tolist(),
        external_wrenches=[wrench("tool", pull[:3], pull[3:])],
        friction=True,
    )
    plain = algorithms.effort_terms(
        model,
        q,
        v,
        a,
        environment=robot.environment,
        external_wrenches={"tool": pull},
        wrench_axes="local",
    )
    for term in TERMS:
        assert error(getattr(reply, term), getattr(plain, term)[order]) < ROUNDING, term
    assert error(reply.effort, plain.total[order]) < ROUNDING


def test_friction_is_always_listed_and_added_on_request() -> None:
    model = loaded(OWN_ROBOTS / "mimic_chain.urdf")
    host, robot = host_of(model)
    robot.set_joint_parameters(model.joint_names[0], damping=0.5, friction=2.0)
    q, v, _ = random_state(model, 1)
    options = {"position": q.tolist(), "velocity": v.tolist()}
    without = ask(host, "inverse_dynamics", **options)
    added = ask(host, "inverse_dynamics", **options, friction=True)
    assert without.friction == added.friction
    assert abs(added.friction[0]) > 0.1
    np.testing.assert_allclose(
        np.array(added.effort) - np.array(without.effort), added.friction, atol=1e-12
    )
    assert error(without.effort, robot.inverse_dynamics(q, v)) < ROUNDING


def test_a_wrench_acts_at_its_frames_origin_in_its_axes() -> None:
    model = random_tree(3)
    host, robot = host_of(model)
    q, _, _ = random_state(model, 3)
    reply = ask(
        host,
        "inverse_dynamics",
        position=positions(model, q).tolist(),
        external_wrenches=[wrench("tool", force=(0, 0, -10))],
    )
    frame = model.frame("tool")
    R_WF = robot.body_motion(q).rotation[frame.body] @ frame.rotation
    world = np.concatenate([np.zeros(3), R_WF @ [0, 0, -10.0]])
    expected = -robot.jacobian(q, "tool").T @ world
    assert error(reply.external, expected) < ROUNDING


def test_ten_newtons_down_are_a_payload_of_one_kilogram() -> None:
    """At the tool, at rest, with the frame's axes along the world's."""
    model = loaded(example("ur5_robot.urdf"))
    host, robot = host_of(model)
    q = np.array([0.3, -1.1, 0.9, -0.4, 0.8, 0.2])
    R_WT = robot.body_motion(q).rotation[model.body_index("tool0")]
    down = R_WT.T @ [0, 0, -10.0]
    pulled = ask(
        host,
        "inverse_dynamics",
        position=q.tolist(),
        external_wrenches=[wrench("tool0", force=down)],
    )
    robot.set_payload("tool0", 10.0 / 9.81)
    carried = ask(host, "inverse_dynamics", position=q.tolist())
    assert error(pulled.effort, np.array(carried.effort)) < ROUNDING
    assert error(pulled.external, np.array(carried.payload)) < ROUNDING


def test_wrenches_at_one_frame_add_up() -> None:
    model = loaded(example("ur5_robot.urdf"))
    host, _ = host_of(model)
    pull = wrench("tool0", (1, 2, 3), (4, 5, 6))
    position = [0.1] * model.nv
    twice = ask(host, "inverse_dynamics", position=position, external_wrenches=[pull, pull])
    once = ask(
        host,
        "inverse_dynamics",
        position=position,
        external_wrenches=[wrench("tool0", (2, 4, 6), (8, 10, 12))],
    )
    assert error(twice.external, np.array(once.external)) < ROUNDING


@pytest.mark.parametrize("prefix", ["r1/", "left_"])
def test_a_frame_may_carry_the_prefix(prefix: str) -> None:
    model = loaded(example("ur5_robot.urdf"))
    host, _ = host_of(model)
    options = {"position": [0.1] * model.nv}
    plain, prefixed = (
        ask(
            host,
            "inverse_dynamics",
            prefix=prefix,
            **options,
            external_wrenches=[wrench(f"{x}tool0", force=(1, 2, 3))],
        )
        for x in ("", prefix)
    )
    assert plain == prefixed
    with pytest.raises(UnknownNameError, match=r"external_wrenches\[0\].*'other/tool0'"):
        ask(
            host,
            "inverse_dynamics",
            prefix=prefix,
            **options,
            external_wrenches=[wrench("other/tool0")],
        )


def test_bad_wrenches_are_refused_with_their_number() -> None:
    model = loaded(example("ur5_robot.urdf"))
    host, _ = host_of(model)
    good = wrench("tool0")

    def refused(bad: WrenchStamped, pattern: str) -> None:
        with pytest.raises((ArgumentError, UnknownNameError), match=pattern):
            ask(
                host,
                "inverse_dynamics",
                position=[0.0] * model.nv,
                external_wrenches=[good, bad],
            )

    refused(wrench(""), r"external_wrenches\[1\]\.header\.frame_id is empty")
    refused(wrench("tool1"), r"external_wrenches\[1\].*'tool1'; available: tool0")
    refused(
        wrench("tool0", force=(0, float("nan"), 0)),
        r"external_wrenches\[1\] at frame 'tool0' has a force or torque that is not finite",
    )


def test_a_driver_that_compensates_gravity_gets_none_of_it() -> None:
    model = loaded(example("ur5_robot.urdf"))
    host, robot = host_of(model)
    robot.set_payload("tool0", 2.0, (0, 0, 0.1))
    q, v, a = random_state(model, 6)
    options = {"position": q.tolist(), "velocity": v.tolist(), "acceleration": a.tolist()}
    full = ask(host, "inverse_dynamics", **options)
    host.driver_compensates_gravity = True
    sent = ask(host, "inverse_dynamics", **options)
    weight = robot.gravity_force(q)
    assert error(sent.effort, np.array(full.effort) - weight) < ROUNDING
    for term in TERMS:
        assert getattr(sent, term) == getattr(full, term), term
    rest = ask(host, "inverse_dynamics", position=q.tolist())
    assert error(rest.effort, np.zeros(model.nv)) < ROUNDING


def test_a_kernel_gives_the_plain_functions_terms() -> None:
    model = loaded(example("ur5_robot.urdf"))
    host = Host(model, compile="wait")
    assert host.robot is not None
    q, v, a = random_state(model, 7)
    options = {"position": q.tolist(), "velocity": v.tolist(), "acceleration": a.tolist()}
    compiled = [ask(host, "inverse_dynamics", **options) for _ in range(2)]
    assert host.robot.kernel_states()["effort_terms"] == "compiled"
    plain = ask(Host(model), "inverse_dynamics", **options)
    for reply in compiled:
        assert reply.names == plain.names
        for term in ("effort", *TERMS):
            assert error(getattr(reply, term), np.array(getattr(plain, term))) < ROUNDING


def test_a_robot_without_coordinates_is_answered() -> None:
    host, _ = host_of(loaded(OWN_ROBOTS / "no_coordinates.urdf"))
    reply = ask(host, "inverse_dynamics")
    assert reply.names == []
    assert list(reply.effort) == []
