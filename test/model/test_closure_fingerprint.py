"""A closed model as data: its fingerprint tells every datum, pickles and copies are the same."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from closing_steps import ZERO, Z, arms
from robodyn_ros.constraints.assembly import assembled_model
from robodyn_ros.constraints.jacobian import residual
from robodyn_ros.expressions import parse
from robodyn_ros.joints import JointLimits, Revolute
from robodyn_ros.model import Model, ModelBuilder, Partition

LOOP: dict[str, Any] = {"joint": Z, "parent": "b", "child": "c", "position": (0.1, 0.0, 0.0)}
ROD: dict[str, Any] = {
    "body_1": "a",
    "point_1": ZERO,
    "body_2": "c",
    "point_2": ZERO,
    "length": parse("1 + u"),
}
PLANE: dict[str, Any] = {
    "body_1": "a",
    "normal": (0.0, 1.0, 0.0),
    "offset": 0.2,
    "body_2": "c",
    "point_2": ZERO,
}
CYLINDER: dict[str, Any] = {
    "body_1": "a",
    "point_1": ZERO,
    "axis_1": (0.0, 1.0, 0.0),
    "body_2": "c",
    "point_2": ZERO,
    "radius": 1.2,
}
LINES: dict[str, Any] = {**CYLINDER, "axis_2": (1.0, 0.0, 0.0), "distance": 0.3}
del LINES["radius"]
#: What the elements of the model are given, by the builder's method.
PARTS = {
    "add_loop": LOOP,
    "add_rod": ROD,
    "add_point_on_plane": PLANE,
    "add_point_on_cylinder": CYLINDER,
    "add_skew_axes": LINES,
}


def model(
    changes: dict[str, dict[str, Any]] | None = None,
    prepare: Callable[[ModelBuilder], None] = lambda _: None,
    formula: str = "sin(u)",
) -> Model:
    """Return the arms with one element of each kind, some of their data replaced."""
    builder = arms()
    builder.add_control("u", initial=0.1)
    builder.add_follower("jb", [parse(formula)])
    for method, values in PARTS.items():
        given = {**values, **(changes or {}).get(method, {})}
        getattr(builder, method)(method.removeprefix("add_"), **given)
    builder.set_actuated(["ja"])
    prepare(builder)
    return builder.build()


#: Every datum of every element, with another value.
OTHERS: dict[str, Any] = {
    "joint": Revolute((0.0, 1.0, 0.0)),
    "parent": "a",
    "child": "base",
    "position": (0.1, 0.0, 1e-9),
    "body_1": "b",
    "body_2": "base",
    "point_1": (0.0, 1e-9, 0.0),
    "point_2": (0.0, 0.0, -1e-9),
    "normal": (1e-6, 1.0, 0.0),
    "axis_1": (1e-6, 1.0, 0.0),
    "axis_2": (1.0, 1e-6, 0.0),
    "length": parse("1 + 2*u"),
    "offset": 0.2 + 1e-15,
    "radius": parse("1.2"),
    "distance": -0.3,
}
DATA = [(method, key) for method, values in PARTS.items() for key in values]


@pytest.mark.parametrize(("method", "key"), DATA)
def test_every_datum_of_every_element_counts(method: str, key: str) -> None:
    other = model({method: {key: OTHERS[key]}})
    assert other.fingerprint != model().fingerprint


def test_data_of_loops_placement_and_of_followers_count() -> None:
    others = [
        model(formula="cos(u)"),
        model(prepare=lambda builder: builder.set_actuated(["jc"])),
        *(
            model({"add_loop": {key: value}})
            for key, value in {
                "rotation": np.diag([-1.0, -1.0, 1.0]),
                "child_position": (0.0, 1e-9, 0.0),
                "child_rotation": np.diag([1.0, -1.0, -1.0]),
                "armature": 1e-3,
                "damping": 1e-3,
                "friction": 1e-3,
            }.items()
        ),
    ]
    prints = {other.fingerprint for other in (*others, model())}
    assert len(prints) == len(others) + 1


def test_what_algorithms_do_not_read_does_not_count() -> None:
    other = model(
        {"add_loop": {"limits": JointLimits(-1.0, 1.0), "where": "line 3", "initial": 0.3}}
    )
    assert other.fingerprint == model().fingerprint


def test_the_chosen_equations_count() -> None:
    plain = model()
    chosen = Partition((0,), (1,), (2,), (1e-6,))
    changes = [
        chosen,
        replace(chosen, rows=(1,)),
        replace(chosen, dependent=(3,)),
        replace(chosen, independent=(4,)),
        replace(chosen, limits=(2e-6,)),
    ]
    prints = {plain.fingerprint}
    for partition in changes:
        prints.add(replace(plain, closure=replace(plain.closure, partition=partition)).fingerprint)
    assert len(prints) == len(changes) + 1


@pytest.mark.parametrize("way", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_are_the_same(way: Callable[[Model], Model]) -> None:
    original = model()
    original = assembled_model(original, np.array(original.defaults.q))
    # Evaluated once, so that what is computed on demand is there when it is pickled.
    expected = residual(original, np.array(original.defaults.q))
    other = way(original)
    assert other.fingerprint == original.fingerprint
    assert other.closure.partition == original.closure.partition
    assert np.array_equal(residual(other, np.array(other.defaults.q)), expected)
    rod = other.closure.elements[1]
    assert not rod.point_1.flags.writeable  # type: ignore[attr-defined]


def test_data_cannot_be_changed() -> None:
    for element in model().closure.elements:
        for value in vars(element).values():
            if isinstance(value, np.ndarray):
                assert not value.flags.writeable
                with pytest.raises(ValueError, match="read-only"):
                    value[0] = 1.0
    with pytest.raises(AttributeError):
        model().closure.elements[0].name = "other"  # type: ignore[misc]


def test_a_tree_with_a_motor_differs_from_one_without() -> None:
    builder = arms()
    plain = builder.build().fingerprint
    builder.set_actuated(["ja"])
    assert builder.build().fingerprint != plain
