"""The parts of the reference page about what closes a mechanism."""

from __future__ import annotations

from robodyn_ros.description.mechanism.closure_keys import CONSTRAINT_TYPE, CONSTRAINT_TYPES
from robodyn_ros.description.mechanism.closure_parts import MOST_EQUATIONS
from robodyn_ros.description.mechanism.reference_examples import example

FOLLOWS_TEXT = """\
A joint with one coordinate that moves with another (mimic), or a joint whose coordinates are
formulas of coordinates: what control elements do to joints in document D. One of `joint`,
`expression`, `expressions` is required."""
CONTROLS_TEXT = """\
By name below `controls`: coordinates that move no body themselves. Joints follow formulas of them,
lengths of constraints depend on them, and the variables of a user-defined joint may be they. The
unit is the formulas' affair. Nothing after the name is a control that begins at 0."""
_LOOPS_TEXT = f"""\
By name below `loops`, with the keys of [a joint](#joints) and `world` as a possible parent: joints
between bodies that other joints carry already. `initial_position` is where assembly begins.

A mechanism with loops or constraints is closed when it is loaded: from its initial positions the
nearest ones are found in which all hold. Bodies that no joint carries are free to move where a loop
or constraint holds on to them; the first of them, or `root`, is the root. The equations of loops (6
each) and constraints (1 each) may come to {MOST_EQUATIONS}. On the world none may be while a
prescribed base moves in it."""


def closure_pages() -> str:
    """Return the sections about loops and constraints."""
    return f"## Loops\n\n{_LOOPS_TEXT}\n{example('Loops')}\n{_constraints()}"


def _constraints() -> str:
    text = (
        "## Constraints\n\nBy name below `constraints`; each is one equation between two bodies."
        " Lengths may be formulas of\ncoordinates.\n\n"
        f"| `{CONSTRAINT_TYPE.name}` | is | keys |\n|---|---|---|\n"
    )
    told: dict[str, str] = {}
    for name, form in CONSTRAINT_TYPES.items():
        names = ", ".join(f"`{key.name}`" for key in form.keys)
        text += f"| `{name}` | {form.about} | {names} |\n"
        for key in form.keys:
            default = "required" if key.required else key.default_text
            told[key.name] = f"| `{key.name}` | {key.kind.text} | {default} | {key.meaning} |\n"
    text += "\n| key | value | default | meaning |\n|---|---|---|---|\n" + "".join(told.values())
    return text + example("Constraints")
