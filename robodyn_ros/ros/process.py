"""The life of a node's process: quiet ends on SIGINT and SIGTERM, one line for a bad start.

An executable calls `run` before anything heavy is imported, so that a signal during the imports or
the loading of a robot ends the process as quietly as one during traffic.
"""

from __future__ import annotations

import importlib
import signal
import sys
from collections.abc import Sequence
from types import FrameType

SWITCH_INTERVAL = 5e-4
"""Seconds after which a running Python thread lets another one run; ten times it by default."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _StopError(BaseException):
    """Unwinds the start-up; a BaseException, so that no `except Exception` on the way holds it."""


class _Stop:
    """What a signal does: unwinds the start-up, is only noted from `note_only` on."""

    def __init__(self) -> None:
        self.asked = False
        self._unwind = True

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        if self._unwind:
            self._unwind = False
            raise _StopError

    def note_only(self) -> None:
        """Stop unwinding: the executor's wait ends by rclpy's own handling of the signal."""
        self._unwind = False


def run(module: str, node_class: str, args: Sequence[str] | None = None) -> int:
    """Run a node until it is told to stop.

    Args:
        module: Module to import the node from.
        node_class: Name of the node class in it; made without arguments.
        args: Command line without the program's name; the process's own by default.

    Returns:
        0 after SIGINT, SIGTERM or a shutdown of the context; 1 when the node cannot start, with
        one line on the console that says why.
    """
    stop = _Stop()
    for number in _SIGNALS:
        signal.signal(number, stop)
    try:
        return _spin(module, node_class, args, stop)
    except _StopError:
        return 0
    except BaseException:
        if stop.asked:
            return 0
        raise
    finally:
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)


def _spin(module: str, node_class: str, args: Sequence[str] | None, stop: _Stop) -> int:
    import rclpy
    from rclpy.exceptions import ParameterException
    from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
    from rclpy.signals import SignalHandlerOptions, install_signal_handlers

    from robodyn_ros.errors import RobodynError

    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        rclpy.init(
            args=None if args is None else [sys.argv[0], *args],
            signal_handler_options=SignalHandlerOptions.NO,
        )
    except Exception as error:  # noqa: BLE001 - rclpy has several types for a bad argument or file
        return _fail("robodyn_ros", error)
    executor = SingleThreadedExecutor()
    try:
        node = getattr(importlib.import_module(module), node_class)()
        executor.add_node(node)
        # They shut the context down and so end the executor's wait; a start-up is unwound by ours.
        install_signal_handlers(SignalHandlerOptions.ALL)
        stop.note_only()
        while not stop.asked and rclpy.ok():
            executor.spin_once()
        node.destroy_node()
    except (RobodynError, ParameterException) as error:
        return _fail(module.rpartition(".")[2], error)
    except ExternalShutdownException:
        node.destroy_node()
    finally:
        executor.shutdown()
        rclpy.try_shutdown()
    return 0


def _fail(name: str, error: Exception) -> int:
    """Log why a node cannot start, in one line."""
    from rclpy.logging import get_logger

    get_logger(name).fatal(" ".join(_text(error).split()))
    return 1


def _text(error: Exception) -> str:
    """Return what is wrong; ParameterException's text is a tuple of text and name."""
    reason = str(error.args[0]) if error.args else str(error)
    return reason.partition("Reason: ")[2] or reason
