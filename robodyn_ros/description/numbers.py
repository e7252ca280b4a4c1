"""Numbers as URDF writes them: decimal, blank-separated, point not comma."""

from __future__ import annotations

import re

from robodyn_ros.model.checks import LARGEST

_DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_SPECIAL = re.compile(r"[+-]?(?:nan|inf|infinity)", re.ASCII | re.IGNORECASE)


def fault_in_numbers(text: str, count: int, *, unbounded: bool = False) -> str | None:
    """Return what is wrong with `text` as `count` numbers, or None.

    Args:
        text: an attribute's value.
        count: how many numbers it must hold.
        unbounded: whether nan, inf and numbers beyond `LARGEST` are allowed.
    """
    words = text.split()
    for word in words:
        if _DECIMAL.fullmatch(word):
            if not unbounded and abs(float(word)) > LARGEST:
                return f"{word[:30]} is too large"
        elif not (unbounded and _SPECIAL.fullmatch(word)):
            return _fault_in_word(word)
    if len(words) != count:
        return f"needs {count} number{'s' * (count > 1)} and has {len(words)}"
    return None


def _fault_in_word(word: str) -> str:
    """Return why a word is no finite number."""
    shown = repr(word[:30])
    if _SPECIAL.fullmatch(word):
        return f"{shown} is not a finite number"
    if "," in word:
        return f"{shown} is not a number; write a point for decimals and blanks between numbers"
    return f"{shown} is not a number"
