"""A bag of a million joint states of Panda: ours, and Pinocchio over the same bag, in one run.

Every side is a process of its own, so that its peak memory is told apart; what both import and
load before they begin is not in the times. Pinocchio's loops compute `rnea` and the energies of
each state, into an array of all rows, and write nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore

from benchmarks.robots import contest
from robodyn_ros.bags.bag_file import JOINT_STATE

ROWS = 1_000_000
QUICK_ROWS = 5_000
LONG_WAY = 100_000
"""Messages that rosbags' own deserializer is timed on: each takes as long as the next."""
_CHUNK = 10_000
_SECOND = 1_000_000_000
_START = 1_700_000_000 * _SECOND


class Side(NamedTuple):
    """One way to go over a bag.

    Attributes:
        name: As `bags_sides` knows it.
        what: What it does.
        most: Messages that it is timed on, at most.
    """

    name: str
    what: str
    most: int


SIDES = (
    Side("ours", "robodyn_ros: read, derive, efforts by cause, energies, write Parquet", ROWS),
    Side("evaluated", "robodyn_ros: the same, nothing written", ROWS),
    Side("fed", "Pinocchio, fed by our reader, Python loop", ROWS),
    Side("plain", "Pinocchio, rosbags' deserializer, Python loop", LONG_WAY),
)


def bag_figures(rows: int = ROWS) -> Iterator[str]:
    """Yield the table."""
    yield (
        f"{rows} joint states of Panda (8 coordinates, 404 bytes), 1 kHz. Times per message in µs,"
        " of all processors and by the clock; memory is the process's largest, and how much of it"
        " came after the imports.\n"
    )
    yield "| | | µs, processors | µs, clock | messages a second | peak memory | since the imports |"
    yield "|---|---|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        for storage in (StoragePlugin.SQLITE3, StoragePlugin.MCAP):
            bag = Path(folder) / storage.name.lower()
            write(bag, rows, storage)
            for side in SIDES:
                figure = measured(side, bag, min(rows, side.most), Path(folder))
                cells = [
                    side.what,
                    storage.name.lower(),
                    f"{figure['cpu'] / figure['rows'] * 1e6:.1f}",
                    f"{figure['seconds'] / figure['rows'] * 1e6:.1f}",
                    f"{figure['rows'] / figure['seconds']:.0f}",
                    f"{figure['peak']:.0f} MB",
                    f"{figure['peak'] - figure['before']:.0f} MB",
                ]
                yield f"| {' | '.join(cells)} |"


def measured(side: Side, bag: Path, rows: int, folder: Path) -> dict[str, float]:
    """Return what a process that goes over a bag says of itself."""
    command = [sys.executable, "-m", "benchmarks.bags_sides", side.name, str(bag), str(rows)]
    out = folder / f"{side.name}-{bag.name}"
    done = subprocess.run([*command, str(out)], stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def write(path: Path, rows: int, storage: StoragePlugin) -> None:
    """Write a bag of smooth motion of all joints but the second finger."""
    names = list(contest("Panda", "panda.urdf", without_mimic=True).robot.model.coordinate_names)[
        :8
    ]
    types = get_typestore(Stores.LATEST)
    kinds = types.types
    stamp = kinds["builtin_interfaces/msg/Time"](0, 0)
    zeros = np.zeros(len(names))
    header = kinds["std_msgs/msg/Header"](stamp, "")
    message = kinds[JOINT_STATE](header, names, zeros, zeros, zeros)
    raw = np.frombuffer(bytes(types.serialize_cdr(message, JOINT_STATE)), np.uint8)
    rng = np.random.default_rng(0)
    rate = rng.uniform(0.3, 2.0, len(names))
    with Writer(path, version=9, storage_plugin=storage) as writer:
        connection = writer.add_connection("/joint_states", JOINT_STATE, typestore=types)
        for first in range(0, rows, _CHUNK):
            count = np.arange(first, min(first + _CHUNK, rows))
            time = _START + count * 1_000_000
            angle = 1e-3 * count[:, None] * rate
            efforts = rng.normal(size=angle.shape)
            data = np.tile(raw, (len(count), 1))
            _put(data, 4, (time // _SECOND)[:, None], "<i4")
            _put(data, 8, (time % _SECOND)[:, None], "<u4")
            size = 8 * len(names)
            end = data.shape[1]
            _put(data, end - size, efforts, "<f8")
            _put(data, end - 2 * size - 8, 0.4 * rate * np.cos(angle), "<f8")
            _put(data, end - 3 * size - 16, 0.4 * np.sin(angle), "<f8")
            for received, each in zip(time.tolist(), data, strict=True):
                writer.write(connection, received, each.tobytes())


def _put(data: np.ndarray, start: int, values: np.ndarray, kind: str) -> None:
    part = np.ascontiguousarray(values, dtype=kind).view(np.uint8)
    data[:, start : start + part.shape[1]] = part
