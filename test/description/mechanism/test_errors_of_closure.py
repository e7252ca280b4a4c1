"""What wrong controls, loops, constraints, formulas and motors are told: line, path and remedy."""

from __future__ import annotations

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.errors import DescriptionError

# Lines 1 to 9; what a case adds begins on line 10.
HEAD = """mechanism: 1
parameters: {r: 0.5, n: -1}
bodies: {base: , arm: {mass: 1}, hand: {mass: 1}, cup: {mass: 1}, far: {mass: 1}}
controls: {drive: {range: [0, 1], initial_position: 0.2}, other: }
joints:
  shoulder: {type: revolute, parent: base, child: arm}
  wrist: {type: spherical, parent: arm, child: hand}
  slide: {type: prismatic, parent: base, child: cup}
  lid: {type: fixed, parent: cup, child: far}
"""


def joint(text: str) -> str:
    """Return a file in which line 10 has a joint with `text` added."""
    return (
        HEAD.replace("bodies: {", "bodies: {new: , ") + f"  j: {{parent: hand, child: new, {text}}}"
    )


def loop(text: str) -> str:
    """Return a file with a loop joint on line 11."""
    return f"{HEAD}loops:\n  closing: {{{text}}}"


def constraint(text: str) -> str:
    """Return a file with a constraint on line 11."""
    return f"{HEAD}constraints:\n  c: {{{text}}}"


def rod(text: str) -> str:
    """Return a file with a rod on line 11."""
    return constraint(f"type: rod, body_1: hand, body_2: cup, {text}")


def control(text: str) -> str:
    """Return a file whose line 4 has a control with `text`."""
    return HEAD.replace("other: }", f"extra: {text}}}")


CASES = {
    # joints that close a loop outside the section
    "two parents": (
        joint("type: fixed").replace("child: new", "child: cup"),
        ["line 10: joints/j", "'cup'", "joint 'slide' (line 8)", "below loops:"],
    ),
    "row with two parents": (
        HEAD + "dh: {t: {convention: classic, parent: hand, rows: [{body: cup}]}}",
        ["dh/t/rows/1", "joint 'slide' (line 8)", "below loops:"],
    ),
    "body of a loop joint alone": (
        "mechanism: 1\nbodies:\n  a:\n  b:\n  c:\nloops: {l: {type: fixed, parent: a, child: b}}",
        ["line 5: bodies/c", "nor 'a'", "a constraint that holds it"],
    ),
    # controls
    "control's name": (HEAD.replace("other:", "a b:"), ["line 4: controls/a b", "letters"]),
    "control like a function": (HEAD.replace("other:", "sin:"), ["controls/sin", "meaning"]),
    "control like a choice": (HEAD.replace("other:", "if:"), ["controls/if", "meaning"]),
    "control like a parameter": (HEAD.replace("other:", "r:"), ["controls/r", "a parameter"]),
    "control like a joint": (
        HEAD.replace("other:", "slide:"),
        ["line 4: controls/slide", "'slide' is the name of a joint (line 8) too", "rename"],
    ),
    "control is a number": (control("3"), ["controls/extra", "a control: a mapping"]),
    "ranges": (control("{range: [[0, 1], [0, 1]]}"), ["extra/range", "one number"]),
    "range": (control("{range: [1, 0]}"), ["extra/range", "1 is above upper limit 0"]),
    "limit": (control("{effort_limit: 0}"), ["extra/effort_limit", "number > 0"]),
    "damping": (control("{damping: 1}"), ["extra/damping", "unknown key of a control"]),
    "positions": (control("{initial_position: [1]}"), ["initial_position", "a list of 1"]),
    "drive": (control("{drive: '2*'}"), ["extra/drive", "a formula of the time t", "column 3"]),
    "drive of x": (control("{drive: 'x + t'}"), ["extra/drive", "'x'", "known: t, r, n"]),
    "drive of a control": (control("{drive: 'drive'}"), ["extra/drive", "'drive'"]),
    "drive at 0": (control("{drive: 'sqrt(t)'}"), ["extra/drive", "rate", "t = 0"]),
    "endless drive": (control("{drive: '1/t'}"), ["extra/drive", "from t = 0 on"]),
    "empty drive": (control("{drive: }"), ["extra/drive", "a formula of the time"]),
    "t as parameter": (
        control("{drive: 't'}").replace("{r:", "{t: 1, r:"),
        ["extra/drive", "t is the time", "rename the parameter"],
    ),
    # followers
    "nothing followed": (joint("type: revolute, follows: {}"), ["j/follows", "lacks joint"]),
    "two things": (
        joint("type: revolute, follows: {joint: slide, expression: drive}"),
        ["line 10: joints/j/follows/expression", "beside joint"],
    ),
    "two forms": (
        joint("type: revolute, follows: {expressions: [drive], expression: drive}"),
        ["j/follows/expressions", "beside expression"],
    ),
    "multiplier": (
        joint("type: revolute, follows: {expression: drive, multiplier: 2}"),
        ["j/follows/multiplier", "write it into the formula"],
    ),
    "unknown coordinate": (
        joint("type: revolute, follows: {expression: '2*drvie'}"),
        ["j/follows/expression", "no parameter, control or joint", "did you mean 'drive'?"],
    ),
    "known coordinates": (
        joint("type: revolute, follows: {expression: 'x'}"),
        ["'x'", "(known: r, n, shoulder, slide, drive, other)"],
    ),
    "formula's syntax": (
        joint("type: revolute, follows: {expression: 'drive drive'}"),
        ["j/follows/expression", "column 7"],
    ),
    "formula is a list": (
        joint("type: revolute, follows: {expression: [drive]}"),
        ["j/follows/expression", "a list of 1"],
    ),
    "formula of three numbers": (
        joint("type: revolute, follows: {expression: 'wrist'}"),
        ["j/follows/expression", "'wrist' has 4 coordinates"],
    ),
    "formula of a fixed joint": (
        joint("type: revolute, follows: {expression: 'lid'}"),
        ["j/follows/expression", "'lid' is fixed"],
    ),
    "formula of itself": (joint("type: revolute, follows: {expression: 'j'}"), ["a cycle", "'j'"]),
    "formula of a follower": (
        joint("type: revolute, follows: {joint: slide}").replace(
            "slide: {", "slide: {follows: {expression: j}, "
        ),
        ["line 8: joints/slide/follows/expression", "'j' follows others itself"],
    ),
    "formula of two things": (
        joint("type: revolute, follows: {expression: 'slide + drive'}").replace(
            "{r:", "{slide: 1, r:"
        ),
        ["j/follows/expression", "'slide' is both a parameter and a joint", "rename"],
    ),
    "formula without coordinates": (
        joint("type: revolute, follows: {expression: '2 * r'}"),
        ["j/follows", "names no coordinate", "fixed"],
    ),
    "formulas": (
        joint("type: universal, follows: {expression: drive}"),
        ["j/follows", "1 formula;", "2 coordinates (rx, ry)", "expressions"],
    ),
    "too many formulas": (
        joint("type: revolute, follows: {expressions: [drive, drive]}"),
        ["j/follows", "2 formulas", "1 coordinate"],
    ),
    "quaternion": (
        joint("type: spherical, follows: {expressions: [drive, drive, drive, drive]}"),
        ["'j' (line 10)", "spherical", "use a gimbal"],
    ),
    "initial position of a follower": (
        joint("type: revolute, follows: {expression: drive}, initial_position: 1"),
        ["j/initial_position", "follows formulas", "what is in them"],
    ),
    "initial state of a follower": (
        joint("type: revolute, follows: {expression: drive}") + "\ninitial: {positions: {j: 1}}",
        ["line 11: initial/positions/j", "follows"],
    ),
    "no value": (
        joint("type: revolute, follows: {expression: 'log(drive - 1)'}"),
        ["j/follows/expression", "no value", "initial state"],
    ),
    "no rate": (
        joint("type: revolute, follows: {expression: 'sqrt(other)'}"),
        ["j/follows/expression", "no value or rate in the initial state"],
    ),
    "division by a parameter": (
        joint("type: revolute, follows: {expression: 'drive / (r - 0.5)'}"),
        ["j/follows/expression", "division by zero"],
    ),
    "long formula": (
        joint(f"type: revolute, follows: {{expression: '{' + '.join(['drive'] * 150)}'}}"),
        ["j/follows/expression", "200 words"],
    ),
    # loops
    "loop without type": (loop("parent: hand, child: cup"), ["line 11: loops/closing", "type"]),
    "loop's key": (
        loop("type: revolute, parent: hand, child: cup, pitch: 1"),
        ["loops/closing/pitch", "helical"],
    ),
    "loop to nowhere": (
        loop("type: revolute, parent: hadn, child: cup"),
        ["loops/closing/parent", "did you mean 'hand'?"],
    ),
    "loop to itself": (
        loop("type: revolute, parent: cup, child: cup"),
        ["loops/closing/child", "'cup' too", "two bodies"],
    ),
    "loop is a list": (HEAD + "loops: [a]", ["line 10: loops", "a mapping from names"]),
    "loop like a joint": (
        loop("type: fixed, parent: hand, child: cup").replace("closing", "slide"),
        ["line 11: loops/slide", "a joint (line 8)", "rename"],
    ),
    "loop's damping": (
        loop("type: universal, parent: hand, child: cup, damping: [1]"),
        ["closing/damping", "2 rates (rx, ry)"],
    ),
    "too many loops": (
        HEAD
        + "loops:\n"
        + "".join(f"  l{k}: {{type: fixed, parent: hand, child: cup}}\n" for k in range(101)),
        ["line 10: loops", "606 equations", "at most 600"],
    ),
    # constraints
    "no type": (constraint("body_1: hand"), ["line 11: constraints/c", "lacks type", "skew_axes"]),
    "type": (constraint("type: rods"), ["constraints/c/type", "did you mean 'rod'?"]),
    "number": (HEAD + "constraints: {c: 1}", ["constraints/c", "a constraint: a mapping"]),
    "no body": (constraint("type: rod, body_1: hand"), ["constraints/c", "lacks body_2"]),
    "no length": (rod(""), ["constraints/c", "lacks length", "> 0 in m"]),
    "body": (rod("length: 1").replace("body_2: cup", "body_2: cpu"), ["c/body_2", "'cup'?"]),
    "same body": (rod("length: 1").replace("body_2: cup", "body_2: hand"), ["c/body_2", "two"]),
    "length 0": (rod("length: 0"), ["c/length", "> 0 in m", "got 0"]),
    "length below 0": (rod("length: 'r - 1'"), ["c/length", "> 0 in m", "got -0.5"]),
    "length at start": (rod("length: 'drive - 1'"), ["c/length", "comes to -0.8", "exceed 0"]),
    "length of nothing": (rod("length: 'r * drvie'"), ["c/length", "did you mean 'drive'?"]),
    "length of a ball": (rod("length: 'wrist'"), ["c/length", "4 coordinates"]),
    "length is true": (rod("length: true"), ["c/length", "truth value"]),
    "point": (rod("length: 1, point_1: [0, 0]"), ["c/point_1", "3 numbers in m"]),
    "radius of a rod": (rod("length: 1, radius: 1"), ["c/radius", "a rod has no radius"]),
    "unknown key": (rod("lenth: 1"), ["c/lenth", "unknown key of a rod", "'length'?"]),
    "normal": (
        constraint("type: point_on_plane, body_1: hand, body_2: cup, normal: [0, 0, 0.3]"),
        ["c/normal", "length 0.3", "write [0, 0, 1], and offset: 0.3"],
    ),
    "zero normal": (
        constraint("type: point_on_plane, body_1: hand, body_2: cup, normal: [0, 0, 0]"),
        ["c/normal", "is zero"],
    ),
    "no offset": (
        constraint("type: point_on_plane, body_1: hand, body_2: cup, normal: [0, 0, 1]"),
        ["constraints/c", "lacks offset"],
    ),
    "axis": (
        constraint("type: point_on_cylinder, body_1: hand, body_2: cup, axis_1: [0, 0, 2]"),
        ["c/axis_1", "length 2", "write [0, 0, 1]"],
    ),
    "no second axis": (
        constraint("type: skew_axes, body_1: hand, body_2: cup, axis_1: [0, 0, 1], distance: 1"),
        ["constraints/c", "lacks axis_2"],
    ),
    "constraint like a loop": (
        loop("type: fixed, parent: hand, child: cup")
        + "\nconstraints:\n  closing: {type: rod, body_1: hand, body_2: cup, length: 1}",
        ["line 13: constraints/closing", "a loop joint (line 11)"],
    ),
    # motors
    "motor": (HEAD + "actuated: shoulder", ["line 10: actuated", "a list of coordinates"]),
    "motor of nothing": (HEAD + "actuated: [sholder]", ["actuated/1", "did you mean 'shoulder'?"]),
    "motor twice": (HEAD + "actuated: [drive, drive]", ["actuated/2", "twice (line 10)"]),
    "motor's axis": (HEAD + "independent: [wrist/x]", ["independent/1", "wrist/rx, wrist/ry"]),
    "axis of one": (HEAD + "actuated: [shoulder/rz]", ["actuated/1", "only shoulder"]),
    "motor of a fixed joint": (HEAD + "actuated: [lid]", ["actuated/1", "it is fixed"]),
    "motor of a follower": (
        HEAD.replace("slide: {", "slide: {follows: {expression: drive}, ") + "actuated: [slide]",
        ["actuated/1", "'slide' follows others"],
    ),
    # the initial state
    "initial of a control": (
        HEAD + "initial: {positions: {other: [1, 2]}}",
        ["initial/positions/other", "2 entries"],
    ),
    "initial twice": (
        HEAD + "initial: {positions: {drive: 1}}",
        ["initial/positions/drive", "of its own"],
    ),
    "initial of nothing": (
        HEAD + "initial: {positions: {drvie: 1}}",
        ["no joint or control is called 'drvie'", "did you mean 'drive'?"],
    ),
}


@pytest.mark.parametrize(("text", "parts"), CASES.values(), ids=CASES.keys())
def test_an_error_says_where_what_and_what_to_do(text: str, parts: list[str]) -> None:
    with pytest.raises(DescriptionError, match=r"^robot description: .*line \d+") as raised:
        load_model(text)
    message = str(raised.value)
    for part in parts:
        assert part in message
    assert "\n" not in message
    assert len(message) < 1000
