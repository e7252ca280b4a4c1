"""Closed mechanisms against Pinocchio's constrained dynamics: balls and welds between links.

Pinocchio closes loops with rigid contacts of three or six equations; what is behind a loop's joint
does not exist there, nor has a joint friction or a rotor.
"""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import error
from random_closures import Mechanism, mechanism
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.constraints.assembly import assembled_model
from robodyn_ros.constraints.dynamics import closed_accelerations
from robodyn_ros.constraints.elimination import completed
from robodyn_ros.model import Environment

pin = pytest.importorskip("pinocchio", reason="install the extra `oracles`: Pinocchio is missing")

from mixed_trees_pinocchio import Built, built  # noqa: E402

#: Of accelerations; both solve systems with condition numbers up to 1e5.
TOLERANCE = 1e-9
GRAVITY = np.array([1.0, -2.0, -9.0])
BALL = "spherical-plain"
CONTACTS = {BALL: "CONTACT_3D", "fixed": "CONTACT_6D"}


def contacts(case: Mechanism, other: Built, kinds: tuple[str, ...]) -> object:
    """Return Pinocchio's rigid contacts for loops of our mechanism."""
    found = pin.StdVec_RigidConstraintModel()
    for kind, loop in zip(kinds, case.loops.values(), strict=True):
        ends = []
        for link, place in ((loop.parent, loop.mount), (loop.child, loop.seat)):
            number, seat = other.seats[case.tree.body_index(link)]
            ends += [number, seat * pin.SE3(*map(np.asarray, place))]
        contact = getattr(pin.ContactType, CONTACTS[kind])
        found.append(
            pin.RigidConstraintModel(contact, other.model, *ends, pin.ReferenceFrame.LOCAL)
        )
    return found


def theirs(
    case: Mechanism,
    kinds: tuple[str, ...],
    state: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> np.ndarray:
    """Return accelerations of the tree's coordinates for q, v and efforts of them."""
    q, v, tau = state
    other = built(case.tree)
    other.model.gravity.linear = GRAVITY
    there = other.state((q, v, np.zeros(case.tree.nv)))
    constraints = contacts(case, other, kinds)
    data = pin.StdVec_RigidConstraintData()
    data.extend(constraint.createData() for constraint in constraints)
    pin.initConstraintDynamics(other.model, other.data, constraints, data)
    found = pin.constraintDynamics(
        other.model,
        other.data,
        there.q,
        there.v,
        np.linalg.solve(there.G.T, tau),
        constraints,
        data,
        pin.ProximalSettings(1e-14, 1e-10, 30),
    )
    return np.linalg.solve(there.G, found - there.a)


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "kinds", [(BALL,), ("fixed",), (BALL, "fixed"), (BALL, BALL)], ids="+".join
)
def test_accelerations(kinds: tuple[str, ...], seed: int, base: str) -> None:
    case = mechanism(seed, kinds, base=base, bodies=10, coupled=False, excluded=("user_defined",))
    model = assembled_model(case.model, case.q)
    rng = np.random.default_rng([57, seed])
    v, _, verdict = completed(model, case.q, rng.uniform(-1.0, 1.0, model.nv), np.zeros(model.nv))
    assert verdict == 0.0
    nq, nv = case.tree.nq, case.tree.nv
    tau = np.concatenate([rng.uniform(-1.0, 1.0, nv), np.zeros(model.nv - nv)])
    here = Environment(GRAVITY, joint_parameters=np.zeros((model.lumped.rates, 3)))
    around = Surroundings.of(model, here)
    a, forces, verdict = closed_accelerations(model, case.q, v, tau, around)
    assert verdict == 0.0
    assert np.max(np.abs(forces)) > 1e-3
    assert error(a[:nv], theirs(case, kinds, (case.q[:nq], v[:nv], tau[:nv]))) < TOLERANCE
