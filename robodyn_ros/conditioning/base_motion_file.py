"""Files with the motion of a prescribed base: CSV with a header, or YAML with a list of rows.

    time, x, y, z, qx, qy, qz, qw[, vx, vy, vz[, ax, ay, az]][, wx, wy, wz[, dwx, dwy, dwz]]

and in YAML

    - {time: 0, position: [x, y, z], quaternion: [x, y, z, w], velocity: [...], acceleration: [...],
       angular_velocity: [...], angular_acceleration: [...]}

SI units; world axes, of angular velocities too; velocity and acceleration are those of the root
link's origin. Rates are optional; where given they hold at their rows (see `base_program`).
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from robodyn_ros.conditioning.base_program import COLUMNS, BaseProgram
from robodyn_ros.errors import ArgumentError, quoted

MAX_BYTES = 2**25
SHOWN = 500
_SUFFIXES = (".csv", ".yaml", ".yml")
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "time": ("time",),
    "position": ("x", "y", "z"),
    "quaternion": ("qx", "qy", "qz", "qw"),
    **COLUMNS,
}
_REQUIRED = ("time", "position", "quaternion")
Row = dict[str, list[float]]


def read_base_motion(path: str, *, loop: bool = False) -> BaseProgram:
    """Return the motion that a .csv, .yaml or .yml file holds.

    Args:
        path: The file.
        loop: Whether it begins again where it ends.

    Raises:
        ArgumentError: it cannot be read, or holds no such motion; the text names file and row.
    """
    try:
        rows = _rows(path)
        for number, row in enumerate(rows, start=1):
            if row.keys() != rows[0].keys():
                raise ArgumentError(
                    f"row {number} has {', '.join(row)}, but the first {', '.join(rows[0])}"
                )
        columns = {name: np.array([row[name] for row in rows]) for name in (rows or [{}])[0]}
        if not columns:
            raise ArgumentError("it has no rows")
        return BaseProgram(
            columns["time"][:, 0],
            columns["position"],
            columns["quaternion"],
            **{name: columns[name] for name in COLUMNS if name in columns},
            loop=loop,
        )
    except ArgumentError as error:
        raise ArgumentError(f"base_motion_file {quoted(path, SHOWN)}: {error}") from error


def _rows(path: str) -> list[Row]:
    suffix = Path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        raise ArgumentError("give a .csv or .yaml file")
    try:
        with Path(path).expanduser().open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ArgumentError(f"it is larger than {MAX_BYTES // 2**20} MiB")
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise ArgumentError(f"it cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise ArgumentError("it cannot be read: it is no text in UTF-8") from error
    return _of_csv(text) if suffix == ".csv" else _of_yaml(text)


def _of_csv(text: str) -> list[Row]:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    reader = csv.reader(lines, skipinitialspace=True)
    header = [name.strip() for name in next(reader, [])]
    fields = [name for name, columns in _FIELDS.items() if set(columns) <= set(header)]
    expected = {column for name in fields for column in _FIELDS[name]}
    wrong = [name for name in header if name not in expected]
    if wrong or len(header) != len(expected) or not set(_REQUIRED) <= set(fields):
        every = ", ".join(column for columns in _FIELDS.values() for column in columns)
        raise ArgumentError(
            f"its first line must name the columns {every} (each three from vx on may be"
            f" left out), and is {quoted(', '.join(header))}"
        )
    place = {column: k for k, column in enumerate(header)}
    rows = []
    for number, cells in enumerate(reader, start=1):
        if len(cells) != len(header):
            raise ArgumentError(f"row {number} has {len(cells)} numbers for {len(header)} columns")
        rows.append(
            {
                name: _numbers(number, name, [cells[place[x]] for x in _FIELDS[name]])
                for name in fields
            }
        )
    return rows


def _of_yaml(text: str) -> list[Row]:
    # Imported here: few nodes read such a file.
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        found = YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise ArgumentError(f"it is no YAML: {' '.join(str(error).split())[:200]}") from error
    if not isinstance(found, list):
        raise ArgumentError("it must be a list of rows, each with time, position and quaternion")
    return [_row(number, entry) for number, entry in enumerate(found, start=1)]


def _row(number: int, entry: object) -> Row:
    if not isinstance(entry, Mapping) or not set(_REQUIRED) <= entry.keys() <= _FIELDS.keys():
        raise ArgumentError(
            f"row {number} must be a mapping with time, position, quaternion and, if given,"
            f" {', '.join(COLUMNS)}"
        )
    values: Mapping[str, Any] = entry
    row: Row = {}
    for name in _FIELDS:
        if name in values:
            value = [values[name]] if name == "time" else values[name]
            row[name] = _numbers(number, name, value)
    return row


def _numbers(number: int, name: str, values: object) -> list[float]:
    count = len(_FIELDS[name])
    try:
        if isinstance(values, Sequence) and not isinstance(values, str) and len(values) == count:
            return [float(value) for value in values]
    except (TypeError, ValueError):
        pass
    what = "a number" if count == 1 else f"{count} numbers"
    raise ArgumentError(f"row {number}: {name} must be {what}, got {quoted(str(values))}")
