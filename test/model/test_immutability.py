"""A model never changes: frozen fields, read-only arrays, copies of what a builder was given."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass

import numpy as np
import pytest

from differentiation import error
from robodyn_ros.algorithms import body_motion
from robodyn_ros.joints import Revolute
from robodyn_ros.model import BaseMotion, Environment, Model, ModelBuilder, Note
from robots import random_state, random_tree

MODEL = random_tree(1, base="floating", root="b8")


def used(model: Model) -> Model:
    """Return the model after everything that it remembers was asked for."""
    assert model.fingerprint
    assert model.frame("tool")
    assert model.joint("j1")
    assert model.body_index("b1")
    assert model.coordinate_names
    return model


def parts(value: object) -> Iterator[object]:
    """Yield every dataclass instance and array that a value holds."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for entry in value:
            yield from parts(entry)
    elif is_dataclass(value):
        yield value
        for field in fields(value):
            yield from parts(getattr(value, field.name))


def arrays(model: Model) -> list[np.ndarray]:
    held = (*parts(model), *(part for frame in model.frames.values() for part in parts(frame)))
    return [part for part in held if isinstance(part, np.ndarray)]


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
@pytest.mark.parametrize("prepare", [lambda m: m, used])
def test_copies_are_equal_and_as_immutable(
    way: Callable[[Model], Model], prepare: Callable[[Model], Model]
) -> None:
    original = prepare(random_tree(1, base="floating", root="b8"))
    model = way(original)
    assert model.fingerprint == original.fingerprint
    assert model.frames.keys() == original.frames.keys()
    state = random_state(model, 0)
    for a, b in zip(body_motion(model, *state), body_motion(original, *state), strict=True):
        assert error(a, b) == 0.0
    assert len(arrays(model)) == len(arrays(original)) > 50
    assert not any(array.flags.writeable for array in arrays(model))


def test_arrays_are_read_only() -> None:
    for array in arrays(used(MODEL)):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0


def test_fields_are_frozen() -> None:
    for part in (*parts(MODEL), Note("ignored", "a", "text")):
        if is_dataclass(part) and fields(part):
            with pytest.raises(FrozenInstanceError):
                setattr(part, fields(part)[0].name, None)


def test_collections_are_immutable() -> None:
    for name in ("bodies", "joints", "extra_frames", "notes", "parent", "body_names", "own_joints"):
        assert isinstance(getattr(MODEL, name), tuple)
    with pytest.raises(TypeError):
        MODEL.frames["tool"] = None  # type: ignore[index]


def test_a_builder_copies_what_it_is_given() -> None:
    com, inertia, position, rotation = np.zeros(3), np.eye(3), np.zeros(3), np.eye(3)
    builder = ModelBuilder("copying")
    builder.add_body("a", mass=1.0, com=com, inertia=inertia)
    builder.add_body("b")
    builder.add_joint("j", Revolute((1, 0, 0)), "a", "b", position=position, rotation=rotation)
    builder.add_frame("f", "a", position, rotation)
    model = builder.build()
    before = model.fingerprint
    for array in (com, inertia, position, rotation):
        assert array.flags.writeable
        array[...] = 7.0
    again = builder.build()
    assert again.fingerprint == before
    assert not again.frame("f").position.any()


def test_a_model_does_not_follow_its_builder() -> None:
    builder = ModelBuilder("growing")
    builder.add_body("a")
    model = builder.build()
    builder.add_body("b")
    builder.add_joint("j", Revolute((1, 0, 0)), "a", "b")
    builder.add_note("ignored", "a", "something")
    assert model.nb == 1
    assert model.notes == ()
    assert builder.build().nb == 2


def test_a_report_is_a_copy() -> None:
    report = MODEL.report()
    report.to_dict()["bodies"].clear()
    assert len(report.to_dict()["bodies"]) == MODEL.nb


def test_an_environment_is_a_value() -> None:
    environment = Environment()
    other = environment.with_gravity(np.array([0.0, 1.0, 2.0]))
    moved = other.with_base_motion(BaseMotion(position=np.ones(3)))
    assert environment.gravity.tolist() == [0.0, 0.0, -9.81]
    assert other.gravity.tolist() == moved.gravity.tolist() == [0.0, 1.0, 2.0]
    assert not other.base_motion.position.any()
    with pytest.raises(ValueError, match="read-only"):
        other.gravity[0] = 1.0
    with pytest.raises(FrozenInstanceError):
        environment.gravity = np.zeros(3)  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(other))
    assert again.gravity.tolist() == other.gravity.tolist()
    assert not again.gravity.flags.writeable
