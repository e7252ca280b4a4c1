"""Pages that could go stale: tables of the nodes, links, pages of joint types and algorithms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from nodes_page import DIAGNOSTICS, PARAMETERS, TOPICS, cells, rows
from robodyn_ros import algorithms
from robodyn_ros.joints import JOINT_TYPES
from robodyn_ros.ros.parameter_specs import Spec
from robodyn_ros.ros.parameter_tables import PARAMETERS as NODES

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))


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


KEY_CELLS = {TOPICS: 2, PARAMETERS: 1, DIAGNOSTICS: 1}
"""First cells of a row that tell it from the others under the same header."""


@pytest.mark.parametrize(("node", "specs"), NODES.items(), ids=NODES)
def test_every_parameter_has_its_row_once_and_under_its_header(
    node: str, specs: Sequence[Spec]
) -> None:
    found = [text for of, header, text in rows() if of == node and header == PARAMETERS]
    assert found == [row(spec) for spec in specs]


def test_every_row_is_under_a_header_of_its_kind_and_there_once() -> None:
    found = Counter(
        (node, header, *cells(text)[: KEY_CELLS.get(header, 0)]) for node, header, text in rows()
    )
    assert {header for _, header, *_ in found} == set(KEY_CELLS)
    assert [key for key, count in found.items() if count > 1] == []
    assert {node for node, *_ in found} == set(NODES)


def test_every_row_has_as_many_cells_as_its_header() -> None:
    assert [text for _, header, text in rows() if len(cells(text)) != len(cells(header))] == []


def test_every_node_has_its_tables_under_one_header_each() -> None:
    """A header twice, or none, is how a table gets lost."""
    lines = (DOCS / "nodes.md").read_text().splitlines()
    counts = {header: lines.count(header) for header in KEY_CELLS}
    assert counts == {TOPICS: len(NODES), PARAMETERS: len(NODES), DIAGNOSTICS: 3}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_links_lead_to_pages_and_headings(page: Path) -> None:
    for target, heading in re.findall(r"\]\((?!http)([^)#\s]*)#?([^)\s]*)\)", page.read_text()):
        other = page.parent / target if target else page
        assert other.exists(), target
        if heading:
            titles = re.findall(r"^#+ (.+)$", other.read_text(), re.MULTILINE)
            assert heading in [anchor(title) for title in titles], heading


def anchor(title: str) -> str:
    """Return what a heading is linked by."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


QUOTED = re.compile(r"`([a-z_]+):=[^`]*`")


def test_troubleshooting_names_parameters_and_statuses_that_exist() -> None:
    text = (DOCS / "troubleshooting.md").read_text()
    known = {spec.name for specs in NODES.values() for spec in specs} | {"use_sim_time"}
    named = set(QUOTED.findall(text))
    assert named
    assert named <= known
    statuses = {cells(row)[0] for _, header, row in rows() if header == DIAGNOSTICS}
    # Those that are not always there are in the text.
    statuses |= set(re.findall(r"The status `([^`]+)`", (DOCS / "nodes.md").read_text()))
    told = set(re.findall(r"status `([^`]+)`", text))
    assert told
    assert told <= statuses


@pytest.mark.parametrize("kind", JOINT_TYPES)
def test_every_joint_type_has_a_page(kind: str) -> None:
    assert (DOCS / "joints" / f"{kind}.md").read_text().startswith(f"# {kind}\n")


HELPERS_OF_OTHERS = {
    "centers_of",
    "markers_of",
    "relative_poses",
    "forward_dynamics_by_mass_matrix",
}
"""Public functions that pages of others tell of, or that only other algorithms call."""


def test_the_index_has_every_algorithm_and_every_page_of_one() -> None:
    text = (DOCS / "algorithms" / "README.md").read_text()
    named = set(re.findall(r"`(\w+)`", text))
    functions = {name for name in algorithms.__all__ if name.islower()}
    assert functions - HELPERS_OF_OTHERS <= named
    pages = {page.name for page in (DOCS / "algorithms").glob("*.md")} - {"README.md"}
    assert pages == set(re.findall(r"\]\((\w+\.md)\)", text))
