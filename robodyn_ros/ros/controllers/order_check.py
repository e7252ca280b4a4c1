"""Does the receiver of commands have its joints in the order in which they are sent?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rcl_interfaces.msg import ParameterType
from rcl_interfaces.srv import GetParameters
from rclpy.client import Client
from rclpy.exceptions import InvalidServiceNameException
from rclpy.node import Node

from robodyn_ros.errors import ArgumentError, quoted


class OrderCheck:
    """Asks the controller that takes Float64MultiArray for its parameter `joints`.

    It never waits: what is known so far is read off. Called by the node's executor.
    """

    def __init__(self, node: Node, controller: str) -> None:
        """Prepare to ask the node `controller`, relative to the namespace.

        Raises:
            ArgumentError: it has no possible name.
        """
        self._node = node
        self.controller = controller
        try:
            self._client: Client = node.create_client(GetParameters, f"{controller}/get_parameters")
        except InvalidServiceNameException as error:
            raise ArgumentError(
                f"command_controller {quoted(controller)} is no name of a node: {error}"
            ) from None
        self._joints: tuple[str, ...] | None = None
        self._asking: Any = None

    def ask(self) -> None:
        """Ask, unless an answer is on its way or nobody is there."""
        if self._asking is not None and not self._asking.done():
            return
        if self._client.service_is_ready():
            self._asking = self._client.call_async(GetParameters.Request(names=["joints"]))
            self._asking.add_done_callback(self._answered)
        else:
            self._joints = None

    def _answered(self, future: Any) -> None:
        values = future.result().values if future.exception() is None else []
        if values and values[0].type == ParameterType.PARAMETER_STRING_ARRAY:
            self._joints = tuple(values[0].string_array_value)

    @property
    def is_known(self) -> bool:
        """Whether the receiver has said which joints it has."""
        return self._joints is not None

    def problem(self, names: Sequence[str]) -> str:
        """Return how the receiver's joints differ from those commanded; "" where they do not."""
        if self._joints is None or self._joints == tuple(names):
            return ""
        theirs = ", ".join(quoted(name) for name in self._joints)
        return (
            f"{quoted(self.controller)} takes efforts in the order {theirs}; set command_joints to"
            " it"
        )
