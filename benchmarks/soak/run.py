"""One run with one robot: the node in a process of its own, the stream, the checker."""

from __future__ import annotations

import contextlib
import signal
import statistics
import sys
import threading
import time
from pathlib import Path
from typing import Any

from benchmarks.soak.checker import Checker
from benchmarks.soak.motion import Truth
from benchmarks.soak.stream import Stream
from robodyn_ros import load
from robodyn_ros.conditioning.stepper import Stepper
from robodyn_ros.ros.process import SWITCH_INTERVAL
from ros_graph import DEADLINE, NodeProcess, node_command

import rclpy  # isort: skip - after ros_graph, which chooses a domain
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor  # isort: skip

PAUSE = 0.02
WARM_UP = 0.25
"""Share of the run after which memory has to stay as it is; a minute at most."""
GROWTH = 5.0
"""MB."""
LINES = 120.0
"""Lines of log a minute, and as many besides: each fault says what it is, seldom again."""


class Run:
    """A node, what it is sent and what it makes of it."""

    def __init__(self, path: Path, *, by_topic: bool, publish_outliers: bool, seed: int) -> None:
        """Start all.

        Args:
            path: The robot's URDF.
            by_topic: Whether it comes on robot_description, or is given as a file.
            publish_outliers: As the parameter; without them every transform has to be true.
            seed: Of the motion and the faults.
        """
        sys.setswitchinterval(SWITCH_INTERVAL)
        robot = load(path, compile="wait")
        # So that the node finds its kernel at the start: this is no test of the plain path.
        Stepper(robot.model, "wait").prepare(wait=True)
        rclpy.init()
        node = rclpy.create_node("soak")
        truth = Truth(robot, seed)
        self._checker = Checker(
            rclpy.create_node("soak_checker"), truth, strict_transforms=not publish_outliers
        )
        self._stream = Stream(node, truth, self._checker, seed)
        parameters: dict[str, Any] = {"publish_outliers": publish_outliers}
        if not by_topic:
            parameters["robot_description_file"] = path
        self._process = NodeProcess(node_command("state_publisher", parameters))
        if by_topic:
            self._stream.describe(path.read_text())
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(node)
        threading.Thread(target=self._spin, daemon=True).start()
        self._memory: list[tuple[float, float]] = []

    def _spin(self) -> None:
        # For replies of services only: the checker takes what is published by itself.
        with contextlib.suppress(ExternalShutdownException):
            self._executor.spin()

    def go(self, seconds: float) -> dict[str, Any]:
        """Run for some time and return the figures."""
        try:
            self._connect()
            self._watch(seconds)
        finally:
            code = self._end()
        return self._figures(code, seconds)

    def _connect(self) -> None:
        end = time.monotonic() + DEADLINE
        while not (self._stream.is_connected and self._checker.is_connected):
            if time.monotonic() > end or self._process.process.poll() is not None:
                raise SystemExit(f"state_publisher does not come up:\n{self._process.output}")
            time.sleep(PAUSE)
        time.sleep(1.0)

    def _watch(self, seconds: float) -> None:
        self._stream.start()
        self._checker.epoch = self._stream.epoch
        due = 0.0
        while (now := self._stream.now) < seconds:
            time.sleep(PAUSE)
            self._checker.take()
            self._checker.overdue(now)
            if self._process.process.poll() is not None:
                self._checker.violated("node ended", f"after {now:.1f} s")
                self._stream.abandon()
                return
            if self._stream.failure is not None:
                raise SystemExit(f"the stream failed: {self._stream.failure!r}")
            if now > due:
                due = now + 0.5
                self._memory.append((now, self._resident()))
        stopper = threading.Thread(target=self._stream.stop)
        stopper.start()
        while stopper.is_alive():
            time.sleep(PAUSE)
            self._checker.take()

    def _resident(self) -> float:
        status = Path(f"/proc/{self._process.process.pid}/status").read_text()
        line = next(x for x in status.splitlines() if x.startswith("VmRSS"))
        return int(line.split()[1]) / 1024.0

    def _end(self) -> int:
        code = self._process.stop(signal.SIGINT)
        self._checker.take()
        rclpy.try_shutdown()
        return code

    def _figures(self, code: int, seconds: float) -> dict[str, Any]:
        checker, output = self._checker, self._process.output
        lines = len(output.splitlines())
        if code != 0:
            checker.violated("exit code", str(code))
        for bad in ("Traceback", "failed", "RuntimeWarning"):
            for line in self._process.lines(bad):
                checker.violated("in the log", line)
        if lines > LINES * (1.0 + seconds / 60.0):
            checker.violated("log too long", f"{lines} lines")
        begin = min(WARM_UP * seconds, 60.0)
        settled = [mb for at, mb in self._memory if at >= begin] or [0.0]
        quarter = max(1, len(settled) // 4)
        growth = statistics.median(settled[-quarter:]) - statistics.median(settled[:quarter])
        if growth > GROWTH:
            checker.violated("memory grows", f"{growth:.1f} MB")
        self._process.discard()
        return {
            "faults": dict(self._stream.faults),
            "sent": self._stream.count,
            "seen": dict(checker.seen),
            "longest": checker.longest,
            "growth": growth,
            "resident": settled[-1],
            "lines": lines,
            "violations": dict(checker.violations),
            "examples": checker.examples,
            "output": output if checker.violations else "",
            "python": sys.version.split()[0],
        }
