"""The reference page of mechanism files, made from the schema.

python -m robodyn_ros.description.mechanism.reference > docs/mechanism_reference.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import NamedTuple

from robodyn_ros.description.mechanism.closure_keys import CONTROL, Constraint
from robodyn_ros.description.mechanism.dh_rows import CONVENTIONS
from robodyn_ros.description.mechanism.drawing import FORMS_OF_SHAPES, shape_section
from robodyn_ros.description.mechanism.inertia import (
    BODY,
    BODY_KEYS,
    POINT_MASS,
    SOLIDS,
    solid_section,
)
from robodyn_ros.description.mechanism.joint_keys import (
    FOLLOWS,
    FOLLOWS_KEY,
    RATE_KEYS,
    TREE_KEYS,
    TYPE,
    parameter_keys,
)
from robodyn_ros.description.mechanism.kinds import Items, Kind
from robodyn_ros.description.mechanism.placement import PLACEMENT_KEYS, Placement
from robodyn_ros.description.mechanism.reference_closure import (
    CONTROLS_TEXT,
    FOLLOWS_TEXT,
    closure_pages,
)
from robodyn_ros.description.mechanism.reference_examples import example
from robodyn_ros.description.mechanism.schema import (
    BASE_MOTION,
    DH_ROW,
    DH_TABLE,
    FRAME,
    INITIAL,
    MARKER,
    SIMULATION,
    TOP,
    WORKSPACE,
)
from robodyn_ros.description.mechanism.sections import Empty, Key, Named, Section
from robodyn_ros.expressions import CHOICE, COMPARISONS, CONSTANTS, FUNCTIONS
from robodyn_ros.joints import JOINT_TYPES

HEADER = """\
# Mechanism file reference

Made from the schema by `python -m robodyn_ros.description.mechanism.reference`; do not edit.
[mechanism_file.md](mechanism_file.md) is the introduction. Units are SI, angles in rad. Wherever a
number stands, an expression may stand in quotes: `"mass / 2 * radius^2"`. A *formula of
coordinates* may also name controls, and joints with one coordinate that follow nothing.
"""

EXPRESSIONS = """\
## Expressions

Numbers, names of parameters, `+ - * / ^` (or `**`), brackets, and:

| | |
|---|---|
"""


class Page(NamedTuple):
    """A section of the page: its heading, a text, and the keys."""

    heading: str
    text: str
    keys: tuple[Key, ...]


_PLACEMENT_TEXT = """\
At most one of `rpy`, `quaternion`, `matrix`, `axis` with `angle`, `m` with `n`; without any, axes
parallel to the body's."""
_JOINT_TEXT = """\
Keys of every joint, by name below `joints`. A joint of a URDF that the file is laid over takes the
keys from `range` to `initial_velocity` alone, and may follow formulas. Beside them stand the
parameters of its type, [below](#joint-types). Where `on_parent` or `on_child` is given by `m` and
`n` and `axis` is not written, the axis is `n`, as in document D."""
_BODY_TEXT = """\
By name below `bodies`; nothing after the name is a body without mass. A body of a URDF keeps what
is not written."""
_ROW_TEXT = """\
A joint and the body behind it, whose frame is the row's; `a`, `alpha`, `d` and `theta` hold where
the coordinate is 0."""
_WORKSPACE_TEXT = (
    "A frame fixed in the world (in body 0), which states can be"
    " [seen from](nodes.md#states-in-another-frame)."
)
_INITIAL_TEXT = """\
What joints, loop joints and controls can say of themselves, for joints of a URDF or a table too,
and for `floating_base`, the joint of a floating base, and `BODY_free`, that of a body that only
constraints hold: x, y, z, then a quaternion x, y, z, w; rates are angular, then linear."""
PAGES = (
    Page("The file", "Top-level keys, in any order.", TOP.keys),
    Page("Bodies", _BODY_TEXT, BODY.keys),
    Page("Point masses", "In a list.", POINT_MASS.keys),
    Page("Joints", _JOINT_TEXT, (TYPE, *TREE_KEYS, *RATE_KEYS, FOLLOWS_KEY)),
    Page("Follows", FOLLOWS_TEXT, FOLLOWS.keys),
    Page("Placements", _PLACEMENT_TEXT, PLACEMENT_KEYS),
    Page("DH tables", "By name below `dh`.", DH_TABLE.keys),
    Page("Rows of DH tables", _ROW_TEXT, DH_ROW.keys),
    Page("Controls", CONTROLS_TEXT, CONTROL.keys),
    Page("Frames", "By name below `frames`.", FRAME.keys),
    Page("Markers", "By name below `markers`, with a position or a direction each.", MARKER.keys),
    Page("Initial state", _INITIAL_TEXT, INITIAL.keys),
    Page("Base motion", "Of a prescribed base, constant.", BASE_MOTION.keys),
    Page("Workspace", _WORKSPACE_TEXT, WORKSPACE.keys),
    Page("Simulation", "Plain data for simulators.", SIMULATION.keys),
)
#: Keys that several sections have, and where they are described.
_SHARED = (
    (PLACEMENT_KEYS, "those of [a placement](#placements)", "Placements"),
    (BODY_KEYS, "those of [a body](#bodies)", "Bodies"),
    (RATE_KEYS, "`range` to `initial_velocity` as of [a joint](#joints)", "Joints"),
)
#: Where the sections that are values of keys are described.
_LINKS = {
    "a joint": "Joints",
    "a shape": "Drawing",
    "a placement": "Placements",
    "a rotation": "Placements",
    BODY.what: "Bodies",
    POINT_MASS.what: "Point masses",
    FOLLOWS.what: "Follows",
    CONTROL.what: "Controls",
    Constraint.text.partition(":")[0]: "Constraints",
    DH_TABLE.what: "DH tables",
    DH_ROW.what: "Rows of DH tables",
    FRAME.what: "Frames",
    MARKER.what: "Markers",
    INITIAL.what: "Initial state",
    BASE_MOTION.what: "Base motion",
    WORKSPACE.what: "Workspace",
    SIMULATION.what: "Simulation",
}


def reference_text() -> str:
    """Return the whole page."""
    return "\n".join(_parts()) + "\n"


def _parts() -> Iterator[str]:
    more = {
        "Joints": f"{example('Joints')}{_joint_types()}",
        "Bodies": f"{_solids()}{example('Bodies')}",
        "DH tables": _conventions(),
        "Controls": f"{example('Controls')}\n{closure_pages()}",
    }
    yield HEADER
    for page in PAGES:
        rest = more.get(page.heading, example(page.heading))
        yield f"## {page.heading}\n\n{page.text}\n\n{_table(page)}\n{rest}"
    yield f"{_drawing()}{example('Drawing')}"
    yield _expressions()


def _table(page: Page) -> str:
    """Return the table of a section's keys; keys that are described elsewhere take one row."""
    rows = ["| key | value | default | meaning |", "|---|---|---|---|"]
    told: set[str] = set()
    for key in page.keys:
        if key.name in told:
            continue
        for group, text, home in _SHARED:
            if key in group and home != page.heading and all(k in page.keys for k in group):
                rows.append(f"| {text} | | | |")
                told |= {member.name for member in group}
        if key.name not in told:
            default = "required" if key.required else key.default_text or "none"
            rows.append(f"| `{key.name}` | {_value(key.kind)} | {default} | {key.meaning} |")
    return "\n".join(rows)


def _value(kind: Kind) -> str:
    """Return what a key takes, with a link where that is a section of its own."""
    if isinstance(kind, Empty):
        return _value(kind.section)
    if isinstance(kind, Named):
        return f"a mapping from names to {_value(kind.item)}"
    if isinstance(kind, Items):
        return f"a list, each {_value(kind.item)}"
    what = kind.what if isinstance(kind, (Placement, Section)) else kind.text.partition(":")[0]
    if what in _LINKS:
        return f"[{what}](#{_LINKS[what].lower().replace(' ', '-')})"
    return kind.text


def _joint_types() -> str:
    rows = ["| `type` | coordinates | parameters |", "|---|---|---|"]
    for name in JOINT_TYPES:
        keys = parameter_keys(name)
        listed = "; ".join(_parameter(key) for key in keys) or "none"
        rows.append(f"| [`{name}`](joints/{name}.md) | {_coordinates(name)} | {listed} |")
    return "\n### Joint types\n\n" + "\n".join(rows) + "\n"


def _parameter(key: Key) -> str:
    default = "required" if key.required else f"default {key.default_text}"
    return f"`{key.name}`: {_value(key.kind)} ({default}), {key.meaning}"


def _coordinates(type_name: str) -> str:
    """Return how many coordinates and rates a type has, where that does not depend on more."""
    joint_type = JOINT_TYPES[type_name]
    if any(parameter.kind in ("axes", "sequence", "names") for parameter in joint_type.parameters):
        return "by its parameters"
    required = {p.name: 1.0 for p in joint_type.parameters if p.required}
    joint = joint_type(**required)
    return str(joint.nq) if joint.nq == joint.nv else f"{joint.nq}, with {joint.nv} rates"


def _solids() -> str:
    text = "\nShapes for `inertia`, homogeneous, about their centre, which is `com`:\n\n"
    for name, solid in SOLIDS.items():
        keys = ", ".join(f"`{key.name}`" for key in solid_section(name).keys[1:])
        text += f"* `{{shape: {name}, ...}}`: {solid.about}; {keys}\n"
    return text


def _conventions() -> str:
    rows = ["| `convention` | from a row's frame to the one before |", "|---|---|"]
    rows += [f"| `{name}` | {value.formula} |" for name, value in CONVENTIONS.items()]
    return "\n" + "\n".join(rows) + "\n"


def _drawing() -> str:
    text = "## Drawing\n\nLists of shapes by body or frame below `drawing`; plain data.\n\n"
    text += "| `shape` | is | keys |\n|---|---|---|\n"
    for name, form in FORMS_OF_SHAPES.items():
        own = ", ".join(f"`{key.name}`" for key in form.keys)
        text += f"| `{name}` | {form.about} | {own} |\n"
    color = shape_section("box").keys[-1]
    return (
        f"{text}\nEach may have a [placement](#placements) and a `{color.name}`: {color.meaning}.\n"
    )


def _expressions() -> str:
    rows = [
        f"| `{name}({', '.join('xy'[: function.arguments])})` | {function.about} |"
        for name, function in FUNCTIONS.items()
    ]
    marks = ", ".join(f"`{mark}`" for mark in COMPARISONS)
    rows.append(f"| `{CHOICE}(x < y, a, b)` | a where it is so, else b; one of {marks} |")
    rows += [f"| `{name}` | {value!r} |" for name, value in CONSTANTS.items()]
    return EXPRESSIONS + "\n".join(rows) + "\n" + example("Expressions").rstrip("\n")


if __name__ == "__main__":
    sys.stdout.write(reference_text())
