"""What is told of a description that is made ready for Gazebo."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Remark(NamedTuple):
    """One line.

    Attributes:
        kind: "filled" for what was written that the description does not say and that changes no
            motion; "lost" for what moves otherwise in Gazebo than here, or does not load there.
        text: names the element, its line where it has one, and the remedy.
    """

    kind: Literal["filled", "lost"]
    text: str


def filled(text: str) -> Remark:
    """Return a remark on what was filled in."""
    return Remark("filled", text)


def lost(text: str) -> Remark:
    """Return a remark on what is lost."""
    return Remark("lost", text)
