"""Mechanism files with one fault, and what their error must say."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.description.source import Document
from robodyn_ros.errors import DescriptionError

# Lines 1 to 4; what a case adds begins on line 5.
HEAD = """mechanism: 1
parameters: {r: 0.5}
bodies: {base: , arm: {mass: 1, com: [0, 0, r]}, hand: }
joints:
"""
ARM = "  shoulder: {type: revolute, parent: base, child: arm}\n"
HAND = "  wrist: {type: revolute, parent: arm, child: hand}\n"
WHOLE = HEAD + ARM + HAND


def body(text: str) -> str:
    """Return a file whose line 3 has a body with `text` as its contents."""
    return f"mechanism: 1\nbodies:\n  base: {text}\n"


def joint(text: str) -> str:
    """Return a file whose line 5 has a joint with `text` added, and its hand."""
    return f"{HEAD}  shoulder: {{parent: base, child: arm, {text}}}\n{HAND}"


def section(text: str) -> str:
    """Return a good file with `text` from line 7 on."""
    return WHOLE + text


def check_error(text: str, parts: Sequence[str]) -> None:
    """Assert that a mechanism file's error is one short line with its place and all `parts`."""
    # A file, not a text: only a file may begin with another key.
    document = Document(text.encode(), "x.yaml", is_mechanism=True)
    with pytest.raises(DescriptionError, match=r"^x\.yaml: ") as raised:
        load_model(document)
    message = str(raised.value)
    for part in parts:
        assert part in message
    assert "\n" not in message
    assert len(message) < 1000
    assert re.search(r"line \d+", message)
