"""The reader against rclpy on whatever bytes a network may carry."""

from __future__ import annotations

import math
import random
import struct
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rclpy.serialization import serialize_message

from fault_injection import (
    DAMAGES,
    HUGE_COUNT,
    Damage,
    other_header,
    other_options,
    unchanged,
)
from joint_state_bytes import check, joint_state
from robodyn_ros.ros.cdr.joint_state_reader import LARGEST, JointStateReader
from robodyn_ros.ros.cdr.walk import serialize

SAMPLES = 2500


@settings(max_examples=2000, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    reader = JointStateReader()
    check(reader, data)
    check(reader, b"\0\1\0\0" + data)


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


@pytest.mark.parametrize("fault", DAMAGES, ids=lambda fault: fault.__name__)
def test_malformed_bytes_raise_nothing_and_mean_what_rclpy_says(
    fault: Damage,
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


@pytest.mark.parametrize("count", [8, 2**16, 2**29, 2**31, HUGE_COUNT])
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
