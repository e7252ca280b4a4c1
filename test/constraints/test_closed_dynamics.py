"""Forward and inverse dynamics of closed mechanisms: identities, balances, and other partitions.

Efforts, mass matrices, energies and momenta are those of the tree, which have oracles of their own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, derivatives, error
from environments import random_base, random_payload
from mixed_trees import BASES
from random_closures import mechanism
from robodyn_ros import algorithms
from robodyn_ros.algorithms.external_wrenches import packed_wrenches
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.constraints.assembly import assembled_model
from robodyn_ros.constraints.dynamics import closed_accelerations, closed_efforts
from robodyn_ros.constraints.elimination import completed
from robodyn_ros.constraints.jacobian import bias, jacobian
from robodyn_ros.constraints.partition import choose_partition
from robodyn_ros.errors import ClosureError
from robodyn_ros.model import Environment, Model

#: Systems of order 1 whose condition numbers go up to 1e4.
ROUNDING = 1e-10

#: Constraints of one mechanism each: some rods, single loops, many loops, all together.
CONSTRAINTS = {
    "rods": ("rod", "rod"),
    "elements": ("rod", "point_on_plane", "point_on_cylinder", "skew_axes"),
    "hinge": ("revolute-skew",),
    "loops": ("spherical-plain", "universal-skew", "cylindrical-skew"),
    "both": ("helical-left-handed", "rod", "global", "gimbal-231"),
}


class State(NamedTuple):
    """A closed mechanism in motion.

    Attributes:
        model: with a partition.
        q: closed.
        v: rates that the constraints allow.
        a: accelerations likewise.
        environment: gravity, a payload, a base that moves if it is prescribed.
        wrenches: external, by frame.
    """

    model: Model
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    environment: Environment
    wrenches: dict[str, np.ndarray]

    @property
    def surroundings(self) -> Surroundings:
        """What algorithms read of the environment."""
        return Surroundings.of(self.model, self.environment)

    @property
    def packed(self) -> np.ndarray:
        """What algorithms read of the wrenches."""
        return packed_wrenches(self.model, self.wrenches)

    def loads(self, a: np.ndarray, *, friction: bool = True) -> np.ndarray:
        """Return M a + h less what the wrenches do."""
        return algorithms.inverse_dynamics(
            self.model,
            self.q,
            self.v,
            a,
            environment=self.environment,
            external_wrenches=self.wrenches,
            friction=friction,
        )


def moving(name: str, seed: int, base: str = "fixed") -> State:
    """Return a random closed mechanism in motion, with joints that follow, and lengths too."""
    case = mechanism(seed, CONSTRAINTS[name], base=base, formulas=seed % 2 == 1)
    model = assembled_model(case.model, case.q)
    rng = np.random.default_rng([55, seed])
    v, a, verdict = completed(model, case.q, *rng.uniform(-1.0, 1.0, (2, model.nv)))
    assert verdict == 0.0
    environment = Environment(gravity=np.array([1.0, -2.0, -9.0]))
    if base == "prescribed":
        environment = environment.with_base_motion(random_base(seed))
    environment = environment.with_payload(random_payload("b3", seed))
    wrenches = {"b2": rng.normal(size=6), "fixed_1": rng.normal(size=6)}
    return State(model, case.q, v, a, environment, wrenches)


CASES = pytest.mark.parametrize(
    ("name", "seed", "base"),
    [(name, seed, BASES[(k + seed) % 3]) for k, name in enumerate(CONSTRAINTS) for seed in (0, 1)],
)


@CASES
def test_forward_dynamics_satisfies_motion_and_constraints(name: str, seed: int, base: str) -> None:
    """M a + h = tau + G^T lambda, G a = -bias; with friction, wrenches and a payload."""
    state = moving(name, seed, base)
    model, q, v = state.model, state.q, state.v
    tau = np.random.default_rng(seed).uniform(-1.0, 1.0, model.nv)
    a, forces, verdict = closed_accelerations(
        model, q, v, tau, state.surroundings, packed=state.packed, friction=True
    )
    assert verdict == 0.0
    G = jacobian(model, q)
    assert np.max(np.abs(G @ v)) < ROUNDING
    assert error(G @ a, -bias(model, q, v)) < ROUNDING
    assert error(state.loads(a), tau + G.T @ forces) < ROUNDING
    # Constraint forces do no work in any motion that the constraints allow.
    allowed, _, _ = completed(model, q, np.random.default_rng(seed).normal(size=model.nv), a)
    assert abs(allowed @ G.T @ forces) < ROUNDING * max(1.0, np.max(np.abs(G.T @ forces)))


@CASES
def test_inverse_dynamics_is_undone_by_forward_dynamics(name: str, seed: int, base: str) -> None:
    state = moving(name, seed, base)
    model, q, v = state.model, state.q, state.v
    options = {"packed": state.packed, "friction": True}
    tau, forces, verdict = closed_efforts(model, q, v, state.a, state.surroundings, **options)
    assert verdict == 0.0
    idle = list(model.closure.partition.dependent)
    assert not tau[idle].any()
    G = jacobian(model, q)
    assert error(state.loads(state.a), tau + G.T @ forces) < ROUNDING
    a, again, _ = closed_accelerations(model, q, v, tau, state.surroundings, **options)
    assert error(a, state.a) < ROUNDING
    assert error(again, forces) < ROUNDING


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_only_independent_rates_count(name: str) -> None:
    state = moving(name, 2)
    model, surroundings = state.model, state.surroundings
    spoilt_v, spoilt_a = state.v.copy(), state.a.copy()
    dependent = list(model.closure.partition.dependent)
    spoilt_v[dependent], spoilt_a[dependent] = np.nan, np.nan
    exact = closed_efforts(model, state.q, state.v, state.a, surroundings)
    found = closed_efforts(model, state.q, spoilt_v, spoilt_a, surroundings)
    for one, other in zip(found, exact, strict=True):
        assert error(one, other) < ROUNDING


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["elements", "hinge"])
def test_other_partitions_mean_the_same(name: str, seed: int) -> None:
    state = moving(name, seed, BASES[seed])
    rng = np.random.default_rng([56, seed])
    tau = rng.uniform(-1.0, 1.0, state.model.nv)
    first, *_ = closed_accelerations(state.model, state.q, state.v, tau, state.surroundings)
    seen = {state.model.closure.partition.independent}
    for _ in range(3):
        wanted = tuple(map(int, rng.permutation(state.model.nv)))[: state.model.nv // 2]
        partition = choose_partition(state.model, state.q, wanted)
        seen.add(partition.independent)
        model = with_closure(state.model, partition=partition)
        a, forces, verdict = closed_accelerations(model, state.q, state.v, tau, state.surroundings)
        assert verdict == 0.0
        assert error(a, first) < 100 * ROUNDING
        G = jacobian(model, state.q)
        loads = algorithms.inverse_dynamics(
            model, state.q, state.v, a, environment=state.environment
        )
        assert error(loads, tau + G.T @ forces) < 100 * ROUNDING
    # Coordinates that no equation feels are independent in every partition.
    independent = list(state.model.closure.partition.independent)
    assert len(seen) > 1 or not jacobian(state.model, state.q)[:, independent].any()


def with_closure(model: Model, **changes: object) -> Model:
    """Return the model with parts of its closure replaced."""
    return replace(model, closure=replace(model.closure, **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_energy_grows_by_the_power_of_efforts(name: str, base: str) -> None:
    state = moving(name, 3, base)
    model, q, v = state.model, state.q, state.v
    tau = np.random.default_rng(3).uniform(-1.0, 1.0, model.nv)
    a, *_ = closed_accelerations(model, q, v, tau, state.surroundings)

    def energy(t: np.ndarray) -> np.ndarray:
        t = t[:, None]
        found = algorithms.energy(
            model,
            algorithms.integrate(model, q, v * t),
            v + a * t,
            environment=state.environment,
        )
        return np.asarray(found.kinetic + found.potential)

    growth, _ = derivatives(energy, 2e-3)
    assert abs(growth - tau @ v) < FIRST_TOLERANCE * max(1.0, abs(energy(np.zeros(1))[0]))


@pytest.mark.parametrize("name", ["hinge", "elements"])
def test_a_floating_mechanism_keeps_its_momentum_but_for_weight(name: str) -> None:
    """Loops inside, and motors of joints, act on nothing outside."""
    state = moving(name, 4, "floating")
    model, q, v = state.model, state.q, state.v
    tau = np.random.default_rng(4).uniform(-1.0, 1.0, model.nv)
    tau[:6] = 0.0  # of the floating base
    a, *_ = closed_accelerations(model, q, v, tau, state.surroundings)

    def linear(t: np.ndarray) -> np.ndarray:
        t = t[:, None]
        here = algorithms.integrate(model, q, v * t)
        found = algorithms.momentum(model, here, v + a * t, environment=state.environment)
        return np.asarray(found)[..., 3:]

    change, _ = derivatives(linear, 2e-3)
    mass = model.mass + sum(load.mass for load in state.environment.payloads)
    assert error(change, mass * state.environment.gravity) < FIRST_TOLERANCE


@pytest.mark.parametrize("name", ["hinge", "loops"])
def test_more_motors_than_needed_share_the_work(name: str) -> None:
    """Of all efforts of the motors that do it, those with the least sum of squares."""
    state = moving(name, 5)
    model, q, v = state.model, state.q, state.v
    chosen = tuple(range(model.nv - 1))
    model = with_closure(model, actuated=chosen)
    tau, forces, verdict = closed_efforts(model, q, v, state.a, state.surroundings)
    assert verdict == 0.0
    assert tau[model.nv - 1] == 0.0
    G = jacobian(model, q)
    loads = algorithms.inverse_dynamics(model, q, v, state.a, environment=state.environment)
    assert error(loads, tau + G.T @ forces) < ROUNDING
    rank = len(model.closure.partition.dependent)
    null = np.linalg.svd(G)[2][rank:].T
    assert np.max(np.abs(G @ null)) < 1e-12
    least = np.linalg.pinv(null[list(chosen)].T) @ (null.T @ loads)
    assert error(tau[list(chosen)], least) < 100 * ROUNDING


def test_too_few_motors_are_reported() -> None:
    state = moving("hinge", 6)
    model = with_closure(state.model, actuated=(0,))
    assert len(model.closure.partition.independent) > 1
    _, _, verdict = closed_efforts(model, state.q, state.v, state.a, state.surroundings)
    assert verdict > 0.0


def test_without_a_partition_there_is_an_error() -> None:
    case = mechanism(0, ["rod"])
    zero = np.zeros(case.model.nv)
    with pytest.raises(ClosureError, match="'closed 0': assemble it first"):
        closed_efforts(case.model, case.q, zero, zero, Surroundings.of(case.model, Environment()))


@pytest.mark.parametrize("name", ["elements", "loops"])
def test_batches_equal_single_rows(name: str) -> None:
    state = moving(name, 7)
    model, around = state.model, state.surroundings
    rng = np.random.default_rng(7)
    v, x = rng.uniform(-1.0, 1.0, (2, 4, model.nv))
    for function in (closed_accelerations, closed_efforts):
        whole = function(model, state.q, v, x, around)
        for k in range(4):
            one = function(model, state.q, v[k], x[k], around)
            for rows, row in zip(whole, one, strict=True):
                assert error(np.broadcast_to(rows, (4, *np.shape(row)))[k], row) < 1e-12
