"""Bags made by rosbags' own writer, of joint states given by numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore

from robodyn_ros.bags.bag_file import JOINT_STATE, MULTI_DOF, STRING

TYPES = get_typestore(Stores.LATEST)
SECOND = 1_000_000_000
START = 1_700_000_000 * SECOND
STORAGES = {"sqlite3": StoragePlugin.SQLITE3, "mcap": StoragePlugin.MCAP}
Numbers = Sequence[float] | np.ndarray


class Message(NamedTuple):
    """A message to be recorded: its topic, type, time of recording and bytes."""

    topic: str
    type_name: str
    received: int
    data: bytes


def header(stamp: int, frame: str = "") -> Any:
    time = TYPES.types["builtin_interfaces/msg/Time"](*divmod(stamp, SECOND))
    return TYPES.types["std_msgs/msg/Header"](stamp=time, frame_id=frame)


def joint_state(
    names: Sequence[str],
    position: Numbers = (),
    velocity: Numbers = (),
    effort: Numbers = (),
    *,
    stamp: int = START,
    received: int | None = None,
    topic: str = "/joint_states",
    frame: str = "",
    little: bool = True,
) -> Message:
    """Return a joint state; it is recorded at its stamp, unless another time is given."""
    arrays = (np.array(x, dtype=np.float64) for x in (position, velocity, effort))
    made = TYPES.types[JOINT_STATE](header(stamp, frame), list(names), *arrays)
    data = bytes(TYPES.serialize_cdr(made, JOINT_STATE, little_endian=little))
    return Message(topic, JOINT_STATE, stamp if received is None else received, data)


def poses(
    names: Sequence[str],
    transforms: Sequence[Numbers],
    twists: Sequence[Numbers] = (),
    *,
    stamp: int = START,
    topic: str = "/multi_dof_joint_states",
) -> Message:
    """Return a multi-DOF joint state: x y z and quaternion xyzw, angular and linear rates."""
    kind = {
        name: TYPES.types[f"geometry_msgs/msg/{name}"]
        for name in ("Transform", "Twist", "Vector3", "Quaternion")
    }
    vector, turn = kind["Vector3"], kind["Quaternion"]
    made = TYPES.types[MULTI_DOF](
        header(stamp),
        list(names),
        [kind["Transform"](vector(*x[:3]), turn(*x[3:])) for x in transforms],
        [kind["Twist"](linear=vector(*x[3:]), angular=vector(*x[:3])) for x in twists],
        [],
    )
    return Message(topic, MULTI_DOF, stamp, bytes(TYPES.serialize_cdr(made, MULTI_DOF)))


def description(text: str, topic: str = "/robot_description", received: int = START) -> Message:
    """Return a robot description."""
    made = TYPES.types[STRING](data=text)
    return Message(topic, STRING, received, bytes(TYPES.serialize_cdr(made, STRING)))


def write_bag(
    path: Path,
    messages: Iterable[Message],
    storage: str = "mcap",
    compression: str = "",
    topics: Sequence[tuple[str, str]] = (),
) -> Path:
    """Write a bag, and return its folder.

    Args:
        path: The folder.
        messages: What is recorded, in order.
        storage: "sqlite3" or "mcap".
        compression: "file", "message", "storage" or "".
        topics: Topics, as (name, type), that are there without messages.
    """
    writer = Writer(path, version=9, storage_plugin=STORAGES[storage])
    if compression:
        writer.set_compression(CompressionMode[compression.upper()], CompressionFormat.ZSTD)
    connections: dict[tuple[str, str], Any] = {}
    with writer:
        for topic, kind in topics:
            connections[topic, kind] = writer.add_connection(topic, kind, typestore=TYPES)
        for message in messages:
            key = (message.topic, message.type_name)
            if key not in connections:
                connections[key] = writer.add_connection(*key, typestore=TYPES)
            writer.write(connections[key], message.received, message.data)
    return path


def states(count: int, joints: int, step: float = 0.01, seed: int = 0) -> tuple[np.ndarray, ...]:
    """Return times (n,) in s and smooth positions, velocities and accelerations (n, joints)."""
    rng = np.random.default_rng(seed)
    t = step * np.arange(count)
    rate, phase = rng.uniform(0.5, 2.0, joints), rng.uniform(0.0, 6.0, joints)
    angle = t[:, None] * rate + phase
    return t, 0.5 * np.sin(angle), 0.5 * rate * np.cos(angle), -0.5 * rate**2 * np.sin(angle)


def stamps(t: np.ndarray) -> list[int]:
    """Return times in s as stamps, ns."""
    return [START + int(x) for x in np.round(t * 1e9)]
