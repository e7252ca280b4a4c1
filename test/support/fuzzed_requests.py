"""Seeded requests of every dynamics service, good and bad, with what is to become of them.

What a request means is worked out here on its own, by reading the interface files; nothing of it is
taken from the services.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

import numpy as np
from geometry_msgs.msg import Inertia, Vector3
from robodyn_interfaces.msg import Payload

from dynamics_requests import wrench
from dynamics_rig import KINDS
from robodyn_ros.model import Model

LIVE, NEUTRAL = 1, 2
SANE = 1e9
HUGE = (1e8, 1e20, -1e154, 1e300)
NOT_FINITE = (float("nan"), float("inf"), float("-inf"))
STRANGE = ("", " ", "joint", "säule", "a/b", "x" * 5000, "${m}", "\n", "base\t", "%s%n")
ATTITUDE = ("rx", "ry", "rz")
ARRAYS = {
    "inverse_dynamics": ("velocity", "acceleration"),
    "forward_dynamics": ("velocity", "effort"),
    "body_motion": ("velocity", "acceleration"),
    "mass_matrix": (),
    "jacobian": (),
}


class Fate(Enum):
    """What is to become of a request."""

    ANSWERED = "answered"
    REFUSED = "refused"
    EITHER = "either"  # numbers that floats may or may not take, or a singular mass matrix


class Fuzzed(NamedTuple):
    """A request."""

    service: str
    request: Any
    fate: Fate


class Fuzzer:
    """Makes requests for one model; joints in `silent` were not measured."""

    def __init__(self, model: Model, seed: int, silent: tuple[str, ...] = ()) -> None:
        self._model = model
        self._rng = np.random.default_rng(seed)
        self._silent = silent
        self._bad = False
        self._open = False

    def next(self) -> Fuzzed:
        """Return another request."""
        service = self._pick(tuple(KINDS))
        self._bad = self._open = False
        request = KINDS[service].Request()
        if service in ARRAYS:
            self._state(service, request)
        elif service == "set_payload":
            self._payload(request)
        fate = Fate.REFUSED if self._bad else Fate.EITHER if self._open else Fate.ANSWERED
        return Fuzzed(service, request, fate)

    def _pick(self, choices: Any) -> Any:
        return choices[int(self._rng.integers(len(choices)))]

    def _chance(self, share: float) -> bool:
        return bool(self._rng.random() < share)

    def _state(self, service: str, request: Any) -> None:
        names = self._names(request)
        count = len(names)
        request.position = self._numbers(count, may_be_empty=False)
        self._bad |= bool(np.any(np.abs(request.position) > SANE))
        for array in ARRAYS[service]:
            setattr(request, array, self._numbers(count, may_be_empty=True))
            if array == "velocity":
                self._bad |= bool(np.any(np.abs(request.velocity) > SANE))
        if service == "jacobian":
            request.frame = self._frame()
        if service in ("inverse_dynamics", "forward_dynamics"):
            request.friction = self._chance(0.5)
            request.external_wrenches = [self._wrench() for _ in range(self._pick((0, 0, 1, 2)))]
        if service == "forward_dynamics":
            request.unnamed = self._pick((0, 1, 0, 1, 0, 1, 2, 255))
            self._bad |= request.unnamed > 1

    def _names(self, request: Any) -> list[str]:
        """Choose names and rest; return what is named."""
        every = [*self._model.coordinate_names]
        request.rest = self._pick((0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 77))
        self._bad |= request.rest > NEUTRAL
        if self._chance(0.2):
            return every
        names = [str(x) for x in self._rng.permutation(every)]
        if self._chance(0.5):
            names = names[: int(self._rng.integers(1, len(names) + 1))]
        self._judge(names, request.rest)
        if self._chance(0.2):
            self._bad = True
            spoilt = self._pick((*STRANGE, *self._unfit()))
            names.insert(int(self._rng.integers(len(names) + 1)), spoilt)
        elif self._chance(0.08):
            self._bad = True
            names.append(self._pick(names))
        request.names = names
        return names

    def _unfit(self) -> list[str]:
        """Return names of joints that have no coordinate of this name."""
        own = self._model.coordinate_names
        return [joint.name for _, joint in self._model.moving if joint.name not in own]

    def _judge(self, names: list[str], rest: int) -> None:
        """Decide whether good names may stand alone."""
        for joint in self._model.own_joints:
            own = [f"{joint.name}/{axis}" for axis in joint.joint.axes] or [joint.name]
            given = [name for name in own if name in names]
            turns = [name for name in given if name.rpartition("/")[2] in ATTITUDE]
            if joint.joint.quaternion_start is not None and len(turns) in (1, 2):
                self._bad = True
            if len(given) < len(own):
                self._bad |= rest == 0
                self._bad |= rest == LIVE and joint.name in self._silent

    def _numbers(self, count: int, *, may_be_empty: bool) -> list[float]:
        if self._chance(0.1):
            count = self._pick((0, count - 1, count + 1, 3 * count))
            if count == 0 and may_be_empty:
                return []
            self._bad = True
        elif may_be_empty and self._chance(0.3):
            return []
        numbers: list[float] = self._rng.normal(size=count).tolist()
        if count and self._chance(0.08):
            numbers[int(self._rng.integers(count))] = self._pick(NOT_FINITE)
            self._bad = True
        elif count and self._chance(0.08):
            numbers[int(self._rng.integers(count))] = self._pick(HUGE)
            self._open = True
        return numbers

    def _frame(self) -> str:
        if self._chance(0.9):
            return str(self._pick(tuple(self._model.frames)))
        self._bad = True
        return str(self._pick(STRANGE))

    def _wrench(self) -> Any:
        numbers = self._rng.normal(size=6)
        if self._chance(0.1):
            numbers[int(self._rng.integers(6))] = self._pick(NOT_FINITE)
            self._bad = True
        return wrench(self._frame(), numbers[:3], numbers[3:])

    def _payload(self, request: Any) -> None:
        name = self._pick(("", "box", "tool"))
        frame = self._frame()
        numbers = self._rng.uniform(0.1, 1.0, 4).tolist()
        mass, x, y, z = numbers
        request.remove = self._chance(0.4)
        ixx, off = 1e-3, 0.0
        if self._chance(0.3) and not request.remove:
            mass, ixx, off = self._pick(
                ((-1.0, ixx, 0.0), (float("nan"), ixx, 0.0), (mass, 1.0, 0.0), (mass, ixx, 1.0))
            )
            self._bad = True
        inertia = Inertia(ixx=ixx, iyy=1e-3, izz=1e-3, ixy=off)
        request.payload = Payload(
            name=name, frame_id=frame, mass=mass, com=Vector3(x=x, y=y, z=z), inertia=inertia
        )
        if request.remove:
            self._bad, self._open = False, True  # it may be there or not
