"""From coordinate names in any order to entries of q and v, worked out once for each list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import listed
from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.model import Model, TreeJoint
from robodyn_ros.spatial import quaternion_exponential

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

MAX_PLANS = 64
"""Lists of names that are remembered."""
_LONGEST_NAME = 100


class Attitude(NamedTuple):
    """A quaternion of q that three positions of a request give, as a rotation vector."""

    q_start: int
    entries: Indices


class Plan(NamedTuple):
    """What a list of names means.

    Attributes:
        names: The coordinates asked for, in that order.
        v_index: (n,) their entries of v.
        in_order: Whether they are all coordinates in the model's order.
        entries: Positions of the request that are entries of q,
        q_index: and which entries these are.
        attitudes: Those that are not.
        missing: Coordinates that are not named.
        rest: Joints that have such, and those that move without coordinates of their own.
    """

    names: tuple[str, ...]
    v_index: Indices
    in_order: bool
    entries: Indices
    q_index: Indices
    attitudes: tuple[Attitude, ...]
    missing: tuple[str, ...]
    rest: tuple[TreeJoint, ...]

    def coordinates(self, position: Floats, rest: Floats) -> Floats:
        """Return q (nq,): the named ones from `position` (n,), the others from `rest` (nq,)."""
        if self.in_order and not self.attitudes:
            return position
        q = rest.copy()
        q[self.q_index] = position[self.entries]
        for start, entries in self.attitudes:
            q[start : start + 4] = quaternion_exponential(position[entries])
        return q

    def rates(self, values: Floats, rest: Floats) -> Floats:
        """Return (nv,): the named rates from `values` (n,), the others from `rest` (nv,)."""
        if self.in_order:
            return values
        v = rest.copy()
        v[self.v_index] = values
        return v

    def of(self, values: Floats) -> Floats:
        """Return the named entries of the last axis of `values` (..., nv), in the order asked."""
        return values if self.in_order else values[..., self.v_index]


class Coordinates:
    """The coordinates of a model by name."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._number = {name: i for i, name in enumerate(model.coordinate_names)}
        self._plans: dict[tuple[str, ...], Plan] = {}

    def plan(self, names: Sequence[str]) -> Plan:
        """Return what `names` mean; none are all.

        Raises:
            UnknownNameError: a name that no coordinate has; the text says what to give instead.
            ArgumentError: a name given twice, or a part of an attitude.
        """
        key = tuple(names)
        found = self._plans.get(key)
        if found is None:
            if len(self._plans) >= MAX_PLANS:
                self._plans.clear()
            found = self._plans[key] = self._worked_out(key or self.model.coordinate_names)
        return found

    def _worked_out(self, names: tuple[str, ...]) -> Plan:
        numbers = [self._number_of(name) for name in names]
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise ArgumentError(
                f"names has {listed([quoted(x) for x in twice])} more than once; give each once"
            )
        place = {number: entry for entry, number in enumerate(numbers)}
        entries, q_index, attitudes = [], [], []
        for joint in self.model.own_joints:
            plain, turned = _sources(joint, place, self.model.coordinate_names)
            entries += [place[number] for number, _ in plain]
            q_index += [index for _, index in plain]
            attitudes += turned
        every = self.model.coordinate_names
        return Plan(
            names,
            np.array(numbers, dtype=np.intp),
            numbers == list(range(len(every))),
            np.array(entries, dtype=np.intp),
            np.array(q_index, dtype=np.intp),
            tuple(attitudes),
            tuple(name for number, name in enumerate(every) if number not in place),
            self._rest(place),
        )

    def _rest(self, place: dict[int, int]) -> tuple[TreeJoint, ...]:
        """Return the joints that are not named in full; a prescribed base is one of them."""
        own = [
            joint
            for joint in self.model.own_joints
            if any(joint.v_index + k not in place for k in range(joint.joint.nv))
        ]
        if own and self.model.base == "prescribed" and self.model.joints[1] is not None:
            own.append(self.model.joints[1])
        return tuple(own)

    def _number_of(self, name: str) -> int:
        number = self._number.get(name)
        if number is not None:
            return number
        known = next((joint for _, joint in self.model.moving if joint.name == name), None)
        if known is None:
            raise UnknownNameError.among("coordinate", name[:_LONGEST_NAME], self._number)
        if known.joint.nv == 0:
            prescribed = self.model.base == "prescribed" and known is self.model.joints[1]
            what = "prescribed" if prescribed else "fixed"
            raise UnknownNameError(
                f"joint {quoted(name)} is {what}: no coordinate; leave it out of names"
            )
        joint = self.model.own_joint(name)  # tells of a follower's driver
        parts = [f"{name}/{axis}" for axis in joint.joint.axes]
        raise UnknownNameError(
            f"joint {quoted(name)} has several coordinates; name {listed(parts)} instead"
        )


def _sources(
    joint: TreeJoint, place: dict[int, int], names: Sequence[str]
) -> tuple[list[tuple[int, int]], list[Attitude]]:
    """Return the named coordinates of a joint that are entries of q, and its attitude if named.

    Raises:
        ArgumentError: one or two of the three numbers of an attitude are named.
    """
    start, kind = joint.q_index, joint.joint
    first = joint.v_index
    named = [number for number in range(first, first + kind.nv) if number in place]
    if kind.quaternion_start is None:
        return [(number, start + number - first) for number in named], []
    places = dict(enumerate(kind.rate_coordinates(), start=first))
    turns = [number for number, entry in places.items() if entry is None]
    plain = [(x, start + entry) for x in named if (entry := places[x]) is not None]
    given = [number for number in turns if number in place]
    if not given:
        return plain, []
    if len(given) < len(turns):
        raise ArgumentError(
            f"names has {quoted(names[given[0]])} but not all of"
            f" {listed([quoted(names[x]) for x in turns])}: an attitude is given by its rotation"
            " vector, by all three or not at all"
        )
    entries = np.array([place[number] for number in turns], dtype=np.intp)
    return plain, [Attitude(start + kind.quaternion_start, entries)]
