"""A replay as MCAP: robodyn_interfaces/JointDynamics messages, as the nodes publish them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.bags.bag_file import require_rosbags
from robodyn_ros.bags.evaluation import TERMS, Block
from robodyn_ros.model import Model

TOPIC = "/robodyn/joint_dynamics"
MESSAGE = "robodyn_interfaces/msg/JointDynamics"
FIELDS = (
    "position",
    "velocity",
    "acceleration",
    "effort",
    *TERMS,
    "external",
    "measured",
    "residual",
)
"""Arrays of numbers of the message, in its order."""
DEFINITION = "\n".join(
    [
        "std_msgs/Header header",
        "string[] names",
        *(f"float64[] {name}" for name in FIELDS),
        "bool[] valid",
        "float64 kinetic_energy",
        "float64 potential_energy",
        "",
    ]
)
"""The message's definition without its comments, for readers without robodyn_interfaces."""
_SECOND = 1_000_000_000
_HEADER = 4


class JointDynamicsBag:
    """Writes blocks to an .mcap file.

    A message has the same length each time, so that all of a block are written as one array, into
    which the numbers are copied column by column.
    """

    def __init__(self, path: Path, model: Model, frame: str) -> None:
        """Open it.

        Args:
            path: The file; a folder of its name without the ending must not be there.
            model: Names the coordinates.
            frame: The world's.

        Raises:
            RobodynError: rosbags is not installed.
        """
        require_rosbags()
        from rosbags.rosbag2 import StoragePlugin, Writer

        self._path, self._folder = path, path.with_suffix("")
        types = joint_dynamics_types()
        self._writer = Writer(self._folder, version=9, storage_plugin=StoragePlugin.MCAP)
        self._writer.open()
        self._connection = self._writer.add_connection(TOPIC, MESSAGE, typestore=types)
        self._message, self._places = _template(types, model.coordinate_names, frame)
        self._nv = model.nv

    def write(self, block: Block) -> None:
        """Write a block; times of recording are the stamps."""
        data = np.tile(self._message, (len(block), 1))
        seconds, nanoseconds = np.divmod(block.stamp, _SECOND)
        data[:, _HEADER : _HEADER + 4] = _bytes(seconds[:, None], "<i4")
        data[:, _HEADER + 4 : _HEADER + 8] = _bytes(nanoseconds[:, None], "<u4")
        arrays = {
            "position": block.position,
            "velocity": block.velocity,
            "acceleration": block.acceleration,
            "effort": block.effort,
            **block.terms,
            "external": np.zeros_like(block.effort),
            "measured": block.measured,
            "residual": block.residual,
        }
        for name in FIELDS:
            self._fill(data, name, _bytes(arrays[name], "<f8"))
        self._fill(data, "valid", block.valid.astype(np.uint8))
        energies = np.stack([block.kinetic, block.potential], axis=1)
        self._fill(data, "energies", _bytes(energies, "<f8"))
        write, connection = self._writer.write, self._connection
        for stamp, message in zip(block.stamp.tolist(), data, strict=True):
            write(connection, max(stamp, 0), message.tobytes())

    def _fill(self, data: NDArray[np.uint8], name: str, values: NDArray[np.uint8]) -> None:
        start = self._places[name]
        data[:, start : start + values.shape[1]] = values

    def close(self) -> None:
        """Finish: the file is where it was wanted, complete."""
        try:
            self._writer.close()
        except OSError:
            with suppress(OSError):
                self._writer.abort()
            raise
        (self._folder / f"{self._folder.name}.mcap").replace(self._path)
        rmtree(self._folder)


def joint_dynamics_types() -> Any:
    """Return rosbags' message types with JointDynamics among them."""
    from rosbags.typesys import Stores, get_types_from_msg, get_typestore

    types = get_typestore(Stores.LATEST)
    types.register(get_types_from_msg(DEFINITION, MESSAGE))
    return types


def _bytes(values: NDArray[Any], kind: str) -> NDArray[np.uint8]:
    """Return numbers (n, k) as bytes (n, k * size)."""
    return np.ascontiguousarray(values, dtype=kind).view(np.uint8)


def _template(
    types: Any, names: tuple[str, ...], frame: str
) -> tuple[NDArray[np.uint8], dict[str, int]]:
    """Return a message with zeros as bytes, and where each array of it begins."""
    nv, kinds = len(names), types.types
    stamp = kinds["builtin_interfaces/msg/Time"](sec=0, nanosec=0)
    header = kinds["std_msgs/msg/Header"](stamp=stamp, frame_id=frame)
    message = kinds[MESSAGE](
        header=header,
        names=list(names),
        **{name: np.zeros(nv) for name in FIELDS},
        valid=np.zeros(nv, dtype=bool),
        kinetic_energy=0.0,
        potential_energy=0.0,
    )
    data = np.frombuffer(bytes(types.serialize_cdr(message, MESSAGE)), np.uint8)
    place = _HEADER + 8 + 4 + len(frame.encode()) + 1
    place = _aligned(place, 4) + 4
    for name in names:
        place = _aligned(place, 4) + 4 + len(name.encode()) + 1
    places = {}
    for name in FIELDS:
        place = _aligned(place, 4) + 4
        places[name] = place = _aligned(place, 8) if nv else place
        place += 8 * nv
    places["valid"] = _aligned(place, 4) + 4
    places["energies"] = _aligned(places["valid"] + nv, 8)
    return data, places


def _aligned(place: int, size: int) -> int:
    """Return the next place of a number of a size, counted from behind the header."""
    return place + (_HEADER - place) % size
