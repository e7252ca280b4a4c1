"""Robots and bags of the tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from bag_files import Message, joint_state, stamps, states, write_bag
from robodyn_ros.robot import Robot, find_robot, load

Make = Callable[..., Path]


@pytest.fixture(scope="session")
def arm_text() -> str:
    return find_robot("demo_arm").read_text(encoding="utf-8")


@pytest.fixture
def arm(arm_text: str) -> Robot:
    return load(arm_text, compile="off")


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return what writes a bag of messages, in a folder of the test."""

    def write(messages: Sequence[Message], name: str = "bag", **options: object) -> Path:
        return write_bag(tmp_path / name, messages, **options)  # type: ignore[arg-type]

    return write


@pytest.fixture
def run(arm: Robot) -> list[Message]:
    """300 joint states of the arm with positions, velocities and efforts."""
    return arm_run(arm)


def arm_run(robot: Robot, count: int = 300, step: float = 0.01) -> list[Message]:
    names = robot.model.coordinate_names
    t, q, v, a = states(count, len(names), step)
    efforts = robot.inverse_dynamics(q, v, a, friction=True)
    return [
        joint_state(names, q[k], v[k], efforts[k], stamp=stamp) for k, stamp in enumerate(stamps(t))
    ]


def whole(blocks: object, field: str) -> np.ndarray:
    """Return an array of all blocks."""
    return np.concatenate([getattr(block, field) for block in blocks])  # type: ignore[attr-defined]
