"""Featherstone's sets lambda, mu, kappa and nu (document C), for his examples and random trees.

Document C numbers bodies from 1 and leaves lambda(0) undefined; here parent[0] is -1, so that
parent[1:] is his parent array as printed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given

from differentiation import error
from robodyn_ros.algorithms import body_motion, jacobian
from robodyn_ros.errors import RobodynError
from robodyn_ros.model import Model
from sampling import bounded, parent_arrays
from trees import tree_of


class Example(NamedTuple):
    """A parent array with the sets that belong to it."""

    parents: list[int]
    children: dict[int, set[int]]
    support: dict[int, set[int]]
    subtree: dict[int, set[int]]


#: Every set that document C prints.
PRINTED = Example(
    [0, 1, 2, 1, 4, 4],
    {0: {1}, 1: {2, 4}, 2: {3}, 3: set(), 4: {5, 6}, 5: set(), 6: set()},
    {1: {1}, 2: {1, 2}, 3: {1, 2, 3}, 4: {1, 4}, 5: {1, 4, 5}, 6: {1, 4, 6}},
    {1: {1, 2, 3, 4, 5, 6}, 2: {2, 3}, 3: {3}, 4: {4, 5, 6}, 5: {5}, 6: {6}},
)

#: Document C's other numbering of that tree, 2 and 3 being what were 4 and 2.
RENUMBERED = Example(
    [0, 1, 1, 2, 3, 2],
    {0: {1}, 1: {2, 3}, 2: {4, 6}, 3: {5}, 4: set(), 5: set(), 6: set()},
    {1: {1}, 2: {1, 2}, 3: {1, 3}, 4: {1, 2, 4}, 5: {1, 3, 5}, 6: {1, 2, 6}},
    {1: {1, 2, 3, 4, 5, 6}, 2: {2, 4, 6}, 3: {3, 5}, 4: {4}, 5: {5}, 6: {6}},
)
#: Its bodies by the numbers of the first.
RENAMED = ["0", "1", "4", "2", "5", "3", "6"]

#: Document C's tree with two bodies on the base.
TWO_ON_THE_BASE = Example(
    [0, 1, 2, 0, 1, 2, 5, 5, 2],
    {0: {1, 4}, 1: {2, 5}, 2: {3, 6, 9}, 3: set(), 4: set(), 5: {7, 8}, 6: set(), 9: set()},
    {3: {1, 2, 3}, 4: {4}, 5: {1, 5}, 6: {1, 2, 6}, 7: {1, 5, 7}, 8: {1, 5, 8}, 9: {1, 2, 9}},
    {1: {1, 2, 3, 5, 6, 7, 8, 9}, 2: {2, 3, 6, 9}, 4: {4}, 5: {5, 7, 8}, 9: {9}},
)

EXAMPLES = {"printed": PRINTED, "renumbered": RENUMBERED, "two on the base": TWO_ON_THE_BASE}


@pytest.mark.parametrize("name", EXAMPLES)
def test_document_cs_examples(name: str) -> None:
    example = EXAMPLES[name]
    model = tree_of(example.parents)
    assert model.parent == (-1, *example.parents)
    assert model.nb == len(example.parents) + 1
    for i, expected in example.children.items():
        assert set(model.children(i)) == expected, i
    for i, expected in example.support.items():
        assert set(model.support(i)) == expected, i
    for i, expected in example.subtree.items():
        assert set(model.subtree(i)) == expected, i


def test_the_base_supports_nothing_and_everything_hangs_on_it() -> None:
    model = tree_of(PRINTED.parents)
    assert model.support(0) == ()
    assert model.subtree(0) == (0, 1, 2, 3, 4, 5, 6)


@bounded
@given(parent_arrays())
def test_sets_of_random_trees(parents: list[int]) -> None:
    model = tree_of(parents)
    bodies = range(model.nb)
    assert model.parent == (-1, *parents)
    for i in bodies:
        assert model.children(i) == tuple(j for j in bodies if model.parent[j] == i)
        support = model.support(i)
        assert support == tuple(sorted(support))  # from the root outwards
        if i:
            assert support == (*model.support(model.parent[i]), i)
        below = {i}.union(*(model.subtree(j) for j in model.children(i)))
        assert model.subtree(i) == tuple(sorted(below))
        for j in bodies[1:]:
            assert (j in model.support(i)) == (i in model.subtree(j))


@pytest.mark.parametrize("i", [-1, -7, 7, 100])
@pytest.mark.parametrize("which", ["support", "children", "subtree"])
def test_a_number_that_no_body_has_is_refused(which: str, i: int) -> None:
    """Negative numbers would count from the end, and a number too large would have a subtree."""
    model = tree_of(PRINTED.parents)
    with pytest.raises(RobodynError, match=f"{i}.*0 to 6"):
        getattr(model, which)(i)


def test_kinematics_do_not_depend_on_the_numbering() -> None:
    one, other = tree_of(PRINTED.parents), tree_of(RENUMBERED.parents, RENAMED)
    rng = np.random.default_rng(4)
    values = {name: rng.normal(size=3) for name in one.joint_names}
    assert set(one.joint_names) == set(other.joint_names)

    def state(model: Model) -> list[np.ndarray]:
        return list(np.array([values[name] for name in model.joint_names]).T)

    motions = [body_motion(model, *state(model)) for model in (one, other)]
    jacobians = [jacobian(model, state(model)[0], "6") for model in (one, other)]
    for k, name in enumerate(one.body_names):
        row = other.body_index(name)
        for a, b in zip(*motions, strict=True):
            assert error(b[row], a[k]) < 1e-14
    columns = [other.joint_names.index(name) for name in one.joint_names]
    assert error(jacobians[1][:, columns], jacobians[0]) < 1e-14
