"""The reader against rclpy on messages as ROS 2 sends them, and what it remembers of them."""

from __future__ import annotations

import gc
import random
import struct
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState

from joint_state_bytes import as_compared, by_rclpy, check, joint_state, read_as_compared
from robodyn_ros.ros.cdr.joint_state_reader import LAYOUTS, JointStateReader
from robodyn_ros.ros.cdr.walk import serialize


def padding(data: bytes, message: JointState) -> list[int]:
    """Return the bytes that mean nothing: those that rclpy reads alike whatever they are."""
    meant = as_compared(message), message.header.frame_id
    found = []
    for i in range(2, len(data)):
        other = by_rclpy(data[:i] + bytes([data[i] ^ 0xA5]) + data[i + 1 :])
        if other is not None and (as_compared(other), other.header.frame_id) == meant:
            found.append(i)
    return found


names = st.lists(
    st.one_of(
        st.sampled_from(["", "a", "joint_1", "säule", "関節", "🤖", "a b", "x/y", "\x01\x7f"]),
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12),
    ),
    max_size=9,
)
numbers = st.lists(st.floats(width=64), max_size=9)
messages = st.builds(
    joint_state,
    names,
    numbers,
    numbers,
    numbers,
    frame=st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=9),
    stamp=st.tuples(st.integers(-(2**31), 2**31 - 1), st.integers(0, 2**32 - 1)),
)


@settings(max_examples=500, deadline=None)
@given(messages)
def test_every_message_is_read_as_rclpy_reads_it(message: JointState) -> None:
    reader = JointStateReader()
    for data in (serialize_message(message), serialize(message).data):
        assert check(reader, data)
        assert read_as_compared(reader.read(data)) == as_compared(message)


@settings(max_examples=60, deadline=None)
@given(messages, st.randoms(use_true_random=False))
def test_stale_bytes_in_the_padding_change_nothing(message: JointState, rng: random.Random) -> None:
    reader = JointStateReader()
    data = bytearray(serialize(message).data)
    first = reader.read(bytes(data))
    free = padding(bytes(data), message)
    for _ in range(5):
        for i in free:
            data[i] = rng.randrange(256)
        assert check(reader, bytes(data))
        reading = reader.read(bytes(data))
        assert first is not None
        assert reading is not None
        assert reading.shape is first.shape
        assert read_as_compared(reading) == as_compared(message)


@pytest.mark.parametrize(
    ("name", "read"),
    [
        (b"a\0", "a"),
        (b"\0", ""),
        (b"", ""),
        (b"ab", None),
        (b"a\0b\0", None),
        (b"a\0\0", None),
        (b"\xff\xfe\0", None),
        ("\ud800".encode("utf-8", "surrogatepass") + b"\0", None),
        ("säule".encode() + b"\0", "säule"),
        ("säule".encode()[:2] + b"\0", None),
    ],
)
def test_strings_of_names(name: bytes, read: str | None) -> None:
    data = b"\0\1\0\0" + bytes(8) + struct.pack("<I", 1) + bytes(4)
    data += struct.pack("<II", 1, len(name)) + name
    data += bytes(-len(data) % 4) + bytes(12)
    reading = JointStateReader().read(data)
    assert (reading.shape.names if reading else None) == (None if read is None else (read,))
    check(JointStateReader(), data)


def test_times_beyond_the_usual_are_passed_on() -> None:
    for sec, nanosec in [(-1, 0), (-(2**31), 2**32 - 1), (2**31 - 1, 2**32 - 1), (5, 10**9)]:
        data = serialize(joint_state(["a"], [1.0], stamp=(sec, nanosec))).data
        reading = JointStateReader().read(data)
        assert reading is not None
        assert reading.stamp == sec * 10**9 + nanosec


def test_the_shape_is_the_same_object_for_the_same_names_and_counts() -> None:
    reader = JointStateReader()
    arm = [serialize(joint_state(["a", "b"], [i, i], frame="w" * i)).data for i in range(5)]
    gripper = serialize(joint_state(["finger"], [1.0])).data
    shapes = set()
    for data in arm:
        reading, other = reader.read(data), reader.read(gripper)
        assert reading is not None
        assert other is not None
        assert other.shape is not reading.shape
        shapes.add(reading.shape)
    assert len(shapes) == 1
    more = reader.read(serialize(joint_state(["a", "b"], [1.0, 2.0], [3.0, 4.0])).data)
    assert more is not None
    assert more.shape not in shapes


def test_messages_of_the_same_size_with_other_names_are_told_apart() -> None:
    reader = JointStateReader()
    for _ in range(3):
        for name in ("left_", "right", "upper"):
            reading = reader.read(serialize(joint_state([name], [1.0])).data)
            assert reading is not None
            assert reading.shape.names == (name,)


def test_a_publisher_that_changes_its_names_every_time_leaks_nothing() -> None:
    reader = JointStateReader()
    rng = random.Random(5)

    def flood(count: int) -> None:
        for i in range(count):
            fill = "x" * rng.randint(0, 3000)
            frame = "f" * rng.randint(0, 30)
            message = joint_state([f"{i}{fill}", "b"], [1.0, 2.0], frame=frame)
            assert reader.read(serialize(message).data) is not None

    flood(5 * LAYOUTS)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    flood(2000)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    # At most everything that is remembered at a time: layouts of at most 3 kB, thrice.
    assert grown < LAYOUTS * 12_000
