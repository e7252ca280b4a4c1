"""DH tables of a mechanism file to joints and bodies."""

from __future__ import annotations

from collections.abc import Iterator

from robodyn_ros.description.mechanism.dh_rows import Row, row_joint
from robodyn_ros.description.mechanism.joint_parts import OwnJoint
from robodyn_ros.description.mechanism.placement import Pose
from robodyn_ros.description.mechanism.sections import Entry
from robodyn_ros.spatial import compose


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
