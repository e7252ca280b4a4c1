"""Requests of the dynamics services from Python values."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from geometry_msgs.msg import Inertia, Vector3, WrenchStamped
from numpy.typing import ArrayLike
from robodyn_interfaces.msg import Payload

from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.spatial.arrays import real_array

Rest = Literal["error", "live", "neutral"]
Unnamed = Literal["locked", "zero_effort"]
#: Numbers by coordinate name, or in the order of the names.
Values = Mapping[str, float] | ArrayLike

SYMMETRY = 1e-9
"""How far an inertia may be from symmetric, relative to its largest number."""
_RESTS = ("error", "live", "neutral")
_UNNAMED = ("locked", "zero_effort")


def state_fields(
    position: Values, names: Sequence[str] | None, rest: str, **others: Values | None
) -> dict[str, Any]:
    """Return the fields names, position, rest and `others` of a request.

    Args:
        position: By name, which then says the names; or in the order of `names`.
        names: Coordinates; None for those of `position`, or all in the model's order.
        rest: "error", "live" or "neutral".
        others: Velocity and so on, by name (what is left out is 0) or in the same order.

    Raises:
        ArgumentError: names twice over, something else than numbers, or an unknown choice.
        UnknownNameError: a name that `position` does not have.
    """
    if isinstance(position, Mapping):
        if names is not None:
            raise ArgumentError("position has names of its own; leave out names")
        names = tuple(position)
        position = list(position.values())
    fields: dict[str, Any] = {
        "names": [] if names is None else texts("names", names),
        "position": numbers("position", position),
        "rest": choice("rest", rest, _RESTS),
    }
    for name, values in others.items():
        if values is None:
            continue
        if isinstance(values, Mapping):
            values = _in_order(name, values, fields["names"])  # noqa: PLW2901
        fields[name] = numbers(name, values)
    return fields


def _in_order(what: str, values: Mapping[str, float], names: Sequence[str]) -> list[float]:
    """Return numbers by name in the order of the names; what is left out is 0."""
    if not names:
        raise ArgumentError(f"{what} is by name, so position must be too, or give names")
    for name in values:
        if name not in names:
            raise UnknownNameError.among(f"coordinate of this request ({what})", name, names)
    return [values.get(name, 0.0) for name in names]


def numbers(name: str, values: ArrayLike) -> array[float]:
    """Return numbers of one axis as a message's array."""
    found = real_array(name, values)
    if found.ndim != 1:
        raise ArgumentError(f"{name} must have one axis, got shape {found.shape}")
    return array("d", found.tobytes())


def text(what: str, value: object) -> str:
    """Return a text that a message can hold.

    Raises:
        ArgumentError: something else, or characters that do not get through: a half of a surrogate
            pair, and NUL, where the text would end.
    """
    if not isinstance(value, str):
        raise ArgumentError(f"{what} must be a text, got {quoted(value)}")
    if "\0" in value or any("\ud800" <= x <= "\udfff" for x in value):
        raise ArgumentError(f"{what} has characters that no message can hold: {quoted(value)}")
    return str(value)


def texts(what: str, values: object) -> list[str]:
    """Return a list of texts.

    Raises:
        ArgumentError: one text, which is no list, or something that is no text in it.
    """
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise ArgumentError(f"{what} must be a list of texts, got {quoted(values)}")
    return [text(f"{what}[{number}]", value) for number, value in enumerate(values)]


def flag(what: str, value: object) -> bool:
    """Return a choice of yes and no; a text "no" is not taken for yes."""
    if not isinstance(value, (bool, np.bool_)):
        raise ArgumentError(f"{what} must be True or False, got {quoted(value)}")
    return bool(value)


def choice(name: str, value: str, choices: tuple[str, ...]) -> int:
    """Return the number that a message has for a choice."""
    if value not in choices:
        listed = ", ".join(map(quoted, choices))
        raise ArgumentError(f"{name} must be one of {listed}, got {quoted(value)}")
    return choices.index(value)


def unnamed_field(value: str) -> int:
    """Return the number for how the other coordinates move."""
    return choice("unnamed", value, _UNNAMED)


def wrench_messages(wrenches: Mapping[str, ArrayLike] | None) -> list[WrenchStamped]:
    """Return messages for [moment; force] (6,) by frame, in the frame's own axes."""
    found = []
    if not isinstance(wrenches, (Mapping, type(None))):
        raise ArgumentError(
            "external_wrenches must be a mapping of frames to [moment; force], got"
            f" {quoted(wrenches)}"
        )
    for name, values in ({} if wrenches is None else wrenches).items():
        frame = text("a frame of external_wrenches", name)
        wrench = _shaped(f"external_wrenches[{frame!r}]", values, (6,)).tolist()
        message = WrenchStamped()
        message.header.frame_id = frame
        torque, force = message.wrench.torque, message.wrench.force
        torque.x, torque.y, torque.z, force.x, force.y, force.z = wrench
        found.append(message)
    return found


def payload_message(
    frame: str, mass: float, com: ArrayLike, inertia: ArrayLike | None, name: str | None
) -> Payload:
    """Return the message of a payload; None as inertia is a point mass."""
    matrix = _shaped("inertia", np.zeros((3, 3)) if inertia is None else inertia, (3, 3))
    # As exact as the server is: a product R I R^T is never symmetric to the last bit.
    scale = float(np.max(np.abs(matrix), initial=0.0))
    if np.any(np.abs(matrix - matrix.T) > SYMMETRY * scale):
        raise ArgumentError(f"inertia must be symmetric, got {matrix.tolist()}")
    (ixx, ixy, ixz), (_, iyy, iyz), (_, _, izz) = (0.5 * (matrix + matrix.T)).tolist()
    x, y, z = _shaped("com", com, (3,)).tolist()
    return Payload(
        name="" if name is None else text("name", name),
        frame_id=text("frame", frame),
        mass=float(_shaped("mass", mass, ())),
        com=Vector3(x=x, y=y, z=z),
        inertia=Inertia(ixx=ixx, ixy=ixy, ixz=ixz, iyy=iyy, iyz=iyz, izz=izz),
    )


def _shaped(name: str, values: ArrayLike, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    found = real_array(name, values)
    if found.shape != shape:
        raise ArgumentError(f"{name} must have shape {shape}, got {found.shape}")
    return found
