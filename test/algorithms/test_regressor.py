"""The regressor: linear in each body's own parameters, whatever those are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from differentiation import error
from environments import random_environment, random_inertia
from robodyn_ros.algorithms import inverse_dynamics
from robodyn_ros.algorithms.regressor import regressor
from robodyn_ros.model import Environment, Model
from robodyn_ros.model.inertia import PARAMETERS, moved, parameters_of
from robots import every_base, example, loaded, own_urdfs, random_state, random_tree
from tracing import TRACE_TOLERANCE, traced

#: Sums over a dozen bodies of products of order 10.
ROUNDING = 1e-12


def rigid(model: Model, environment: Environment) -> Environment:
    """Return the environment without rotors and payloads."""
    none = np.zeros((model.lumped.rates, 3))
    return environment.with_joint_parameters(none).without_payload()


@every_base
@pytest.mark.parametrize("root", [None, "b8"])
@pytest.mark.parametrize("seed", range(3))
def test_times_the_parameters_it_is_inverse_dynamics(
    seed: int, root: str | None, base: str
) -> None:
    model = random_tree(seed, base=base, root=root)
    state = random_state(model, seed)
    given = random_environment(model, seed, "tool")
    Y = regressor(model, *state, environment=given)
    assert Y.shape == (model.nv, PARAMETERS * model.nb)
    efforts = inverse_dynamics(model, *state, environment=rigid(model, given))
    assert error(Y @ model.inertial_parameters.ravel(), efforts) < ROUNDING


@pytest.mark.parametrize(
    "path",
    [*own_urdfs(), example("panda.urdf"), example("talos_reduced.urdf")],
    ids=lambda p: p.stem,
)
def test_descriptions(path) -> None:  # type: ignore[no-untyped-def]
    model = loaded(path)
    state = random_state(model, 5)
    given = rigid(model, Environment())
    Y = regressor(model, *state, environment=given)
    efforts = inverse_dynamics(model, *state, environment=given)
    assert error(Y @ model.inertial_parameters.ravel(), efforts) < ROUNDING


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_it_holds_for_any_other_masses_of_the_same_tree(base: str) -> None:
    """So every column by itself is right: the parameters are as many as there are columns."""
    model = random_tree(1, base=base)
    state = random_state(model, 1)
    given = rigid(model, random_environment(model, 1))
    Y = regressor(model, *state, environment=given)
    rng = np.random.default_rng(1)
    for _ in range(3):
        bodies = tuple(
            replace(
                body,
                mass=rng.uniform(0.1, 2.0),
                com=rng.normal(size=3),
                inertia=random_inertia(rng),
            )
            for body in model.bodies
        )
        other = replace(model, bodies=bodies)
        efforts = inverse_dynamics(other, *state, environment=given)
        assert error(Y @ other.inertial_parameters.ravel(), efforts) < ROUNDING


def test_columns_of_the_root_and_of_bodies_that_a_joint_does_not_carry_are_zero() -> None:
    model = random_tree(2)
    Y = regressor(model, *random_state(model, 2)).reshape(model.nv, model.nb, PARAMETERS)
    assert not Y[:, 0].any()
    for body in range(model.nb):
        carrying = {
            column
            for i in model.support(body)
            if (joint := model.joints[i]) and joint.joint.nv
            for column in joint.coordinates.columns()
        }
        for k in set(range(model.nv)) - carrying:
            assert not Y[k, body].any()


def test_a_prescribed_root_link_moves_no_joint() -> None:
    model = random_tree(2, base="prescribed")
    Y = regressor(model, *random_state(model, 2), environment=random_environment(model, 2))
    assert not Y[:, : 2 * PARAMETERS].any()


@every_base
def test_a_payloads_efforts_are_the_columns_of_its_carrier(base: str) -> None:
    model = random_tree(3, base=base)
    state = random_state(model, 3)
    loaded_one = random_environment(model, 3, "tool")
    (payload,) = loaded_one.payloads
    tool = model.frame("tool")
    own = parameters_of(payload.mass, payload.com, payload.inertia)
    parameters = moved(own, tool.rotation, tool.position)
    span = slice(PARAMETERS * tool.body, PARAMETERS * (tool.body + 1))
    share = regressor(model, *state, environment=loaded_one)[:, span] @ parameters
    with_it = inverse_dynamics(model, *state, environment=loaded_one)
    without = inverse_dynamics(model, *state, environment=loaded_one.without_payload())
    assert error(share, with_it - without) < ROUNDING


@every_base
def test_batches_equal_singles(base: str) -> None:
    model = random_tree(3, base=base)
    states = [random_state(model, seed) for seed in range(4)]
    q, v, a = (np.stack(rows) for rows in zip(*states, strict=True))
    given = random_environment(model, 3)
    whole = regressor(model, q, v, a, environment=given)
    assert whole.shape == (4, model.nv, PARAMETERS * model.nb)
    for row, state in enumerate(states):
        assert error(whole[row], regressor(model, *state, environment=given)) < ROUNDING
    resting = regressor(model, q, environment=given)
    assert error(resting[1], regressor(model, q[1], 0.0 * v[1], environment=given)) == 0.0


@every_base
def test_symbols_equal_floats(base: str) -> None:
    model = random_tree(4, bodies=9, base=base)
    state = random_state(model, 4)
    given = random_environment(model, 4)
    found = traced(lambda *state: regressor(model, *state, environment=given), *state)[0]
    assert error(found, regressor(model, *state, environment=given)) < 10 * TRACE_TOLERANCE
