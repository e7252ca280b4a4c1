"""State paths that move, of robots in surroundings of their own: for efforts and their effects."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from robodyn_ros import Robot, load
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.state_path import StatePath
from state_path_rig import MS, ROBOTS

DEMO_ARM = Path(__file__).parents[2] / "urdf/demo_arm.urdf"
UNFILTERED = Settings(choices=Choices(filter_time_constant=0.0, outlier_rejection=False))

#: A test with `file` and `base`: one of our robots on each kind of base.
on_every_base = pytest.mark.parametrize(
    ("file", "base"),
    [
        (DEMO_ARM, "fixed"),
        (ROBOTS / "mimic_chain.urdf", "floating"),
        (ROBOTS / "skew_axes.urdf", "prescribed"),
    ],
    ids=["fixed", "floating", "prescribed"],
)


def surrounded(file: Path, compile: str = "off", base: str = "fixed") -> Robot:
    """Return a robot with a payload, rotors and friction, askew to gravity."""
    robot = load(file, compile=compile, base=base)  # type: ignore[arg-type]
    robot.gravity = (0.3, -0.2, -9.7)
    robot.set_payload(robot.model.body_names[-1], 1.5, (0.1, 0.0, 0.05), 0.01 * np.eye(3))
    for _, joint in robot.model.moving:
        if joint.joint.nv:
            robot.set_joint_parameters(joint.name, armature=0.2, damping=0.5, friction=0.3)
    return robot


def move(path: StatePath, effort: Sequence[float] = (), *, without: int = 0) -> None:
    """Give three messages, later than all before, with efforts but for the last `without` joints.

    Those joints come in messages of their own.
    """
    names = path.plan.slots.names
    start, count = path.stamp or 0, len(names)
    position, velocity = (np.linspace(x, x + 0.1 * (count - 1), count) for x in (0.0, 1.0))
    parts = [slice(count - without)]
    if without:
        parts.insert(0, slice(count - without, count))
    for k in range(3):
        stamp = start + (k + 1) * 10 * MS
        for part in parts:
            sent = effort[part] if part is parts[-1] else ()
            q, v = (position + 0.01 * k)[part], (velocity + 0.02 * k)[part]
            path.take(names[part], q.tolist(), v.tolist(), list(sent), stamp)
