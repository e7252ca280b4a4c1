"""How the services of a node answer: always, and with the reason where they cannot."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.node import Node
from rclpy.service import Service

from robodyn_ros.conditioning.complaints import Complaint, Severity, one_line
from robodyn_ros.errors import RobodynError
from robodyn_ros.ros import qos
from robodyn_ros.ros.reports import Report
from robodyn_ros.ros.services.request_log import RequestLog
from robodyn_ros.ros.speaker import Speaker

Fill = Callable[[Any, Any], None]
"""Fills a reply's fields, except `success`, from a request's, or raises a RobodynError."""


class Answering:
    """The services of one node, private names of it; they answer one request at a time.

    Every request is answered: one that cannot be served with `success` false and the reason, also
    where that is a fault of ours.

    Attributes:
        services: The services.
    """

    def __init__(self, node: Node, kinds: Iterable[tuple[str, type, Fill]]) -> None:
        """Make the services.

        Args:
            node: The node.
            kinds: Of each its name, its type, whose reply has `success` and `message`, and what
                fills the reply.
        """
        self._node = node
        self._speaker = Speaker(node)
        table = tuple(kinds)
        self._names = tuple(name for name, _, _ in table)
        self._log = RequestLog(self._names)
        group = MutuallyExclusiveCallbackGroup()
        self.services: tuple[Service, ...] = tuple(
            node.create_service(
                kind,
                f"~/{name}",
                partial(self._answer, name, fill),
                qos_profile=qos.SERVICES,
                callback_group=group,
            )
            for name, kind, fill in table
        )

    def report(self, now: float) -> Report:
        """Report who asks how often, and why there was no answer; `now` is monotonic, s."""
        clients = {
            name: self._node.count_clients(service.srv_name)
            for name, service in zip(self._names, self.services, strict=True)
        }
        return self._log.report(now, clients)

    def _answer(self, name: str, fill: Fill, request: Any, reply: Any) -> Any:
        """Return the reply; whatever happens, there is one."""
        self._log.asked(name)
        try:
            with np.errstate(all="ignore"):  # what is not finite is refused, whatever made it so
                fill(request, reply)
            reply.success = True
        except RobodynError as error:
            return self._refused(name, reply, Severity.WARN, one_line(error))
        except Exception as error:  # noqa: BLE001 - whoever's fault it is, the caller gets a reply
            self._node.get_logger().debug(traceback.format_exc())
            text = f"a fault of the server, please report it: {type(error).__name__}: {error}"
            return self._refused(name, reply, Severity.ERROR, one_line(text))
        return reply

    def _refused(self, name: str, reply: Any, severity: Severity, why: str) -> Any:
        # Logged as well, since a caller that does not look at `success` sees zeros.
        self._log.refused(name, why)
        text = f"{name} is refused: {why}"
        self._speaker.say([Complaint(severity, "refused requests", text, name, once=False)])
        return type(reply)(success=False, message=why)
