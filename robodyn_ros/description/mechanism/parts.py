"""The bodies and joints of a mechanism file: its own, those of DH tables, those of a URDF."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from robodyn_ros.description.mechanism.dh_table import OwnJoint, table_joints
from robodyn_ros.description.mechanism.inertia import BODY_KEYS, mass_properties
from robodyn_ros.description.mechanism.joint_keys import read_joint
from robodyn_ros.description.mechanism.joint_parts import joint_of, placements, rate_properties
from robodyn_ros.description.mechanism.kinds import Scope, listed
from robodyn_ros.description.mechanism.nodes import Place
from robodyn_ros.description.mechanism.overlay import OverlaidBuilder
from robodyn_ros.description.mechanism.sections import Entry
from robodyn_ros.description.mechanism.state import InitialState
from robodyn_ros.description.mechanism.urdf_file import UrdfFile, read_urdf
from robodyn_ros.errors import did_you_mean, quoted
from robodyn_ros.joints import Joint
from robodyn_ros.model import ModelBuilder

_MASS_KEYS = tuple(key.name for key in BODY_KEYS)


class Parts:
    """Reads the sections `urdf`, `bodies`, `joints`, `dh` and `initial`, and fills a builder.

    `state` is the initial state; a builder that was filled has asked it for every joint.
    """

    def __init__(self, top: Entry, scope: Scope, fallback_name: str) -> None:
        """Read all of it; a URDF's elements are checked when the builder is filled."""
        self._top = top.place
        self._urdf: UrdfFile | None = read_urdf(top, scope.folder)
        self._name: str = top["name"] or (self._urdf.name if self._urdf else fallback_name)
        self._links = self._urdf.links if self._urdf else ()
        described = self._urdf.joints if self._urdf else ()
        entries: dict[str, Entry] = {
            name: read_joint(place, scope, described)
            for name, place in (top["joints"] or {}).items()
        }
        self._changed = {name: entries[name] for name in entries if name in described}
        self._own: dict[str, OwnJoint] = {
            name: OwnJoint(joint_of(e), e["parent"], e["child"], placements(e), e)
            for name, e in entries.items()
            if name not in described
        }
        self._bodies: dict[str, Entry] = dict(top["bodies"] or {})
        self.state = InitialState(top["initial"])
        for table, entry in (top["dh"] or {}).items():
            self._add_table(table, entry, (*described, *entries))
        self._check(described)

    @property
    def bodies(self) -> list[str]:
        """The names of all bodies."""
        return list(dict.fromkeys([*self._links, *self._bodies]))

    @property
    def lines(self) -> Mapping[str, int]:
        """Where the bodies and joints of this file stand."""
        lines = {f"link {quoted(name)}": entry.place.line for name, entry in self._bodies.items()}
        own = {name: part.entry for name, part in self._own.items()}
        for name, entry in (self._changed | own).items():
            lines[f"joint {quoted(name)}"] = entry.place.line
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
            self._add_joint(builder, name, part)
        return builder

    def _initial(self, name: str, joint: Joint) -> dict[str, Any]:
        own = self._own.get(name)
        return self.state.of(name, joint, own.entry if own else self._changed.get(name))

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

    def _check(self, described: tuple[str, ...]) -> None:
        """Raise where a name leads nowhere, or a body hangs on nothing."""
        joints, bodies = dict.fromkeys([*described, *self._own]), dict.fromkeys(self.bodies)
        if not bodies:
            raise self._top.failure("lacks bodies; add at least bodies: {base: }")
        for name, part in self._own.items():
            for role, body in (("parent", part.parent), ("child", part.child)):
                require_known("body", body, bodies, part.place_of(role))
            if part.parent == part.child:
                raise part.entry.place.failure(f"joins body {quoted(part.child)} to itself")
            self._check_follower(name, part.entry, joints)
        self._require_one_root()

    def _check_follower(self, name: str, entry: Entry, joints: Collection[str]) -> None:
        """Raise where a joint follows one that does not exist, or cannot do what is asked."""
        follows: Entry | None = entry.get("follows")
        if follows is None:
            return
        require_known("joint", follows["joint"], joints, follows.at("joint"))
        if follows["joint"] == name:
            raise follows.failure("joint", f"{quoted(name)} would follow itself, a cycle")
        for key in ("initial_position", "initial_velocity"):
            if entry.gives(key):
                driver = quoted(follows["joint"])
                raise entry.failure(key, f"the joint follows {driver}; give it there")

    def _require_one_root(self) -> None:
        """Raise for a body that no joint carries where another is the root already."""
        carried, links = {part.child for part in self._own.values()}, set(self._links)
        known = carried | links
        loose = [name for name in self._bodies if name not in known]
        if self._urdf is not None and not carried & links:
            loose.insert(0, self._urdf.root_link)
        if len(loose) > 1:
            raise self._bodies[loose[1]].place.failure(
                f"no joint carries it, nor {quoted(loose[0])}, and a robot has one root; add a"
                f" joint with child {quoted(loose[1])}"
            )

    def _add_body(self, builder: ModelBuilder, name: str, entry: Entry) -> None:
        properties = vars(mass_properties(entry))
        given = entry.gives(*_MASS_KEYS)
        builder.add_body(name, **properties, has_inertial=given, where=entry.where)

    def _add_joint(self, builder: ModelBuilder, name: str, part: OwnJoint) -> None:
        entry = part.entry
        builder.add_joint(
            name,
            part.joint,
            part.parent,
            part.child,
            **part.placed,
            **rate_properties(entry, part.joint),
            where=entry.where,
        )
        follows: Entry | None = entry.get("follows")
        if follows is not None:
            where: Place = follows.place
            builder.add_mimic(
                name,
                follows["joint"],
                follows["multiplier"],
                follows["offset"],
                where=where.where,
            )


def require_known(kind: str, name: str, known: Collection[str], place: Place) -> None:
    """Raise the place's failure for a name that does not exist."""
    if name not in known:
        plural = "bodies" if kind == "body" else f"{kind}s"
        listing = f"{plural}: {listed(list(known))}" if known else f"there are no {plural}"
        hint = did_you_mean(name, known)
        raise place.failure(f"no {kind} is called {quoted(name)} ({listing}){hint}")
