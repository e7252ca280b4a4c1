"""The deadman: let go however shortly, it counts."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
import rclpy
from rclpy.context import Context
from rclpy.node import Node
from rclpy.serialization import serialize_message
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
    deadman._received([serialize_message(Bool(data=value)) for value in values])


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


def test_one_that_was_silent_while_nobody_looked_was_let_go(deadman: Deadman) -> None:
    said(deadman, True)
    deadman.begin()
    deadman._heard -= 101.0
    said(deadman, True)
    fault = deadman.fault(time.monotonic())
    assert fault is not None
    assert fault.kind is FaultKind.DEADMAN
    assert deadman.fault(time.monotonic(), past=False) is None


def test_what_cannot_be_read_does_not_hold_it(deadman: Deadman) -> None:
    said(deadman, True)
    deadman.begin()
    deadman._received([b"\x00\x01", serialize_message(Bool(data=True))])
    fault = deadman.fault(time.monotonic())
    assert fault is not None
    assert "let go" in fault.text


def test_it_is_heard_though_no_executor_spins(deadman: Deadman) -> None:
    deadman.start()
    context = Context()
    rclpy.init(context=context)
    switch = Node("switch", context=context).create_publisher(Bool, "deadman", 1)
    end = time.monotonic() + 30.0
    while deadman.fault(time.monotonic()) is not None and time.monotonic() < end:
        switch.publish(Bool(data=True))
        deadman.begin()
        time.sleep(0.02)
    assert deadman.fault(time.monotonic()) is None
    deadman.stop()
    rclpy.shutdown(context=context)


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
