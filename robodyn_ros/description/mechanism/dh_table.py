"""DH tables of a mechanism file to joints and bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from robodyn_ros.description.mechanism.dh_rows import Row, row_joint
from robodyn_ros.description.mechanism.nodes import Place
from robodyn_ros.description.mechanism.placement import Pose
from robodyn_ros.description.mechanism.sections import Entry
from robodyn_ros.joints import Joint
from robodyn_ros.spatial import compose


class OwnJoint(NamedTuple):
    """A joint that the file itself describes, ready for a builder.

    Attributes:
        joint: its kind.
        parent: name of the body that carries it.
        child: name of the body that it moves.
        placed: where it sits on both, as a builder takes it.
        entry: what else is written of it.
        table: of a row, the table that it stands in.
    """

    joint: Joint
    parent: str
    child: str
    placed: Mapping[str, Any]
    entry: Entry
    table: Entry | None = None

    def place_of(self, role: str) -> Place:
        """Return where its parent or child is named."""
        return (self.table or self.entry).at(role)


def table_joints(table: str, entry: Entry) -> Iterator[tuple[str, OwnJoint]]:
    """Yield (name, joint) for every row of a table, each hanging on the one before."""
    parent = entry["parent"]
    start: Pose | None = entry["on_parent"]
    for number, row in enumerate(entry["rows"], start=1):
        joint, placed = row_joint(_row(row), entry["convention"])
        if number == 1 and start is not None:
            pose = (start.rotation, start.position)
            rotation, position = compose(pose, (placed["rotation"], placed["position"]))
            placed |= {"rotation": rotation, "position": position}
        child = row["body"] or f"{table}_link{number}"
        yield (
            row["joint"] or f"{table}_joint{number}",
            OwnJoint(joint, parent, child, placed, row, entry),
        )
        parent = child


def _row(entry: Entry) -> Row:
    """Return a row's numbers, checked to fit its type."""
    helical = entry["type"] == "helical"
    if helical and not entry.gives("pitch"):
        raise entry.place.failure("lacks pitch; a helical joint needs it, in m/rad")
    if entry.gives("pitch") and not helical:
        raise entry.failure("pitch", f"only helical joints have one, and this is {entry['type']}")
    if helical and entry["pitch"] == 0.0:
        raise entry.failure("pitch", "must not be 0; a joint that only turns is revolute")
    offset = entry["s"] if entry.gives("s") else entry["d"]
    return Row(
        entry["a"], entry["alpha"], offset, entry["theta"], entry["type"], entry["pitch"] or 0.0
    )
