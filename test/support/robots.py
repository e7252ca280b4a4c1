"""Robots to test on: random trees of every joint type, our own descriptions, and real robots."""

from __future__ import annotations

import sysconfig
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from robodyn_ros.description import load_model
from robodyn_ros.joints import Continuous, Fixed, Floating, Joint, Planar, Prismatic, Revolute
from robodyn_ros.model import Model, ModelBuilder
from robodyn_ros.spatial import rotation_from_rpy

EXAMPLE_ROBOTS = (
    Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"
)
OWN_ROBOTS = Path(__file__).parents[1] / "description" / "robots"

#: The two descriptions of example-robot-data that give an error instead of a model.
UNUSABLE = ("ur3.urdf", "alex_psyonic_hands.urdf")

BASES = ("fixed", "floating", "prescribed")
#: A test with `base`, once on each kind.
every_base = pytest.mark.parametrize("base", BASES)


def example_urdfs() -> list[Path]:
    """Return every URDF of example-robot-data; an absent package is an error, not a skip."""
    return list(_example_urdfs())


def usable_urdfs() -> list[Path]:
    """Return those that give a model."""
    return [path for path in example_urdfs() if path.name not in UNUSABLE]


def label(path: Path) -> str:
    """Return what a test calls an example description."""
    return f"{path.parts[-3]}-{path.stem}"


@cache
def _example_urdfs() -> tuple[Path, ...]:
    found = tuple(sorted(EXAMPLE_ROBOTS.rglob("*.urdf")))
    assert found, f"example-robot-data is not installed: nothing below {EXAMPLE_ROBOTS}"
    return found


def example(name: str) -> Path:
    """Return the example description with file name `name`."""
    return next(path for path in example_urdfs() if path.name == name)


def own_urdfs() -> list[Path]:
    """Return our own test descriptions that load."""
    return sorted(OWN_ROBOTS.rglob("*.urdf"))


def loaded(path: Path, base: str = "fixed") -> Model:
    """Return the model of a description, read once in a test run: it is immutable."""
    return _read(path, base)


@cache
def _read(path: Path, base: str) -> Model:
    return load_model(path, base=base)  # type: ignore[arg-type]


def random_joint(rng: np.random.Generator, kind: int) -> Joint:
    """Return a joint of the catalogue's kind number `kind` with a random axis."""
    axis = tuple(rng.normal(size=3))
    makers = (
        Fixed,
        lambda: Revolute(axis),
        lambda: Continuous(axis),
        lambda: Prismatic(axis),
        lambda: Planar(axis),
        Floating,
    )
    return makers[kind % len(makers)]()


def random_tree(seed: int, bodies: int = 12, base: str = "fixed", root: str | None = None) -> Model:
    """Return a random branched tree with every joint type, two mimic followers and a frame."""
    rng = np.random.default_rng(seed)
    builder = ModelBuilder(f"tree{seed}")
    drivers: list[str] = []
    for i in range(bodies):
        half = rng.normal(size=(3, 3))
        builder.add_body(
            f"b{i}", mass=rng.uniform(0.1, 3.0), com=rng.normal(size=3), inertia=half @ half.T
        )
        if i == 0:
            continue
        joint = random_joint(rng, i)
        builder.add_joint(
            f"j{i}",
            joint,
            f"b{rng.integers(max(0, i - 3), i)}",
            f"b{i}",
            position=rng.uniform(-0.5, 0.5, 3),
            rotation=rotation_from_rpy(rng.uniform(-np.pi, np.pi, 3)),
        )
        if joint.nv == 1:
            drivers.append(f"j{i}")
    builder.add_mimic(drivers[0], drivers[-1], -2.0, 0.3)
    builder.add_mimic(drivers[1], drivers[0], 0.5, -0.1)
    builder.add_frame(
        "tool", f"b{bodies - 1}", rng.normal(size=3), rotation_from_rpy(rng.normal(size=3))
    )
    return builder.build(base, root)  # type: ignore[arg-type]


def random_state(model: Model, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return random q, v and a of order 1."""
    from robodyn_ros.algorithms import random_configuration

    rng = np.random.default_rng(seed)
    q = random_configuration(model, rng)
    return q, rng.uniform(-1.0, 1.0, model.nv), rng.uniform(-1.0, 1.0, model.nv)
