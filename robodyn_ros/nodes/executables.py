"""The executables' entry points; light to import, so that signals are in hand at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from robodyn_ros.errors import quoted
from robodyn_ros.ros.process import run

NODES = {
    "state_publisher": ("robodyn_ros.nodes.state_publisher", "StatePublisher"),
    "joint_trajectory_demo": ("robodyn_ros.nodes.joint_trajectory_demo", "JointTrajectoryDemo"),
}
"""Executable name: module and class of its node."""


def state_publisher() -> int:
    """Run `state_publisher` until it is told to stop; return the exit code."""
    return run(*NODES["state_publisher"])


def joint_trajectory_demo() -> int:
    """Run `joint_trajectory_demo` until it is told to stop; return the exit code."""
    return run(*NODES["joint_trajectory_demo"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the node named first on the command line: `python -m robodyn_ros.nodes.executables`."""
    name, *rest = (sys.argv[1:] if arguments is None else list(arguments)) or [""]
    if name not in NODES:
        known = " or ".join(NODES)
        sys.stderr.write(f"{quoted(name)} is no node: name {known} first\n")
        return 2
    return run(*NODES[name], args=rest)


if __name__ == "__main__":
    sys.exit(main())
