"""docs/nodes.md as tables: which rows stand under which header of which node."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

NODES_PAGE = Path(__file__).parents[2] / "docs" / "nodes.md"
TOPICS = "| | name | type | |"
PARAMETERS = "| parameter | default | values | may change | what it does |"
DIAGNOSTICS = "| status | trouble | values |"


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield node, header and text of every row of every table, in order.

    A row that no header with its line of dashes stands above has the header "".
    """
    node = header = previous = ""
    for line in NODES_PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            node = line.removeprefix("## ")
        if not line.startswith("|"):
            header = ""
        elif set(line) <= set("|-"):
            header = previous
        elif header:
            yield node, header, line
        elif previous.startswith("|"):
            yield node, "", line
        previous = line


def cells(row: str) -> list[str]:
    """Return the texts of a row's cells, without marks of code."""
    return [cell.strip().strip("`") for cell in row.strip("|").split("|")]


def table(node: str, header: str) -> list[list[str]]:
    """Return the cells of the rows under one header of one node."""
    return [cells(row) for of, under, row in rows() if (of, under) == (node, header)]
