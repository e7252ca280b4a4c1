"""What a loader assumed and ignored, for a node's log: a line each."""

from __future__ import annotations

from collections.abc import Sequence

from robodyn_ros.conditioning.complaints import Complaint, Severity, one_line
from robodyn_ros.model import Note

SHOWN = 5
"""Notes of a kind that are told; `robodyn report` has them all."""
_IGNORED = "ignored"


def about_notes(notes: Sequence[Note]) -> list[Complaint]:
    """Return what to log of a description's notes: what was assumed, and (for debug) ignored."""
    assumed = [note for note in notes if note.category != _IGNORED]
    ignored = [note for note in notes if note.category == _IGNORED]
    told = []
    if assumed:
        text = f"of the description: {_listed(assumed)}"
        told.append(Complaint(Severity.INFO, "notes", text, about="assumed"))
    if ignored:
        text = f"ignored of the description: {_listed(ignored)}"
        told.append(Complaint(Severity.DEBUG, "notes", text, about=_IGNORED))
    return told


def _listed(notes: Sequence[Note]) -> str:
    first = "; ".join(one_line(f"{note.element}: {note.text}")[:150] for note in notes[:SHOWN])
    more = len(notes) - SHOWN
    return first + (f"; and {more} more (see robodyn report)" if more > 0 else "")
