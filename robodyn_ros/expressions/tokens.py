"""The words of a formula."""

from __future__ import annotations

import re
from typing import NamedTuple

from robodyn_ros.errors import DescriptionError, quoted

LONGEST = 2000
"""Characters of a formula at most."""

_WORD = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<mark>\*\*|<=|>=|==|!=|[-+*/^(),<>]))",
    re.ASCII,
)


class Token(NamedTuple):
    """One word: its kind ("number", "name", "mark" or "end"), text and column (from 1)."""

    kind: str
    text: str
    column: int


def tokens_of(text: str) -> list[Token]:
    """Return the words of a formula, an "end" last.

    Raises:
        DescriptionError: it is too long, or has a character that no formula has.
    """
    if len(text) > LONGEST:
        raise DescriptionError(
            f"the expression {quoted(text)} has {len(text)} characters; {LONGEST} are allowed, so"
            " write it in parts"
        )
    tokens: list[Token] = []
    at = 0
    end = len(text.rstrip())
    while at < end:
        found = _WORD.match(text, at)
        if found is None:
            column = at + len(text[at:]) - len(text[at:].lstrip()) + 1
            raise refusal(text, column, f"cannot read {quoted(text[column - 1])}")
        kind = str(found.lastgroup)
        tokens.append(Token(kind, found[kind], found.start(kind) + 1))
        at = found.end()
    return [*tokens, Token("end", "", end + 1)]


def refusal(text: str, column: int, reason: str) -> DescriptionError:
    """Return the error for what stands at `column` of the formula."""
    return DescriptionError(f"expression {quoted(text)}, column {column}: {reason}")
