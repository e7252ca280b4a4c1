"""Closed mechanisms of the figures, with states, and their trees for other engines to build."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

import robodyn_ros as rd
from robodyn_ros.algorithms.integrate import integrate
from robodyn_ros.joints import Joint
from robodyn_ros.model import Body, TreeJoint, Weld

EXAMPLES = Path(__file__).parents[1] / "examples"
FILES = {
    "four-bar": "four_bar.yaml",
    "squeezer": "benchmarks/andrews_squeezer.yaml",
    "Stewart platform": "stewart_platform.yaml",
}

AWAY = 0.02
"""rad or m, at most, that each dependent coordinate of a guess is away from a closed state."""
ROOM = 0.1
"""rad or m, at most, that the independent coordinates are away from the initial state."""
CLOSED = 1e-12
"""m that the ends of a loop may be apart where it is assembled."""


class States(NamedTuple):
    """Rows of closed states in motion, and of guesses with the same independent coordinates."""

    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    guess: np.ndarray


class Link(NamedTuple):
    """A link of the tree that other engines build; entries of q and v of its joint are ours."""

    name: str
    parent: str
    body: Body
    joint: TreeJoint
    kind: Joint
    q: list[int]
    v: list[int]


class Loop(NamedTuple):
    """A pin or a ball: its place in both links that it joins."""

    parent: str
    on_parent: np.ndarray
    child: str
    on_child: np.ndarray


class Engine(NamedTuple):
    """What another engine does with a mechanism; states are rows in its own coordinates.

    Attributes:
        name: in tables.
        converted: our states in its coordinates, without those of loop joints.
        accelerated: a row of q, v, tau to the accelerations.
        forces: what the constraints exert in the row that was accelerated last, by its rates.
        accelerations: accelerations (N, ...) of the links' joints in our coordinates.
        assembled: a row of a guess to closed coordinates.
        jacobian: coordinates to the constraints' Jacobian in its rates.
        gaps: closed coordinates to the distances between the ends of loops, m.
        batch: what runs states on its threads, or None for a loop in Python.
        from_rest: whether it needs states at rest to give accelerations.
    """

    name: str
    converted: Callable[[States], States]
    accelerated: Callable[..., np.ndarray]
    forces: Callable[[], np.ndarray]
    accelerations: Callable[[States, np.ndarray], np.ndarray]
    assembled: Callable[[np.ndarray], np.ndarray]
    jacobian: Callable[[np.ndarray], np.ndarray]
    gaps: Callable[[np.ndarray], np.ndarray]
    batch: Callable[[States], Callable[[], np.ndarray]] | None
    from_rest: bool


class Case:
    """A mechanism, our robot of it, and what others need to build it."""

    def __init__(self, name: str) -> None:
        """Load it."""
        self.name = name
        self.robot = rd.load(EXAMPLES / FILES[name], compile="wait")
        model = self.robot.model
        self.gravity = np.array(model.defaults.environment.gravity)
        partition = model.closure.partition
        if partition is None:
            raise SystemExit(f"{name}: it was not assembled")
        self.independent = list(partition.independent)
        self.links = [
            Link(
                model.bodies[i].name,
                model.bodies[joint.parent].name,
                model.bodies[i],
                joint,
                joint.joint,
                list(range(joint.q_index, joint.q_index + joint.joint.nq)),
                list(range(joint.v_index, joint.v_index + joint.joint.nv)),
            )
            for i, joint in model.moving
            if not model.bodies[i].auxiliary
        ]
        self.q = [k for link in self.links for k in link.q]
        self.v = [k for link in self.links for k in link.v]

    @property
    def loops(self) -> list[Loop]:
        """The loops, their places in the child read off where the mechanism begins."""
        model = self.robot.model
        position, rotation, *_ = self.robot.body_motion(self.robot.initial_state[0])
        joints = dict(model.moving)
        found = []
        for element in model.closure.elements:
            if not isinstance(element, Weld):
                raise SystemExit(f"{self.name}: {element.name} is no loop joint")
            joint, child = joints[element.body_1], element.body_2
            at = position[joint.parent] + rotation[joint.parent] @ joint.position
            on_child = rotation[child].T @ (at - position[child])
            names = model.body_names
            found.append(Loop(names[joint.parent], joint.position, names[child], on_child))
        return found

    def states(self, count: int, seed: int, *, moving: bool = True) -> States:
        """Return random closed states whose efforts make accelerations of about 1."""
        robot, rng = self.robot, np.random.default_rng(seed)
        step = np.zeros((count, robot.model.nv))
        step[:, self.independent] = rng.uniform(-ROOM, ROOM, (count, len(self.independent)))
        q = robot.closed(integrate(robot.model, robot.initial_state[0], step))
        if not np.all(np.isfinite(q)):
            raise SystemExit(f"{self.name}: a state of the benchmark does not close")
        v, a = rng.uniform(-1.5, 1.5, (2, count, robot.model.nv))
        v, a = robot.complete(q, v if moving else 0.0 * v, a)
        away = rng.uniform(-AWAY, AWAY, v.shape)
        away[:, self.independent] = 0.0
        return States(
            q, np.copy(v), robot.inverse_dynamics(q, v, a), integrate(robot.model, q, away)
        )

    def tree(self, states: States) -> States:
        """Return the states without the coordinates of loop joints."""
        q, v, tau, guess = states
        parts = (q[:, self.q], v[:, self.v], tau[:, self.v], guess[:, self.q])
        return States(*map(np.ascontiguousarray, parts))

    @property
    def given(self) -> list[int]:
        """Entries of the tree's rates, in the links' order, that stay as guessed."""
        return [self.v.index(k) for k in self.independent]
