"""The deadman: let go however shortly, it counts."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
import rclpy
from rclpy.context import Context
from rclpy.node import Node
from std_msgs.msg import Bool

from robodyn_ros.control.faults import FaultKind
from robodyn_ros.ros.controllers.deadman import Deadman
from ros_graph import DOMAIN_LOCK


@pytest.fixture
def deadman() -> Iterator[Deadman]:
    assert DOMAIN_LOCK
    context = Context()
    rclpy.init(context=context)
    yield Deadman(Node("held", context=context), "deadman", 100.0)
    rclpy.shutdown(context=context)


def said(deadman: Deadman, *values: bool) -> None:
    for value in values:
        deadman._received(Bool(data=value))


def test_one_that_flaps_between_two_looks_was_let_go(deadman: Deadman) -> None:
    said(deadman, True)
    deadman.begin()
    assert deadman.fault(time.monotonic()) is None
    said(deadman, False, True)
    fault = deadman.fault(time.monotonic())
    assert fault is not None
    assert fault.kind is FaultKind.DEADMAN
    assert "let go" in fault.text
    # It is held now: that is enough to begin anew.
    assert deadman.fault(time.monotonic(), past=False) is None
    deadman.begin()
    assert deadman.fault(time.monotonic()) is None


def test_one_that_is_let_go_at_the_beginning_or_silent_is_a_fault(deadman: Deadman) -> None:
    fault = deadman.fault(time.monotonic())
    assert fault is not None
    assert "has never been heard" in fault.text
    said(deadman, False)
    deadman.begin()
    assert deadman.fault(time.monotonic(), past=False) is not None
    said(deadman, True)
    late = deadman.fault(time.monotonic() + 101.0, past=False)
    assert late is not None
    assert "is silent for 101" in late.text
