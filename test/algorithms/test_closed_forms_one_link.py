"""One link on one joint: what gravity and inertia ask of it, whichever way it is mounted."""

from __future__ import annotations

import numpy as np
import pytest
from transforms3d.euler import euler2mat

from differentiation import error
from environments import random_inertia
from robodyn_ros.algorithms import bias_force, gravity_force, inverse_dynamics, mass_matrix
from robodyn_ros.description import load_model
from robodyn_ros.joints import Revolute
from robodyn_ros.model import BaseMotion, Environment, Model, ModelBuilder
from robodyn_ros.spatial import axis_rotation
from robots import OWN_ROBOTS, example, loaded
from urdf_text import ZERO, joint, link, robot

G, MASS, ARM = 9.81, 1.2, 0.5
#: Of sums of a few products of order 10.
ROUNDING = 1e-14

UPRIGHT, CEILING, WALL = ZERO, (np.pi, 0.0, 0.0), (0.0, np.pi / 2.0, 0.0)


def mounted(rpy=ZERO, kind: str = "continuous", com=(ARM, 0.0, 0.0), inertia=None) -> Model:
    """Return a link that turns about y, its centre of mass off the axis, mounted by rpy."""
    return robot(
        link("world_link"),
        link("base", 3.0),
        link("arm", MASS, com, inertia),
        joint("mount", "world_link", "base", rpy=rpy),
        joint("turn", "base", "arm", kind),
    )


@pytest.mark.parametrize("kind", ["continuous", "revolute"])
@pytest.mark.parametrize(
    ("rpy", "share"),
    [(UPRIGHT, -1.0), (CEILING, 1.0), (WALL, 0.0), ((0.4, 0.0, 0.0), -np.cos(0.4))],
)
def test_the_sign_of_gravity_by_mounting(rpy, share: float, kind: str) -> None:
    found = gravity_force(mounted(rpy, kind), np.zeros(1))
    assert error(found, np.array([share * MASS * G * ARM])) < ROUNDING


@pytest.mark.parametrize(("angle", "effort"), [(np.pi / 3.0, -2.943), (0.0, -5.886)])
def test_a_continuous_joint_is_one_number(angle: float, effort: float) -> None:
    model = mounted()
    assert model.nq == model.nv == 1
    assert error(inverse_dynamics(model, np.array([angle])), np.array([effort])) < ROUNDING


@pytest.mark.parametrize("seed", range(5))
def test_any_mounting_is_any_other_gravity(seed: int) -> None:
    """By rpy of the base in the description, by gravity, and by a prescribed base's attitude."""
    rng = np.random.default_rng(seed)
    rpy, q, v, a = rng.uniform(-np.pi, np.pi, 3), *rng.normal(size=(3, 1))
    R = euler2mat(*rpy)
    gravity = R.T @ [0.0, 0.0, -G]
    com = axis_rotation(np.array([0.0, 1.0, 0.0]), q[0]) @ [ARM, 0.0, 0.0]
    truth = MASS * ARM**2 * a - MASS * np.cross(com, gravity)[1]
    turned = robot(
        link("base"), link("arm", MASS, (ARM, 0.0, 0.0)), joint("turn", "base", "arm", "continuous")
    )
    carried = robot(
        link("base"),
        link("arm", MASS, (ARM, 0.0, 0.0)),
        joint("turn", "base", "arm", "continuous"),
        base="prescribed",
    )
    tilted = Environment().with_gravity(gravity)
    based = Environment(base_motion=BaseMotion(rotation=R))
    found = [
        inverse_dynamics(mounted(rpy), q, v, a),
        inverse_dynamics(turned, q, v, a, environment=tilted),
        inverse_dynamics(carried, q, v, a, environment=based),
    ]
    for efforts in found:
        assert error(efforts, truth) < ROUNDING


@pytest.mark.parametrize("name", ["ur5_robot.urdf", "panda.urdf", "talos_left_arm.urdf"])
def test_a_tilted_arm_is_one_under_tilted_gravity(name: str) -> None:
    """The whole arm, moving: by the mount's rpy, by gravity, and by a prescribed base."""
    rng = np.random.default_rng(1)
    rpy = rng.uniform(-np.pi, np.pi, 3)
    R = euler2mat(*rpy)
    plain, prescribed = loaded(example(name)), loaded(example(name), "prescribed")
    text = example(name).read_text(encoding="utf-8")
    mount = joint("tilted", "mounting_plate", plain.body_names[0], rpy=rpy)
    head, tail = text.rsplit("</robot>", 1)
    tilted = load_model(f"{head}{link('mounting_plate')}{mount}</robot>{tail}")
    q, v, a = rng.uniform(-1.0, 1.0, (3, plain.nv))
    truth = inverse_dynamics(tilted, q, v, a)
    turned = Environment().with_gravity(R.T @ Environment().gravity)
    assert error(inverse_dynamics(plain, q, v, a, environment=turned), truth) < 1e-13
    based = Environment(base_motion=BaseMotion(rotation=R))
    assert error(inverse_dynamics(prescribed, q, v, a, environment=based), truth) < 1e-13


@pytest.mark.parametrize("seed", range(3))
def test_an_inertials_rpy_turns_the_inertia_and_leaves_the_center_where_it_is(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rpy, com = rng.uniform(-np.pi, np.pi, 3), rng.normal(size=3)
    inertia, R = random_inertia(rng), euler2mat(*rpy)
    model = robot(
        link("base"),
        link("arm", MASS, com, inertia, rpy),
        joint("turn", "base", "arm", "continuous", axis=(0.0, 0.0, 1.0)),
    )
    assert error(model.bodies[1].com, com) == 0.0
    about_axis = (R @ inertia @ R.T)[2, 2] + MASS * (com[0] ** 2 + com[1] ** 2)
    a = np.array([0.7])
    assert error(inverse_dynamics(model, np.zeros(1), None, a), about_axis * a) < ROUNDING
    assert error(mass_matrix(model, np.zeros(1)), np.array([[about_axis]])) < ROUNDING


def test_descriptions_of_one_arm_with_other_axes_give_the_same_efforts() -> None:
    """The same arm written about x and about z."""
    models = [loaded(OWN_ROBOTS / f"arm_about_{axis}.urdf") for axis in "xz"]
    rng = np.random.default_rng(1)
    q, v, a = rng.normal(size=(3, 5, models[0].nv))
    one, other = (inverse_dynamics(model, q, v, a) for model in models)
    assert np.max(np.abs(one)) > 0.1
    assert error(other, one) < 1e-13


@pytest.mark.parametrize("seed", range(3))
def test_a_joints_frame_does_not_matter(seed: int) -> None:
    """The axis in other frames: the link's frame is turned, its inertial turned back."""
    rng = np.random.default_rng(seed)
    inertia, com, axis = random_inertia(rng), rng.normal(size=3), rng.normal(size=3)
    efforts = []
    for rpy in (np.zeros(3), rng.uniform(-np.pi, np.pi, 3)):
        builder, R = ModelBuilder("arm"), euler2mat(*rpy)
        builder.add_body("base")
        builder.add_body("arm", mass=MASS, com=R.T @ com, inertia=R.T @ inertia @ R)
        builder.add_joint("turn", Revolute(tuple(R.T @ axis)), "base", "arm", rotation=R)
        q, v, a = np.array([[0.3], [-1.1], [0.8]])
        efforts.append(inverse_dynamics(builder.build(), q, v, a))
    assert error(efforts[1], efforts[0]) < ROUNDING


def test_gravity_does_not_depend_on_velocity() -> None:
    model = loaded(example("panda.urdf"))
    rng = np.random.default_rng(0)
    q, v = rng.uniform(-1.0, 1.0, (2, model.nv))
    resting = inverse_dynamics(model, q)
    assert error(gravity_force(model, q), resting) < ROUNDING
    moving = bias_force(model, q, v)
    assert error(moving, resting) > 1e-3
    weightless = Environment().with_gravity(np.zeros(3))
    coriolis = bias_force(model, q, v, environment=weightless)
    assert error(moving - coriolis, resting) < 1e-13
