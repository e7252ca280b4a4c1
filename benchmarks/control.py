"""`python -m benchmarks.control --write`: controllers on arms in MuJoCo, in real time over DDS.

Writes the tables between the marks of docs/controllers.md.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from builtin_interfaces.msg import Duration
from numpy.typing import NDArray
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from benchmarks.control_arm import ControlArm
from benchmarks.marked_page import tell
from benchmarks.robots import ROBOTS

Floats = NDArray[np.float64]

PAGE = Path(__file__).parents[1] / "docs" / "controllers.md"
MARK = "<!-- figures of benchmarks.control -->\n"
FLOATS, QUICK_FLOATS = 10.0, 1.0
"""s."""
RATES = (200.0, 500.0)
SETTLING = 5.0
"""s after activation: the servos that held the arm had not quite brought it to rest."""
SIZE = np.array([0.25, 0.2, 0.25, 0.3, 0.3, 0.3, 0.4])
"""rad of the fast motion."""
WAVE, LASTS = 6.0, 2.0
"""rad/s, and s."""
FREQUENCY = 12.0


class Case(NamedTuple):
    """An arm and where it begins, rad."""

    name: str
    file: str
    position: dict[str, float]


PANDA = Case(
    "Panda",
    "panda.urdf",
    {f"panda_joint{k}": x for k, x in enumerate([0.2, -0.6, 0.1, -2.0, 0.3, 1.6, 0.5], start=1)},
)
UR5 = Case(
    "UR5",
    "ur5_robot.urdf",
    {
        "shoulder_pan_joint": 0.3,
        "shoulder_lift_joint": -1.0,
        "elbow_joint": 1.2,
        "wrist_1_joint": -0.7,
        "wrist_2_joint": 0.4,
        "wrist_3_joint": 0.2,
    },
)


def path_of(case: Case) -> Path:
    """Return the description's file."""
    return next(ROBOTS.rglob(case.file))


def floating(seconds: float) -> Iterator[str]:
    """Yield how far displaced arms move under gravity compensation."""
    yield f"Moved in {seconds:g} s under `gravity_compensation`, after a displacement:\n"
    yield "| | states | farthest joint | latency, state to command | command jitter |"
    yield "|---|---|---|---|---|"
    for case in (PANDA, UR5):
        for rate in RATES:
            with ControlArm(path_of(case), case.position, "gravity_compensation", rate) as arm:
                arm.spin(SETTLING)
                count = len(arm.states)
                arm.spin(seconds)
                moved = arm.positions(count)
                values = arm.report()
            most = np.degrees(np.max(np.abs(moved - moved[0])))
            told = [values.get(x, "") for x in ("latency, state to command", "command jitter")]
            yield f"| {case.name} | {rate:g} Hz | {most:.3f}° | {' | '.join(told)} |"


def waving(begin: Floats) -> tuple[Floats, list[Floats]]:
    """Return times with positions, velocities and accelerations of a fast motion from rest."""
    times: Floats = np.linspace(0.0, LASTS, 201, dtype=np.float64)[1:]
    window = np.polynomial.Polynomial.fromroots([0.0] * 4 + [1.0] * 4) * 256.0
    share, rate, growth = (window.deriv(k)(times / LASTS) / LASTS**k for k in range(3))
    sine, cosine = np.sin(WAVE * times), np.cos(WAVE * times)
    size = SIZE[: len(begin)]
    q = share * sine
    v = rate * sine + share * WAVE * cosine
    a = growth * sine + 2.0 * rate * WAVE * cosine - share * WAVE**2 * sine
    return times, [begin + np.outer(q, size), np.outer(v, size), np.outer(a, size)]


def followed(case: Case, law: str, rate: float) -> tuple[float, float]:
    """Return the RMS and the largest error in rad along the fast motion."""
    with ControlArm(
        path_of(case), case.position, "computed_torque", rate, law=law, frequency=FREQUENCY
    ) as arm:
        arm.spin(SETTLING)
        times, (q, v, a) = waving(arm.positions(len(arm.states) - 1)[0])
        message = JointTrajectory(joint_names=list(arm.names))
        for time, *rows in zip(times.tolist(), q, v, a, strict=True):
            seconds = int(time)
            after = Duration(sec=seconds, nanosec=round((time - seconds) * 1e9))
            position, velocity, acceleration = (row.tolist() for row in rows)
            message.points.append(
                JointTrajectoryPoint(
                    positions=position,
                    velocities=velocity,
                    accelerations=acceleration,
                    time_from_start=after,
                )
            )
        message.points[-1].velocities = [0.0] * len(arm.names)
        to = arm.node.create_publisher(JointTrajectory, "computed_torque/joint_trajectory", 10)
        arm.wait(lambda: to.get_subscription_count() > 0, "the controller")
        count = len(arm.states)
        begun = _seconds(arm.states[-1]) + 0.5
        message.header.stamp.sec = int(begun)
        message.header.stamp.nanosec = round((begun - int(begun)) * 1e9)
        for _ in range(3):  # what is published right after matching may be lost
            to.publish(message)
            arm.spin(0.1)
        arm.spin(LASTS + 1.0)
        if faults := [key for key in arm.report() if key.startswith("fault")]:
            raise SystemExit(f"{case.name}, {law}: {', '.join(faults)}")
        at = np.array([_seconds(state) - begun for state in arm.states[count:]])
        found = arm.positions(count)
    inside = (at > 0.0) & (at < LASTS)
    grid = np.concatenate([[0.0], times])
    begin = q[0] * 0.0 + q[-1]
    wanted = np.column_stack(
        [np.interp(at, grid, np.concatenate([[begin[k]], q[:, k]])) for k in range(q.shape[1])]
    )
    error = (found - wanted)[inside]
    return float(np.sqrt(np.mean(error**2))), float(np.max(np.abs(error)))


def _seconds(state: object) -> float:
    stamp = state.header.stamp  # type: ignore[attr-defined]
    return float(stamp.sec + stamp.nanosec * 1e-9)


def tracking() -> Iterator[str]:
    """Yield how well laws of the same gains follow a fast trajectory."""
    yield (
        f"\nError along a fast trajectory of {LASTS:g} s, gains of {FREQUENCY:g} rad/s, damping"
        " ratio 1, states at 500 Hz:\n"
    )
    yield "| | PD with gravity, RMS | computed torque, RMS | ratio | largest of both |"
    yield "|---|---|---|---|---|"
    for case in (PANDA, UR5):
        (pd, pd_most), (ct, ct_most) = (
            followed(case, law, 500.0) for law in ("joint_pd", "computed_torque")
        )
        cells = [f"{1e3 * x:.2f} mrad" for x in (pd, ct)]
        most = f"{1e3 * pd_most:.1f} and {1e3 * ct_most:.1f} mrad"
        yield f"| {case.name} | {' | '.join(cells)} | {pd / ct:.0f} | {most} |"


def main() -> None:
    """Print the tables, or write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    lines = itertools.chain(floating(QUICK_FLOATS if given.quick else FLOATS), tracking())
    tell(lines, PAGE, MARK, write=given.write)


if __name__ == "__main__":
    main()
