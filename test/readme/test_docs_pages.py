"""Pages that could go stale: parameters of the nodes, and a page for every joint type."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_ros.joints import JOINT_TYPES
from robodyn_ros.ros.parameter_specs import Spec
from robodyn_ros.ros.parameter_tables import DEMO_PARAMETERS, STATE_PARAMETERS

DOCS = Path(__file__).parents[2] / "docs"


def row(spec: Spec) -> str:
    """Return the line of docs/nodes.md that describes a parameter."""
    default = "none" if spec.default is None else f"`{spec.default!r}`".replace("'", '"')
    if spec.choices:
        values = ", ".join(f"`{choice}`" for choice in spec.choices)
    elif spec.lower is not None:
        values = f"{spec.lower:.10g} to {spec.upper:.10g}"
    else:
        values = spec.kind.__name__
    when = "start" if spec.read_only else "any time"
    return f"| `{spec.name}` | {default} | {values} | {when} | {spec.text} |"


@pytest.mark.parametrize("spec", {*STATE_PARAMETERS, *DEMO_PARAMETERS}, ids=lambda s: s.name)
def test_every_parameter_is_documented(spec: Spec) -> None:
    assert row(spec) in (DOCS / "nodes.md").read_text().splitlines(), f"expected: {row(spec)}"


@pytest.mark.parametrize("kind", JOINT_TYPES)
def test_every_joint_type_has_a_page(kind: str) -> None:
    assert (DOCS / "joints" / f"{kind}.md").read_text().startswith(f"# {kind}\n")
