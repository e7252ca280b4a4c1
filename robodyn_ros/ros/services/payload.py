"""`~/set_payload`: attach, replace or remove a payload."""

from __future__ import annotations

from typing import Any

from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.ros.services.subject import Subject

MOST_PAYLOADS = 64
"""Payloads that requests may pile up: a caller who names each anew and removes none is told."""
LONGEST_NAME = 255
"""Characters of a payload's name."""


def fill(subject: Subject, request: Any, reply: Any) -> None:
    """Change the payloads of the node's robot; the reply needs no more than its success.

    Raises:
        RobodynError: nothing is changed; the text says why.
    """
    payload = request.payload
    if request.remove:
        subject.host.clear_payload(_name(subject, payload))
        return
    frame = subject.known.frame(payload.frame_id, "payload.frame_id")
    _require_room(subject, payload.name or frame, payload.mass)
    com, moments = payload.com, payload.inertia
    inertia = [
        [moments.ixx, moments.ixy, moments.ixz],
        [moments.ixy, moments.iyy, moments.iyz],
        [moments.ixz, moments.iyz, moments.izz],
    ]
    subject.host.set_payload(
        frame, payload.mass, [com.x, com.y, com.z], inertia, name=payload.name or None
    )


def _name(subject: Subject, payload: Any) -> str:
    if payload.name:
        return str(payload.name)
    if not payload.frame_id:
        raise ArgumentError("name the payload to remove: payload.name and frame_id are both empty")
    return subject.known.frame(payload.frame_id, "payload.frame_id")


def _require_room(subject: Subject, name: str, mass: float) -> None:
    """Raise ArgumentError for one payload too many, or a name that is too long."""
    if len(name) > LONGEST_NAME:
        raise ArgumentError(
            f"payload.name has {len(name)} characters: {quoted(name)}; give at most {LONGEST_NAME}"
        )
    carried = [load.name for load in subject.robot.payloads]
    if mass != 0.0 and name not in carried and len(carried) >= MOST_PAYLOADS:
        raise ArgumentError(
            f"payload {quoted(name)} is one too many: {len(carried)} are carried already; remove"
            f" one, say {quoted(carried[0])}, or give its name to replace it"
        )
