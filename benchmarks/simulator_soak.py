"""A real simulator node for a long simulated time, under random efforts and resets.

It runs as fast as it can. Nothing that it publishes may be other than finite, and its memory must
not grow. How fast other robots go is told besides, each in a node of its own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile
from robodyn_interfaces.msg import SimulatorStatus
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger

from benchmarks.robots import ROBOTS
from benchmarks.state_path.processes import module

EXAMPLES = Path(__file__).parents[1] / "examples"
HOUR, QUICK = 3600.0, 20.0
"""Simulated seconds of the soak."""
RATE = 50.0
COMMANDS = 0.02
"""Seconds of wall time between two commands."""
RESET_EVERY = 2.0
"""Seconds of wall time between two resets."""
SHARE = 0.5
"""Share of its effort limit that a motor exerts at most."""
UNLIMITED = 50.0
DEADLINE = 600.0
LOOK = 5.0
"""Seconds of wall time over which a real-time factor is looked at."""
_SIMULATOR = "/simulator"


@dataclass
class Witness:
    """What a node says of itself, looked at.

    Attributes:
        states: Joint states so far.
        fastest: Highest speed seen, rad/s or m/s.
        bad: Numbers that were not finite.
        stamp: Simulated time of the last state, s.
        status: The last status.
    """

    states: int = 0
    fastest: float = 0.0
    bad: int = 0
    stamp: float = 0.0
    status: SimulatorStatus = field(default_factory=SimulatorStatus)

    def take_state(self, message: JointState) -> None:
        """Look at a joint state."""
        numbers = np.array([message.position, message.velocity, message.effort])
        self.states += 1
        self.bad += int(np.count_nonzero(~np.isfinite(numbers)))
        self.fastest = max(self.fastest, float(np.abs(numbers[1]).max(initial=0.0)))
        self.stamp = message.header.stamp.sec + message.header.stamp.nanosec * 1e-9

    def take_status(self, message: SimulatorStatus) -> None:
        """Look at a status."""
        self.status = message


@dataclass
class Soak:
    """What came of it: simulated and wall time, s; numbers of events; memory, MB."""

    simulated: float
    wall: float
    commands: int
    resets: int
    failures: int
    witness: Witness
    memory: list[float]


def simulator_soak_figures(simulated: float = HOUR) -> Iterator[str]:
    """Yield the tables."""
    soak = soaked(next(ROBOTS.rglob("panda.urdf")), simulated)
    seen = soak.witness
    yield f"### Panda under random efforts, {soak.simulated:.0f} simulated seconds\n"
    yield "| | |"
    yield "|---|---|"
    yield f"| wall time | {soak.wall:.0f} s, {soak.simulated / soak.wall:.1f} times real time |"
    yield f"| commands, resets | {soak.commands}, {soak.resets} |"
    yield f"| joint states seen, numbers not finite | {seen.states}, {seen.bad} |"
    yield f"| fastest joint | {seen.fastest:.1f} rad/s or m/s |"
    yield f"| motions that left all bounds | {soak.failures} |"
    first, last = soak.memory[0], soak.memory[-1]
    yield f"| memory after a tenth of it, at the end | {first:.1f} MB, {last:.1f} MB |"
    yield "\n### The simulator's real-time factor, steps of 1 ms, joint states at 50 Hz\n"
    yield "| | rk4 | semi_implicit_euler |"
    yield "|---|---|---|"
    for name, path in (
        ("Panda", next(ROBOTS.rglob("panda.urdf"))),
        ("Talos", next(ROBOTS.rglob("talos_reduced.urdf"))),
        ("Stewart platform", EXAMPLES / "stewart_platform.yaml"),
    ):
        factors = [real_time_factor(path, kind) for kind in ("rk4", "semi_implicit_euler")]
        yield f"| {name} | {' | '.join(f'{factor:.2f}' for factor in factors)} |"


def soaked(path: Path, simulated: float) -> Soak:
    """Run the soak."""
    with Run(path, "rk4") as run:
        rng = np.random.default_rng(0)
        run.wait_for_kernels()
        most = run.effort_limits()
        begun, start = time.monotonic(), run.witness.stamp
        soak = Soak(0.0, 0.0, 0, 0, 0, run.witness, [])
        next_reset = begun + RESET_EVERY
        while (done := run.witness.stamp - start) < simulated:
            efforts = rng.uniform(-SHARE, SHARE, len(most)) * most
            run.command(efforts)
            soak.commands += 1
            if time.monotonic() > next_reset:
                soak.failures += "leaves all bounds" in run.witness.status.trouble
                run.reset()
                soak.resets += 1
                next_reset += RESET_EVERY
            run.spin(COMMANDS)
            if done > 0.1 * simulated and not soak.memory:
                soak.memory.append(run.memory())
        soak.wall = time.monotonic() - begun
        soak.simulated = run.witness.stamp - start
        soak.memory.append(run.memory())
        return soak


def real_time_factor(path: Path, integrator: str) -> float:
    """Return simulated seconds per second of wall time of a robot that nothing drives."""
    with Run(path, integrator) as run:
        run.wait_for_kernels()
        begun, start = time.monotonic(), run.witness.stamp
        run.spin(LOOK)
        return (run.witness.stamp - start) / (time.monotonic() - begun)


class Run:
    """A simulator node at full speed, and a node that watches it."""

    def __init__(self, path: Path, integrator: str) -> None:
        """Start both."""
        options = {
            "robot_description_file": path,
            "real_time_factor": 0.0,
            "rate": RATE,
            "integrator": integrator,
        }
        arguments = ["simulator", "--ros-args", "--log-level", "error"]
        for key, value in options.items():
            arguments += ["-p", f"{key}:={value}"]
        rclpy.init()
        self._process = module("robodyn_ros.nodes.executables", arguments)
        self._running = self._process.__enter__()
        self.node = Node("soak")
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        self.witness = Witness()
        depth = QoSProfile(depth=1000)
        self.node.create_subscription(JointState, "joint_states", self.witness.take_state, depth)
        topic = f"{_SIMULATOR}/status"
        self.node.create_subscription(SimulatorStatus, topic, self.witness.take_status, depth)
        self._efforts = self.node.create_publisher(
            JointState, f"{_SIMULATOR}/effort_command", depth
        )
        self._reset = self.node.create_client(Trigger, f"{_SIMULATOR}/reset")

    def __enter__(self) -> Run:
        """Return itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """End both."""
        self._executor.shutdown()
        self.node.destroy_node()
        self._process.__exit__(None, None, None)
        rclpy.try_shutdown()

    def spin(self, seconds: float) -> None:
        """Handle messages for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0.0:
            self._executor.spin_once(timeout_sec=left)

    def wait_for_kernels(self) -> None:
        """Wait until steps are taken by kernels."""
        end = time.monotonic() + DEADLINE
        while not self.witness.status.names or "compiled" in self.witness.status.trouble:
            if time.monotonic() > end:
                raise SystemExit(f"no kernels within {DEADLINE:g} s")
            self.spin(0.1)

    def effort_limits(self) -> np.ndarray:
        """Return the efforts that each motor may exert, those of the arm by its description."""
        names = self.witness.status.names
        return np.array([87.0 if name.startswith("panda_joint") else UNLIMITED for name in names])

    def command(self, efforts: np.ndarray) -> None:
        """Send efforts to all motors."""
        names = self.witness.status.names
        self._efforts.publish(JointState(name=list(names), effort=efforts.tolist()))

    def reset(self) -> None:
        """Have it reset, and wait for the answer."""
        future = self._reset.call_async(Trigger.Request())
        end = time.monotonic() + DEADLINE
        while not future.done():
            if time.monotonic() > end:
                raise SystemExit("a reset was not answered")
            self.spin(0.005)
        if not future.result().success:
            raise SystemExit(f"a reset was refused: {future.result().message}")

    def memory(self) -> float:
        """Return the resident memory of the simulator, MB."""
        status = Path(f"/proc/{self._running.pid}/status").read_text()
        line = next(x for x in status.splitlines() if x.startswith("VmRSS"))
        return int(line.split()[1]) / 1024
