"""The keys of what closes a mechanism: control elements, constraint elements, motors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from robodyn_ros.description.mechanism.formulas import OfCoordinates, OfTime
from robodyn_ros.description.mechanism.kinds import (
    Choice,
    Kind,
    Name,
    Number,
    Numbers,
    Scope,
    UnitVector,
)
from robodyn_ros.description.mechanism.nodes import Place
from robodyn_ros.description.mechanism.ranges import Bounds, Range
from robodyn_ros.description.mechanism.sections import Entry, Key, Section
from robodyn_ros.model import ModelBuilder

Add = Callable[..., None]


class OneRange(Kind):
    """The range of one coordinate."""

    text = "[lower, upper], null or .inf where there is no limit"

    def read(self, place: Place, scope: Scope) -> list[Bounds]:
        """Return one pair in a list, as a joint's range is."""
        ranges = Range().read(place, scope)
        if len(ranges) != 1:
            raise place.failure(f"must be {self.text}; a control is one number")
        return ranges


CONTROL = Section(
    "a control",
    (
        Key("range", OneRange(), "limits of its position", None, "none known"),
        Key("velocity_limit", Number(positive=True), "largest rate, per s", None, "none known"),
        Key(
            "effort_limit",
            Number(positive=True),
            "largest effort; times the rate it is a power in W",
            None,
            "none known",
        ),
        Key("initial_position", Number(), "value at the beginning", None, "that of `drive`, or 0"),
        Key("initial_velocity", Number(), "rate at the beginning, per s", None,
            "that of `drive`, or 0"),
        Key("drive", OfTime(), "how simulators and animations move it", None, "none"),
    ),
)  # fmt: skip

_BODY_1 = Key("body_1", Name("body"), "the first body; `world` is one too")
_BODY_2 = Key("body_2", Name("body"), "the second body; `world` is one too")
_ORIGIN = np.zeros(3)
_POINT_1 = Key("point_1", Numbers(3, "m"), "a point in the first body's axes", _ORIGIN, "0, 0, 0")
_POINT_2 = Key("point_2", Numbers(3, "m"), "a point in the second body's axes", _ORIGIN, "0, 0, 0")
_AXIS_1 = Key("axis_1", UnitVector(), "the direction of a line, in the first body's axes")
_AXIS_2 = Key("axis_2", UnitVector(), "the direction of a line, in the second body's axes")
_LENGTH = Key("length", OfCoordinates("m", positive=True), "the distance of the two points")
_NORMAL = Key(
    "normal",
    UnitVector("offset"),
    "the unit normal of the plane, in the first body's axes: the direction of document D's a",
)
_OFFSET = Key(
    "offset",
    OfCoordinates("m"),
    "distance of the plane from the body's origin along the normal: the length of document D's a",
)
_RADIUS = Key("radius", OfCoordinates("m", positive=True), "the distance of point_2 from the line")
_DISTANCE = Key("distance", OfCoordinates("m"), "from line 1 to line 2, along axis_1 x axis_2")


class Form(NamedTuple):
    """A type of constraint element.

    Attributes:
        keys: what it takes; the last one is its length.
        add: the builder's method, which takes them all in this order.
        what: what it is, with its article.
        about: what it does.
    """

    keys: tuple[Key, ...]
    add: Callable[[ModelBuilder], Add]
    what: str
    about: str

    @property
    def measure(self) -> str:
        """The key that may be a formula of coordinates."""
        return next(key.name for key in self.keys if isinstance(key.kind, OfCoordinates))


CONSTRAINT_TYPES: Mapping[str, Form] = MappingProxyType(
    {
        "rod": Form(
            (_BODY_1, _POINT_1, _BODY_2, _POINT_2, _LENGTH),
            lambda builder: builder.add_rod,
            "a rod",
            "two points keep their distance (document D's global-global)",
        ),
        "point_on_plane": Form(
            (_BODY_1, _NORMAL, _OFFSET, _BODY_2, _POINT_2),
            lambda builder: builder.add_point_on_plane,
            "a point on a plane",
            "a point of body 2 stays in a plane of body 1 (document D's eben-global)",
        ),
        "point_on_cylinder": Form(
            (_BODY_1, _POINT_1, _AXIS_1, _BODY_2, _POINT_2, _RADIUS),
            lambda builder: builder.add_point_on_cylinder,
            "a point on a cylinder",
            "a point of body 2 keeps its distance from a line of body 1 (document D's"
            " global-cylindrical)",
        ),
        "skew_axes": Form(
            (_BODY_1, _POINT_1, _AXIS_1, _BODY_2, _POINT_2, _AXIS_2, _DISTANCE),
            lambda builder: builder.add_skew_axes,
            "a pair of skew axes",
            "two lines that are not parallel keep a signed distance (document D's"
            " cylindrical-revolute-cylindrical)",
        ),
    }
)
CONSTRAINT_TYPE = Key("type", Choice(tuple(CONSTRAINT_TYPES)), "its type")


def constraint_section(type_name: str) -> Section:
    """Return the section of a constraint element of one type."""
    form = CONSTRAINT_TYPES[type_name]
    known = {key.name for key in form.keys}
    told = {
        key.name: f"{form.what} has no {key.name}; {CONSTRAINT_TYPES[other].what} has one"
        for other in CONSTRAINT_TYPES
        for key in CONSTRAINT_TYPES[other].keys
        if key.name not in known
    }
    return Section(form.what, (CONSTRAINT_TYPE, *form.keys), elsewhere=told)


class Constraint(Kind):
    """A constraint element; the section of its type reads it."""

    text = f"a constraint: a mapping with type ({', '.join(CONSTRAINT_TYPES)}) and its keys"

    def read(self, place: Place, scope: Scope) -> Entry:
        """Return the entry."""
        entries = place.entries(self.text)
        if "type" not in entries:
            raise place.failure(f"lacks type; add type: ({CONSTRAINT_TYPE.kind.text})")
        type_name = CONSTRAINT_TYPE.kind.read(entries["type"], scope)
        return constraint_section(type_name).read(place, scope)


class CoordinateNames(Kind):
    """A list of coordinates, each with its place."""

    text = "a list of coordinates, or of joints for all of theirs"

    def read(self, place: Place, scope: Scope) -> list[tuple[Place, str]]:
        """Return the names, each given once."""
        found: dict[str, Place] = {}
        for item in place.items(self.text):
            name = Name("coordinate").read(item, scope)
            if name in found:
                raise item.failure(f"stands there twice ({found[name].where})")
            found[name] = item
        return [(at, name) for name, at in found.items()]
