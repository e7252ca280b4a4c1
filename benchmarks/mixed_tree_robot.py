"""A tree that mixes joint types, and our side of the figures of it.

Twelve links with all joints that MuJoCo can stack in one body: hinges, slides, balls, and what
consists of them. Each side builds the tree from the same list, a stack of elementary motions for
each joint, so that none reads what another has written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import robodyn_ros as rd
from robodyn_ros.joints import (
    Continuous,
    Cylindrical,
    Gimbal,
    Joint,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Translational,
    Universal,
)
from robodyn_ros.spatial import rotation_from_rpy

REACH = 1.5
"""Angles, displacements, rates, accelerations and efforts are random up to this."""

X, Y, Z, SKEW = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.48, 0.6, 0.64)


Rows = tuple[np.ndarray, ...]
"""Arrays of q, v and accelerations or efforts: as many of them as a function takes."""


class Link(NamedTuple):
    """A link: number of its parent, our joint, and the stack of motions that the joint is."""

    parent: int
    joint: Joint
    motions: tuple[tuple[str, tuple[float, float, float]], ...]


def _turns(*axes: tuple[float, float, float]) -> tuple[tuple[str, Any], ...]:
    return tuple(("turn", axis) for axis in axes)


def _slides(*axes: tuple[float, float, float]) -> tuple[tuple[str, Any], ...]:
    return tuple(("slide", axis) for axis in axes)


LINKS = (
    Link(0, Revolute(Z), _turns(Z)),
    Link(1, Universal(X, Y), _turns(X, Y)),
    Link(2, Prismatic(SKEW), _slides(SKEW)),
    Link(3, Spherical(), (("ball", Z),)),
    Link(4, Continuous(Y), _turns(Y)),
    Link(1, Gimbal("321"), _turns(Z, Y, X)),
    Link(6, Cylindrical(X), (*_turns(X), *_slides(X))),
    Link(7, Gimbal("12", outer=(Z,)), (*_turns(X, Y), ("slide", (0.0, 0.0, -1.0)))),
    Link(8, Revolute(SKEW), _turns(SKEW)),
    Link(0, Translational(), _slides(X, Y, Z)),
    Link(10, Planar(Z), (*_slides(X, Y), *_turns(Z))),
    Link(11, Spherical(), (("ball", Z),)),
)


class Sizes(NamedTuple):
    """Mass, centre of mass, inertia about it, and the joint's place in the parent, of each link."""

    mass: float
    com: np.ndarray
    inertia: np.ndarray
    position: np.ndarray
    rotation: np.ndarray


def sizes() -> list[Sizes]:
    """Return random sizes, the same each time."""
    rng = np.random.default_rng(12)
    found = []
    for _ in LINKS:
        points = rng.normal(size=(5, 3))
        spread = 0.05 * points.T @ points
        inertia = np.trace(spread) * np.eye(3) - spread
        rotation = rotation_from_rpy(rng.uniform(-3.0, 3.0, 3))
        com, position = rng.uniform(-0.3, 0.3, (2, 3))
        found.append(Sizes(rng.uniform(0.5, 2.0), com, inertia, position, rotation))
    return found


def ours() -> rd.Robot:
    """Return our side."""
    builder = rd.ModelBuilder("mixed tree")
    builder.add_body("0")
    for i, (link, size) in enumerate(zip(LINKS, sizes(), strict=True), start=1):
        builder.add_body(str(i), mass=size.mass, com=size.com, inertia=size.inertia)
        place = {"position": size.position, "rotation": size.rotation}
        builder.add_joint(f"j{i}", link.joint, str(link.parent), str(i), **place)
    return rd.Robot(builder.build(), compile="wait")


class Batch(NamedTuple):
    """Another engine's batch: its name, and what makes a run of it from rows in our coordinates."""

    name: str
    prepare: Callable[[Rows], Callable[[], np.ndarray]]


class Side(NamedTuple):
    """Another engine's side.

    Attributes:
        name: in tables.
        functions: by our names; each takes a row in its coordinates.
        rows: our rows in its coordinates, one by one.
        batches: by our names; a function that is in none is called row by row.
    """

    name: str
    functions: dict[str, Callable[..., Any]]
    rows: Callable[[Rows], list[Rows]]
    batches: dict[str, Batch]


def one_by_one(rows: Rows) -> list[Rows]:
    """Return rows as calls of one take them."""
    return list(zip(*rows, strict=True))


def quaternions(model: rd.Model) -> Iterator[int]:
    """Yield where each quaternion begins in q."""
    for joint in model.own_joints:
        if joint.joint.quaternion_start is not None:
            yield joint.q_index + joint.joint.quaternion_start


def random_rows(model: rd.Model, count: int, seed: int) -> Rows:
    """Return distinct random rows of q, v and of accelerations or efforts."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-REACH, REACH, (count, model.nq))
    for begin in quaternions(model):
        part = q[:, begin : begin + 4]
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    v, x = rng.uniform(-REACH, REACH, (2, count, model.nv))
    return q, v, x
