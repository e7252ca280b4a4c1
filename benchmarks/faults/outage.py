"""A controller that is killed and started again, with an arm in MuJoCo."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from std_msgs.msg import Float64MultiArray

from benchmarks.control import PANDA, path_of
from benchmarks.control_arm import ControlArm
from benchmarks.control_graph import DEPTH

TIMEOUT = 0.05
"""s after which the drives hold the arm by themselves."""
RATE = 500.0
_REST = 2.0


def outages(times: int) -> Iterator[str]:
    """Yield what becomes of an arm whose controller is killed and started again."""
    times = max(2, times // 4)
    seconds, moved, steps = [], [], []
    hardware = {"effort_timeout": TIMEOUT, "hold_after_timeout": True}
    with ControlArm(
        path_of(PANDA), PANDA.position, "gravity_compensation", RATE, hardware=hardware
    ) as arm:
        commands: list[tuple[float, np.ndarray]] = []
        arm.node.create_subscription(
            Float64MultiArray,
            "forward_effort_controller/commands",
            lambda message: commands.append((time.monotonic(), np.array(message.data))),
            DEPTH,
        )
        for _ in range(times):
            arm.spin(_REST)
            count, last = len(arm.states), commands[-1][1]
            killed = time.monotonic()
            arm.controller.kill()
            arm.controller.wait()
            arm.start_controller()
            arm.spin(0.2)
            sent = len(commands)
            arm.activate()
            arm.wait(lambda sent=sent: len(commands) > sent, "a command")
            at, first = commands[sent]
            arm.spin(_REST)
            place = arm.positions(count)
            seconds.append(at - killed)
            steps.append(float(np.max(np.abs(first - last))))
            moved.append(float(np.degrees(np.max(np.abs(place - place[0])))))
    yield (
        f"\nThe controller killed (SIGKILL) and started again, {times} times: the drives of the"
        f" hardware (`effort_timeout` {TIMEOUT:g} s, `hold_after_timeout`) hold the arm meanwhile."
        " From the kill to the first command of the new one, activated as soon as it allows it:"
        f" {np.median(seconds):.1f} s, at most {max(seconds):.1f} s. Its first command differs by"
        f" at most {max(steps):.2f} N m from the last one of the old. The arm moves by at most"
        f" {max(moved):.2f}° in all that time and {_REST:g} s after."
    )
