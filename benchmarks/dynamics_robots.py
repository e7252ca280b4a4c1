"""The robots that figures of dynamics are given for, the same problem on both sides."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio as pin

import robodyn_ros as rd
from benchmarks.robots import ROBOTS
from robodyn_ros.model import Model

REACH = 1.5
"""Angles, rates, accelerations and efforts are random up to this."""


@dataclass(frozen=True)
class Opponent:
    """One robot for us and for Pinocchio, with the map from our coordinates to Pinocchio's.

    Attributes:
        name: in tables.
        text: the description that both sides read.
        base: "fixed" or "floating".
        robot: our side.
        other: Pinocchio's.
        positions: (its nq, our nq); its coordinates are `positions @ q + offset`.
        offset: (its nq,).
        rates: P (its nv, our nv); its rates are P v, our efforts P^T of its.
        coupled: whether joints follow others: free on its side, so that P does more than reorder.
    """

    name: str
    text: str
    base: str
    robot: rd.Robot
    other: pin.Model
    positions: np.ndarray
    offset: np.ndarray
    rates: np.ndarray
    coupled: bool

    def rows(self, count: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return distinct random rows of q, v and of accelerations or efforts, in our order."""
        rng = np.random.default_rng(seed)
        model = self.robot.model
        q = rng.uniform(-REACH, REACH, (count, model.nq))
        for joint in model.own_joints:
            if joint.joint.quaternion_start is not None:
                begin = joint.q_index + joint.joint.quaternion_start
                part = rng.normal(size=(count, 4))
                q[:, begin : begin + 4] = part / np.linalg.norm(part, axis=1, keepdims=True)
        v, x = (rng.uniform(-REACH, REACH, (count, model.nv)) for _ in range(2))
        return q, v, x

    def theirs(self, rows: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Return rows of q, v, ... in Pinocchio's coordinates."""
        q, *others = rows
        found = (q @ self.positions.T + self.offset, *(x @ self.rates.T for x in others))
        return tuple(map(np.ascontiguousarray, found))


def opponents() -> Iterator[Opponent]:
    """Yield the robots one by one, each with "wait": its kernels compile when they are needed."""
    full = "talos_full_v2.urdf"
    yield opponent("UR5", _text("ur5_robot.urdf"))
    yield opponent("Panda", without_mimic(_text("panda.urdf")))
    yield opponent("Talos", _text("talos_reduced.urdf"))
    yield opponent("Talos full", without_mimic(_text(full)))
    yield opponent("Talos full, mimic", _text(full))
    yield opponent("Talos floating", _text("talos_reduced.urdf"), base="floating")


def opponent(name: str, text: str, *, base: str = "fixed") -> Opponent:
    """Load one robot on both sides."""
    robot = rd.load(text, base=base, compile="wait")  # type: ignore[arg-type]
    root = (pin.JointModelFreeFlyer(),) if base == "floating" else ()
    other = pin.buildModelFromXML(text, *root)
    rates, coupled = _rates(robot.model, other)
    positions, offset = _positions(robot.model, other)
    return Opponent(name, text, base, robot, other, positions, offset, rates, coupled)


def without_mimic(text: str) -> str:
    """Return a description whose followers are joints of their own."""
    return re.sub(r"<mimic[^>]*/>", "", text)


def _text(file: str) -> str:
    return next(ROBOTS.rglob(file)).read_text()


def _places(model: Model, other: pin.Model) -> Iterator[tuple[Any, Any]]:
    """Yield (our joint, Pinocchio's) for every joint that moves."""
    for _, joint in model.moving:
        if joint.joint.nv:
            name = "root_joint" if joint.joint.type_name == "floating" else joint.name
            place = other.joints[other.getJointId(name)]
            if (place.nq, place.nv) != (joint.joint.nq, joint.joint.nv):
                raise SystemExit(f"Pinocchio has other coordinates for joint {joint.name!r}")
            yield joint, place


def _rates(model: Model, other: pin.Model) -> tuple[np.ndarray, bool]:
    """Return P, and whether a joint follows another."""
    rates = np.zeros((other.nv, model.nv))
    coupled = False
    for joint, place in _places(model, other):
        coupled = coupled or joint.is_follower
        block = joint.coordinates.velocity_map(np.zeros(model.nq))
        if joint.joint.type_name == "floating":  # its free flyer has the linear velocity first
            block = np.roll(block, 3, axis=0)
        rates[place.idx_v : place.idx_v + place.nv, list(joint.coordinates.columns())] = block
    return rates, coupled


def _positions(model: Model, other: pin.Model) -> tuple[np.ndarray, np.ndarray]:
    """Return the affine map of coordinates; quaternions are (x, y, z, w) on both sides."""
    offset = np.zeros(other.nq)
    positions = np.zeros((other.nq, model.nq))
    for joint, place in _places(model, other):
        span = slice(place.idx_q, place.idx_q + place.nq)
        at: Callable[[np.ndarray], np.ndarray] = joint.coordinates.position
        offset[span] = at(np.zeros(model.nq))
        positions[span] = np.array([at(unit) for unit in np.eye(model.nq)]).T - offset[span, None]
    return positions, offset
