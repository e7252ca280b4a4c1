"""`~/set_payload`: attach, replace or remove a payload."""

from __future__ import annotations

from typing import Any

from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.services.subject import Subject


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
