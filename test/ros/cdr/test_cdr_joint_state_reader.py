"""The reader against rclpy, on whatever bytes a network may carry."""

from __future__ import annotations

import gc
import math
import random
import struct
import time
import tracemalloc
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState

from robodyn_ros.ros.cdr.joint_state_reader import (
    LARGEST,
    LAYOUTS,
    LONGEST_TAIL,
    JointStateReader,
    Reading,
)
from robodyn_ros.ros.cdr.walk import serialize

Numbers = Sequence[float]
HUGE = 2**32 - 1
SAMPLES = 2500


def joint_state(
    names: Sequence[str],
    position: Numbers = (),
    velocity: Numbers = (),
    effort: Numbers = (),
    *,
    frame: str = "",
    stamp: tuple[int, int] = (1, 2),
) -> JointState:
    message = JointState(
        name=list(names), position=list(position), velocity=list(velocity), effort=list(effort)
    )
    message.header.frame_id = frame
    message.header.stamp.sec, message.header.stamp.nanosec = stamp
    return message


def bits(numbers: Numbers) -> list[bytes]:
    """Return numbers such that NaN equals itself, payload included."""
    return [struct.pack("<d", x) for x in numbers]


def as_compared(message: JointState) -> tuple[Any, ...]:
    stamp = message.header.stamp
    return (
        tuple(message.name),
        len(message.position),
        len(message.velocity),
        len(message.effort),
        stamp.sec * 10**9 + stamp.nanosec,
        bits([*message.position, *message.velocity, *message.effort]),
    )


def read_as_compared(reading: Reading) -> tuple[Any, ...]:
    shape = reading.shape
    return (
        shape.names,
        shape.positions,
        shape.velocities,
        shape.efforts,
        reading.stamp,
        bits(reading.numbers),
    )


def by_rclpy(data: bytes) -> JointState | None:
    try:
        return deserialize_message(data, JointState)
    except Exception:  # noqa: BLE001 - it has several types for what it does not accept
        return None


def check(reader: JointStateReader, data: bytes) -> bool:
    """Read bytes twice and compare with rclpy; return whether they are ours."""
    reading = reader.read(data)
    again = reader.read(data)
    if reading is None:
        assert again is None
        return False
    assert again is not None
    assert again.shape is reading.shape
    expected = by_rclpy(data)
    assert expected is not None, f"rclpy does not accept {data!r}"
    assert read_as_compared(reading) == read_as_compared(again) == as_compared(expected)
    return True


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


@settings(max_examples=2000, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    reader = JointStateReader()
    check(reader, data)
    check(reader, b"\0\1\0\0" + data)


def truncated(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def prolonged(data: bytes, rng: random.Random) -> bytes:
    return data + rng.randbytes(rng.choice([1, 3, 4, 8, LONGEST_TAIL, LONGEST_TAIL + 1, 100]))


def other_header(data: bytes, rng: random.Random) -> bytes:
    head = rng.choice(
        [b"\0\0", b"\0\2", b"\0\3", b"\0\6", b"\0\7", b"\0\x0b", b"\1\1", b"\xff\xff"]
    )
    return head + data[2:]


def other_options(data: bytes, rng: random.Random) -> bytes:
    return data[:2] + rng.randbytes(2) + data[4:]


def other_word(data: bytes, rng: random.Random) -> bytes:
    at = 4 * rng.randrange(1, len(data) // 4)
    word = rng.choice([0, 1, 2, 3, 2**16, 2**29, 2**31 - 1, 2**31, HUGE, rng.getrandbits(32)])
    return data[:at] + struct.pack("<I", word) + data[at + 4 :]


def other_bytes(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def swapped(data: bytes, rng: random.Random) -> bytes:
    cut, end = sorted(rng.sample(range(len(data)), 2))
    return data[:cut] + data[end:] + data[cut:end]


def unchanged(data: bytes, rng: random.Random) -> bytes:
    return data


FAULTS: list[Callable[[bytes, random.Random], bytes]] = [
    truncated,
    prolonged,
    other_header,
    other_options,
    other_word,
    other_bytes,
    swapped,
    unchanged,
]
_NAMES = ["", "a", "ab", "abc", "joint_1", "joint_22", "säule", "関節", "left_wheel_joint"]
_NUMBERS = [0.0, -0.0, 1.5, math.nan, math.inf, -math.inf, 5e-324, 1.7e308]


def drawn(rng: random.Random) -> bytes:
    count = rng.randint(0, 7)

    def some() -> list[float]:
        length = rng.choice([count, count, 0, rng.randint(0, 8)])
        return [rng.choice(_NUMBERS) for _ in range(length)]

    stamp = (rng.randint(-(2**31), 2**31 - 1), rng.getrandbits(32))
    frame = rng.choice(_NAMES)
    chosen = [rng.choice(_NAMES) for _ in range(count)]
    message = joint_state(chosen, some(), some(), some(), frame=frame, stamp=stamp)
    return rng.choice([serialize_message, lambda x: serialize(x).data])(message)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_malformed_bytes_raise_nothing_and_mean_what_rclpy_says(
    fault: Callable[[bytes, random.Random], bytes],
) -> None:
    rng = random.Random(fault.__name__)
    reader = JointStateReader()
    ours = 0
    for _ in range(SAMPLES):
        data = drawn(rng)
        check(reader, data)  # so that the faulty ones meet a layout that is remembered
        ours += check(reader, fault(data, rng))
    if fault in (unchanged, other_options):
        assert ours == SAMPLES
    elif fault is other_header:
        assert ours == 0
    else:
        assert 0 < ours < SAMPLES  # some of what is changed was padding


def test_all_truncations_of_a_message() -> None:
    data = serialize(joint_state(["a", "bcd"], [1.0, 2.0], [3.0], [4.0], frame="w")).data
    reader = JointStateReader()
    assert check(reader, data)
    for size in range(len(data)):
        assert reader.read(data[:size]) is None


@pytest.mark.parametrize("count", [8, 2**16, 2**29, 2**31, HUGE])
def test_huge_counts_cost_neither_time_nor_memory(count: int) -> None:
    data = serialize(joint_state(["a", "bcd"], [1.0], [2.0], [3.0], frame="w")).data
    reader = JointStateReader()
    tracemalloc.start()
    start = time.perf_counter()
    for at in range(12, len(data) - 4, 4):
        reader.read(data[:at] + struct.pack("<I", count) + data[at + 4 :])
    took = time.perf_counter() - start
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert took < 1.0
    assert peak < 1_000_000


def test_a_message_beyond_the_largest_is_left_to_rclpy() -> None:
    reader = JointStateReader()
    data = serialize(joint_state(["x" * (LARGEST - 100)])).data
    assert check(reader, data)
    assert reader.read(data + bytes(200)) is None
    assert reader.read(serialize(joint_state(["x" * LARGEST])).data) is None
    # As many names as fit, of no characters at all.
    assert (
        reader.read(b"\0\1\0\0" + bytes(8) + struct.pack("<II", 0, 10**6) + bytes(4 * 10**6))
        is None
    )


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
