"""The initial state that a mechanism file gives, by joint."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.description.mechanism.joint_parts import counted, initial_position
from robodyn_ros.description.mechanism.sections import Entry
from robodyn_ros.errors import did_you_mean, quoted
from robodyn_ros.joints import Joint
from robodyn_ros.model import Model
from robodyn_ros.model.elements import constant


class InitialState:
    """The section `initial`, asked joint by joint; at the end nothing of it may be left."""

    def __init__(self, entry: Entry | None) -> None:
        """Keep the section's values and their places."""
        positions = (entry and entry["positions"]) or {}
        velocities = (entry and entry["velocities"]) or {}
        self._positions: dict[str, Any] = dict(positions)
        self._velocities: dict[str, Any] = dict(velocities)
        self._joints: list[str] = []

    def of(
        self, name: str, joint: Joint, entry: Entry | None = None, *, follows: bool = False
    ) -> dict[str, Any]:
        """Return the initial state of a joint, as a builder takes it.

        Args:
            name: the joint's name.
            joint: the joint, which says how many numbers are due.
            entry: the joint's own entry, which must not give the same.
            follows: whether the joint follows others, and has no state of its own.
        """
        self._joints.append(name)
        found: dict[str, Any] = {}
        for given in (self._positions, self._velocities):
            if follows and name in given:
                raise given[name][0].failure(
                    "the joint follows others; give the initial values of those"
                )
        if name in self._positions:
            place, values = self._positions.pop(name)
            if entry is not None and entry.gives("initial_position"):
                raise place.failure("the joint has an initial_position of its own; drop one")
            found["initial"] = initial_position(place, values, joint)
        if name in self._velocities:
            place, values = self._velocities.pop(name)
            if entry is not None and entry.gives("initial_velocity"):
                raise place.failure("the joint has an initial_velocity of its own; drop one")
            found["initial_velocity"] = counted(place, values, joint)
        return found

    def was_asked(self, name: str) -> bool:
        """Return whether the initial state of a joint was asked already."""
        return name in self._joints

    def require_all_used(self) -> None:
        """Raise for what belongs to no joint."""
        for left in (self._positions, self._velocities):
            for name, (place, _) in left.items():
                hint = did_you_mean(name, self._joints)
                raise place.failure(f"no joint or control is called {quoted(name)}{hint}")


def with_added_state(model: Model, state: InitialState) -> Model:
    """Return the model with the initial state given for joints that only the model has.

    They are the joint of a floating base, and those of bodies that only constraints hold.
    """
    q, v = np.array(model.defaults.q), np.array(model.defaults.v)
    added = [joint for joint in model.own_joints if not state.was_asked(joint.name)]
    for joint in added:
        given = state.of(joint.name, joint.joint)
        if "initial" in given:
            end = joint.q_index + joint.joint.nq
            q[joint.q_index : end] = normalised(given["initial"], joint.joint)
        if "initial_velocity" in given:
            v[joint.v_index : joint.v_index + joint.joint.nv] = given["initial_velocity"]
    if not added:
        return model
    return replace(model, defaults=replace(model.defaults, q=constant(q), v=constant(v)))


def normalised(q: NDArray[np.float64], joint: Joint) -> NDArray[np.float64]:
    """Return coordinates with a quaternion of norm 1."""
    start = joint.quaternion_start
    if start is not None:
        q = np.array(q)
        q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
    return q
