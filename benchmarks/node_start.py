"""How long state_publisher takes from the start of its process to its first transforms."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import rclpy
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState

from tf2_msgs.msg import TFMessage

DEADLINE = 30.0
_EXECUTABLE = [sys.executable, "-m", "robodyn_ros.nodes.executables", "state_publisher"]


def node_start(description: Path, joints: list[str], rounds: int = 5) -> dict[str, float]:
    """Return median seconds from process start to the first static and the first moving TF.

    Joint states at 200 Hz and both subscriptions are there before the process is. The first round
    makes the kernels, if need be, and is not counted.
    """
    rclpy.init()
    try:
        rows = [_start_once(description, joints) for _ in range(rounds + 1)][1:]
    finally:
        rclpy.try_shutdown()
    return {key: statistics.median(row[key] for row in rows) for key in rows[0]}


def _start_once(description: Path, joints: list[str]) -> dict[str, float]:
    node = rclpy.create_node("observer")
    seen: dict[str, float] = {}
    latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    for topic, qos in (("/tf_static", latched), ("/tf", QoSProfile(depth=10))):
        node.create_subscription(
            TFMessage, topic, lambda _, t=topic: seen.setdefault(t, time.perf_counter()), qos
        )
    publisher = node.create_publisher(JointState, "joint_states", 10)
    message = JointState(name=joints, position=[0.1] * len(joints))

    def publish() -> None:
        message.header.stamp = node.get_clock().now().to_msg()
        publisher.publish(message)

    node.create_timer(0.005, publish)
    begin = time.perf_counter()
    process = subprocess.Popen(
        [*_EXECUTABLE, "--ros-args", "-p", f"robot_description_file:={description}"],
        env={k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while len(seen) < 2:
            rclpy.spin_once(node, timeout_sec=0.1)
            if time.perf_counter() - begin > DEADLINE:
                raise SystemExit(f"no transforms within {DEADLINE} s, only {sorted(seen)}")
        # Let the kernels reach the cache in the first round.
        time.sleep(2.0)
    finally:
        process.terminate()
        process.wait()
        node.destroy_node()
    return {topic: at - begin for topic, at in seen.items()}
