"""The source: serialised joint states at a steady rate until told to stop (SIGTERM).

    python -m benchmarks.state_path.source panda.urdf RATE

Writes the stamps of all that it sent, int64 ns, when it is told to.
"""

from __future__ import annotations

import gc
import itertools
import signal
import sys
import threading
import time
from array import array

import numpy as np
import rclpy
from rclpy.duration import Duration
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState

from robodyn_ros import load
from robodyn_ros.ros.cdr.template import Template
from robodyn_ros.ros.demo_motion import SmoothMotion

PERIOD = 8.0
"""Seconds of one swing; the samples of one are made before."""
_PROFILE = QoSProfile(depth=2000, reliability=ReliabilityPolicy.RELIABLE)
_ACKNOWLEDGED_WITHIN = Duration(seconds=5.0)


def publish(path: str, rate: float, stop: threading.Event) -> array[int]:
    """Publish the states of a smooth motion from when somebody listens on; return their stamps."""
    names, rows = _swing(path, round(rate * PERIOD))
    count = len(names)
    message = JointState(name=list(names), position=[0.0] * count, velocity=[0.0] * count)
    fields = [f"{kind}[{k}]" for kind in ("position", "velocity") for k in range(count)]
    template = Template(message, numbers=list(zip(fields, range(2 * count), strict=True)))
    publisher = rclpy.create_node("state_path_source").create_publisher(
        JointState, "joint_states", _PROFILE
    )
    while publisher.get_subscription_count() == 0 and not stop.is_set():
        time.sleep(0.01)
    stamps = array("q")
    gc.disable()
    start = time.perf_counter()
    for k, row in enumerate(itertools.cycle(rows)):
        if (left := start + k / rate - time.perf_counter()) > 0.0:
            time.sleep(left)
        if stop.is_set():
            break
        stamp = time.time_ns()
        publisher.publish(template.fill(stamp, row))
        stamps.append(stamp)
    publisher.wait_for_all_acked(_ACKNOWLEDGED_WITHIN)
    return stamps


def _swing(path: str, steps: int) -> tuple[tuple[str, ...], np.ndarray]:
    """Return the joints' names and (steps, 2 n) positions and velocities, which fit end to end."""
    motion = SmoothMotion(load(path, compile="off").model, amplitude=0.5, period=PERIOD, seed=0)
    angles = 2.0 * np.pi * np.arange(steps)[:, np.newaxis] / steps + np.arange(len(motion.names))
    speed = 2.0 * np.pi / PERIOD
    position = motion.center + motion.reach * np.sin(angles)
    return motion.names, np.hstack([position, motion.reach * speed * np.cos(angles)])


def main() -> None:
    """Publish until the process is told to stop."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    sent = publish(sys.argv[1], float(sys.argv[2]), stop)
    sys.stdout.buffer.write(sent.tobytes())
    sys.stdout.flush()
    rclpy.try_shutdown()


if __name__ == "__main__":
    main()
