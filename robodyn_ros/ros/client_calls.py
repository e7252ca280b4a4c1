"""Service calls that never deadlock: a thread of their own takes the replies.

In rclpy a reply is taken by the executor that spins the client's node. A call that waits for it
inside a callback of that executor waits for ever. Here clients live on a small node of their own,
which a thread of its own spins, so that a call may wait anywhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import threading
import time
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, InvalidStateError
from typing import Any, TypeVar

from rclpy.client import Client
from rclpy.executors import ExternalShutdownException, ShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter

from robodyn_ros.errors import ArgumentError, RobodynError
from robodyn_ros.ros import qos

T = TypeVar("T")

PERIOD = 0.05
"""Seconds between two looks at calls whose time is up, and at services that were not there."""
MOST_IN_FLIGHT = 16
"""Requests of one client to one service that are sent and not replied to; more wait their turn."""
_NUMBERS = itertools.count()


class RequestRefusedError(RobodynError, RuntimeError):
    """The server did not answer; the text is its reason."""


class NoReplyError(RobodynError, TimeoutError):
    """No reply came: no server, none in time, or the end of the client; the text says which."""


class Reply(Future[T]):
    """The reply to come: `result(timeout)`, `add_done_callback`, or `await`.

    It may be awaited in a coroutine of an rclpy executor that spins the client's node, and in one
    of asyncio. Callbacks are called by the client's thread.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        super().__init__()
        self._wake = wake

    def __await__(self) -> Generator[Any, None, T]:
        """Wait without blocking the thread."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            loop = None
        if loop is not None:
            return (yield from asyncio.wrap_future(self, loop=loop).__await__())
        # An rclpy executor looks at a coroutine whenever it wakes.
        self.add_done_callback(lambda _: self._wake())
        while not self.done():
            yield
        return self.result()


class _Call:
    """A request on its way."""

    def __init__(
        self,
        client: Client,
        request: Any,
        convert: Callable[[Any], Any],
        timeout: float,
        wake: Callable[[], None],
    ) -> None:
        self.reply: Reply[Any] = Reply(wake)
        self._client, self._request, self._convert = client, request, convert
        self._timeout = timeout
        self._due = time.monotonic() + timeout
        self._future: Any = None

    @property
    def in_flight(self) -> bool:
        """Whether it was sent and has no reply."""
        return self._future is not None and not self.reply.done()

    def send(self, others: Iterable[_Call]) -> None:
        """Send it, unless that was done, or the service is not there or busy with others."""
        if self._future is not None or not self._client.service_is_ready():
            return
        ahead = sum(other.in_flight and other._client is self._client for other in others)
        if ahead < MOST_IN_FLIGHT:
            self._future = self._client.call_async(self._request)
            self._future.add_done_callback(self._replied)

    def _replied(self, future: Any) -> None:
        try:
            response = future.result()
            if not response.success:
                raise RequestRefusedError(response.message)
            result = self._convert(response)
        except Exception as error:  # noqa: BLE001 - it belongs to the caller
            self._fail(error)
            return
        with contextlib.suppress(InvalidStateError):
            self.reply.set_result(result)

    def check(self, now: float) -> None:
        """Give up when the time is up."""
        if now < self._due:
            return
        name = self._client.srv_name
        if self._future is None:
            why = f"no server of {name} within {self._timeout:g} s; is it running, and in this"
            why += " namespace?"
        else:
            why = f"no reply from {name} within {self._timeout:g} s"
        self.drop(why)

    def drop(self, why: str) -> None:
        """Forget the request; the caller gets a NoReplyError."""
        if self._future is not None:
            self._client.remove_pending_request(self._future)
        self._fail(NoReplyError(why))

    def _fail(self, error: Exception) -> None:
        with contextlib.suppress(InvalidStateError):
            self.reply.set_exception(error)


class ServiceCalls:
    """Clients of some services, on a node and a thread of their own."""

    def __init__(self, node: Node, services: Iterable[tuple[type, str]]) -> None:
        """Make the clients and start the thread.

        Args:
            node: Gives context, namespace and remapping rules; it may be spun anywhere or nowhere.
            services: Type and name of each service, as `node` would resolve it.
        """
        self._owner = node
        self._context = node.context
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
        self._clients = {
            kind: self._node.create_client(
                kind, node.resolve_service_name(name), qos_profile=qos.SERVICES
            )
            for kind, name in services
        }
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self._lock = threading.Lock()
        self._calls: list[_Call] = []
        self._ended = ""
        self._thread = threading.Thread(target=self._run, name=self._node.get_name(), daemon=True)
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
        """
        if not timeout > 0.0:
            raise ArgumentError(f"timeout must be a positive number of seconds, got {timeout!r}")
        call = _Call(self._clients[kind], request, convert, timeout, self._wake)
        with self._lock:
            if self._ended or not self._context.ok():
                call.drop(self._ended or _SHUT_DOWN)
                return call.reply
            self._calls.append(call)
            call.send(self._calls)
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
        self._end("the client was closed")
        self._executor.wake()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _end(self, why: str) -> None:
        with self._lock:
            self._ended = self._ended or why
            calls, self._calls = self._calls, []
        for call in calls:
            call.drop(self._ended)

    def _run(self) -> None:
        with contextlib.suppress(ExternalShutdownException, ShutdownException):
            while not self._ended and self._context.ok():
                self._executor.spin_once(timeout_sec=PERIOD)
                self._look_after_calls()
        self._end(_SHUT_DOWN)
        self._executor.shutdown()
        self._node.destroy_node()

    def _look_after_calls(self) -> None:
        now = time.monotonic()
        with self._lock:
            self._calls = [call for call in self._calls if not call.reply.done()]
            calls = list(self._calls)
            for call in calls:
                call.send(calls)
        for call in calls:
            call.check(now)

    def _wake(self) -> None:
        executor = self._owner.executor
        if executor is not None:
            executor.wake()


_SHUT_DOWN = "ROS was shut down before the reply came"
