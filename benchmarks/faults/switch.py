"""A deadman that is held, let go, or falls silent as it is told: `hold`, `let go`, `silent`.

    python -m benchmarks.faults.switch

A process of its own, since nobody who measures times may wait for whom it sends to.
"""

from __future__ import annotations

import rclpy
from rclpy.qos import QoSProfile
from std_msgs.msg import Bool

from benchmarks.faults.source import serve

PERIOD = 0.02


class Switch:
    """What is published."""

    def __init__(self) -> None:
        self.period = PERIOD
        self._publisher = rclpy.create_node("switch").create_publisher(
            Bool, "deadman", QoSProfile(depth=10)
        )
        self.obey("hold")

    def obey(self, line: str) -> None:
        """Change what is published."""
        self._is_held = line.strip() != "let go"
        self._falls_silent = line.strip() == "silent"
        self._speaks = True

    def publish(self) -> None:
        """Say whether it is held; once more before it falls silent."""
        if self._speaks:
            self._publisher.publish(Bool(data=self._is_held))
        self._speaks = not self._falls_silent


def main() -> None:
    """Publish until standard input ends."""
    rclpy.init()
    serve(Switch(), 40)


if __name__ == "__main__":
    main()
