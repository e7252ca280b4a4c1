"""Torques of a UR5 at a pose: at rest, moving, and pushed at its tool.

    python examples/ur5_torque.py [ROBOT]

ROBOT is a file or the name of a robot whose joints are called as a UR5's: ur3, ur10.
"""

from __future__ import annotations

import sys

import numpy as np

import robodyn_ros as rd

TOOL = "tool0"


def main() -> int:
    """Print the torques."""
    robot = rd.load(rd.find_robot(sys.argv[1] if len(sys.argv) > 1 else "ur5"))
    names = robot.model.coordinate_names

    # By joint name, in rad; what is left out is 0.
    q = robot.configuration(
        {"shoulder_lift_joint": -1.2, "elbow_joint": 1.5, "wrist_1_joint": -0.3}
    )
    v = np.full(robot.model.nv, 0.5)  # rad/s
    a = np.full(robot.model.nv, 1.0)  # rad/s^2
    push = {TOOL: [0.0, 0.0, 0.0, 0.0, 0.0, -20.0]}  # [moment; force], world axes, N m and N

    rest = robot.inverse_dynamics(q)
    moving = robot.inverse_dynamics(q, v, a)
    pushed = robot.inverse_dynamics(q, v, a, external_wrenches=push)

    print(f"{'joint':<22}{'at rest':>10}{'moving':>10}{'pushed':>10}   N m")
    for name, *torques in zip(names, rest, moving, pushed, strict=True):
        print(f"{name:<22}" + "".join(f"{torque:>10.2f}" for torque in np.round(torques, 2) + 0.0))

    terms = robot.effort_terms(q, v, a, external_wrenches=push)
    print("\nof which, at the shoulder lift:")
    shoulder = names.index("shoulder_lift_joint")
    for term in ("inertial", "coriolis", "gravity", "friction", "external"):
        print(f"  {term:<10}{getattr(terms, term)[shoulder]:>8.2f} N m")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except rd.RobodynError as error:  # no such robot, or one with other joints
        sys.exit(f"ur5_torque: {error}")
