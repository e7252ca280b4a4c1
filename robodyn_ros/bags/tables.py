"""Replays as tables: CSV and Parquet, a column for each term of each coordinate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from robodyn_ros.bags.evaluation import TERMS, Block
from robodyn_ros.errors import ArgumentError, RobodynError, UnknownNameError, quoted
from robodyn_ros.model import Model
from robodyn_ros.spatial import quaternion_from_matrix

COLUMNS = (
    "position",
    "velocity",
    "acceleration",
    "effort",
    *TERMS,
    "measured",
    "residual",
    "valid",
)
"""What there is of each coordinate; a column is called `coordinate.column`."""
_XYZ = ("x", "y", "z")
MOTION = (
    *(f"position.{x}" for x in _XYZ),
    *(f"orientation.{x}" for x in (*_XYZ, "w")),
    *(
        f"{vector}.{x}"
        for vector in (
            "angular_velocity",
            "linear_velocity",
            "angular_acceleration",
            "linear_acceleration",
        )
        for x in _XYZ
    ),
)
"""What there is of each body, world axes; a column is called `body.column`."""


class Table(Protocol):
    """Something that blocks are written to."""

    def write(self, block: Block) -> None:
        """Write a block."""

    def close(self) -> None:
        """Finish."""


def require_pyarrow() -> None:
    """Raise RobodynError where pyarrow is not installed."""
    try:
        import pyarrow.csv
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        raise RobodynError(
            f"tables need pyarrow: {error}; pip install 'robodyn_ros[bags]'"
        ) from None


class _ArrowTable:
    """A CSV or Parquet file, by its ending."""

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        require_pyarrow()
        import pyarrow as pa

        self._pa, self._path, self._names = pa, path, list(names)
        self._writer: Any = None

    def _write(self, columns: Sequence[Any]) -> None:
        batch = self._pa.record_batch(list(columns), names=self._names)
        if self._writer is None:
            self._writer = self._open(batch.schema)
        self._writer.write_batch(batch)

    def _open(self, schema: Any) -> Any:
        if self._path.suffix == ".csv":
            from pyarrow.csv import CSVWriter, WriteOptions

            return CSVWriter(
                str(self._path), schema, write_options=WriteOptions(quoting_style="needed")
            )
        from pyarrow.parquet import ParquetWriter

        return ParquetWriter(str(self._path), schema, compression="snappy", use_dictionary=False)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


class DynamicsTable(_ArrowTable):
    """stamp, time, segment, energies, and of each coordinate what `COLUMNS` names."""

    def __init__(self, path: Path, model: Model) -> None:
        """Prepare to write to a path that ends in .csv or .parquet."""
        own = [f"{name}.{column}" for name in model.coordinate_names for column in COLUMNS]
        energies = ["kinetic_energy", "potential_energy", "power"]
        super().__init__(path, ["stamp", "time", "segment", *energies, *own])

    def write(self, block: Block) -> None:
        """Write a block."""
        arrays = {
            "position": block.position,
            "velocity": block.velocity,
            "acceleration": block.acceleration,
            "effort": block.effort,
            **block.terms,
            "measured": block.measured,
            "residual": block.residual,
            "valid": block.valid,
        }
        power = np.einsum("ni,ni->n", block.effort, block.velocity)
        columns = [
            np.ascontiguousarray(arrays[name][:, k])
            for k in range(block.velocity.shape[1])
            for name in COLUMNS
        ]
        leading = [block.stamp, block.time, block.segment, block.kinetic, block.potential, power]
        self._write([*leading, *columns])


class BodiesTable(_ArrowTable):
    """stamp, time, segment, and of chosen bodies what `MOTION` names."""

    def __init__(self, path: Path, model: Model, bodies: Sequence[str]) -> None:
        """Prepare; `bodies` as from `require_bodies`."""
        self._bodies = [model.body_names.index(name) for name in bodies]
        own = [f"{name}.{column}" for name in bodies for column in MOTION]
        super().__init__(path, ["stamp", "time", "segment", *own])

    def write(self, block: Block) -> None:
        """Write a block whose bodies' motion was worked out."""
        motion = block.bodies
        if motion is None:
            raise ArgumentError("the replay has no motion of bodies: choose bodies=True")
        columns: list[Any] = [block.stamp, block.time, block.segment]
        for body in self._bodies:
            turned = np.asarray(quaternion_from_matrix(motion.rotation[:, body]))
            vectors = (
                motion.angular_velocity,
                motion.linear_velocity,
                motion.angular_acceleration,
                motion.linear_acceleration,
            )
            numbers = [motion.position[:, body], turned, *(x[:, body] for x in vectors)]
            columns += [np.ascontiguousarray(x) for part in numbers for x in part.T]
        self._write(columns)


def require_bodies(model: Model, names: Sequence[str]) -> list[str]:
    """Return names of bodies, each once, or raise UnknownNameError."""
    for name in names:
        if name not in model.body_names:
            raise UnknownNameError.among("body", name, model.body_names)
    return list(dict.fromkeys(names))


def require_formats(formats: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return formats, each once, or raise ArgumentError."""
    for name in formats:
        if name not in known:
            raise ArgumentError(f"a format must be one of {', '.join(known)}, got {quoted(name)}")
    return list(dict.fromkeys(formats))
