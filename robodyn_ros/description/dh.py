"""Models of serial arms from Denavit-Hartenberg tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

import numpy as np

from robodyn_ros.errors import ArgumentError, DescriptionError
from robodyn_ros.model import Model
from robodyn_ros.model.builder import Base

Convention: TypeAlias = Literal["classic", "modified", "thesis"]
Table: TypeAlias = Iterable[Mapping[str, Any] | Iterable[Any]]

_COLUMNS = ("a", "alpha", "d", "theta", "type")


def dh_model(
    table: Table, convention: Convention = "classic", *, name: str = "robot", base: Base = "fixed"
) -> Model:
    """Return the model of a serial arm; the body that its first joint hangs on is called `base`.

    Args:
        table: a row for each joint and the link behind it, the first row first: a mapping with the
            keys that rows of DH tables have in a mechanism file (a, alpha, d or s, theta, type,
            pitch, joint, body, mass, com, inertia, range, ...), or the numbers a, alpha, d, theta
            in this order, which the type may follow. m and rad; the value of the variable is the
            offset at coordinate 0. Bodies are called link1, link2, ..., joints joint1, joint2, ...,
            where the row does not name them.
        convention: what a row means:
            "classic", Rot_z(theta) Trans_z(d) Trans_x(a) Rot_x(alpha);
            "modified", Rot_x(alpha) Trans_x(a) Rot_z(theta) Trans_z(d);
            "thesis", Trans_y(a) Rot_y(alpha) Trans_x(d) Rot_x(theta) (document D).
        name: the robot's name.
        base: how the body `base` is held.

    Raises:
        DescriptionError: a row that means nothing; the text names it.
        ArgumentError: the table is no list of rows.
    """
    # Imported here because nodes that load a URDF start without it.
    from robodyn_ros.description.mechanism.mechanism import mechanism_of
    from robodyn_ros.description.mechanism.values import node_of

    rows = []
    for number, row in enumerate(_rows(table), start=1):
        described = dict(row) if isinstance(row, Mapping) else _by_column(number, row)
        rows.append({"joint": f"joint{number}", "body": f"link{number}"} | described)
    contents = {
        "mechanism": 1,
        "name": name,
        "bodies": {"base": None},
        "dh": {"table": {"convention": convention, "parent": "base", "rows": rows}},
    }
    try:
        return mechanism_of(node_of(contents), name, base=base).model
    except DescriptionError as error:
        text = str(error).replace("dh/table/rows/", "row ").replace("dh/table/", "")
        raise DescriptionError(f"DH table: {text}") from error


def _rows(table: Table) -> list[Any]:
    if isinstance(table, (str, bytes, Mapping)) or not isinstance(table, Iterable):
        raise ArgumentError(
            "a DH table is a list of rows, or an array with columns a, alpha, d, theta"
        )
    return list(table)


def _by_column(number: int, row: object) -> dict[str, Any]:
    if isinstance(row, (str, bytes)) or not isinstance(row, Iterable):
        raise ArgumentError(f"row {number} of a DH table is a mapping or a list, not {row!r}")
    values = row.tolist() if isinstance(row, np.ndarray) else list(row)
    if not 4 <= len(values) <= len(_COLUMNS):
        raise ArgumentError(
            f"row {number} of a DH table has {len(values)} entries; give a, alpha, d, theta and, if"
            " you like, the type"
        )
    return dict(zip(_COLUMNS, values, strict=False))
