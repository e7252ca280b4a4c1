"""Kane's and Legnani's equations against the recursions, on trees that mix every joint type."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from differentiation import error
from mixed_trees import CASES, around, cases_by_type, mixed_state, mixed_tree, trees
from robodyn_ros import ArgumentError, algorithms
from robodyn_ros.algorithms import kane, legnani
from robodyn_ros.algorithms.equations_of_motion import EquationsOfMotion
from robodyn_ros.joints.exponentials import screw_order
from robodyn_ros.model import Model
from sampling import bounded

#: What the formulations must agree to, norm-wise.
TOLERANCE = 1e-9

#: Both take seconds for large trees.
small = settings(bounded, max_examples=12)

#: What is not one screw after another: what turns in space freely, and formulas.
NO_SCREWS = ("spherical", "global", "floating", "six_dof", "user_defined")


def equals_the_recursions(model: Model, seed: int, formulation: type[kane] | type[legnani]) -> None:
    q, v, a = mixed_state(model, seed)
    told = {
        "environment": around(model, seed),
        "external_wrenches": {"tool": np.random.default_rng(seed).normal(size=6)},
    }
    found: EquationsOfMotion = formulation.equations_of_motion(model, q, v, **told)
    tau = algorithms.inverse_dynamics(model, q, v, a, **told)
    M = algorithms.mass_matrix(model, q, environment=told["environment"])
    assert error(found.mass_matrix, M) < TOLERANCE
    assert error(found.inverse_dynamics(a), tau) < TOLERANCE


@small
@given(trees(most=14))
def test_kane(drawn: tuple[Model, int]) -> None:
    equals_the_recursions(*drawn, kane)


@small
@given(trees(most=14, excluded=NO_SCREWS, bases=("fixed",)))
def test_legnani(drawn: tuple[Model, int]) -> None:
    assert legnani.why_not(drawn[0]) == ""
    equals_the_recursions(*drawn, legnani)


def test_legnani_takes_all_types_that_are_screws() -> None:
    for names in cases_by_type():
        for name in names:
            joint = CASES[name]
            assert (screw_order(joint) is None) == (joint.type_name in NO_SCREWS), name


@pytest.mark.parametrize("base", ["floating", "prescribed"])
def test_legnani_says_what_does_not_fit(base: str) -> None:
    model = mixed_tree(3, base=base, excluded=NO_SCREWS)
    with pytest.raises(ArgumentError, match="use the kane formulation"):
        legnani.equations_of_motion(model, *mixed_state(model, 0)[:2])
