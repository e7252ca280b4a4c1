"""Joint states that waited together: what is merged, published and left out."""

from __future__ import annotations

from rclpy.serialization import serialize_message

from joint_state_bytes import joint_state
from robodyn_ros.conditioning.complaints import Complaint
from robodyn_ros.conditioning.state_path import StatePath, Step
from robodyn_ros.ros.joint_state_input import (
    BACKLOG,
    LONGEST_PAUSE,
    JointStateInput,
    pause_after,
)
from robodyn_ros.ros.meters import StateMeters
from robodyn_ros.ros.rates import Traffic
from state_path_rig import path_of

MS = 1_000_000
MANY = 5 * BACKLOG


class Reader:
    """The input of one path, with what comes of it."""

    def __init__(self, path: StatePath) -> None:
        self.path = path
        self.traffic = Traffic()
        self.steps: list[Step] = []
        self.told: list[Complaint] = []
        self._input = JointStateInput(self.traffic, StateMeters(), lambda: 10**18, self.told.extend)

    def take(self, *data: bytes, newest: bool) -> None:
        """Take bytes that waited together."""
        self._input.take(self.path, data, lambda step, now: self.steps.append(step), newest=newest)


def arm_and_gripper(path: StatePath) -> list[bytes]:
    """Return many states of all joints but the last, and amid them one of the last joint."""
    names = path.plan.slots.names
    messages = [
        serialize_message(
            joint_state(
                names[:-1],
                [0.01 * k] * (len(names) - 1),
                effort=[float(k)] * (len(names) - 1),
                stamp=(1, k * MS),
            )
        )
        for k in range(MANY)
    ]
    gripper = joint_state(names[-1:], [0.7], effort=[9.0], stamp=(1, 5 * MS))
    messages.insert(MANY // 3, serialize_message(gripper))
    return messages


def test_where_taking_is_slow_what_is_replaced_is_left_out_and_no_joint_is_lost() -> None:
    quick, slow = Reader(path_of()), Reader(path_of())
    for reader, newest in ((quick, False), (slow, True)):
        path = reader.path
        reader.take(*arm_and_gripper(path), newest=newest)
        assert [len(step.frames) > 0 for step in reader.steps] == [True, True]
        names = path.plan.slots.names
        last = 0.01 * (MANY - 1)
        assert path.result.q[path.plan.q_index[0]] == last
        assert path.result.q[path.plan.q_index[len(names) - 1]] == 0.7
        assert path.stamp == 1_000_000_000 + (MANY - 1) * MS
    assert quick.traffic.total["merged only, backlog"] == MANY - 1
    assert slow.traffic.total["left out, no kernel"] == MANY - 1
    assert "merged only, backlog" not in slow.traffic.total
    assert [step.stamp for step in quick.steps] == [step.stamp for step in slow.steps]


def test_a_few_are_all_taken_and_published() -> None:
    reader = Reader(path_of())
    names = reader.path.plan.slots.names
    some = [
        serialize_message(joint_state(names, [0.1 * k] * len(names), stamp=(1, k * MS)))
        for k in range(BACKLOG)
    ]
    reader.take(*some, newest=True)
    assert [step.stamp for step in reader.steps] == [10**9 + k * MS for k in range(BACKLOG)]
    assert "left out, no kernel" not in reader.traffic.total


def test_bytes_that_are_no_message_are_told_even_among_many() -> None:
    reader = Reader(path_of())
    reader.take(b"\0\1\2", *arm_and_gripper(reader.path), newest=True)
    assert [x.kind for x in reader.told] == ["unreadable"]
    assert len(reader.steps) == 2


def test_efforts_of_the_newest_count() -> None:
    reader = Reader(path_of())
    efforts = reader.path.efforts = reader.path.drive.efforts
    reader.take(*arm_and_gripper(reader.path), newest=True)
    assert efforts.value.tolist() == [MANY - 1.0] * (len(efforts.value) - 1) + [9.0]


def test_others_get_as_much_time_as_was_taken_within_bounds() -> None:
    assert pause_after(0.01) == 0.01
    assert pause_after(3.0) == LONGEST_PAUSE
    assert pause_after(0.0) == 0.0
