"""The errors of the package: one base class and a child for each thing a caller can act on."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "ArgumentError",
    "CompilationError",
    "DescriptionError",
    "RobodynError",
    "SingularMassMatrixError",
    "UnknownNameError",
    "quoted",
]


def quoted(value: object, limit: int = 60) -> str:
    """Return a foreign name or value for a message: on one line, quoted, cut to `limit` characters.

    Line breaks, escape sequences and other characters that do not print are written as escapes, so
    that no name can pass for a line of its own.
    """
    text = value if isinstance(value, str) else repr(value)
    if len(text) > limit:
        text = text[: limit - 3] + "..."
    return repr(text) if isinstance(value, str) else text


class RobodynError(Exception):
    """Base of every error that this package raises on purpose."""


class DescriptionError(RobodynError, ValueError):
    """A robot description that cannot be used; the text names the element and the remedy."""


class ArgumentError(RobodynError, ValueError):
    """An argument of the wrong shape, range or kind."""


class CompilationError(RobodynError, RuntimeError):
    """A kernel could not be traced, compiled or loaded."""


class SingularMassMatrixError(RobodynError, ArithmeticError):
    """Accelerations that no effort determines; the text names the joint and the remedy."""


class UnknownNameError(RobodynError, KeyError, ValueError):
    """A body, joint or frame name that the model does not have."""

    def __str__(self) -> str:
        """Return the plain text (KeyError would quote it)."""
        return str(self.args[0]) if self.args else ""

    @classmethod
    def among(cls, kind: str, name: object, known: Iterable[str]) -> UnknownNameError:
        """Build the error for `name`, listing the nearest known names (or the first few)."""
        names = list(known)
        near = difflib.get_close_matches(str(name), names, n=3) or names[:8]
        listed = ", ".join(near) + (", ..." if len(names) > len(near) else "")
        asked = quoted(name) if isinstance(name, str) else repr(name)
        return cls(f"no {kind} is called {asked}; available: {listed or 'none'}")
