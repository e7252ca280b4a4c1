"""state_publisher under a steady stream of joint states: rates, losses, latency and CPU.

    python -m benchmarks.state_publisher_rate [--robot panda] [--rate 500] [--seconds 60]

Three processes on this machine: a source, the node, and this one, which receives /tf as bytes.
Latency is from the stamp, taken just before the state is published, to the arrival of its
transforms here; CPU is that of the node's process alone, all of its threads.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

os.environ.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
os.environ.setdefault("ROS_DOMAIN_ID", str(1 + os.getpid() % 100))

WARM_UP = 2.0
"""Seconds of traffic before the measurement, in which the kernels are loaded."""
COUNTED = ("input", "tf", "body_states", "merged only, backlog")
"""The node's counts that are shown."""
_STAMP = struct.Struct("<iI")
_STAMP_OFFSET = 8
"""Behind the CDR header and the number of transforms."""


@dataclass(frozen=True)
class Measurement:
    """What one run gave.

    Attributes:
        sent: Joint states that the source published in the window.
        received: Of these, the ones whose transforms arrived.
        seconds: Length of the window.
        latency: Latency of each, s.
        cpu: CPU time of the node's process in the window, s.
        bodies: Whether body states were subscribed too.
        counts: The node's own counts of the whole run, warm-up included.
    """

    sent: int
    received: int
    seconds: float
    latency: np.ndarray
    cpu: float
    bodies: bool
    counts: Mapping[str, int]

    def text(self) -> str:
        """Return the figures in four lines."""
        p50, p99, worst = np.percentile(self.latency, [50, 99, 100]) * 1e3
        lost = self.sent - self.received
        outputs = "TF and body states" if self.bodies else "TF alone"
        counted = ", ".join(f"{name} {count}" for name, count in self.counts.items())
        return (
            f"{outputs}: {self.sent} joint states in {self.seconds:.1f} s"
            f" ({self.sent / self.seconds:.1f}/s), lost {lost} ({100 * lost / self.sent:.2f} %)\n"
            f"  latency to /tf: p50 {p50:.2f} ms, p99 {p99:.2f} ms, worst {worst:.2f} ms\n"
            f"  CPU of the node: {1e6 * self.cpu / self.sent:.0f} us a message,"
            f" {100 * self.cpu / self.seconds:.1f} % of a core\n"
            f"  the node counted: {counted}"
        )


def measure(path: Path, rate: float, seconds: float, *, bodies: bool = False) -> Measurement:
    """Run the three processes and return what was measured.

    Args:
        path: The robot's description.
        rate: Joint states a second.
        seconds: Length of the measured window, after the warm-up.
        bodies: Whether to subscribe to body states too.
    """
    from robodyn_ros import load

    load(path).compile()
    with (
        tempfile.TemporaryFile("w+") as stamps,
        contextlib.closing(_Receiver(bodies=bodies)) as receiver,
        _node(path) as publisher,
        _source(path, rate, WARM_UP + seconds, stamps) as source,
    ):
        receiver.spin_until(lambda: bool(receiver.arrivals))
        begin = time.time() + WARM_UP
        receiver.spin_until(lambda: time.time() >= begin)
        cpu = _cpu(publisher.pid)
        receiver.spin_until(lambda: source.poll() is not None)
        cpu = _cpu(publisher.pid) - cpu
        end = time.time() + 2.0
        receiver.spin_until(lambda: time.time() >= end)
        stamps.seek(0)
        sent = np.array([int(line) for line in stamps])
    window = sent[sent * 1e-9 >= begin]
    arrivals = receiver.arrivals
    latency = np.array([arrivals[stamp] for stamp in window.tolist() if stamp in arrivals])
    length = float(window[-1] - window[0]) * 1e-9
    return Measurement(
        len(window), len(latency), length, latency, cpu, bodies, dict(receiver.counts)
    )


class _Receiver:
    """Receives what the node publishes, as bytes where it comes often.

    Attributes:
        arrivals: Latency in s by stamp in ns.
        counts: The node's own counts.
    """

    def __init__(self, *, bodies: bool) -> None:
        import rclpy
        from diagnostic_msgs.msg import DiagnosticArray
        from rclpy.executors import SingleThreadedExecutor
        from robodyn_interfaces.msg import BodyStateArray

        from robodyn_ros.ros import qos
        from tf2_msgs.msg import TFMessage

        rclpy.init()
        self.arrivals: dict[int, float] = {}
        self.counts: dict[str, int] = {}
        self._node = node = rclpy.create_node("state_publisher_rate")
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(node)
        node.create_subscription(TFMessage, "/tf", self._transforms, qos.TF, raw=True)
        node.create_subscription(DiagnosticArray, "/diagnostics", self._report, qos.DIAGNOSTICS)
        if bodies:
            topic = "state_publisher/body_states"
            node.create_subscription(BodyStateArray, topic, len, qos.STREAM, raw=True)

    def spin_until(self, condition: Callable[[], bool]) -> None:
        """Receive until a condition holds."""
        while not condition():
            self._executor.spin_once(timeout_sec=0.1)

    def close(self) -> None:
        """Leave the graph."""
        import rclpy

        self._executor.shutdown()
        self._node.destroy_node()
        rclpy.shutdown()

    def _transforms(self, data: bytes) -> None:
        now = time.time()
        sec, nanosec = _STAMP.unpack_from(data, _STAMP_OFFSET)
        stamp = sec * 1_000_000_000 + nanosec
        self.arrivals.setdefault(stamp, now - stamp * 1e-9)

    def _report(self, message: Any) -> None:
        for status in message.status:
            self.counts.update({v.key: int(v.value) for v in status.values if v.key in COUNTED})


@contextlib.contextmanager
def _node(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "robodyn_ros.nodes.executables", "state_publisher"]
    options = ["--ros-args", "-p", f"robot_description_file:={path}"]
    options += ["-p", "joint_states_reliability:=reliable"]
    with subprocess.Popen([*command, *options]) as process:
        try:
            yield process
        finally:
            process.terminate()


@contextlib.contextmanager
def _source(
    path: Path, rate: float, seconds: float, stamps: IO[str]
) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "benchmarks.state_publisher_rate", "--source"]
    options = ["--robot", str(path), "--rate", str(rate), "--seconds", str(seconds)]
    with subprocess.Popen([*command, *options], stdout=stamps) as process:
        try:
            yield process
        finally:
            process.terminate()


def _cpu(pid: int) -> float:
    """Return the CPU time that a process has used, s."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _publish(path: Path, rate: float, seconds: float) -> None:
    """Be the source: publish at a steady rate, then print the stamps, ns."""
    import rclpy
    from sensor_msgs.msg import JointState

    from robodyn_ros import load
    from robodyn_ros.ros import qos
    from robodyn_ros.ros.demo_motion import SmoothMotion

    motion = SmoothMotion(load(path, compile="off").model, amplitude=0.5, period=8.0, seed=0)
    rclpy.init()
    node = rclpy.create_node("state_publisher_rate_source")
    publisher = node.create_publisher(JointState, "joint_states", qos.TF)
    while publisher.get_subscription_count() == 0:
        time.sleep(0.05)
    time.sleep(0.5)
    message, stamps = JointState(name=list(motion.names)), []
    start = time.perf_counter()
    for k in range(round(rate * seconds)):
        while (left := start + k / rate - time.perf_counter()) > 0.0:
            time.sleep(left)
        sample = motion.at(k / rate)
        message.position, message.velocity = sample.position.tolist(), sample.velocity.tolist()
        stamps.append(time.time_ns())
        message.header.stamp.sec, message.header.stamp.nanosec = divmod(stamps[-1], 1_000_000_000)
        publisher.publish(message)
    time.sleep(0.5)
    print(*stamps, sep="\n", flush=True)
    node.destroy_node()
    rclpy.shutdown()


def main() -> None:
    """Print the figures with TF alone and with body states."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--robot", default="panda")
    parser.add_argument("--rate", type=float, default=500.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--source", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    from robodyn_ros.cli.robot_files import find_robot

    path = find_robot(options.robot)
    if options.source:
        _publish(path, options.rate, options.seconds)
        return
    print(f"{path.name}, {options.rate:g} joint states a second for {options.seconds:g} s")
    for bodies in (False, True):
        print(measure(path, options.rate, options.seconds, bodies=bodies).text(), flush=True)


if __name__ == "__main__":
    main()
