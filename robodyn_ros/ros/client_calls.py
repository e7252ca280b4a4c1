"""Service calls that never deadlock: a thread of their own takes the replies.

In rclpy a reply is taken by the executor that spins the client's node. A call that waits for it
inside a callback of that executor waits for ever. Here clients live on a small node of their own,
which a thread of its own spins, so that a call may wait anywhere.
"""

from __future__ import annotations

import atexit
import itertools
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from rclpy.executors import ExternalShutdownException, ShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter

from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.client_queue import Call, NoReplyError, Queue, Reply, RequestRefusedError

__all__ = ["NoReplyError", "Reply", "RequestRefusedError", "ServiceCalls", "positive_seconds"]

T = TypeVar("T")

PERIOD = 0.05
"""Seconds between two looks at calls whose time is up, and at services that were not there."""
EXIT_PATIENCE = 2.0
"""Seconds that the end of the process waits for the thread: a callback may block it."""
_NUMBERS = itertools.count()
_SHUT_DOWN = "ROS was shut down before the reply came"
_CLOSED = "the client was closed"


def positive_seconds(value: object) -> float:
    """Return a timeout, infinite ones too.

    Raises:
        ArgumentError: something else than a positive number.
    """
    try:
        seconds = float("nan") if isinstance(value, (str, bytes, bool)) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        seconds = float("nan")
    if not seconds > 0.0:
        raise ArgumentError(f"timeout must be a positive number of seconds, got {quoted(value)}")
    return seconds


class ServiceCalls:
    """Clients of some services, on a node and a thread of their own."""

    def __init__(self, node: Node, services: Iterable[tuple[type, str]]) -> None:
        """Make the clients and start the thread.

        Args:
            node: Gives context, namespace and remapping rules; it may be spun anywhere or nowhere.
            services: Type and name of each service, as `node` would resolve it.

        Raises:
            ArgumentError: a name that no service can have, or a node that is destroyed.
        """
        self._owner = node
        self._context = node.context
        names = [(kind, _resolved(node, name)) for kind, name in services]
        # A name that begins with an underscore is hidden from lists of nodes. Rules of the command
        # line, which might rename it, are not for this node: names are resolved by the other.
        self._node = Node(
            f"_{node.get_name()}_client_{next(_NUMBERS)}",
            namespace=node.get_namespace(),
            context=self._context,
            use_global_arguments=False,
            enable_rosout=False,
            start_parameter_services=False,
            parameter_overrides=[Parameter("start_type_description_service", value=False)],
        )
        self._queues = {
            kind: Queue(self._node.create_client(kind, name, qos_profile=qos.SERVICES))
            for kind, name in names
        }
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self._lock = threading.Lock()
        self._ended = ""
        self._next_look = 0.0
        self._thread = threading.Thread(target=self._run, name=self._node.get_name(), daemon=True)
        # A thread that waits in rclpy while the interpreter ends takes the process down.
        atexit.register(self._at_exit)
        self._thread.start()

    def call(
        self, kind: type, request: Any, convert: Callable[[Any], T], timeout: float
    ) -> Reply[T]:
        """Send a request, at once or as soon as there is a server; return the reply to come.

        Args:
            kind: Type of the service.
            request: The request.
            convert: Makes the result of a response with success.
            timeout: Seconds after which the reply fails with a NoReplyError.

        Raises:
            ArgumentError: a timeout that is none.
        """
        queue = self._queues[kind]
        call = Call(queue.client, request, convert, positive_seconds(timeout), self._wake)
        with self._lock:
            ended = self._ended or ("" if self._context.ok() else _SHUT_DOWN)
            lost = []
            if not ended:
                queue.add(call)
                lost = list(queue.advance())
        if ended:
            call.drop(ended)
        _drop(lost)
        return call.reply

    def wait(self, reply: Reply[T]) -> T:
        """Return the result of a reply, blocking this thread; raises what the reply fails with."""
        if threading.current_thread() is self._thread:
            raise ArgumentError(
                "a call that waits, in a callback of a reply, would wait for itself; use the"
                " method that ends in _async"
            )
        return reply.result()

    def close(self) -> None:
        """End the thread and leave the graph; replies to come fail with a NoReplyError."""
        self._stop(None)

    def _stop(self, patience: float | None) -> None:
        self._end(_CLOSED)
        self._executor.wake()
        if threading.current_thread() is not self._thread:
            self._thread.join(patience)

    def _at_exit(self) -> None:
        self._stop(EXIT_PATIENCE)

    def _end(self, why: str) -> None:
        with self._lock:
            self._ended = self._ended or why
            calls = [call for queue in self._queues.values() for call in queue.clear()]
        _drop((call, self._ended) for call in calls)

    def _run(self) -> None:
        ended = _SHUT_DOWN
        try:
            while not self._ended and self._context.ok():
                self._executor.spin_once(timeout_sec=PERIOD)
                self._look_after_calls()
        except (ExternalShutdownException, ShutdownException):
            pass
        except SystemExit as error:  # of a callback, which ends its thread by it, as ever
            ended = _ended_by(error)
        except BaseException as error:
            ended = _ended_by(error)
            raise
        finally:
            self._end(ended)
            atexit.unregister(self._at_exit)
            self._executor.shutdown()
            self._node.destroy_node()

    def _look_after_calls(self) -> None:
        now = time.monotonic()
        lost: list[tuple[Call, str]] = []
        with self._lock:
            busy = [queue for queue in self._queues.values() if queue]
            for queue in busy:
                lost += queue.advance()
            if now >= self._next_look:
                self._next_look = now + PERIOD
                for queue in busy:
                    lost += queue.late(now)
        _drop(lost)

    def _wake(self) -> None:
        executor = self._owner.executor
        if executor is not None:
            executor.wake()


def _drop(calls: Iterable[tuple[Call, str]]) -> None:
    for call, why in calls:
        call.drop(why)


def _ended_by(error: BaseException) -> str:
    return f"the client's thread ended: {type(error).__name__}: {error}"


def _resolved(node: Node, name: str) -> str:
    try:
        return str(node.resolve_service_name(name))
    except Exception as error:  # noqa: BLE001 - several types of rclpy and rcl
        raise ArgumentError(f"no client of service {quoted(name)} can be made: {error}") from None
