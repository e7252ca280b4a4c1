"""The errors of the package: one base class and a child for each thing a caller can act on."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

__all__ = [
    "ArgumentError",
    "ClosureError",
    "CompilationError",
    "DescriptionError",
    "RobodynError",
    "SimulationError",
    "SingularMassMatrixError",
    "UnknownNameError",
    "did_you_mean",
    "nearest",
    "quoted",
]

LIKENESS = 0.6
"""Share of letters (as `difflib` counts) from which on names are spelled alike."""
_LONGEST = 100
"""Letters of a name that may resemble another: comparing takes the square of their number."""
_LISTED = 12


def quoted(value: object, limit: int = 60) -> str:
    """Return a foreign name or value for a message: on one line, quoted, cut to `limit` characters.

    Line breaks, escape sequences and other characters that do not print are written as escapes, so
    that no name can pass for a line of its own.
    """
    text = value if isinstance(value, str) else repr(value)
    if len(text) > limit:
        text = text[: limit - 3] + "..."
    return repr(text) if isinstance(value, str) else text


def nearest(
    name: str, known: Iterable[str], most: int = 5, *, likeness: float = LIKENESS
) -> list[str]:
    """Return the known names that may be meant by `name`, the likeliest first, upper or lower case.

    Those that contain `name`, the shortest first; then those that are spelled like it, as `difflib`
    counts, to the share `likeness`; then those that `name` contains. Among equals the order of
    `known` is kept. Names of more than 100 letters resemble none.
    """
    if len(name) > _LONGEST:
        return []
    asked = name.casefold()
    names = {other: other.casefold() for other in known if len(other) <= _LONGEST}
    if len(asked) <= 1:
        return [other for other, folded in names.items() if folded == asked][:most]
    inside = [other for other, folded in names.items() if asked in folded]
    around = [other for other, folded in names.items() if len(folded) > 2 and folded in asked]
    near = [
        *sorted(inside, key=len),
        *_alike(asked, names, likeness),
        *sorted(around, key=len, reverse=True),
    ]
    return list(dict.fromkeys(near))[:most]


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return the end of a text about an unknown name, which asks for the nearest; "" for none."""
    near = nearest(name, known, most=1) if isinstance(name, str) else []
    return f"; did you mean {quoted(near[0])}?" if near else ""


def _alike(asked: str, names: Mapping[str, str], likeness: float) -> list[str]:
    """Return the names whose other form is spelled like `asked`, the likest first."""
    found: dict[str, float] = {}
    matcher = difflib.SequenceMatcher(None, b=asked, autojunk=False)
    for name, folded in names.items():
        matcher.set_seq1(folded)
        bounds = (matcher.real_quick_ratio, matcher.quick_ratio)  # both cheaper than the ratio
        if all(bound() >= likeness for bound in bounds):
            found[name] = matcher.ratio()
    likely = [name for name, ratio in found.items() if ratio >= likeness]
    return sorted(likely, key=lambda name: -found[name])


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


class ClosureError(RobodynError, ArithmeticError):
    """A mechanism that does not close, or whose motors do not determine its motion."""


class SimulationError(RobodynError, ArithmeticError):
    """A motion that cannot be followed further; the text names the time, what failed and where."""


class UnknownNameError(RobodynError, KeyError, ValueError):
    """A body, joint or frame name that the model does not have."""

    def __str__(self) -> str:
        """Return the plain text (KeyError would quote it)."""
        return str(self.args[0]) if self.args else ""

    @classmethod
    def among(
        cls, kind: str, name: object, known: Iterable[str], hint: str = ""
    ) -> UnknownNameError:
        """Build the error for `name`: what there is, nearest first, and which may be meant.

        `hint` is said in place of the latter.
        """
        names = list(known)
        near = nearest(name, names) if isinstance(name, str) else []
        shown = [*near, *(other for other in names if other not in near)][:_LISTED]
        listed = ", ".join(quoted(other)[1:-1] for other in shown) or "none"
        more = ", ..." if len(names) > len(shown) else ""
        end = f"; {hint}" if hint else did_you_mean(name, near)
        return cls(f"no {kind} is called {quoted(name)}; available: {listed}{more}{end}")
