"""Service calls that nobody waits for: each ends with a reply, or with what is wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.srv import SetParameters
from rclpy.client import Client
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.task import Future

from robodyn_ros.conditioning.complaints import one_line
from robodyn_ros.ros import qos

TIMEOUT = 15.0
"""Seconds that a reply is waited for; a simulator takes up to ten for the steps of one request."""
MOST = 32
"""Requests to one service that may be under way at once."""
_SET = "set_parameters"

Said = Callable[[bool, str], None]
"""Is told whether something was done, and why not, or what the service says."""


class Requests:
    """The clients of a node, made as they are needed; to be used in the executor's thread."""

    def __init__(self, node: Node) -> None:
        """Begin without clients.

        Args:
            node: The node that they belong to.
        """
        self._node = node
        self._clients: dict[tuple[type, str], Client] = {}
        self._waiting: dict[Future, tuple[float, Client, Said]] = {}

    def is_offered(self, kind: type, name: str) -> bool:
        """Return whether somebody offers a service."""
        return bool(self._client(kind, name).service_is_ready())

    def sets_parameters(self, node: str) -> bool:
        """Return whether a node takes parameters."""
        return self.is_offered(SetParameters, f"{node}/{_SET}")

    def send(
        self,
        kind: type,
        name: str,
        request: Any,
        said: Said,
        verdict: Callable[[Any], tuple[bool, str]] | None = None,
    ) -> None:
        """Send a request.

        Args:
            kind: Type of the service.
            name: Its name, as the node resolves it.
            request: The request.
            said: Is told how it ended, once, in the executor's thread.
            verdict: Reads a reply that has no fields success and message.
        """
        client = self._client(kind, name)
        if not client.service_is_ready():
            said(False, f"nobody offers {client.service_name}")
            return
        if sum(1 for _, other, _ in self._waiting.values() if other is client) >= MOST:
            said(False, f"{client.service_name} does not answer what it was asked before")
            return
        future = client.call_async(request)
        self._waiting[future] = (time.monotonic() + TIMEOUT, client, said)
        read = verdict or _success
        future.add_done_callback(lambda done: self._done(done, read))

    def set_parameters(self, node: str, values: Mapping[str, object], said: Said) -> None:
        """Set parameters of a node, all or none; `said` as in `send`."""
        messages: list[ParameterMessage] = [
            Parameter(name, value=value).to_parameter_msg() for name, value in values.items()
        ]
        request = SetParameters.Request(parameters=messages)
        self.send(SetParameters, f"{node}/{_SET}", request, said, _all_set)

    def look(self) -> None:
        """Give up requests whose reply is overdue."""
        now = time.monotonic()
        late = [future for future, (due, _, _) in self._waiting.items() if now > due]
        for future in late:
            _, client, said = self._waiting.pop(future)
            client.remove_pending_request(future)
            said(False, f"{client.service_name} has not answered within {TIMEOUT:g} s")

    def _client(self, kind: type, name: str) -> Client:
        key = (kind, name)
        if key not in self._clients:
            self._clients[key] = self._node.create_client(kind, name, qos_profile=qos.SERVICES)
        return self._clients[key]

    def _done(self, future: Future, read: Callable[[Any], tuple[bool, str]]) -> None:
        waiting = self._waiting.pop(future, None)
        if waiting is None:
            return
        _, client, said = waiting
        error = future.exception()
        if error is not None:
            said(False, f"{client.service_name}: {one_line(error)}")
            return
        said(*read(future.result()))


def _success(reply: Any) -> tuple[bool, str]:
    return bool(reply.success), str(reply.message)


def _all_set(reply: Any) -> tuple[bool, str]:
    reasons = [result.reason for result in reply.results if not result.successful]
    return not reasons, "; ".join(reasons)
