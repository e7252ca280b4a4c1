"""What counts as singular follows the inertias in use; missing and negative ones are told apart."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.algorithms.forward_dynamics import forward_dynamics_by_mass_matrix
from robodyn_ros.algorithms.singular import coordinate_limits, pivot_limits
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.errors import SingularMassMatrixError
from robodyn_ros.joints import Floating, Prismatic, Revolute
from robodyn_ros.model import Model, ModelBuilder, Payload
from robodyn_ros.robot import Robot

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
LOAD = (2.0, (0.05, -0.02, 0.1), 0.01 * np.eye(3))
SEEDS = range(10)


def floating_arm(*axes: tuple[float, ...], mass: float = 0.0, follow: bool = False) -> Model:
    """Return world - base - link1 - ..., of links with this mass each, all joints apart."""
    builder = ModelBuilder("floating arm")
    builder.add_body("world")
    builder.add_body("base", mass=mass, inertia=0.1 * mass * np.eye(3))
    builder.add_joint("float", Floating(), "world", "base")
    for i, axis in enumerate(axes, start=1):
        inner = f"link{i - 1}" if i > 1 else "base"
        builder.add_body(f"link{i}", mass=mass, inertia=0.1 * mass * np.eye(3))
        builder.add_joint(f"joint{i}", Revolute(axis), inner, f"link{i}", position=[0.3, 0.1, 0.2])
    if follow:
        builder.add_body("finger", mass=0.0)
        builder.add_joint("slide", Prismatic(X), "base", "finger")
        builder.add_mimic("slide", "joint1")
    return builder.build()


def state(robot: Robot, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    v, tau = rng.uniform(-1.0, 1.0, (2, robot.model.nv))
    return robot.random_configuration(rng), v, tau


@pytest.mark.parametrize("follow", [False, True])
@pytest.mark.parametrize("compile", ["off", "wait"])
def test_a_payload_alone_does_not_move_a_floating_arm_without_mass(
    compile: str, follow: bool
) -> None:
    """Nine rates and six of a body: three have nothing to move, whatever rounding leaves."""
    robot = Robot(floating_arm(X, Y, Z, follow=follow), compile=compile)  # type: ignore[arg-type]
    robot.set_payload("link3", *LOAD)
    for seed in SEEDS:
        q, v, tau = state(robot, seed)
        with pytest.raises(SingularMassMatrixError, match="the mass matrix is singular at joint"):
            robot.forward_dynamics(q, v, tau)
        with pytest.raises(SingularMassMatrixError):
            forward_dynamics_by_mass_matrix(robot.model, q, v, tau, environment=robot.environment)
        if compile == "off":
            with pytest.raises(SingularMassMatrixError):
                robot.forward_dynamics_derivatives(q, v, tau)
    batch = np.array([state(robot, seed)[0] for seed in SEEDS])
    with pytest.raises(SingularMassMatrixError, match="in row 0 at joint"):
        robot.forward_dynamics(batch, None, np.zeros(robot.model.nv))


@pytest.mark.parametrize("compile", ["off", "wait"])
def test_rotors_make_it_sound_and_detaching_restores_the_limits(compile: str) -> None:
    robot = Robot(floating_arm(X, Y, Z), compile=compile)  # type: ignore[arg-type]
    for name in ("joint1", "joint2", "joint3"):
        robot.set_joint_parameters(name, armature=0.01)
    q, v, tau = state(robot, 0)
    with pytest.raises(SingularMassMatrixError, match="at joint 'float'"):
        robot.forward_dynamics(q, v, tau)
    robot.set_payload("link3", *LOAD)
    a = robot.forward_dynamics(q, v, tau)
    residual = robot.inverse_dynamics(q, v, a) - tau
    assert np.abs(residual).max() < 1e-10 * max(1.0, np.abs(tau).max())
    robot.clear_payload()
    with pytest.raises(SingularMassMatrixError):
        robot.forward_dynamics(q, v, tau)


def test_a_small_payload_on_a_sound_arm_is_no_trouble_and_a_large_one_neither() -> None:
    robot = Robot(floating_arm(X, Y, Z, mass=1.0), compile="off")
    for mass in (1e-9, 1e6):
        robot.set_payload("link3", mass, (0.1, 0.0, 0.0))
        for seed in SEEDS:
            assert np.isfinite(robot.forward_dynamics(*state(robot, seed))).all()


def test_limits_scale_with_the_inertias_in_use() -> None:
    model = floating_arm(X, Y, Z)
    assert not pivot_limits(model).any()
    robot = Robot(model, compile="off")
    robot.set_payload("link3", *LOAD)
    around = Surroundings.of(model, robot.environment)
    limits = coordinate_limits(model, around)
    assert (limits > 0.0).all()
    robot.set_payload("link3", 2.0 * LOAD[0], LOAD[1], 2.0 * LOAD[2])
    twice = coordinate_limits(model, Surroundings.of(model, robot.environment))
    assert twice == pytest.approx(2.0 * limits, rel=1e-12)
    own = Surroundings.of(model, robot.environment)._replace(limits=np.full(9, 7.0))
    assert np.array_equal(coordinate_limits(model, own), np.full(9, 7.0))


def test_negative_inertia_is_called_so_with_its_amount() -> None:
    """A description may have a link whose inertia is that of no body."""
    builder = ModelBuilder("odd")
    builder.add_body("base", mass=1.0, inertia=np.eye(3))
    builder.add_body("arm", mass=1.0, inertia=0.1 * np.eye(3))
    builder.add_body("hand", mass=0.5, inertia=-0.2 * np.eye(3))
    builder.add_joint("shoulder", Revolute(Z), "base", "arm")
    builder.add_joint("wrist", Revolute(X), "arm", "hand", position=[0.3, 0.0, 0.0])
    model = builder.build()
    robot = Robot(model, compile="off")
    for way in (robot.forward_dynamics, robot.forward_dynamics_derivatives):
        with pytest.raises(SingularMassMatrixError) as caught:
            way(np.zeros(2), np.zeros(2), np.ones(2))
        text = str(caught.value)
        assert "not positive definite at joint 'wrist'" in text
        assert "'hand' have negative inertia about its axis, -0.2 kg m^2" in text
        assert "correct their masses and inertias" in text
        assert "have no" not in text
        assert "lock" not in text


def test_all_joints_without_inertia_are_named() -> None:
    builder = ModelBuilder("chain")
    builder.add_body("link0", mass=1.0)
    builder.add_body("link1", mass=1.0, com=[0.2, 0.3, 0.4], inertia=0.1 * np.eye(3))
    builder.add_joint("joint1", Revolute(Z), "link0", "link1")
    for i, axis in ((2, X), (3, Y)):
        builder.add_body(f"link{i}")
        builder.add_joint(f"joint{i}", Revolute(axis), f"link{i - 1}", f"link{i}")
    robot = Robot(builder.build(), compile="off")
    with pytest.raises(SingularMassMatrixError) as caught:
        robot.forward_dynamics(np.zeros(3), np.zeros(3), np.zeros(3))
    text = str(caught.value)
    assert "singular at joint 'joint3' (and at 'joint2')" in text
    assert "give them inertia or lock the joints" in text


def test_a_payload_that_is_known_is_used_by_name() -> None:
    load = Payload("load", "link1", 1.0, np.zeros(3), np.eye(3))
    model = floating_arm(X)
    robot = Robot(model, compile="off")
    robot.environment = robot.environment.with_payload(load)
    assert (coordinate_limits(model, Surroundings.of(model, robot.environment)) > 0.0).all()
