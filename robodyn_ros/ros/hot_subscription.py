"""A subscription that everything else waits for: own wait set, own thread, raw bytes.

rclpy's executor builds a wait set of all entities of a node for every message, which costs several
times what the message itself does. Here a thread waits for one subscription only, and hands all the
messages that wait, still serialised, to a handler in one call. The executor never sees it, because
its callback group says that it cannot be executed.

That takes rclpy's implementation module, which has no promise to stay as it is: it is tried out
first, and where it does not do what is needed the executor serves the subscription instead, with
the same handler.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.context import Context
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.exceptions import InvalidHandle
from rclpy.guard_condition import GuardCondition
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.signals import SignalHandlerGuardCondition

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.ros.speaker import Speaker

Handler = Callable[[list[bytes]], None]

JOIN_TIMEOUT = 2.0
"""Seconds that `HotSubscription.stop` waits for a handler that does not return."""

_BLOCKED = 1e-4
"""Seconds after which a wait has not just found what was there already."""

_HEARTBEAT = 1_000_000_000
"""Nanoseconds after which a wait ends in any case, should an end of the context not wake it."""


class HotSubscription:
    """A raw subscription served by a thread of its own.

    The handler runs in that thread ("thread" mode) or in the executor's ("executor" mode), never in
    both, and not before `start`. What it raises is logged (throttled), and the next messages are
    handled. The thread ends by itself when the context is shut down.

    Attributes:
        mode: "thread" or "executor".
        reason: Why it is the executor; "" in thread mode.
    """

    def __init__(
        self,
        node: Node,
        message_type: Any,
        topic: str,
        qos_profile: QoSProfile,
        handler: Handler,
        *,
        numbered: Callable[[int], None] | None = None,
        threaded: bool = True,
    ) -> None:
        """Subscribe; nothing is handled before `start`.

        Args:
            node: The node that subscribes.
            message_type: Generated type of the messages.
            topic: Name of the topic.
            qos_profile: Its depth is the largest number of messages in one call.
            handler: Gets the serialised messages that wait, oldest first, at least one. It must not
                wait for a lock that the caller of `stop` holds.
            numbered: Gets the number that its publisher gave each message, counting from 1; 0 where
                the middleware has none. Gaps are messages that were lost.
            threaded: False to be served by the executor.
        """
        self._handler = handler
        self._numbered = numbered
        self._context = node.context
        self._node = node
        self._speaker = Speaker(node)
        self._group = _Gate()
        self._subscription = node.create_subscription(
            message_type,
            topic,
            self._executor_took,
            qos_profile,
            callback_group=self._group,
            # Each handler of QoS events would cost the executor about 10 us at every turn.
            event_callbacks=SubscriptionEventCallbacks(use_default_callbacks=False),
            raw=True,
        )
        self.qos_profile = qos_profile
        self.topic_name: str = self._subscription.topic_name
        self.reason = self._obstacle() if threaded else "a thread of its own was not asked for"
        self.mode = "executor" if self.reason else "thread"
        self._most = max(1, qos_profile.depth)
        self._stopping = False
        self._ended = False
        self._guard: GuardCondition | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to handle messages, also those that wait already; harmless to repeat.

        Raises:
            RuntimeError: It was stopped, which is for good.
        """
        if self._stopping:
            raise RuntimeError(f"the subscription of {self.topic_name} was stopped")
        if self._thread is not None:
            return
        if self.mode == "executor":
            self._open_to_executor()
            return
        # Wakes the thread on a signal and when we trigger it; a second guard costs 5 us a wait.
        self._guard = SignalHandlerGuardCondition(self._context)
        self._context.on_shutdown(self._context_ended)
        # A thread that waits in DDS while the process takes that apart would bring it down.
        atexit.register(self.stop)
        name = f"hot {self.topic_name}"
        self._thread = threading.Thread(
            target=self._serve, args=(self._guard,), name=name, daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End the thread, or close the subscription to the executor; harmless to repeat.

        On return the handler does not run any more, unless it is the caller, or did not return
        within `JOIN_TIMEOUT`.
        """
        self._stopping = True
        self._group.open = False
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._wake()
        atexit.unregister(self.stop)
        if thread is not threading.current_thread():
            thread.join(JOIN_TIMEOUT)
        guard, self._guard = self._guard, None
        if guard is not None:
            with contextlib.suppress(InvalidHandle):
                guard.destroy()

    def _context_ended(self) -> None:
        # A wait that a message ended too has used the guard up: the thread must see it otherwise.
        self._ended = True
        self._wake()

    def _wake(self) -> None:
        guard = self._guard
        if guard is not None:
            with contextlib.suppress(InvalidHandle):
                guard.trigger()

    def _obstacle(self) -> str:
        """Try a turn of the thread out; return why it fails here, "" where it does not."""
        try:
            guard = SignalHandlerGuardCondition(self._context)
            guard.trigger()
            with self._subscription.handle:
                _waiter(self._context, self._subscription.handle, guard)(_HEARTBEAT)
                self._take(0)
        except Exception as error:  # noqa: BLE001 - whatever another rclpy does differently
            return f"rclpy's wait set cannot be used: {type(error).__name__}: {error}"
        return ""

    def _serve(self, guard: GuardCondition) -> None:
        """Wait and handle until told to stop: the body of the thread."""
        try:
            self._turns(guard)
        except Exception as error:  # noqa: BLE001 - rclpy has several types for what has ended
            if self._is_over or isinstance(error, InvalidHandle):
                return
            reason = f"waiting failed: {type(error).__name__}: {error}"
            self.mode, self.reason = "executor", reason
            text = f"{self.topic_name} is served by the executor from now on, {reason}"
            self._speaker.say([Complaint(Severity.WARN, "failures", text, self.topic_name)])
            self._open_to_executor()

    def _turns(self, guard: GuardCondition) -> None:
        handle = self._subscription.handle
        wait = _waiter(self._context, handle, guard)
        while not (self._stopping or self._ended):
            # Entered anew each time, so that a subscription that was destroyed is noticed.
            with handle:
                begun = time.monotonic()
                wait(_HEARTBEAT)
                # Whoever had to wait was woken by one message, as a rule; others are seen next.
                waited = time.monotonic() - begun > _BLOCKED
                messages = self._take(1 if waited else self._most)
            if messages:
                self._hand_over(messages)
            elif not self._context.ok():
                return

    def _executor_took(self, message: bytes) -> None:
        """Serve a turn of the executor, which takes one message itself."""
        try:
            with self._subscription.handle:
                messages = [message, *self._take(self._most - 1)]
        except Exception:  # noqa: BLE001 - as above; this one is here in any case
            messages = [message]
        self._hand_over(messages)

    def _take(self, most: int) -> list[bytes]:
        take, kind = self._subscription.handle.take_message, self._subscription.msg_type
        messages = []
        for _ in range(most):
            taken = take(kind, True)
            if taken is None:
                break
            messages.append(taken[0])
            # The executor keeps the number of the message that it takes to itself.
            if self._numbered is not None and self.mode == "thread":
                self._numbered(taken[1].get("publication_sequence_number") or 0)
        return messages

    def _hand_over(self, messages: list[bytes]) -> None:
        try:
            self._handler(messages)
        except Exception as error:  # noqa: BLE001 - whoever's fault it is, the thread lives on
            if self._is_over:
                return
            kind = type(error).__name__
            text = (
                f"handling {self.topic_name} failed, {len(messages)} messages are dropped:"
                f" {kind}: {error}"
            )
            self._speaker.say([Complaint(Severity.ERROR, "failures", text, kind, once=False)])

    @property
    def _is_over(self) -> bool:
        return self._stopping or not self._context.ok()

    def _open_to_executor(self) -> None:
        self._group.open = not self._stopping
        executor = self._node.executor
        if executor is not None:
            executor.wake()


class _Gate(MutuallyExclusiveCallbackGroup):
    """A callback group that the executor passes by until it is open."""

    def __init__(self) -> None:
        super().__init__()
        self.open = False

    def can_execute(self, entity: Any) -> bool:
        return self.open and bool(super().can_execute(entity))

    def beginning_execution(self, entity: Any) -> bool:
        return self.open and bool(super().beginning_execution(entity))


def _waiter(context: Context, subscription: Any, guard: GuardCondition) -> Callable[[int], None]:
    """Return a function that waits, for at most so many ns, for a message or the guard.

    The wait set is made once. What it waits for is added each time, because waiting removes what
    was not ready.
    """
    from rclpy.impl.implementation_singleton import rclpy_implementation

    native: Any = context.handle
    with native:
        waits = rclpy_implementation.WaitSet(1, 1, 0, 0, 0, 0, native)
    wake = guard.handle
    # Bound once: to look them up at every turn costs as much as to call them.
    clear, add_subscription = waits.clear_entities, waits.add_subscription
    add_guard, wait_for_any = waits.add_guard_condition, waits.wait

    def wait(timeout: int) -> None:
        clear()
        add_subscription(subscription)
        add_guard(wake)
        wait_for_any(timeout)

    return wait
