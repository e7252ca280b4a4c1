"""One run: the processes, the window that counts, what came of it."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
import time
from array import array
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.state_path.modes import Mode
from benchmarks.state_path.nodes import BUSY_THREAD
from benchmarks.state_path.processes import cpu, cpu_of_threads, module
from benchmarks.state_path.receiver import DEADLINE, Receiver

WARM_UP = 2.0
"""Seconds of traffic before the window, in which the kernel is loaded."""
NODE_NAME = "state_publisher"
"""Name of every node that is measured, so that its private topics have the same names."""
_AFTERWARDS = 1.5
"""Seconds that the source goes on after the window: for what is on its way, and one more report."""


@dataclass(frozen=True)
class Measurement:
    """What one run gave; all of it of the window only.

    In a cold start the window is from the first state to the kernel, and CPU time is NaN: it would
    be that of the imports and of loading the robot.

    Attributes:
        sent: Joint states that the source published.
        received: Of these, the ones whose transforms arrived.
        cut: The ones that the node merged and did not publish, because too many waited: its own
            count, from the report before the window on.
        latency: Latency of each that arrived, s.
        cpu: CPU time of the node's process, s, without its busy thread.
        threads: CPU time of its threads by their names, s.
        compiled: Seconds from the start of the process to its kernel; None where that was there.
    """

    sent: int
    received: int
    cut: int
    latency: np.ndarray
    cpu: float
    threads: Mapping[str, float]
    compiled: float | None

    @property
    def lost(self) -> int:
        """Joint states whose transforms did not arrive."""
        return self.sent - self.received

    @property
    def cpu_per_message(self) -> float:
        """CPU time of the node's process for each joint state, s."""
        return self.cpu / self.sent

    def percentile(self, share: float) -> float:
        """Return a percentile of the latency, s; NaN where nothing arrived."""
        return float(np.percentile(self.latency, share)) if len(self.latency) else float("nan")


def measure(mode: Mode, path: Path, rate: float, seconds: float) -> Measurement:
    """Run the processes of one mode.

    Args:
        mode: What to measure.
        path: The robot's description.
        rate: Joint states a second.
        seconds: Length of the window, if the mode allows it.
    """
    import rclpy

    rclpy.init()
    try:
        receiver = Receiver(everything=mode.everything, efforts=mode.efforts)
        with tempfile.TemporaryFile() as stamps, tempfile.TemporaryDirectory() as cache:
            options = [str(path), str(rate)]
            with module("benchmarks.state_path.source", options, stdout=stamps) as source:
                receiver.watch(lambda: receiver.has_source, DEADLINE)
                window = _window(mode, path, receiver, source, min(seconds, mode.longest), cache)
            stamps.seek(0)
            sent = array("q", stamps.read())
    finally:
        rclpy.try_shutdown()
    return _result(sent, receiver, window)


class _Usage(NamedTuple):
    cpu: float
    threads: Counter[str]


class _Window(NamedTuple):
    begin: float
    end: float
    cut: int
    usage: _Usage
    compiled: float | None


def _window(
    mode: Mode,
    path: Path,
    receiver: Receiver,
    source: subprocess.Popen[bytes],
    seconds: float,
    cache: str,
) -> _Window:
    """Run the node and end the source; return when the window was, and what was used in it."""
    watch = receiver.watch
    options = [mode.node, "--ros-args", "-p", f"robot_description_file:={path}"]
    options += ["-p", "joint_states_reliability:=reliable", "-r", f"__node:={NODE_NAME}"]
    own_cache = cache if mode.cold else None
    with contextlib.ExitStack() as stack:
        born = time.time()
        node = stack.enter_context(module("benchmarks.state_path.nodes", options, cache=own_cache))
        if mode.compiling:
            stack.enter_context(module("benchmarks.state_path.compiling", [str(path)]))
        watch(lambda: bool(receiver.arrivals) or node.poll() is not None, DEADLINE)
        if node.poll() is not None:
            raise SystemExit(f"{mode.name}: the node ended with {node.returncode}")
        if not mode.cold:
            watch(_reached(time.time() + WARM_UP))
        begin, cut, before = time.time(), receiver.cut, _usage(node.pid)
        compiled = None
        if mode.cold:
            begin, cut, before = born, 0, _Usage(float("nan"), Counter())
            kernels = Path(cache) / "robodyn_ros"
            watch(lambda: any(kernels.glob("*.kernel")), DEADLINE)
            compiled = time.time() - born
        else:
            watch(_reached(begin + seconds))
        after, end = _usage(node.pid), time.time()
        watch(_reached(end + _AFTERWARDS))
        source.terminate()
        watch(lambda: source.poll() is not None, DEADLINE)
    used = _Usage(after.cpu - before.cpu, after.threads - before.threads)
    return _Window(begin, end, receiver.cut - cut, used, compiled)


def _reached(end: float) -> Callable[[], bool]:
    return lambda: time.time() >= end


def _usage(pid: int) -> _Usage:
    threads = cpu_of_threads(pid)
    return _Usage(cpu(pid) - threads.pop(BUSY_THREAD, 0.0), threads)


def _result(sent: array[int], receiver: Receiver, window: _Window) -> Measurement:
    arrivals = receiver.arrivals
    stamps = [stamp for stamp in sent if window.begin * 1e9 <= stamp < window.end * 1e9]
    latency = [arrivals[stamp] - stamp for stamp in stamps if stamp in arrivals]
    return Measurement(
        len(stamps),
        len(latency),
        window.cut,
        np.array(latency) * 1e-9,
        window.usage.cpu,
        window.usage.threads,
        window.compiled,
    )
