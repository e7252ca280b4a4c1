"""Mass matrices that are singular: one error that names the joint, and never NaN."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.algorithms.articulated_bodies import articulated_accelerations
from robodyn_ros.algorithms.forward_dynamics import (
    accelerations,
    forward_dynamics,
    forward_dynamics_by_mass_matrix,
    solved_accelerations,
)
from robodyn_ros.algorithms.singular import pivot_limits, singular_joint
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.errors import RobodynError, SingularMassMatrixError
from robodyn_ros.joints import Gimbal, Joint, Placed, Planar, Prismatic, Revolute
from robodyn_ros.model import Environment, Model, ModelBuilder, Payload
from robots import random_state, random_tree
from tracing import traced

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def chain(
    *joints: Joint, massless: tuple[int, ...] = (), follow: bool = False, inertia: float = 0.1
) -> Model:
    """Return link0 - joint1 - link1 - ..., in which some links have neither mass nor inertia."""
    builder = ModelBuilder("chain")
    builder.add_body("link0", mass=1.0)
    for i, joint in enumerate(joints, start=1):
        if i in massless:
            builder.add_body(f"link{i}")
        else:
            builder.add_body(f"link{i}", mass=1.0, com=[0.2, 0.3, 0.4], inertia=inertia * np.eye(3))
        position = [0.3, 0.1, 0.2] if i > 1 else [0.0, 0.0, 0.0]
        builder.add_joint(f"joint{i}", joint, f"link{i - 1}", f"link{i}", position=position)
    if follow:
        builder.add_body("finger", mass=0.1)
        builder.add_joint("finger_slide", Prismatic(X), "link0", "finger")
        builder.add_mimic("finger_slide", "joint1")
    return builder.build()


CASES = {
    "massless last link": (chain(Revolute(Z), Revolute(X), massless=(2,)), "joint2", "its axis"),
    "massless slider": (chain(Revolute(Z), Prismatic(X), massless=(2,)), "joint2", "mass along"),
    "massless outer links": (
        chain(Revolute(Z), Revolute(X), Revolute(Y), massless=(2, 3)),
        "joint3",
        "'link3'",
    ),
    "with a follower": (
        chain(Revolute(Z), Revolute(X), massless=(2,), follow=True),
        "joint2",
        "'link2'",
    ),
    "only one rate of several": (
        chain(Planar(Z), massless=(1,)),
        "joint1",
        "'joint1/rz'",
    ),
    "nothing at all": (chain(Revolute(Z), massless=(1,)), "joint1", "inertia about"),
}


@pytest.mark.parametrize("name", sorted(CASES))
@pytest.mark.parametrize("way", [forward_dynamics, forward_dynamics_by_mass_matrix])
def test_the_error_names_joint_links_and_remedy(way, name: str) -> None:  # type: ignore[no-untyped-def]
    model, joint, part = CASES[name]
    q, v, tau = random_state(model, 1)
    with pytest.raises(SingularMassMatrixError) as caught:
        way(model, q, v, tau)
    text = str(caught.value)
    assert f"singular at joint '{joint}'" in text
    assert part in text
    assert "give them inertia or lock the joint" in text
    assert "negative" not in text
    assert isinstance(caught.value, RobodynError)
    assert isinstance(caught.value, ArithmeticError)
    around = Surroundings.of(model, Environment())
    assert singular_joint(model, q, around) == joint


@pytest.mark.parametrize("name", sorted(CASES))
@pytest.mark.parametrize("way", [articulated_accelerations, solved_accelerations])
def test_the_core_tells_and_stays_finite(way, name: str) -> None:  # type: ignore[no-untyped-def]
    model, _, _ = CASES[name]
    q, v, tau = random_state(model, 1)
    around = Surroundings.of(model, Environment())
    a, verdict = way(model, q, v, tau, around)
    assert np.isfinite(a).all()
    assert verdict > 0.0

    def function(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> tuple[np.ndarray, ...]:
        a, verdict = way(model, q, v, tau, around)
        return a, np.asarray(verdict)

    by_symbols = traced(function, q, v, tau)
    assert np.isfinite(by_symbols[0]).all()
    assert by_symbols[1] == verdict


Z = (0.0, 0.0, 1.0)
HALF = np.pi / 2


@pytest.mark.parametrize(
    ("joint", "q", "axes", "remedy"),
    [
        (Gimbal("321"), [0.3, HALF, 0.2], "'j/rz' and 'j/rx' coincide (gimbal lock)", "sequence"),
        (Gimbal("121"), [0.0, 0.0, 0.0], "'j/rx' and 'j/rx2' coincide (gimbal lock)", "spherical"),
        (Gimbal("123", inner=(Z,)), [0.3, -HALF, 0.2, 0.1], "'j/rx' and 'j/rz'", "sequence"),
        (Gimbal("1", (Z,), (Z,)), [0.0, 0.1, 0.2], "'j/z' and 'j/outer_z' coincide;", "leave one"),
    ],
)
def test_a_joint_in_a_singular_position_is_told_from_one_without_inertia(
    joint: Joint, q: list[float], axes: str, remedy: str
) -> None:
    placed = Placed(joint, np.eye(3), np.array([0.1, 0.2, 0.3]))
    for kind in (joint, placed):
        builder = ModelBuilder("lock")
        builder.add_body("base")
        builder.add_body("ball", mass=1.0, com=(0.1, 0.2, 0.3), inertia=np.diag([0.1, 0.12, 0.13]))
        builder.add_joint("j", kind, "base", "ball")
        model = builder.build()
        zero = np.zeros(model.nv)
        with pytest.raises(SingularMassMatrixError) as caught:
            forward_dynamics(model, np.array(q), zero, zero)
        text = str(caught.value)
        assert f"singular at joint 'j': its position is singular, its axes {axes}" in text
        assert "move away from it" in text
        assert remedy in text
        away = np.array(q) + 0.01
        assert np.all(np.isfinite(forward_dynamics(model, away, zero, zero)))


def test_a_gimbal_without_inertia_is_not_in_a_singular_position() -> None:
    builder = ModelBuilder("massless")
    builder.add_body("base")
    builder.add_body("ball")
    builder.add_joint("j", Gimbal("321"), "base", "ball")
    zero = np.zeros(3)
    with pytest.raises(SingularMassMatrixError, match="have no inertia about 'j/rx'"):
        forward_dynamics(builder.build(), zero, zero, zero)


def test_axes_in_line_with_nothing_between() -> None:
    """Each joint turns a sound link, but between them nothing resists: the inner one is named."""
    builder = ModelBuilder("twice")
    builder.add_body("base")
    builder.add_body("sleeve")
    builder.add_body("shaft", mass=1.0, com=[0.2, 0.0, 0.0], inertia=0.1 * np.eye(3))
    builder.add_joint("outer", Revolute(Z), "base", "sleeve")
    builder.add_joint("inner", Revolute(Z), "sleeve", "shaft", position=[0.0, 0.0, 0.5])
    model = builder.build()
    for seed in range(5):
        q, v, tau = random_state(model, seed)
        for way in (forward_dynamics, forward_dynamics_by_mass_matrix):
            with pytest.raises(SingularMassMatrixError, match="at joint 'outer'"):
                way(model, q, v, tau)


def test_the_first_singular_row_of_a_batch_is_named() -> None:
    """The two axes of a knuckle joint without mass between them are in line in one row only."""
    model = chain(Revolute(Z), Revolute(X), Revolute(Z), massless=(1, 2), inertia=0.0)
    model = _at_one_point(model)
    q = np.array([[0.1, 1.0, 0.2], [0.3, 0.8, 0.1], [0.5, 0.0, 0.7], [0.0, 0.0, 0.0]])
    around = Surroundings.of(model, Environment())
    a, verdict = accelerations(model, q, None, np.ones(3), around)
    assert np.array_equal(verdict > 0.0, [False, False, True, True])
    assert np.isfinite(a).all()
    with pytest.raises(SingularMassMatrixError, match=r"in row 2 at joint 'joint1'"):
        forward_dynamics(model, q, None, np.ones(3))
    sound = forward_dynamics(model, q[:2], None, np.ones(3))
    assert np.array_equal(sound, a[:2])


def _at_one_point(model: Model) -> Model:
    """Return the three axes of `model` through one point, a sound body behind them."""
    builder = ModelBuilder("wrist")
    for i in range(4):
        if i == 3:
            builder.add_body("link3", mass=1.0, inertia=np.diag([0.1, 0.2, 0.3]))
        else:
            builder.add_body(f"link{i}")
    for i, joint in enumerate(model.own_joints, start=1):
        builder.add_joint(joint.name, joint.joint, f"link{i - 1}", f"link{i}")
    return builder.build()


def test_a_payload_or_a_rotor_makes_it_sound() -> None:
    model, _, _ = CASES["massless last link"]
    q, v, tau = random_state(model, 1)
    load = Payload("load", "link2", 1.0, np.array([0.1, 0.2, 0.3]), 0.01 * np.eye(3))
    rotors = np.array([[0.0, 0.0, 0.0], [1e-6, 0.0, 0.0]])
    for environment in (
        Environment().with_payload(load),
        Environment().with_joint_parameters(rotors),
    ):
        for way in (forward_dynamics, forward_dynamics_by_mass_matrix):
            assert np.isfinite(way(model, q, v, tau, environment=environment)).all()


def test_missing_numbers_are_not_called_singular() -> None:
    model = chain(Revolute(Z), Revolute(X))
    tau = np.array([[np.nan, 1.0], [1.0, 1.0]])
    a = forward_dynamics(model, np.zeros(2), None, tau)
    assert np.isnan(a[0]).any()
    assert np.isfinite(a[1]).all()


def test_limits_are_far_below_sound_pivots() -> None:
    model = random_tree(1)
    limits = pivot_limits(model)
    assert limits.shape == (model.lumped.rates,)
    assert (limits > 0.0).all()
    assert (limits < 1e-9).all()
    nothing, _, _ = CASES["nothing at all"]
    assert np.array_equal(pivot_limits(nothing), [0.0])


def test_many_outer_links_are_cut_short() -> None:
    model = chain(*[Revolute(Z)] * 7, massless=tuple(range(1, 8)))
    with pytest.raises(SingularMassMatrixError, match="joint7"):
        forward_dynamics(model, np.zeros(7), None, np.zeros(7))
    model = chain(Prismatic(Z), *[Revolute(X)] * 6, massless=tuple(range(1, 8)))
    rotors = np.array([[0.0, 0.0, 0.0]] + [[1.0, 0.0, 0.0]] * 6)
    environment = Environment().with_joint_parameters(rotors)
    with pytest.raises(SingularMassMatrixError, match=r"'link4', \.\.\. have no mass along"):
        forward_dynamics(model, np.zeros(7), None, np.zeros(7), environment=environment)
