"""Names in a mechanism file: those that must exist, and those that formulas can use."""

from __future__ import annotations

import re
from collections.abc import Collection

from robodyn_ros.description.mechanism.kinds import listed
from robodyn_ros.description.mechanism.nodes import Place
from robodyn_ros.errors import did_you_mean, quoted
from robodyn_ros.expressions import CHOICE, CONSTANTS, FUNCTIONS

_IN_FORMULAS = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def require_known(kind: str, name: str, known: Collection[str], place: Place) -> None:
    """Raise the place's failure for a name that does not exist."""
    if name not in known:
        plural = "bodies" if kind == "body" else f"{kind}s"
        listing = f"{plural}: {listed(list(known))}" if known else f"there are no {plural}"
        hint = did_you_mean(name, known)
        raise place.failure(f"no {kind} is called {quoted(name)} ({listing}){hint}")


def require_formula_name(place: Place, name: str, what: str) -> None:
    """Raise where the name of `what` ("a parameter") cannot stand in a formula."""
    if not _IN_FORMULAS.fullmatch(name):
        raise place.failure(
            f"{quoted(name)} is no name for {what}; use letters, digits and _, and begin with a"
            " letter"
        )
    if name in FUNCTIONS or name in CONSTANTS or name == CHOICE:
        raise place.failure(f"{name} has a meaning in expressions already; choose another name")
