"""The immutable model of a tree of bodies."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.model.closure import Closure
from robodyn_ros.model.defaults import Defaults
from robodyn_ros.model.elements import Body, Frame, Note, TreeJoint, constant
from robodyn_ros.model.inertia import parameters_of
from robodyn_ros.model.lumped import LumpedTree, lumped
from robodyn_ros.model.markers import Marker
from robodyn_ros.model.report import ModelReport


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """A tree of bodies, numbered parent first; body i hangs on its parent by joint i.

    Connectivity is Featherstone's (document C): `parent` is lambda, and `support`, `subtree` and
    `children` are kappa, nu and mu; body 0 is the reference.

    Attributes:
        name: the robot's name.
        base: "fixed" (body 0 is the root link), "floating" or "prescribed" (body 0 is a massless
            world and body 1 the root link).
        bodies: nb bodies.
        joints: joints[i] moves body i; joints[0] is None.
        extra_frames: frames beyond those of the bodies.
        notes: what the loader ignored or assumed.
        markers: points and directions that are followed.
        defaults: what the robot begins with; see `initial_state` for q and v.
        closure: loops, constraint elements and motors of a closed mechanism.
    """

    name: str
    base: str
    bodies: tuple[Body, ...]
    joints: tuple[TreeJoint | None, ...]
    extra_frames: tuple[Frame, ...] = ()
    notes: tuple[Note, ...] = ()
    markers: tuple[Marker, ...] = ()
    defaults: Defaults = field(default_factory=Defaults)
    closure: Closure = field(default_factory=Closure)

    def __repr__(self) -> str:
        """Name the model and its size."""
        size = f"{self.nb} bodies, nq {self.nq}, nv {self.nv}"
        return f"Model({self.name!r}, {self.base} base, {size})"

    @property
    def nb(self) -> int:
        """Number of bodies, body 0 included."""
        return len(self.bodies)

    @property
    def is_closed(self) -> bool:
        """Whether loops or constraint elements bind the coordinates."""
        return bool(self.closure.elements)

    @cached_property
    def moving(self) -> tuple[tuple[int, TreeJoint], ...]:
        """(body number, its joint) for every body but 0, parent first."""
        return tuple((i, joint) for i, joint in enumerate(self.joints) if joint is not None)

    @cached_property
    def own_joints(self) -> tuple[TreeJoint, ...]:
        """The joints that own coordinates, in the order of v."""
        return tuple(j for _, j in self.moving if j.joint.nv and not j.is_follower)

    @cached_property
    def nq(self) -> int:
        """Number of coordinates."""
        return sum(j.joint.nq for j in self.own_joints)

    @cached_property
    def nv(self) -> int:
        """Number of rates."""
        return sum(j.joint.nv for j in self.own_joints)

    @cached_property
    def quaternion_places(self) -> NDArray[np.intp]:
        """Entries of q (n, 4) in which the quaternions of its joints are."""
        starts = [
            joint.q_index + joint.joint.quaternion_start
            for joint in self.own_joints
            if joint.joint.quaternion_start is not None
        ]
        return np.array(starts, dtype=np.intp)[:, None] + np.arange(4)

    @cached_property
    def rate_places(self) -> NDArray[np.intp]:
        """Entry of q (nv,) that goes by each rate's name; -1 for turns of a quaternion."""
        places = np.full(self.nv, -1, dtype=np.intp)
        for joint in self.own_joints:
            for k, place in enumerate(joint.joint.rate_coordinates()):
                if place is not None:
                    places[joint.v_index + k] = joint.q_index + place
        return places

    @cached_property
    def parent(self) -> tuple[int, ...]:
        """Parent of each body; parent[0] is -1 and parent[i] < i."""
        return (-1, *(joint.parent for _, joint in self.moving))

    @cached_property
    def body_names(self) -> tuple[str, ...]:
        """Names of all bodies, body 0 included."""
        return tuple(body.name for body in self.bodies)

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints that own coordinates, in the order of v."""
        return tuple(j.name for j in self.own_joints)

    @cached_property
    def coordinate_names(self) -> tuple[str, ...]:
        """A name for each of the nv rates: the joint's, or joint/axis where it has several."""
        names: list[str] = []
        for j in self.own_joints:
            names.extend([f"{j.name}/{axis}" for axis in j.joint.axes] or [j.name])
        return tuple(names)

    @cached_property
    def position_names(self) -> tuple[str, ...]:
        """A name for each of the nq coordinates: `joint`, `joint/x` or `joint/qx`."""
        names: list[str] = []
        for j in self.own_joints:
            names.extend([f"{j.name}/{part}" for part in j.joint.coordinate_axes()] or [j.name])
        return tuple(names)

    @cached_property
    def frames(self) -> Mapping[str, Frame]:
        """All named frames: one per body, then the extra ones."""
        identity, origin = constant(np.eye(3)), constant(np.zeros(3))
        frames = {b.name: Frame(b.name, i, identity, origin) for i, b in enumerate(self.bodies)}
        frames.update({frame.name: frame for frame in self.extra_frames})
        return MappingProxyType(frames)

    @cached_property
    def lumped(self) -> LumpedTree:
        """The tree with links that are fixed to each other as one body: what dynamics works on."""
        return lumped(self)

    @cached_property
    def mass(self) -> float:
        """Total mass in kg, every link and the root link included."""
        return float(sum(body.mass for body in self.bodies))

    @cached_property
    def inertial_parameters(self) -> NDArray[np.float64]:
        """Parameters (nb, 10) of every body in its own frame; see `robodyn_ros.model.inertia`."""
        rows = [parameters_of(body.mass, body.com, body.inertia) for body in self.bodies]
        return constant(rows)

    @cached_property
    def _joints_by_name(self) -> Mapping[str, TreeJoint]:
        return {joint.name: joint for _, joint in self.moving}

    @cached_property
    def _body_numbers(self) -> Mapping[str, int]:
        return {name: i for i, name in enumerate(self.body_names)}

    def joint(self, name: str) -> TreeJoint:
        """Return a joint (fixed ones and followers too) by name, or raise UnknownNameError."""
        try:
            return self._joints_by_name[name]
        except (KeyError, TypeError):
            hint = self._joint_of_link(name)
            raise UnknownNameError.among("joint", name, self._joints_by_name, hint) from None

    def own_joint(self, name: str) -> TreeJoint:
        """Return a joint that owns coordinates; for a follower the error names its driver."""
        joint = self.joint(name)
        if joint.is_follower:
            raise UnknownNameError(
                f"joint {name!r} follows joint {joint.driver!r} and has no coordinate of its own;"
                f" give {joint.driver!r} instead"
            )
        if joint.joint.nv == 0:
            raise UnknownNameError(f"joint {name!r} is {joint.joint.type_name}: no coordinate")
        return joint

    def body_index(self, name: str) -> int:
        """Return a body's number by name, or raise UnknownNameError."""
        try:
            return self._body_numbers[name]
        except (KeyError, TypeError):
            hint = self._link_of_joint(name)
            raise UnknownNameError.among("body", name, self.body_names, hint) from None

    def frame(self, name: str) -> Frame:
        """Return a frame (every body's name is one) by name, or raise UnknownNameError."""
        try:
            return self.frames[name]
        except (KeyError, TypeError):
            hint = self._link_of_joint(name)
            raise UnknownNameError.among("frame", name, self.frames, hint) from None

    def _link_of_joint(self, name: object) -> str:
        """Return what to say where a joint's name is given for a link's; "" where it is none."""
        if not isinstance(name, str) or name not in self._joints_by_name:
            return ""
        number = next(i for i, joint in self.moving if joint.name == name)
        return f"{name!r} is a joint; it moves {self.body_names[number]!r}"

    def _joint_of_link(self, name: object) -> str:
        """Return what to say where a link's name is given for a joint's; "" where it is none."""
        joint = self.joints[self._body_numbers.get(name, 0)] if isinstance(name, str) else None
        return "" if joint is None else f"{name!r} is a link; it hangs on joint {joint.name!r}"

    def support(self, i: int) -> tuple[int, ...]:
        """Return kappa(i): the bodies from the root's child to i, i included, 0 excluded."""
        path: list[int] = []
        i = self._body(i)
        while i > 0:
            path.append(i)
            i = self.parent[i]
        return tuple(reversed(path))

    def children(self, i: int) -> tuple[int, ...]:
        """Return mu(i): the bodies whose parent is i."""
        number = self._body(i)
        return tuple(child for child, parent in enumerate(self.parent) if parent == number)

    def subtree(self, i: int) -> tuple[int, ...]:
        """Return nu(i): the bodies that hang on body i, i included, in ascending order."""
        inside = {self._body(i)}
        for body in range(i + 1, self.nb):
            if self.parent[body] in inside:
                inside.add(body)
        return tuple(sorted(inside))

    def _body(self, i: int) -> int:
        """Return a body's number, checked to be one."""
        if not 0 <= i < self.nb:
            raise ArgumentError(f"there is no body {i}; bodies have the numbers 0 to {self.nb - 1}")
        return i

    @cached_property
    def fingerprint(self) -> str:
        """A digest of all that algorithms read from the model (not of notes, limits, defaults)."""
        digest = hashlib.sha256(f"{self.base}|{self.parent}".encode())
        for body in self.bodies:
            digest.update(f"{body.name}|{body.mass!r}|".encode())
            digest.update(body.com.tobytes() + body.inertia.tobytes())
        for _, joint in self.moving:
            digest.update(f"{joint.joint!r}|{joint.coordinates!r}|".encode())
            digest.update(joint.rate_parameters.tobytes())
            digest.update(joint.rotation.tobytes() + joint.position.tobytes())
        for frame in self.extra_frames:
            digest.update(f"{frame.name}|{frame.body}|".encode())
            digest.update(frame.rotation.tobytes() + frame.position.tobytes())
        for marker in self.markers:
            digest.update(f"{marker.name}|{marker.body}|{marker.kind}|".encode())
            digest.update(marker.vector.tobytes())
        digest.update(self.closure.fingerprint)
        return digest.hexdigest()

    def __getstate__(self) -> dict[str, Any]:
        """Leave out of a pickle what is computed from the fields on demand."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def report(self) -> ModelReport:
        """Return the model report."""
        return ModelReport.of(self)
