"""The service against the plain functions: all named, the others locked, the others free."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import error
from dynamics_requests import positions, wrench
from dynamics_rig import Host, ask
from robodyn_ros import algorithms
from robodyn_ros.errors import ArgumentError, SingularMassMatrixError
from robodyn_ros.model import Model
from robots import OWN_ROBOTS, example, loaded, random_state, random_tree

RESIDUAL = 1e-10
LOCKED, ZERO_EFFORT = 0, 1
LIVE, NEUTRAL = 1, 2
SEEDS = range(8)


def moving_host(model: Model, seed: int) -> tuple[Host, np.ndarray, np.ndarray]:
    """Return a host whose robot moves as measured, with q and v; friction, rotors and a payload."""
    host = Host(model)
    assert host.robot is not None
    host.robot.set_payload(model.body_names[-1], 1.5, (0.1, 0, 0.2), np.eye(3) * 0.01)
    for joint in model.own_joints:
        host.robot.set_joint_parameters(joint.name, armature=0.3, damping=0.4, friction=0.5)
    q, v, _ = random_state(model, seed)
    position = positions(model, q)
    host.measure(q, v)
    return host, position, v


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("friction", [False, True])
def test_accelerations_of_all_turn_inverse_dynamics_round(seed: int, friction: bool) -> None:
    model = random_tree(seed, base=("fixed", "floating")[seed % 2])
    host, position, v = moving_host(model, seed)
    rng = np.random.default_rng(seed)
    tau, order = rng.normal(size=model.nv), rng.permutation(model.nv)
    options = {
        "names": [model.coordinate_names[i] for i in order],
        "position": position[order].tolist(),
        "velocity": v[order].tolist(),
        "external_wrenches": [wrench("tool", (1, 2, 3), (4, 5, 6))],
        "friction": friction,
    }
    reply = ask(host, "forward_dynamics", **options, effort=tau[order].tolist())
    assert reply.names == options["names"]
    back = ask(host, "inverse_dynamics", **options, acceleration=reply.acceleration)
    assert error(back.effort, tau[order]) < RESIDUAL


def some_of(model: Model, seed: int) -> np.ndarray:
    """Return the entries of v of some joints, in random order, attitudes whole."""
    rng = np.random.default_rng(100 + seed)
    joints = rng.permutation(len(model.own_joints))[: 1 + len(model.own_joints) // 2]
    chosen = [model.own_joints[i] for i in joints]
    return np.concatenate([np.arange(j.v_index, j.v_index + j.joint.nv) for j in chosen])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_others_are_held_still(seed: int) -> None:
    """With these accelerations, and none elsewhere, inverse dynamics gives the efforts asked."""
    model = random_tree(seed)
    host, position, v = moving_host(model, seed)
    some = some_of(model, seed)
    tau = np.random.default_rng(seed).normal(size=len(some))
    reply = ask(
        host,
        "forward_dynamics",
        names=[model.coordinate_names[i] for i in some],
        position=position[some].tolist(),
        velocity=v[some].tolist(),
        effort=tau.tolist(),
        rest=LIVE,
        unnamed=LOCKED,
        friction=True,
    )
    a = np.zeros(model.nv)
    a[some] = reply.acceleration
    assert host.robot is not None
    assert host.measured is not None
    plain = algorithms.inverse_dynamics(
        model, host.measured.q, v, a, environment=host.robot.environment, friction=True
    )
    assert error(plain[some], tau) < RESIDUAL


@pytest.mark.parametrize("seed", SEEDS)
def test_the_others_move_freely(seed: int) -> None:
    model = random_tree(seed)
    host, position, v = moving_host(model, seed)
    some = some_of(model, seed)
    tau = np.zeros(model.nv)
    tau[some] = np.random.default_rng(seed).normal(size=len(some))
    reply = ask(
        host,
        "forward_dynamics",
        names=[model.coordinate_names[i] for i in some],
        position=position[some].tolist(),
        velocity=v[some].tolist(),
        effort=tau[some].tolist(),
        rest=LIVE,
        unnamed=ZERO_EFFORT,
    )
    assert host.robot is not None
    assert host.measured is not None
    plain = algorithms.forward_dynamics(
        model, host.measured.q, v, tau, environment=host.robot.environment
    )
    assert error(reply.acceleration, plain[some]) < RESIDUAL


def test_no_efforts_are_zeros() -> None:
    model = loaded(example("ur5_robot.urdf"))
    host = Host(model)
    assert host.robot is not None
    reply = ask(host, "forward_dynamics", position=[0.2] * model.nv)
    fall = host.robot.forward_dynamics(np.full(model.nv, 0.2), None, np.zeros(model.nv))
    assert error(reply.acceleration, fall) < RESIDUAL


def test_what_is_sent_to_a_driver_that_compensates_gravity_comes_on_top_of_it() -> None:
    model = loaded(example("ur5_robot.urdf"))
    host = Host(model)
    host.driver_compensates_gravity = True
    position = [0.2] * model.nv
    still = ask(host, "forward_dynamics", position=position)
    assert error(still.acceleration, np.zeros(model.nv)) < RESIDUAL
    for unnamed in (LOCKED, ZERO_EFFORT):
        part = ask(
            host,
            "forward_dynamics",
            names=[model.joint_names[1]],
            position=[0.2],
            rest=NEUTRAL,
            unnamed=unnamed,
        )
        assert error(part.acceleration, [0.0]) < RESIDUAL
    sent = ask(host, "inverse_dynamics", position=position, acceleration=[0.5] * model.nv)
    back = ask(host, "forward_dynamics", position=position, effort=sent.effort)
    assert error(back.acceleration, np.full(model.nv, 0.5)) < RESIDUAL


def test_a_joint_that_moves_no_inertia_is_named() -> None:
    model = loaded(OWN_ROBOTS / "massless_tip.urdf")
    host = Host(model)
    with pytest.raises(SingularMassMatrixError, match=r"singular at joint 'spin'"):
        ask(host, "forward_dynamics", position=[0.1] * model.nv)
    options = {"rest": NEUTRAL, "unnamed": LOCKED}
    with pytest.raises(SingularMassMatrixError, match=r"singular at 'spin'.*leave it out"):
        ask(host, "forward_dynamics", names=["spin", "yaw"], position=[0.1, 0.2], **options)
    others = ask(host, "forward_dynamics", names=["yaw", "pitch"], position=[0.1, 0.2], **options)
    assert np.all(np.isfinite(others.acceleration))
    with pytest.raises(SingularMassMatrixError, match=r"joint 'spin'"):
        ask(
            host,
            "forward_dynamics",
            names=["yaw", "pitch"],
            position=[0.1, 0.2],
            rest=NEUTRAL,
            unnamed=ZERO_EFFORT,
        )


def test_an_unknown_way_of_the_others_is_refused() -> None:
    host = Host(loaded(example("ur5_robot.urdf")))
    with pytest.raises(ArgumentError, match=r"unnamed is 2; use LOCKED \(0\) or ZERO_EFFORT \(1\)"):
        ask(host, "forward_dynamics", position=[0.0] * 6, unnamed=2)


def test_a_follower_is_carried_by_its_driver() -> None:
    model = loaded(OWN_ROBOTS / "mimic_chain.urdf")
    host, position, v = moving_host(model, 2)
    driver = model.coordinate_names[0]
    reply = ask(
        host,
        "forward_dynamics",
        names=[driver],
        position=[position[0]],
        velocity=[v[0]],
        effort=[3.0],
        rest=LIVE,
    )
    assert host.robot is not None
    assert host.measured is not None
    a = np.zeros(model.nv)
    a[0] = reply.acceleration[0]
    assert error(host.robot.inverse_dynamics(host.measured.q, v, a)[0], 3.0) < RESIDUAL
