"""Torques that hold a Panda still, with and without something in its hand.

    python examples/panda_gravity_payload.py

The Panda is one of the robots of example-robot-data, which comes with `make venv`.
"""

from __future__ import annotations

import sys

import numpy as np

import robodyn_ros as rd

HAND = "panda_hand"
READY = [0.0, -np.pi / 4, 0.0, -3 * np.pi / 4, 0.0, np.pi / 2, np.pi / 4]


def main() -> int:
    """Print the torques."""
    robot = rd.load(rd.find_robot("panda"))  # the file of a robot of example-robot-data
    joints = [f"panda_joint{i}" for i in range(1, 8)]
    q = robot.configuration(dict(zip(joints, READY, strict=True)))

    empty = robot.gravity_force(q)
    # A box of 1.5 kg: its centre of mass and its inertia about that, in the hand's axes.
    robot.set_payload(HAND, 1.5, com=(0.0, 0.0, 0.12), inertia=np.diag([2e-3, 2e-3, 1e-3]))
    carrying = robot.gravity_force(q)
    robot.clear_payload()
    again = robot.gravity_force(q)

    print(f"{'joint':<16}{'empty':>9}{'1.5 kg':>9}{'more':>9}   N m")
    table = np.round(np.stack([empty, carrying, carrying - empty]), 3) + 0.0  # no -0.000
    for name, row in zip(joints, table.T, strict=False):
        print(f"{name:<16}" + "".join(f"{torque:>9.3f}" for torque in row))
    print(f"\nput down, every bit as before: {np.array_equal(again, empty)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
