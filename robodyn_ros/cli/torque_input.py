"""The states, payloads and wrenches that `robodyn torque` is given, from text to numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms import neutral
from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

PAYLOAD_FORM = "[NAME=]FRAME:MASS[:x,y,z[:ixx,iyy,izz,ixy,ixz,iyz]]"
WRENCH_FORM = "FRAME:mx,my,mz,fx,fy,fz[:local]"
NEUTRAL = "neutral"


def angles(model: Model) -> tuple[Floats, Floats]:
    """Return which of the nq coordinates and of the nv rates are angles, 1.0 where they are."""
    positions, rates = np.zeros(model.nq), np.zeros(model.nv)
    for joint in model.own_joints:
        places = zip(joint.joint.turning(), joint.joint.rate_coordinates(), strict=True)
        for k, (turns, place) in enumerate(places):
            rates[joint.v_index + k] = turns
            if place is not None:
                positions[joint.q_index + place] = turns
    return positions, rates


def values(
    model: Model, option: str, words: Sequence[str], names: Sequence[str], start: Floats
) -> Floats:
    """Return numbers by coordinate from an option's words.

    Args:
        model: the model, for what is said of an unknown name.
        option: the option's name, for errors.
        words: each "name=value,...", numbers in the order of `names`, or both.
        names: of the coordinates.
        start: values of the coordinates that are not named; with "neutral" among the words of --q
            the neutral ones instead.

    Raises:
        ArgumentError: a wrong number of values, or something that is no finite number.
        UnknownNameError: no such coordinate; the text names a follower's driver.
    """
    tokens = [token.strip() for word in words for token in word.split(",")]
    from_neutral = option == "--q" and NEUTRAL in tokens
    listed = [x for x in tokens if "=" not in x and not (from_neutral and x == NEUTRAL)]
    found = neutral(model) if from_neutral else start.copy()
    if listed:
        numbers = [_number(option, token) for token in listed]
        if len(numbers) != len(names):
            raise ArgumentError(
                f"{option} needs {len(names)} numbers in the order {_few(names)}, got"
                f" {len(numbers)}; or give joints by name, as in {names[0]}=0.5"
                if len(names)
                else f"{option}: this robot has no coordinates; leave the option out"
            )
        found[:] = numbers
    for token in tokens:
        name, equals, number = token.rpartition("=")
        if equals:
            found[_index(model, option, name.strip(), names)] = _number(option, number, name)
    return found


def _index(model: Model, option: str, name: str, names: Sequence[str]) -> int:
    """Return a coordinate's number by name."""
    if name in names:
        return names.index(name)
    parts = [x for x in names if x.startswith(f"{name}/")]
    if parts:
        raise ArgumentError(
            f"{option}: joint {quoted(name)} has several coordinates; name one of"
            f" {', '.join(parts)}"
        )
    if any(name == joint.name for _, joint in model.moving):
        model.own_joint(name)
    raise UnknownNameError.among("coordinate", name, names)


def _number(option: str, text: str, name: str = "") -> float:
    """Return a finite number."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        what = f"{option}: the value of {quoted(name)}" if name else option
        form = "" if name else "; give numbers with commas between, or name=value"
        raise ArgumentError(f"{what} must be a finite number, got {quoted(text)}{form}")
    return number


def vector(option: str, text: str, form: str) -> Floats:
    """Return as many numbers as `form` has, which shows them with commas between."""
    size = form.count(",") + 1
    parts = text.split(",")
    if len(parts) != size:
        raise ArgumentError(
            f"{option} needs {size} numbers {form}, got {len(parts)} in {quoted(text)}"
        )
    return np.array([_number(option, part, form) for part in parts])


def payload(model: Model, text: str) -> dict[str, Any]:
    """Return the arguments of `Robot.set_payload` for a payload in the form PAYLOAD_FORM."""
    option = "--payload"
    name, _, rest = ("", "", text) if _begins_with_frame(model, text) else text.rpartition("=")
    frame, fields = _at_frame(model, option, rest, PAYLOAD_FORM)
    if not 1 <= len(fields) <= 3:
        raise ArgumentError(f"{option} must be {PAYLOAD_FORM}, got {quoted(text)}")
    given: dict[str, Any] = {"frame": frame, "mass": float(vector(option, fields[0], "MASS")[0])}
    if given["mass"] <= 0.0:
        raise ArgumentError(f"{option}: mass must be > 0 kg, got {fields[0]}")
    if len(fields) > 1:
        given["com"] = vector(option, fields[1], "x,y,z")
    if len(fields) > 2:
        xx, yy, zz, xy, xz, yz = vector(option, fields[2], "ixx,iyy,izz,ixy,ixz,iyz")
        given["inertia"] = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    return {**given, "name": name or None}


def wrench(model: Model, text: str) -> tuple[str, Floats, bool]:
    """Return frame, [moment; force] (6,) and whether it is in local axes, from WRENCH_FORM."""
    frame, fields = _at_frame(model, "--wrench", text, WRENCH_FORM)
    local = len(fields) == 2 and fields[1] == "local"
    if len(fields) != 1 and not local:
        raise ArgumentError(f"--wrench must be {WRENCH_FORM}, got {quoted(text)}")
    return frame, vector("--wrench", fields[0], "mx,my,mz,fx,fy,fz"), local


def _begins_with_frame(model: Model, text: str) -> bool:
    """Return whether what stands before some colon is a frame, which may have any letters."""
    return any(text[:k] in model.frames for k, letter in enumerate(text) if letter == ":")


def _at_frame(model: Model, option: str, text: str, form: str) -> tuple[str, list[str]]:
    """Return the frame in front of a text, whose name may have colons, and what follows it."""
    parts = text.split(":")
    if len(parts) < 2:
        raise ArgumentError(f"{option} must be {form}, got {quoted(text)}")
    for end in range(len(parts) - 1, 0, -1):
        name = ":".join(parts[:end])
        if name in model.frames:
            return name, parts[end:]
    raise UnknownNameError.among("frame", parts[0], model.frames)


def _few(names: Sequence[str], most: int = 8) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
