"""The driver of an arm that stands: joint states at a steady rate, wrong ones when told so.

    python -m benchmarks.faults.feed RATE NAME=POSITION=EFFORT ...

It is told (see `source`): `shift X`, rad of all joints; `nan`, of the first joint; `clock X`, s;
`rate X`, Hz; `effort X`, N m more of all joints; `good`, none of these but the shift.
"""

from __future__ import annotations

import math
import sys
import time

import rclpy
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState

from benchmarks.faults.source import serve


class Feed:
    """What is published."""

    def __init__(self, rate: float, joints: list[str]) -> None:
        self._rate = rate
        self._names = [text.split("=")[0] for text in joints]
        self._position = [float(text.split("=")[1]) for text in joints]
        self._efforts = [float(text.split("=")[2]) for text in joints]
        self._shift = 0.0
        self.period = 1.0 / rate
        self._publisher = rclpy.create_node("feed").create_publisher(
            JointState, "joint_states", QoSProfile(depth=100)
        )
        self.obey("good")

    def obey(self, line: str) -> None:
        """Change what is published."""
        word, *numbers = line.split()
        number = float(numbers[0]) if numbers else 0.0
        if word == "good":
            self._clock, self._nan, self._effort = 0.0, False, 0.0
            self.period = 1.0 / self._rate
        elif word == "shift":
            self._shift = number
        elif word == "nan":
            self._nan = True
        elif word == "clock":
            self._clock = number
        elif word == "rate":
            self.period = 1.0 / number
        elif word == "effort":
            self._effort = number

    def publish(self) -> None:
        """Publish one state."""
        position = [x + self._shift for x in self._position]
        if self._nan:
            position[0] = math.nan
        count = len(position)
        message = JointState(
            name=self._names,
            position=position,
            velocity=[0.0] * count,
            effort=[x + self._effort for x in self._efforts],
        )
        now = time.time() + self._clock
        message.header.stamp.sec = int(now)
        message.header.stamp.nanosec = int((now - int(now)) * 1e9)
        self._publisher.publish(message)


def main() -> None:
    """Publish until standard input ends."""
    rclpy.init()
    serve(Feed(float(sys.argv[1]), sys.argv[2:]), 40)


if __name__ == "__main__":
    main()
