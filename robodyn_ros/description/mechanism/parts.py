"""The bodies and joints of a mechanism file: its own, those of DH tables, those of a URDF."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from robodyn_ros.description.mechanism.closure_parts import ClosureParts
from robodyn_ros.description.mechanism.coordinates import Coordinates
from robodyn_ros.description.mechanism.couplings import (
    add_following,
    formulas_of,
    is_follower,
    require_can_follow,
)
from robodyn_ros.description.mechanism.dh_table import table_joints
from robodyn_ros.description.mechanism.inertia import BODY_KEYS, mass_properties
from robodyn_ros.description.mechanism.joint_keys import read_joint
from robodyn_ros.description.mechanism.joint_parts import OwnJoint, own_joint
from robodyn_ros.description.mechanism.kinds import Scope
from robodyn_ros.description.mechanism.names import require_known
from robodyn_ros.description.mechanism.overlay import OverlaidBuilder
from robodyn_ros.description.mechanism.sections import Entry
from robodyn_ros.description.mechanism.state import InitialState
from robodyn_ros.description.mechanism.tree_checks import Edge, Tree
from robodyn_ros.description.mechanism.urdf_file import UrdfFile, read_urdf
from robodyn_ros.errors import quoted
from robodyn_ros.joints import Joint
from robodyn_ros.joints.control import Control
from robodyn_ros.model import Model, ModelBuilder

_MASS_KEYS = tuple(key.name for key in BODY_KEYS)


class Parts:
    """Reads the sections of bodies, joints and what closes a mechanism, and fills a builder.

    `state` is the initial state; a builder that was filled has asked it for every joint.
    """

    def __init__(self, top: Entry, scope: Scope, fallback_name: str) -> None:
        """Read all of it; a URDF's elements are checked when the builder is filled."""
        self._top = top
        self._urdf: UrdfFile | None = read_urdf(top, scope.folder)
        self._name: str = top["name"] or (self._urdf.name if self._urdf else fallback_name)
        self._links = self._urdf.links if self._urdf else ()
        described = self._urdf.joints if self._urdf else {}
        entries: dict[str, Entry] = {
            name: read_joint(place, scope, described)
            for name, place in (top["joints"] or {}).items()
        }
        self._changed = {name: entries[name] for name in entries if name in described}
        self._own: dict[str, OwnJoint] = {
            name: own_joint(entry) for name, entry in entries.items() if name not in described
        }
        self._bodies: dict[str, Entry] = dict(top["bodies"] or {})
        self.state = InitialState(top["initial"])
        for table, entry in (top["dh"] or {}).items():
            self._add_table(table, entry, (*described, *entries))
        self.closure = ClosureParts(top, scope)
        self._check(described, scope.values)

    @property
    def bodies(self) -> list[str]:
        """The names of all bodies."""
        return list(dict.fromkeys([*self._links, *self._bodies]))

    @property
    def lines(self) -> Mapping[str, int]:
        """Where the bodies, joints and constraints of this file stand."""
        lines = {f"link {quoted(name)}": entry.place.line for name, entry in self._bodies.items()}
        for name, entry in self._entries.items():
            lines[f"joint {quoted(name)}"] = entry.place.line
        for name, entry in self.closure.constraints.items():
            lines[f"constraint {quoted(name)}"] = entry.place.line
        return lines

    def builder(self) -> ModelBuilder:
        """Return a builder with all of it.

        Raises:
            DescriptionError: the URDF has an element that no model can be built from.
        """
        links = set(self._links)
        over = {name: entry for name, entry in self._bodies.items() if name in links}
        builder = OverlaidBuilder(self._name, over, self._changed, self._initial)
        if self._urdf is not None:
            builder.source = Path(self._urdf.file).name
            self._urdf.fill(builder)
            builder.source = ""
        for name, entry in self._bodies.items():
            if name not in over:
                self._add_body(builder, name, entry)
        for name, part in self._own.items():
            builder.add_joint(name, part.joint, part.parent, part.child, **part.properties)
        self.closure.fill(builder)
        for name, entry in self._entries.items():
            add_following(builder, name, entry, self.closure.controls)
        return builder

    @property
    def urdf(self) -> Path | None:
        """The URDF that the file is laid over, None without one."""
        return None if self._urdf is None else self._urdf.path

    def require_values(self, model: Model) -> None:
        """Raise where a formula has no value in the initial state of the built model."""
        start = dict(zip(model.position_names, model.defaults.q.tolist(), strict=True))
        formulas = [*self.closure.measures()]
        for entry in self._entries.values():
            formulas += formulas_of(entry.get("follows"))
        for formula in formulas:
            formula.require_value(start, self.closure.controls)

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        """Return what is written of joints, loop joints and control elements."""
        parts = {**self._own, **self.closure.loops}
        own = {name: part.entry for name, part in parts.items()}
        return {**self._changed, **own, **self.closure.controls}

    def _initial(self, name: str, joint: Joint) -> dict[str, Any]:
        entry = self._entries.get(name)
        follows = entry is not None and is_follower(entry, self.closure.controls)
        return self.state.of(name, joint, entry, follows=follows)

    def _add_table(self, table: str, entry: Entry, taken: tuple[str, ...]) -> None:
        """Take the joints and bodies of a DH table; a body may also stand among the bodies."""
        for name, part in table_joints(table, entry):
            if name in taken or name in self._own:
                raise part.entry.failure("joint", f"another joint is called {quoted(name)}")
            if part.child not in self._bodies and part.child not in self._links:
                self._bodies[part.child] = part.entry
            elif part.entry.gives(*_MASS_KEYS):
                key = next(key for key in _MASS_KEYS if part.entry.gives(key))
                raise part.entry.failure(
                    key, f"body {quoted(part.child)} is described elsewhere; say it there"
                )
            self._own[name] = part

    def _check(
        self, described: Mapping[str, tuple[str, str]], parameters: Mapping[str, float]
    ) -> None:
        """Raise where a name leads nowhere, or a body hangs on nothing."""
        bodies = dict.fromkeys(self.bodies)
        if not bodies:
            raise self._top.place.failure("lacks bodies; add at least bodies: {base: }")
        for part in self._own.values():
            for role, body in (("parent", part.parent), ("child", part.child)):
                require_known("body", body, bodies, part.place_of(role))
            if part.parent == part.child:
                raise part.entry.place.failure(f"joins body {quoted(part.child)} to itself")
        self._require_distinct(described)
        coordinates = self._coordinates(described, parameters)
        for name, entry in self._entries.items():
            require_can_follow(name, coordinates.joints[name], entry, coordinates)
        self.closure.require_names(bodies, coordinates)
        self._check_tree(described)

    def _require_distinct(self, described: Collection[str]) -> None:
        """Raise where a loop joint, control or constraint has the name of another thing."""
        taken = dict.fromkeys(described, "a joint of the URDF")
        for name, part in self._own.items():
            taken[name] = f"a joint ({part.entry.where})"
        for kind, name, place in self.closure.places():
            if name in taken:
                raise place.failure(f"{quoted(name)} is the name of {taken[name]} too; rename one")
            taken[name] = f"a {kind} ({place.where})"

    def _coordinates(
        self, described: Collection[str], parameters: Mapping[str, float]
    ) -> Coordinates:
        """Return whatever has coordinates."""
        closure = self.closure
        joints: dict[str, Joint | None] = dict.fromkeys(described)
        joints |= {name: part.joint for name, part in {**self._own, **closure.loops}.items()}
        joints |= {name: Control() for name in closure.controls}
        followers = {
            name for name, entry in self._entries.items() if is_follower(entry, closure.controls)
        }
        free = tuple(f"{name}_free" for name in self.bodies)
        return Coordinates(joints, followers, parameters, ("floating_base", *free))

    def _check_tree(self, described: Mapping[str, tuple[str, str]]) -> None:
        """Raise where the joints make no tree, or nothing holds a branch of it."""
        tree = Tree(
            [
                *(Edge(name, parent, child) for name, (parent, child) in described.items()),
                *(
                    Edge(name, part.parent, part.child, part.entry.place)
                    for name, part in self._own.items()
                ),
            ]
        )
        places = {name: entry.place for name, entry in self._bodies.items()}
        if self._urdf is not None:
            places = dict.fromkeys(self._links, self._urdf.place) | places
        held = [use.body for uses in self.closure.uses() for use in uses]
        tree.require_held(places, self._top["root"], held)

    def _add_body(self, builder: ModelBuilder, name: str, entry: Entry) -> None:
        properties = vars(mass_properties(entry))
        given = entry.gives(*_MASS_KEYS)
        builder.add_body(name, **properties, has_inertial=given, where=entry.where)
