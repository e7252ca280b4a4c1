"""Joint states as bytes: made, read, and compared with what rclpy makes of them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState

from robodyn_ros.ros.cdr.joint_state_reader import JointStateReader, Reading

Numbers = Sequence[float]


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
