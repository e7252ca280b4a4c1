"""Every request is answered: where a callback raises, rclpy leaves who asked waiting for ever.

Its own services raise too: those of parameters for a type that there is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.node import Node

from robodyn_ros.conditioning.complaints import Complaint, Severity, one_line
from robodyn_ros.ros.speaker import Speaker

Callback = Callable[[Any, Any], Any]


def answer_always(node: Node) -> None:
    """Have the services that a node has by now answer whatever their callbacks raise.

    What was raised is logged, and said in the answer where there is a place for it.
    """
    speaker = Speaker(node)
    for service in node.services:
        answer = _answering(service.callback, service.srv_name, speaker)
        service.callback = _one_by_one(answer) if service.srv_type is SetParameters else answer


def _answering(callback: Callback, name: str, speaker: Speaker) -> Callback:
    def answer(request: Any, response: Any) -> Any:
        try:
            return callback(request, response)
        except Exception as error:  # noqa: BLE001 - whoever's fault it is, it is answered
            reason = f"{type(error).__name__}: {one_line(error)}"
            text = f"a callback failed, its request to {name} is answered so: {reason}"
            speaker.say([Complaint(Severity.ERROR, "failures", text, name, once=False)])
            return _refused(type(response)(), reason)

    return answer


def _one_by_one(answer: Callback) -> Callback:
    """Return what has each parameter answered on its own, as each is set on its own."""

    def every(request: Any, response: Any) -> Any:
        for parameter in request.parameters:
            one = SetParameters.Request(parameters=[parameter])
            response.results += answer(one, SetParameters.Response()).results
        return response

    return every


def _refused(response: Any, reason: str) -> Any:
    """Return a fresh response that says no, and why where it has a place for that."""
    result = SetParametersResult(successful=False, reason=reason)
    if isinstance(response, SetParameters.Response):
        response.results = [result]
    elif isinstance(response, SetParametersAtomically.Response):
        response.result = result
    elif hasattr(response, "message"):
        response.message = reason
    return response
