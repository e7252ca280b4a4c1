"""The payloads and wrenches that `robodyn torque` is given, from text to numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.cli.state_values import number
from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

PAYLOAD_FORM = "[NAME=]FRAME:MASS[:x,y,z[:ixx,iyy,izz,ixy,ixz,iyz]]"
WRENCH_FORM = "FRAME:mx,my,mz,fx,fy,fz[:local]"


def vector(option: str, text: str, form: str) -> Floats:
    """Return as many numbers as `form` has, which shows them with commas between."""
    size = form.count(",") + 1
    parts = text.split(",")
    if len(parts) != size:
        raise ArgumentError(
            f"{option} needs {size} numbers {form}, got {len(parts)} in {quoted(text)}"
        )
    return np.array([number(option, part, form) for part in parts])


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
