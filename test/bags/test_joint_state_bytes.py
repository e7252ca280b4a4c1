"""Runs of joint states out of bytes: the same as rosbags reads, whatever the layouts."""

from __future__ import annotations

import numpy as np
import pytest

from bag_files import TYPES, joint_state
from robodyn_ros.bags.bag_file import JOINT_STATE
from robodyn_ros.bags.joint_state_bytes import LAYOUTS, JointStateBytes, Run


def reader() -> JointStateBytes:
    return JointStateBytes(lambda data: TYPES.deserialize_cdr(data, JOINT_STATE))


def fast_only() -> JointStateBytes:
    def refuse(data: bytes) -> None:
        raise AssertionError("the slow way was taken")

    return JointStateBytes(refuse)


def require_same(messages: list[bytes], runs: list[Run]) -> None:
    """Every message is in one run, with the numbers that rosbags finds, bit for bit."""
    rows = np.concatenate([run.rows for run in runs])
    assert sorted(rows.tolist()) == list(range(len(messages)))
    for run in runs:
        assert list(run.rows) == sorted(run.rows)
        for k, row in enumerate(run.rows):
            found = TYPES.deserialize_cdr(messages[row], JOINT_STATE)
            assert run.shape.names == tuple(found.name)
            assert run.stamp[k] == found.header.stamp.sec * 10**9 + found.header.stamp.nanosec
            for name in ("position", "velocity", "effort"):
                ours, theirs = getattr(run, name)[k], getattr(found, name)
                assert ours.tobytes() == theirs.astype(np.float64).tobytes()


def random_message(rng: np.random.Generator, names: list[str]) -> bytes:
    count = int(rng.integers(0, 5))
    chosen = [names[k] for k in rng.integers(0, len(names), count)]
    lengths = [int(rng.choice([0, count, count, rng.integers(0, 6)])) for _ in range(3)]
    arrays = [rng.normal(size=n) for n in lengths]
    for array in arrays:
        array[rng.random(len(array)) < 0.1] = rng.choice([np.nan, np.inf, -0.0, 1e300])
    data = bytearray(
        joint_state(
            chosen,
            *arrays,
            stamp=int(rng.integers(-(2**31), 2**31)) * 10**9 + int(rng.integers(10**9)),
            frame="f" * int(rng.integers(0, 9)),
            little=bool(rng.random() < 0.7),
        ).data
    )
    return bytes(data + bytes(int(rng.integers(0, 4)) if rng.random() < 0.3 else 0))


@pytest.mark.parametrize("seed", range(8))
def test_random_messages_are_read_as_rosbags_reads_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = ["a", "joint_1", "gelenk_säule", "x" * 17, "b/rx"]
    kinds = [random_message(rng, names) for _ in range(12)]
    messages = [kinds[k] for k in rng.integers(0, len(kinds), 60)]
    messages += [random_message(rng, names) for _ in range(20)]
    require_same(messages, reader().read(messages))


def test_padding_may_hold_anything() -> None:
    plain = joint_state(["ab", "c"], [1.0, 2.0], [3.0, 4.0], frame="xy").data
    holes = [k for k in range(12, len(plain)) if plain[k] == 0]
    filled = []
    for hole in holes:
        data = bytearray(plain)
        data[hole] = 0xA5
        read = fast_or_none(bytes(data))
        if read == fast_or_none(plain):
            filled.append(hole)
            require_same([plain, bytes(data)], fast_only().read([plain, bytes(data)]))
    assert len(filled) >= 3


def fast_or_none(data: bytes) -> tuple[object, ...] | None:
    """Return what rosbags reads, None where it cannot."""
    try:
        found = TYPES.deserialize_cdr(data, JOINT_STATE)
    except Exception:  # noqa: BLE001 - whatever it raises
        return None
    return tuple(found.name), found.position.tobytes(), found.velocity.tobytes(), len(found.effort)


def test_usual_messages_take_the_fast_way_in_one_run() -> None:
    rng = np.random.default_rng(1)
    names = [f"joint_{k}" for k in range(7)]
    messages = [joint_state(names, *rng.normal(size=(3, 7)), stamp=k).data for k in range(1, 200)]
    runs = fast_only().read(messages)
    assert len(runs) == 1
    require_same(messages, runs)


def test_interleaved_publishers_make_two_runs() -> None:
    arm = [joint_state(["a", "b"], [k, k], stamp=k).data for k in range(1, 50)]
    hand = [joint_state(["c"], [k], stamp=k).data for k in range(1, 50)]
    messages = [x for pair in zip(arm, hand, strict=True) for x in pair]
    runs = fast_only().read(messages)
    assert [run.shape.names for run in runs] == [("c",), ("a", "b")]
    require_same(messages, runs)


def test_bytes_that_are_no_message_are_left_out() -> None:
    good = joint_state(["a"], [1.0]).data
    huge = bytearray(good)
    huge[12:16] = b"\xff\xff\xff\xff"
    messages = [b"", b"\0", good[:-6], bytes(huge), b"\0\1\0\0" + bytes(8), good]
    runs = reader().read(messages)
    assert [run.rows.tolist() for run in runs] == [[5]]


def test_more_layouts_than_are_remembered() -> None:
    messages = [joint_state([f"n{k}"], [k]).data for k in range(3 * LAYOUTS)]
    one = reader()
    for _ in range(2):
        require_same(messages, one.read(messages))
