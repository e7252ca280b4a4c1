"""Pages of joint types say what constructors take, as the catalogue has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_ros.joints import JOINT_TYPES, Parameter

DOCS = Path(__file__).parents[2] / "docs" / "joints"
HEADER = "| parameter | kind | unit | default | meaning |"


def row(parameter: Parameter) -> str:
    """Return the line of a page that describes a parameter."""
    default = parameter.default
    if parameter.required:
        text = "required"
    elif isinstance(default, tuple):
        text = f"({', '.join(f'{x:g}' for x in default)})" if default else "none"
    else:
        text = f"{default:g}"
    cells = (
        f"`{parameter.name}`",
        parameter.kind,
        parameter.unit or "\N{EN DASH}",
        text,
        parameter.meaning,
    )
    return f"| {' | '.join(cells)} |"


@pytest.mark.parametrize("name", JOINT_TYPES)
def test_pages_have_the_parameters(name: str) -> None:
    lines = (DOCS / f"{name}.md").read_text().splitlines()
    parameters = JOINT_TYPES[name].parameters
    assert lines.count(HEADER) == (1 if parameters else 0)
    if parameters:
        first = lines.index(HEADER) + 2
        assert lines[first:] == [row(parameter) for parameter in parameters]


@pytest.mark.parametrize("name", JOINT_TYPES)
def test_pages_say_how_rates_are_called(name: str) -> None:
    """Those of the type as it is with all defaults."""
    required = {"sequence": "123", "pitch": 1.0, "variables": ["u", "w"]}
    required |= {"m": [1, 0, 0], "n": [0, 1, 0], "a": ["u", "w", 0]}
    given = {p.name: required[p.name] for p in JOINT_TYPES[name].parameters if p.required}
    page = (DOCS / f"{name}.md").read_text()
    for axis in JOINT_TYPES[name](**given).axes:
        assert f"joint/{axis}" in page


@pytest.mark.parametrize("name", JOINT_TYPES)
def test_the_index_has_every_type(name: str) -> None:
    assert f"[{name}]({name}.md)" in (DOCS / "README.md").read_text()
