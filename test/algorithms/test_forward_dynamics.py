"""Forward dynamics: inverse dynamics turned round, on every robot, and Pinocchio's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pinocchio_counterpart
from differentiation import error
from free_trees import busy_environment, uncoupled_tree
from robodyn_ros.algorithms import inverse_dynamics
from robodyn_ros.algorithms.articulated_bodies import articulated_accelerations
from robodyn_ros.algorithms.forward_dynamics import (
    accelerations,
    forward_dynamics,
    forward_dynamics_by_mass_matrix,
    solved_accelerations,
)
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.joints import Prismatic, Revolute
from robodyn_ros.model import BaseMotion, Environment, Model, ModelBuilder
from robots import every_base, label, loaded, own_urdfs, random_state, random_tree, usable_urdfs
from tracing import traced

#: Residual M a + h - tau, norm-wise: how forward dynamics is judged.
RESIDUAL = 1e-10

USABLE = usable_urdfs()


def assert_turns_inverse_dynamics_round(model: Model, seed: int) -> None:
    q, v, tau = random_state(model, seed)
    wrenches = {model.body_names[-1]: np.linspace(-1.0, 1.0, 6)}
    for environment in (Environment(), busy_environment(model, seed)):
        for way in (forward_dynamics, forward_dynamics_by_mass_matrix):
            options = {
                "environment": environment,
                "external_wrenches": wrenches,
                "wrench_axes": "local",
                "friction": True,
            }
            a = way(model, q, v, tau, **options)
            found = inverse_dynamics(model, q, v, a, **options)
            # Relative to the efforts that accelerations of this size take.
            scale = max(1.0, float(np.max(np.abs(a), initial=0.0)))
            assert error(found, tau) / scale < RESIDUAL


@every_base
@pytest.mark.parametrize("root", [None, "b5", "b11"])
@pytest.mark.parametrize("seed", range(3))
def test_random_trees(seed: int, root: str | None, base: str) -> None:
    assert_turns_inverse_dynamics_round(random_tree(seed, base=base, root=root), seed)
    assert_turns_inverse_dynamics_round(uncoupled_tree(seed, base, root), seed)


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", USABLE + own_urdfs(), ids=label)
def test_descriptions(path: Path, base: str) -> None:
    model = loaded(path, base)
    environment = sound(model)
    q, v, tau = random_state(model, 3)
    a = forward_dynamics(model, q, v, tau, environment=environment)
    found = inverse_dynamics(model, q, v, a, environment=environment)
    scale = max(1.0, float(np.max(np.abs(a), initial=0.0)))
    assert error(found, tau) / scale < RESIDUAL


def sound(model: Model) -> Environment:
    """Return an environment in which even massless links behind a joint can be accelerated."""
    parameters = np.array(model.lumped.joint_parameters)
    parameters[:, 0] = 0.01
    return Environment().with_joint_parameters(parameters)


@every_base
@pytest.mark.parametrize("seed", range(3))
def test_both_ways_agree(seed: int, base: str) -> None:
    model = uncoupled_tree(seed, base)
    q, v, tau = random_state(model, seed)
    around = Surroundings.of(model, busy_environment(model, seed))
    articulated, _ = articulated_accelerations(model, q, v, tau, around)
    solved, _ = solved_accelerations(model, q, v, tau, around)
    assert error(articulated, solved) < RESIDUAL


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_both_ways_agree_on_descriptions(base: str) -> None:
    """Whichever of the two `forward_dynamics` goes; eight descriptions have followers."""
    models = [loaded(path, base) for path in USABLE]
    free = [m for m in models if not any(x.joint.is_follower for x in m.lumped.lumps)]
    assert len(free) == 59
    for model in free:
        around = Surroundings.of(model, sound(model))
        q, v, tau = random_state(model, 4)
        articulated, _ = articulated_accelerations(model, q, v, tau, around)
        solved, _ = solved_accelerations(model, q, v, tau, around)
        assert error(articulated, solved) < RESIDUAL


def test_armature_behind_a_gear() -> None:
    """A rotor of 1e-5 kg m^2 behind a gear of 100 adds 0.1 kg m^2 to what the effort turns."""
    builder = ModelBuilder("wheel")
    builder.add_body("base")
    builder.add_body("wheel", mass=2.0, inertia=0.3 * np.eye(3))
    builder.add_joint("turn", Revolute((0, 0, 1)), "base", "wheel", armature=1e-5 * 100.0**2)
    a = forward_dynamics(builder.build(), np.zeros(1), None, np.array([0.8]))
    assert error(a, np.array([2.0])) < 1e-15


def test_a_free_body_falls() -> None:
    builder = ModelBuilder("stone")
    builder.add_body("stone", mass=2.0, com=[0.1, 0.2, 0.3], inertia=0.3 * np.eye(3))
    model = builder.build("floating")
    a = forward_dynamics(model, np.array([0, 0, 5.0, 0, 0, 0, 1.0]), None, np.zeros(6))
    assert error(a, np.array([0, 0, 0, 0, 0, -9.81])) < 1e-14


def test_a_follower_loads_its_driver() -> None:
    builder = ModelBuilder("gripper")
    builder.add_body("base")
    for name in ("left", "right"):
        builder.add_body(name, mass=0.4)
        builder.add_joint(f"{name}_slide", Prismatic((1, 0, 0)), "base", name)
    builder.add_mimic("right_slide", "left_slide", -0.5)
    a = forward_dynamics(builder.build(), np.zeros(1), None, np.array([1.0]))
    assert error(a, np.array([1.0 / (0.4 * 1.25)])) < 1e-15


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", USABLE, ids=label)
def test_equals_pinocchios(path: Path, base: str) -> None:
    """Where Pinocchio's M is singular, where it divides by zero, ours is called so."""
    model = loaded(path, base)
    around = Surroundings.of(model, Environment())
    other = pinocchio_counterpart.counterpart(path, model)
    states = [random_state(model, seed) for seed in (1, 2)]
    rows, verdicts = accelerations(model, *map(np.stack, zip(*states, strict=True)), around)
    for (q, v, tau), a, verdict in zip(states, rows, np.broadcast_to(verdicts, 2), strict=True):
        M = pinocchio_counterpart.mass_matrix(other, model, q)
        assert np.isfinite(a).all()
        sound = model.nv == 0 or np.linalg.matrix_rank(M, hermitian=True) == model.nv
        assert (verdict == 0.0) == sound
        if not sound:
            continue
        zero = np.zeros(model.nv)
        bias = pinocchio_counterpart.inverse_dynamics(other, model, q, v, zero)
        scale = max(1.0, float(np.max(np.abs(M) @ np.abs(a), initial=0.0)))
        assert error(M @ a + bias, tau) / scale < RESIDUAL
        if not other.coupled:
            theirs = pinocchio_counterpart.forward_dynamics(other, model, q, v, tau)
            # A small inertia far out amplifies rounding: judged by the efforts that it makes.
            assert error(M @ a, M @ theirs) < RESIDUAL


@every_base
@pytest.mark.parametrize("tree", [random_tree, uncoupled_tree], ids=["coupled", "uncoupled"])
def test_batch_rows_equal_single_calls(tree, base: str) -> None:  # type: ignore[no-untyped-def]
    model = tree(3, base=base)
    states = [random_state(model, seed) for seed in range(6)]
    q, v, tau = (np.stack(column).reshape((2, 3, -1)) for column in zip(*states, strict=True))
    whole = forward_dynamics(model, q, v, tau)
    assert whole.shape == (2, 3, model.nv)
    for index in np.ndindex(2, 3):
        single = forward_dynamics(model, q[index], v[index], tau[index])
        assert error(whole[index], single) < 1e-11
    # Singles are broadcast against a batch.
    assert error(forward_dynamics(model, q[0, 0], v[0, 0], tau)[0, 0], whole[0, 0]) < 1e-11
    assert (
        error(
            forward_dynamics(model, q, None, tau[0, 0])[1],
            forward_dynamics(model, q[1], np.zeros(model.nv), tau[0, 0]),
        )
        < 1e-11
    )


@pytest.mark.parametrize("tree", [random_tree, uncoupled_tree], ids=["coupled", "uncoupled"])
def test_symbols_equal_floats(tree) -> None:  # type: ignore[no-untyped-def]
    model = tree(2)
    q, v, tau = random_state(model, 2)
    around = Surroundings.of(model, Environment())

    def function(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> tuple[np.ndarray, ...]:
        a, verdict = accelerations(model, q, v, tau, around)
        return a, np.asarray(verdict)

    a, verdict = traced(function, q, v, tau)
    assert error(a, forward_dynamics(model, q, v, tau)) < 1e-11
    assert verdict == 0.0


def test_no_coordinates() -> None:
    builder = ModelBuilder("stone")
    builder.add_body("stone", mass=1.0)
    model = builder.build()
    nothing = np.zeros((3, 0))
    assert forward_dynamics(model, nothing, None, nothing).shape == (3, 0)
    assert forward_dynamics_by_mass_matrix(model, nothing, None, nothing).shape == (3, 0)


@pytest.mark.parametrize("field", ["angular_velocity", "linear_velocity"])
def test_a_prescribed_base_that_glides_changes_nothing(field: str) -> None:
    """Constant velocity is no force; turning is one."""
    model = uncoupled_tree(1, "prescribed")
    q, v, tau = random_state(model, 1)
    motion = replace(BaseMotion(), **{field: np.array([1.0, 2.0, 3.0])})
    moved = forward_dynamics(model, q, v, tau, environment=Environment(base_motion=motion))
    same = error(moved, forward_dynamics(model, q, v, tau)) < RESIDUAL
    assert same == (field == "linear_velocity")
