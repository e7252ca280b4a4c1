"""What closes a mechanism: control elements, loops, constraint elements, motors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from robodyn_ros.description.mechanism.closure_keys import CONSTRAINT_TYPES
from robodyn_ros.description.mechanism.coordinates import Coordinates
from robodyn_ros.description.mechanism.formulas import TIME, Formula
from robodyn_ros.description.mechanism.joint_keys import read_joint
from robodyn_ros.description.mechanism.joint_parts import own_joint, rate_properties
from robodyn_ros.description.mechanism.kinds import Scope
from robodyn_ros.description.mechanism.names import require_formula_name, require_known
from robodyn_ros.description.mechanism.nodes import Place
from robodyn_ros.description.mechanism.sections import Entry
from robodyn_ros.errors import quoted
from robodyn_ros.expressions import Expression
from robodyn_ros.joints.control import Control
from robodyn_ros.model import ModelBuilder
from robodyn_ros.model.assembly import WORLD

MOST_EQUATIONS = 600
"""Equations of loops (6 each) and constraints (1 each) at most: they are solved together."""


class Use(NamedTuple):
    """A body that a loop or constraint holds on to, and where it is named."""

    body: str
    place: Place


class ClosureParts:
    """Reads the sections `controls`, `loops`, `constraints`, `actuated` and `independent`."""

    def __init__(self, top: Entry, scope: Scope) -> None:
        """Read all of it; whether its names exist is checked when all are known."""
        self._top = top
        self.controls: dict[str, Entry] = dict(top["controls"] or {})
        for name, entry in self.controls.items():
            require_formula_name(entry.place, name, "a control")
            if name in scope.values:
                raise entry.place.failure("a parameter has the same name; rename one of them")
        entries = {
            name: read_joint(place, scope, ()) for name, place in (top["loops"] or {}).items()
        }
        self.loops = {name: own_joint(entry) for name, entry in entries.items()}
        self.constraints: dict[str, Entry] = dict(top["constraints"] or {})
        self._require_size()

    def _require_size(self) -> None:
        count = 6 * len(self.loops) + len(self.constraints)
        if count > MOST_EQUATIONS:
            key = "loops" if self.loops else "constraints"
            raise self._top.failure(
                key,
                f"loops (6 equations each) and constraints (1 each) come to {count} equations; at"
                f" most {MOST_EQUATIONS} are taken",
            )

    def places(self) -> Iterator[tuple[str, str, Place]]:
        """Yield what kind of thing each is, its name and its place."""
        for name, entry in self.controls.items():
            yield "control", name, entry.place
        for name, part in self.loops.items():
            yield "loop joint", name, part.entry.place
        for name, entry in self.constraints.items():
            yield "constraint", name, entry.place

    def uses(self) -> Iterator[tuple[Use, Use]]:
        """Yield the two bodies of each loop and constraint."""
        for part in self.loops.values():
            yield (
                Use(part.parent, part.entry.at("parent")),
                Use(part.child, part.entry.at("child")),
            )
        for entry in self.constraints.values():
            yield (
                Use(entry["body_1"], entry.at("body_1")),
                Use(entry["body_2"], entry.at("body_2")),
            )

    def measures(self) -> Iterator[Formula]:
        """Yield the lengths of the constraints."""
        for entry in self.constraints.values():
            yield entry[CONSTRAINT_TYPES[entry["type"]].measure]

    def require_names(self, bodies: Collection[str], coordinates: Coordinates) -> None:
        """Raise where a body or coordinate does not exist, or a body is joined to itself."""
        for first, second in self.uses():
            for body, place in (first, second):
                require_known("body", body, [*bodies, WORLD], place)
            if first.body == second.body:
                raise second.place.failure(f"is {quoted(first.body)} too; name two bodies")
        for measure in self.measures():
            coordinates.require(measure)
        for key in ("actuated", "independent"):
            for place, name in self._top[key] or ():
                coordinates.require_named(place, name)
        motors = [name for _, name in self._top["actuated"] or ()]
        for name in self._top["motor_weights"] or {}:
            if name not in motors:
                raise self._top.failure(
                    "motor_weights", f"{quoted(name)} is not actuated; add it to actuated"
                )

    @property
    def drives(self) -> Mapping[str, Expression]:
        """How controls are driven: formulas of the time, by control."""
        return {name: e["drive"] for name, e in self.controls.items() if e.gives("drive")}

    def fill(self, builder: ModelBuilder) -> None:
        """Add all of it to a builder that has the tree."""
        for name, entry in self.controls.items():
            properties = {**_driven(entry), **rate_properties(entry, Control())}
            builder.add_control(name, **properties, where=entry.where)
        for name, part in self.loops.items():
            builder.add_loop(name, part.joint, part.parent, part.child, **part.properties)
        for name, entry in self.constraints.items():
            form = CONSTRAINT_TYPES[entry["type"]]
            values = [entry[key.name] for key in form.keys]
            plain = [value.value if isinstance(value, Formula) else value for value in values]
            form.add(builder)(name, *plain, where=entry.where)
        top = self._top
        if top.gives("actuated"):
            motors = [name for _, name in top["actuated"]]
            costs = top["motor_weights"] or {}
            weights = [costs.get(name, 1.0) for name in motors] if costs else []
            builder.set_actuated(motors, weights=weights, where=top.at("actuated").where)
        if top.gives("independent"):
            names = [name for _, name in top["independent"]]
            builder.set_independent(names, where=top.at("independent").where)


def _driven(entry: Entry) -> dict[str, Any]:
    """Return how a control begins that is driven."""
    drive: Expression | None = entry["drive"]
    if drive is None:
        return {}
    start = {TIME: 0.0}
    return {
        "initial": drive.evaluate(start),
        "initial_velocity": drive.derivative(TIME).evaluate(start),
    }
