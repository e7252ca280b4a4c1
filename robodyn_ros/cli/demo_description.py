"""The file that the demo's nodes read: the one named, or one laid over it.

Parameters given with --set are written into a copy. The robot of a URDF begins bent, and within its
ranges, where all its joints at zero would not show much: an arm that points straight up has nothing
to hold.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from robodyn_ros.description.published import description_text
from robodyn_ros.description.source import read_source
from robodyn_ros.model import Model

BENT = {"joint1": 0.4, "joint2": 0.5, "joint4": 1.1, "joint6": 0.8, "left_finger_joint": 0.02}
"""Posture in which our own arm begins, rad and m."""
_MARGIN = 0.1
"""Share of a joint's range at either end in which it does not begin."""


def demo_file(
    path: Path, model: Model, folder: Path, parameters: Mapping[str, float] | None, *, bent: bool
) -> Path:
    """Return the file for the nodes.

    Args:
        path: The robot's file.
        model: The robot.
        folder: Where another file may be written.
        parameters: Values in place of a mechanism file's.
        bent: Whether the robot of a URDF begins as told above.
    """
    document = read_source(path)
    if document.is_mechanism:
        if not parameters:
            return path
        written = folder / path.name
        written.write_text(description_text(document, parameters), encoding="utf-8")
        return written
    positions = posture(model) if bent else {}
    if not positions:
        return path
    if path.suffix == ".xacro":  # what is published can be read without running it
        path = folder / f"{path.stem}.urdf"
        path.write_text(description_text(document), encoding="utf-8")
    lines = {
        "mechanism": 1,
        "name": model.name,
        "urdf": str(path),
        "initial": {"positions": positions},
    }
    written = folder / f"{path.stem}.yaml"
    text = "\n".join(f"{k}: {json.dumps(v, ensure_ascii=False)}" for k, v in lines.items())
    written.write_text(text + "\n", encoding="utf-8")
    return written


def posture(model: Model) -> dict[str, float]:
    """Return where joints with one coordinate begin that do not at zero, rad or m by name.

    That is the middle of a range which has zero outside of it or close to an end; our own arm is
    bent besides.
    """
    found = dict(BENT) if BENT.keys() <= set(model.joint_names) else {}
    for _, joint in model.moving:
        if joint.joint.nv != 1 or joint.is_follower or joint.name in found:
            continue
        (limits,) = joint.rate_limits
        if limits.lower is None or limits.upper is None:
            continue
        middle, half = (limits.upper + limits.lower) / 2.0, (limits.upper - limits.lower) / 2.0
        if abs(middle) > (1.0 - 2.0 * _MARGIN) * half:
            found[joint.name] = round(middle, 6)
    return found
