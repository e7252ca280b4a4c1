"""Requests of one service, sent a few at a time, and what becomes of each."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, InvalidStateError
from typing import Any, TypeVar

from rclpy.client import Client

from robodyn_ros.errors import RobodynError

T = TypeVar("T")

MOST_IN_FLIGHT = 16
"""Requests of one client to one service that are sent and not replied to; more wait their turn."""


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


class Call:
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

    def send(self) -> str:
        """Send it; return why that cannot be done, "" where it was."""
        try:
            self._future = self._client.call_async(self._request)
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller waits for an end
            return f"the request to {self._client.srv_name} cannot be sent: {error}"
        self._future.add_done_callback(self._replied)
        return ""

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

    def is_late(self, now: float) -> bool:
        """Return whether its time is up."""
        return now >= self._due

    @property
    def excuse(self) -> str:
        """What to say when its time is up."""
        name = self._client.srv_name
        if self._future is None:
            return (
                f"no server of {name} within {self._timeout:g} s; is it running, and in this"
                " namespace?"
            )
        silent = f"no reply from {name} within {self._timeout:g} s"
        return f"{silent}; its server is busy, or has just ended"

    def forget(self) -> None:
        """Wait for its response no longer."""
        if self._future is not None:
            self._client.remove_pending_request(self._future)

    def drop(self, why: str) -> None:
        """Forget the request; the caller gets a NoReplyError."""
        self.forget()
        self._fail(NoReplyError(why))

    def _fail(self, error: Exception) -> None:
        with contextlib.suppress(InvalidStateError):
            self.reply.set_exception(error)


class Queue:
    """The calls of one service in the order made; whoever uses it holds a lock.

    Calls to be dropped are returned, for the caller to drop with the lock free: that runs
    callbacks of the user's.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self._waiting: deque[Call] = deque()
        self._sent: list[Call] = []

    def __bool__(self) -> bool:
        """Return whether a call is on its way."""
        return bool(self._waiting or self._sent)

    def add(self, call: Call) -> None:
        """Append a call."""
        self._waiting.append(call)

    def advance(self) -> Iterator[tuple[Call, str]]:
        """Send what may be sent; yield what cannot be, with the reason."""
        for call in self._sent:
            if call.reply.cancelled():
                call.forget()
        self._sent = [call for call in self._sent if not call.reply.done()]
        if not self._waiting or not self.client.service_is_ready():
            return
        while self._waiting and len(self._sent) < MOST_IN_FLIGHT:
            call = self._waiting.popleft()
            if call.reply.done():
                continue
            trouble = call.send()
            if trouble:
                yield call, trouble
            else:
                self._sent.append(call)

    def late(self, now: float) -> Iterable[tuple[Call, str]]:
        """Take out the calls whose time is up, and return them with what to say."""
        found = [call for call in (*self._waiting, *self._sent) if call.is_late(now)]
        if found:
            gone = set(map(id, found))
            self._waiting = deque(call for call in self._waiting if id(call) not in gone)
            self._sent = [call for call in self._sent if id(call) not in gone]
        return [(call, call.excuse) for call in found]

    def clear(self) -> list[Call]:
        """Take all calls out."""
        found = [*self._waiting, *self._sent]
        self._waiting.clear()
        self._sent = []
        return found
