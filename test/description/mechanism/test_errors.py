"""What a wrong file, number or body is told: line, path, fault and remedy."""

from __future__ import annotations

import pytest

from faulty_mechanisms import body, check_error, section
from robodyn_ros.description import load_model
from robodyn_ros.description.source import Document
from robodyn_ros.errors import DescriptionError

CASES = {
    # the file as a whole
    "no version": ("name: x", ["line 1", "begin with 'mechanism: 1'"]),
    "other version": ("mechanism: 2", ["line 1: mechanism", "must be 1"]),
    "text as version": ("mechanism: one", ["line 1: mechanism", "must be 1", "'one'"]),
    "list": ("- mechanism: 1", ["line 1", "must be a mapping", "a list of 1"]),
    "no bodies": ("mechanism: 1", ["line 1", "lacks bodies", "bodies: {base: }"]),
    "misspelled section": ("mechanism: 1\nbodys: {}", ["line 2: bodys", "did you mean 'bodies'?"]),
    "constraint": (section("constraint: {}"), ["line 7: constraint", "mean 'constraints'?"]),
    "control": (section("control: {}"), ["line 7: control", "did you mean 'controls'?"]),
    "section is a number": ("mechanism: 1\nbodies: 3", ["line 2: bodies", "a mapping", "'3'"]),
    "gravity": (section("gravity: 9.81"), ["line 7: gravity", "[0, 0, -9.81]"]),
    "gravity of two": (section("gravity: [0, 1]"), ["line 7: gravity", "3 numbers", "list of 2"]),
    "base": (section("base: fluid"), ["line 7: base", "fixed, floating, prescribed"]),
    "root": (section("root: hnad"), ["line 7: root", "did you mean 'hand'?"]),
    "name": (section("name: [a]"), ["line 7: name", "must be a name", "a list of 1"]),
    # parameters
    "unknown parameter": (body("{mass: k}"), ["line 3: bodies/base/mass", "'k'", "number"]),
    "later parameter": (
        "mechanism: 1\nparameters:\n  a: b\n  b: 1",
        ["line 3: parameters/a", "uses 'b' of line 4", "only those above it"],
    ),
    "parameter of itself": ("mechanism: 1\nparameters: {a: a + 1}", ["parameters/a: uses 'a'"]),
    "parameter's name": ("mechanism: 1\nparameters: {a b: 1}", ["line 2", "'a b'", "letters"]),
    "function as parameter": ("mechanism: 1\nparameters: {sin: 1}", ["parameters/sin", "another"]),
    "parameter of text": ("mechanism: 1\nparameters: {a: 'x y'}", ["parameters/a", "column"]),
    "division by zero": (body("{mass: '1/0'}"), ["bodies/base/mass", "1/0"]),
    "power": (body("{mass: '2^1000'}"), ["bodies/base/mass", "exponent"]),
    # numbers
    "truth value": (body("{mass: true}"), ["bodies/base/mass", "truth value", "1 or 0"]),
    "on": (body("{mass: on}"), ["line 3: bodies/base/mass", "'on'"]),
    "empty number": (body("{mass: }"), ["bodies/base/mass", "is empty"]),
    "infinite": (body("{mass: .inf}"), ["bodies/base/mass", "finite"]),
    "not a number": (body("{mass: .nan}"), ["bodies/base/mass", "finite"]),
    "overflow": (body("{mass: 1e999}"), ["bodies/base/mass", "finite"]),
    "too large": (body("{mass: 1e31}"), ["bodies/base/mass", "too large", "unit"]),
    "comma": (body("{com: [0, 0, '1,5']}"), ["bodies/base/com/3", "line 3"]),
    "negative mass": (body("{mass: -1}"), ["bodies/base/mass", ">= 0 in kg", "-1"]),
    "list as number": (body("{mass: [1]}"), ["bodies/base/mass", "a list of 1"]),
    "mapping as number": (body("{mass: {kg: 1}}"), ["bodies/base/mass", "a mapping"]),
    "number as list": (body("{com: 1}"), ["bodies/base/com", "3 numbers in m", "'1'"]),
    # bodies
    "unknown key": (body("{mas: 1}"), ["line 3: bodies/base/mas", "did you mean 'mass'?"]),
    "five moments": (body("{inertia: [1,1,1,1,1]}"), ["bodies/base/inertia", "ixx", "list of 5"]),
    "unsymmetric": (
        body("{inertia: [[1,0,0],[1,1,0],[0,0,1]]}"),
        ["bodies/base/inertia", "symmetric"],
    ),
    "ragged": (body("{inertia: [[1,0,0],[1,1],[0,0,1]]}"), ["bodies/base/inertia/2", "3 numbers"]),
    "moment missing": (body("{inertia: {ixx: 1, iyy: 1}}"), ["inertia", "lacks izz"]),
    "unknown shape": (body("{inertia: {shape: cone}}"), ["inertia/shape", "cylinder", "'cone'"]),
    "radius missing": (
        body("{inertia: {shape: sphere}}"),
        ["bodies/base/inertia", "lacks radius", "number > 0 in m"],
    ),
    "radius zero": (body("{inertia: {shape: sphere, radius: 0}}"), ["inertia/radius", "> 0"]),
    "box": (body("{inertia: {shape: box, size: [1, 0, 1]}}"), ["inertia/size", "> 0"]),
    "length of a sphere": (
        body("{inertia: {shape: sphere, radius: 1, length: 1}}"),
        ["inertia/length", "unknown key of a sphere"],
    ),
    "rotation of nothing": (
        body("{inertia_rotation: {rpy: [0,0,0]}}"),
        ["inertia_rotation", "give inertia"],
    ),
    "point mass": (body("{point_masses: [{mass: 1}, {position: [0,0,0]}]}"), ["point_masses/2"]),
    "point masses": (body("{point_masses: {mass: 1}}"), ["point_masses", "a list"]),
    # names
    "empty name": ("mechanism: 1\nbodies: {'': }", ["line 2", "a name"]),
    "blank at the end": ("mechanism: 1\nbodies:\n  a:\n  'a ':", ["line 4", "taken (line 3)"]),
    "unprintable": ('mechanism: 1\nbodies: {"a\\e": }', ["line 2", "do not print"]),
    "long name": (f"mechanism: 1\nbodies: {{{'a' * 300}: }}", ["line 2", "250 characters"]),
}


@pytest.mark.parametrize(("text", "parts"), CASES.values(), ids=CASES.keys())
def test_an_error_says_where_what_and_what_to_do(text: str, parts: list[str]) -> None:
    check_error(text, parts)


def test_the_file_is_named_first() -> None:
    document = Document(b"mechanism: 1\nbodys: {}", "arms/x.yaml", is_mechanism=True)
    with pytest.raises(DescriptionError, match=r"^arms/x\.yaml: line 2: bodys: "):
        load_model(document)
