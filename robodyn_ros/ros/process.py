"""The life of a node's process: quiet ends on SIGINT and SIGTERM, one line for a bad start.

An executable calls `run` before anything heavy is imported, so that a signal during the imports or
the loading of a robot ends the process as quietly as one during traffic.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from robodyn_ros.conditioning.complaints import Complaint, Severity, one_line
from robodyn_ros.errors import RobodynError
from robodyn_ros.ros.stop_signals import StopSignals

if TYPE_CHECKING:
    from rclpy.executors import Executor
    from rclpy.node import Node

SWITCH_INTERVAL = 1e-4
"""Seconds after which a running Python thread lets another one run; 5e-3 by default. Where another
Python thread is busy, each wake-up of the thread that serves joint states waits for it."""

FAILURE_PAUSE = 0.05
"""Seconds to wait after a callback that failed right after another one, so that a fault which
comes at every turn does not take a whole core."""


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
    stop = StopSignals()
    try:
        return _start(module, node_class, args, stop)
    except Exception:
        if stop.asked:
            return 0
        raise
    finally:
        stop.ignore()


def log_directory_problem() -> str:
    """Return why ROS 2 has no place for its log files, "" where it has one."""
    if any(os.environ.get(name) for name in ("ROS_LOG_DIR", "ROS_HOME", "HOME")):
        return ""
    return "ROS 2 has no directory for its log files: set HOME or ROS_LOG_DIR"


def _start(module: str, node_class: str, args: Sequence[str] | None, stop: StopSignals) -> int:
    """Start the node and spin it, unless a signal came between two of the steps."""
    try:
        import rclpy
        from rclpy.signals import SignalHandlerOptions
    except ImportError as error:
        sys.stderr.write(
            f"ROS 2 is not found ({one_line(error)}): source its setup file, or run in the"
            " environment that `make venv` makes\n"
        )
        return 1

    sys.setswitchinterval(SWITCH_INTERVAL)
    if stop.asked:
        return 0
    problem = log_directory_problem()
    if problem:
        return _fail("robodyn_ros", problem)
    try:
        rclpy.init(
            args=None if args is None else [sys.argv[0], *args],
            signal_handler_options=SignalHandlerOptions.NO,
        )
    except Exception as error:  # noqa: BLE001 - rclpy has several types for a bad argument or file
        return _fail("robodyn_ros", _reason(error))
    try:
        return 0 if stop.asked else _serve(module, node_class, stop)
    finally:
        rclpy.try_shutdown()


def _serve(module: str, node_class: str, stop: StopSignals) -> int:
    from rclpy.exceptions import ParameterException
    from rclpy.executors import SingleThreadedExecutor
    from rclpy.signals import SignalHandlerOptions, install_signal_handlers

    from robodyn_ros.ros.answers import answer_always
    from robodyn_ros.ros.garbage import keep

    executor = SingleThreadedExecutor()
    try:
        kind = getattr(importlib.import_module(module), node_class)
        if stop.asked:
            return 0
        node = kind()
        answer_always(node)
        executor.add_node(node)
        keep()
        # They shut the context down and so end the executor's wait; ours only note the signal.
        install_signal_handlers(SignalHandlerOptions.ALL)
        stop.note_only()
        _spin(executor, node, stop)
        node.destroy_node()
    except ImportError as error:
        reason = f"{one_line(error)}: source the workspace that has it, or install it"
        return _fail(module.rpartition(".")[2], reason)
    except (RobodynError, ParameterException) as error:
        return _fail(module.rpartition(".")[2], _reason(error))
    finally:
        executor.shutdown()
    return 0


def _spin(executor: Executor, node: Node, stop: StopSignals) -> None:
    """Handle callbacks until the node is told to stop; one that fails is logged and no more."""
    import rclpy

    from robodyn_ros.ros.speaker import Speaker

    speaker = Speaker(node)
    last = None
    while not stop.asked and rclpy.ok():
        error = _turn(executor)
        if error is not None:
            kind = type(error).__name__
            text = f"a callback failed, what it was given is dropped: {kind}: {one_line(error)}"
            speaker.say([Complaint(Severity.ERROR, "failures", text, kind, once=False)])
            if last is not None:
                time.sleep(FAILURE_PAUSE)
        last = error


def _turn(executor: Executor) -> Exception | None:
    """Wait for a callback and run it; return what it raised, or that the context is shut down."""
    try:
        executor.spin_once()
    except Exception as error:  # noqa: BLE001 - whoever's fault it is, the node lives on
        return error
    return None


def _fail(name: str, reason: str) -> int:
    """Log why a node cannot start, in one line."""
    from rclpy.logging import get_logger

    get_logger(name).fatal(one_line(reason))
    return 1


def _reason(error: Exception) -> str:
    """Return what is wrong, in plain words."""
    from rclpy.exceptions import ParameterException

    reason = str(error)
    if type(error).__name__ == "UnknownROSArgsError":
        return f"unknown arguments behind --ros-args: {reason.strip('[]')}"
    if isinstance(error, ParameterException):
        reason = reason.rpartition(": ")[0] or reason  # the name, which is in the text already
        return reason.partition("Reason: ")[2] or reason
    return reason
