"""A slider for every coordinate of a robot.

Most coordinates are numbers of q. What turns freely about three axes has none: its sliders are the
rates that lead from where it began to where it is in one second, about and along its own axes (see
`Joint.difference`), so a rotation vector of at most a turn and a displacement.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import UnknownNameError
from robodyn_ros.joints import JointLimits
from robodyn_ros.model import Model, TreeJoint
from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.panel_actions import Abilities
from robodyn_ros.viewer.panel_joints import JointSliders, Range

Floats = NDArray[np.float64]
OnMove = Callable[[tuple[str, ...], Floats], None]
"""Takes the names of coordinates that were moved and their new values (n,), rad or m."""


class _Coordinate(NamedTuple):
    """A coordinate: its joint, its rate's number there, and its entry of q if it has one."""

    joint: TreeJoint
    rate: int
    place: int | None


class Sliders:
    """Sliders in the panel of a page, within the limits of the coordinates.

    They are made where they are constructed: within `with gui.add_folder(...)` in that folder. An
    angle without limits reaches from -pi to pi, a length without limits as far as is asked for.

    Attributes:
        names: the coordinates that have a slider, of `model.coordinate_names`.
    """

    def __init__(
        self,
        page: Page,
        model: Model,
        *,
        names: Sequence[str] | None = None,
        q: ArrayLike | None = None,
        reach: float = 1.0,
    ) -> None:
        """Put sliders on the page.

        Args:
            page: the page.
            model: the robot.
            names: which coordinates; by default all, of a closed mechanism the independent ones.
            q: (nq,) where they are at first; by default as the description begins.
            reach: half the range of a length without limits, m.

        Raises:
            UnknownNameError: the robot has no such coordinate.
        """
        known = dict(zip(model.coordinate_names, _coordinates(model), strict=True))
        self.names: tuple[str, ...] = tuple(independent_names(model) if names is None else names)
        for name in self.names:
            if name not in known:
                raise UnknownNameError.among("coordinate", name, known)
        self._model = model
        self._begin = np.array(model.defaults.q if q is None else q, dtype=np.float64)
        self._asked = {name: known[name] for name in self.names}
        self._values = self._values_at(self._begin)
        self._lock = threading.Lock()
        self._callbacks: list[OnMove] = []
        self._sliders = JointSliders(page.server.gui, self._moved)
        self._sliders.follow(self._values)
        self._sliders.arrange([*self._ranges(reach)])
        self._sliders.follow(self._values)
        self.enabled = True

    def on_move(self, callback: OnMove) -> OnMove:
        """Let `callback(names, values)` be called, in the page's threads, when somebody moves one.

        Values are those asked for: of an angle without limits, the turn nearest to where it is.
        """
        self._callbacks.append(callback)
        return callback

    def show(self, q: ArrayLike) -> None:
        """Move the sliders to coordinates q (nq,); no callback hears of it.

        One that somebody moved within the last second stays.
        """
        values = self._values_at(np.asarray(q, dtype=np.float64))
        with self._lock:
            self._values = values
        self._sliders.follow(values)

    def has_number(self, name: str) -> bool:
        """Return whether a coordinate is a number of q."""
        return self._asked[name].place is not None

    def configuration(self, q: ArrayLike, names: Sequence[str], values: ArrayLike) -> Floats:
        """Return q (nq,) with some of the coordinates changed, as `on_move` tells of them.

        Args:
            q: (nq,) all coordinates.
            names: of those that change.
            values: (n,) theirs.
        """
        changed = np.array(q, dtype=np.float64)
        for name, value in zip(names, np.asarray(values, dtype=np.float64).tolist(), strict=True):
            joint, rate, place = self._asked[name]
            if place is not None:
                changed[place] = value
                continue
            own = slice(joint.q_index, joint.q_index + joint.joint.nq)
            turns = np.array(joint.joint.difference(self._begin[own], changed[own]))
            turns[rate] = value
            named = [joint.q_index + k for k in joint.joint.rate_coordinates() if k is not None]
            kept = changed[named]
            changed[own] = joint.joint.integrate(self._begin[own], turns)
            changed[named] = kept
        return changed

    @property
    def enabled(self) -> bool:
        """Whether they can be moved; may be set."""
        return self._enabled

    @enabled.setter
    def enabled(self, enabled: bool) -> None:
        self._enabled = bool(enabled)
        self._sliders.allow(Abilities(move=self._enabled))

    def _moved(self, name: str, value: float) -> None:
        with self._lock:
            self._values[name] = value
        for callback in self._callbacks:
            callback((name,), np.array([value]))

    def _values_at(self, q: Floats) -> dict[str, float]:
        """Return what the sliders show at q."""
        found = {}
        for name, (joint, rate, place) in self._asked.items():
            if place is not None:
                found[name] = float(q[place])
            else:
                own = slice(joint.q_index, joint.q_index + joint.joint.nq)
                found[name] = float(joint.joint.difference(self._begin[own], q[own])[rate])
        return found

    def _ranges(self, reach: float) -> Iterator[Range]:
        for name, (joint, rate, place) in self._asked.items():
            turns = joint.joint.turning()[rate]
            limits = joint.rate_limits[rate] if place is not None else JointLimits()
            free = limits.lower is None and limits.upper is None
            lower, upper = interval(limits, math.pi if turns else reach)
            value = self._values[name]
            endless = bool(turns and free and place is not None and joint.joint.nv == 1)
            if not endless:
                lower, upper = min(lower, value), max(upper, value)
            yield Range(name, lower, upper, "rad" if turns else "m", turns_endlessly=endless)


def independent_names(model: Model) -> tuple[str, ...]:
    """Return all coordinates, of a closed mechanism those on which the others depend."""
    partition = model.closure.partition
    names = model.coordinate_names
    return names if partition is None else tuple(names[k] for k in partition.independent)


def interval(limits: JointLimits, free: float) -> tuple[float, float]:
    """Return a range within limits, of `free` to both sides, or twice to one, without them."""
    lower, upper = limits.lower, limits.upper
    if lower is None:
        lower = -free if upper is None else min(upper - 2.0 * free, -free)
    if upper is None:
        upper = max(lower + 2.0 * free, free)
    return lower, upper


def _coordinates(model: Model) -> Iterator[_Coordinate]:
    """Yield the coordinates in the order of v."""
    for joint in model.own_joints:
        for rate, place in enumerate(joint.joint.rate_coordinates()):
            yield _Coordinate(joint, rate, None if place is None else joint.q_index + place)
