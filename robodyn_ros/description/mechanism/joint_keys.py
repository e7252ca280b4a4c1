"""The keys of a joint: those of every type, and those that the catalogue of joints describes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

from robodyn_ros.description.mechanism.formulas import OfCoordinates
from robodyn_ros.description.mechanism.kinds import (
    Choice,
    Custom,
    Items,
    Kind,
    Name,
    Number,
    OneOrMany,
    Scope,
    UnitVector,
)
from robodyn_ros.description.mechanism.nodes import List, Place, Scalar, shown
from robodyn_ros.description.mechanism.placement import Placement
from robodyn_ros.description.mechanism.ranges import Range
from robodyn_ros.description.mechanism.sections import REQUIRED, Entry, Key, Section
from robodyn_ros.errors import did_you_mean
from robodyn_ros.expressions import Expression
from robodyn_ros.joints import JOINT_TYPES
from robodyn_ros.joints.parameter import Parameter
from robodyn_ros.joints.user_formulas import MOST_VARIABLES

RATE_KEYS = (
    Key("range", Range(), "limits of its position; null or .inf for none", None, "none known"),
    Key(
        "velocity_limit",
        OneOrMany(Number("rad/s or m/s", positive=True)),
        "largest speed",
        None,
        "none known",
    ),
    Key(
        "effort_limit",
        OneOrMany(Number("N m or N", positive=True)),
        "largest torque or force",
        None,
        "none known",
    ),
    Key("damping", OneOrMany(Number("N m s/rad or N s/m", 0.0)), "viscous friction", 0.0, "0"),
    Key("friction", OneOrMany(Number("N m or N", 0.0)), "Coulomb friction", 0.0, "0"),
    Key(
        "armature",
        OneOrMany(Number("kg m^2 or kg", 0.0)),
        "inertia of the rotor as seen at the joint",
        0.0,
        "0",
    ),
    Key(
        "initial_position",
        OneOrMany(Number("rad or m"), "coordinate"),
        "coordinates that a robot begins with",
        None,
        "the neutral ones",
    ),
    Key(
        "initial_velocity",
        OneOrMany(Number("rad/s or m/s")),
        "rates that a robot begins with",
        None,
        "0",
    ),
)
FOLLOWS = Section(
    "what a joint follows",
    (
        Key("joint", Name("joint"), "the joint or control that drives it (mimic)", None),
        Key("multiplier", Number(), "its position is multiplier times the driver's", 1.0, "1"),
        Key("offset", Number("rad or m"), "plus this", 0.0, "0"),
        Key("expression", OfCoordinates("rad or m"), "its position, in place of `joint`", None),
        Key(
            "expressions",
            Items(OfCoordinates("rad or m"), 6),
            "likewise, of a joint with several coordinates: one for each",
            None,
        ),
    ),
    (("joint", "expression", "expressions"),),
)
FOLLOWS_KEY = Key("follows", FOLLOWS, "what drives it", None, "none")
TREE_KEYS = (
    Key("parent", Name("body"), "the body that carries it"),
    Key("child", Name("body"), "the body that it moves"),
    Key(
        "on_parent",
        Placement(),
        "its predecessor frame in the parent's body frame",
        None,
        "the body frame",
    ),
    Key(
        "on_child",
        Placement(),
        "its successor frame in the child's body frame",
        None,
        "the body frame",
    ),
)
TYPE = Key("type", Choice(tuple(JOINT_TYPES)), "its type")


def _digits(place: Place, scope: Scope) -> str:
    """Return the digits of a sequence, which YAML takes for a number."""
    if not isinstance(place.node, Scalar):
        raise place.failure(f"must be digits like 123, not {shown(place.node)}")
    return place.node.text.strip()


def _variable(place: Place, scope: Scope) -> str:
    """Return the name of a variable, which no parameter has."""
    if not isinstance(place.node, Scalar):
        raise place.failure(f"must be the name of a variable, not {shown(place.node)}")
    name = place.node.text.strip()
    if name in scope.values:
        raise place.failure(f"{name} is a parameter, and a variable here too; rename one")
    return name


def _three_formulas(unit: str) -> Kind:
    formula = OfCoordinates(unit)

    def read(place: Place, scope: Scope) -> tuple[Expression, ...]:
        items = place.items(text)
        if len(items) != 3:
            raise place.failure(f"must be {text}, not {shown(place.node)}")
        return tuple(formula.read(item, scope).expression for item in items)

    text = "3 formulas of the variables, or numbers" + (f" in {unit}" if unit else "")
    return Custom(text, read)


def _kind_of(parameter: Parameter) -> Kind:
    """Return how a file writes a parameter of a joint type."""
    kinds: Mapping[str, Kind] = {
        "axis": UnitVector(),
        "axes": Items(UnitVector(), 6),
        "number": Number(parameter.unit),
        "sequence": Custom("digits like 123", _digits),
        "names": Items(Custom("the name of a variable", _variable), MOST_VARIABLES),
        "formulas": _three_formulas(parameter.unit),
    }
    return kinds[parameter.kind]


def _default_text(parameter: Parameter) -> str:
    if parameter.required:
        return ""
    text = str(parameter.default).replace("(", "[").replace(")", "]").replace(".0", "")
    return text if parameter.default != () else "none"


def parameter_keys(type_name: str) -> tuple[Key, ...]:
    """Return the keys of a joint type's parameters."""
    return tuple(
        Key(
            parameter.name,
            _kind_of(parameter),
            parameter.meaning,
            REQUIRED if parameter.required else parameter.default,
            _default_text(parameter),
        )
        for parameter in JOINT_TYPES[type_name].parameters
    )


def _rate_keys(type_name: str) -> tuple[Key, ...]:
    """Return the rate keys that make sense for a type."""
    if type_name == "fixed":
        return ()
    return tuple(key for key in RATE_KEYS if type_name != "continuous" or key.name != "range")


def _elsewhere(type_name: str) -> dict[str, str]:
    """Return what to say of keys that only other joint types have."""
    this = _with_article(type_name)
    told: dict[str, str] = {}
    for other in JOINT_TYPES:
        for key in parameter_keys(other):
            told.setdefault(key.name, f"{this} has no {key.name}; {other} joints have one")
    if type_name == "fixed":
        still = {key.name: f"{this} does not move" for key in (*RATE_KEYS, FOLLOWS_KEY)}
        told.update(still)
    if type_name == "continuous":
        told["range"] = f"{this} has no range; make it revolute to give it one"
    known = {key.name for key in (*parameter_keys(type_name), *_rate_keys(type_name))}
    return {name: text for name, text in told.items() if name not in known}


def _with_article(type_name: str) -> str:
    return f"{'an' if type_name[0] in 'aeio' else 'a'} {type_name} joint"


@cache
def joint_section(type_name: str) -> Section:
    """Return the section of a joint of one type."""
    follows = () if type_name == "fixed" else (FOLLOWS_KEY,)
    keys = (TYPE, *TREE_KEYS, *parameter_keys(type_name), *_rate_keys(type_name), *follows)
    return Section(_with_article(type_name), keys, elsewhere=_elsewhere(type_name))


#: A joint that another description has; what else it is stands there.
CHANGED_JOINT = Section(
    "a joint of the URDF",
    (*RATE_KEYS, FOLLOWS_KEY),
    elsewhere={
        key.name: "is the URDF's to say; change it there, or give the joint another name"
        for key in (TYPE, *TREE_KEYS, *parameter_keys("revolute"))
    },
)


def read_joint(place: Place, scope: Scope, described: Collection[str]) -> Entry:
    """Return a joint's entry; `described` has the joints that may only be changed."""
    if place.path[-1] in described:
        return CHANGED_JOINT.read(place, scope)
    entries = place.entries("a joint: a mapping with type, parent, child, ...")
    if "type" not in entries:
        hint = did_you_mean(place.path[-1], described) if described else ""
        raise place.failure(f"lacks type; add type: ({TYPE.kind.text}){hint}")
    type_name = TYPE.kind.read(entries["type"], scope)
    return joint_section(type_name).read(place, scope)


class Joint(Kind):
    """A joint as the reference describes it; `read_joint` reads it."""

    text = "a joint: a mapping with type, parent, child, and what its type takes"

    def read(self, place: Place, scope: Scope) -> Place:
        """Return the place: which keys there may be shows only when all joints are known."""
        if isinstance(place.node, (Scalar, List)):
            raise place.failure(f"must be {self.text}, not {shown(place.node)}")
        return place
