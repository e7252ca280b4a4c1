"""Controllers given what no driver should send: they command what is finite, and go on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from trajectory_msgs.msg import JointTrajectory

from controlled_arm import trajectory
from inner_controller import InnerController
from publisher_setup import ARM
from robodyn_ros.nodes.computed_torque import ComputedTorque

NAN, INF = float("nan"), float("inf")
SAME = 1e-9
"""N m by which the command of an odd state may differ from that of the state before."""


@pytest.fixture(scope="module")
def tracked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InnerController]:
    """Computed torque on the demo arm, active."""
    made = InnerController(
        tmp_path_factory.mktemp("tracked"),
        ComputedTorque,
        robot_description_file=ARM,
        on_clock_jump="hold_position",
    )
    made.activate()
    for _ in range(50):
        made.state()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("position", "velocity"),
    [
        (NAN, 0.0),
        (INF, 0.0),
        (1e300, 0.0),
        (1e6, 0.0),
        (-2.0, 0.0),
        (0.02, NAN),
        (0.02, INF),
        (0.02, 1e9),
        (0.02, -500.0),
    ],
)
def test_a_state_that_cannot_be_changes_no_command(
    tracked: InnerController, position: float, velocity: float
) -> None:
    for _ in range(5):
        tracked.state()
    *_, before = tracked.sent
    tracked.state(position, velocity)
    (after,) = tracked.sent
    assert np.max(np.abs(after - before)) < SAME
    tracked.state()
    (again,) = tracked.sent
    assert np.max(np.abs(again - before)) < SAME
    assert tracked.form == ""


def test_an_outlier_is_no_position_to_hold(tracked: InnerController) -> None:
    for _ in range(20):
        tracked.state()
    *_, before = tracked.sent
    tracked.state(0.9)
    tracked.state(stamp=tracked.stamp - 5 * 10**9)
    for _ in range(20):
        tracked.state()
    assert tracked.form == "hold_position"
    *_, after = tracked.sent
    assert np.max(np.abs(after - before)) < SAME
    assert tracked.clear() == ""
    assert tracked.form == ""


def test_a_trajectory_of_thousands_of_points_holds_no_state_up(tracked: InnerController) -> None:
    points = {0.01 * k: {"joint1": 0.02 + 1e-4 * (k % 2)} for k in range(1, 4001)}
    tracked.reference(trajectory(points))
    follower = tracked.node.controller.assembly.referenced.follower
    assert follower is not None
    assert follower.is_under_way
    tracked.state()
    (effort,) = tracked.sent
    assert np.isfinite(effort).all()


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (trajectory({0.001: {"joint1": 1.0}}), "'joint1' would have to move at"),
        (trajectory({0.0: {"joint1": 0.1}}), "its last point has no time"),
        (JointTrajectory(points=trajectory({1.0: {}}).points), "names no joints"),
        (trajectory({0.01 * k: {"joint1": 0.0} for k in range(1, 10002)}), "10001"),
    ],
)
def test_a_trajectory_that_cannot_be_is_refused(
    tracked: InnerController, message: JointTrajectory, text: str
) -> None:
    tracked.said.clear()
    tracked.reference(message)
    (line,) = tracked.said
    assert text in line
    assert "\n" not in line


def test_a_stamp_of_another_clock_is_refused(tracked: InnerController) -> None:
    message = trajectory({1.0: {"joint1": 0.05}})
    message.header.stamp.sec = 1_790_000_000
    tracked.said.clear()
    tracked.reference(message)
    (line,) = tracked.said
    assert "stamp it by the clock of the joint states" in line
