"""The executables' entry points; light to import, so that signals are in hand at once."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from robodyn_ros.errors import quoted
from robodyn_ros.nodes.command_line import own_arguments, refusal
from robodyn_ros.ros.process import run
from robodyn_ros.ros.transport import avoid_shared_memory

if TYPE_CHECKING:
    from robodyn_ros.ros.parameter_specs import Spec

NODES = {
    "state_publisher": ("robodyn_ros.nodes.state_publisher", "StatePublisher"),
    "dynamics_server": ("robodyn_ros.nodes.dynamics_server", "DynamicsServer"),
    "robodyn_node": ("robodyn_ros.nodes.robodyn_node", "RobodynNode"),
    "joint_trajectory_demo": ("robodyn_ros.nodes.joint_trajectory_demo", "JointTrajectoryDemo"),
    "simulator": ("robodyn_ros.nodes.simulator", "SimulatorNode"),
    "mujoco_simulator": ("robodyn_ros.nodes.mujoco_simulator", "MujocoSimulatorNode"),
    "viewer": ("robodyn_ros.nodes.viewer", "Viewer"),
    "gravity_compensation": ("robodyn_ros.nodes.gravity_compensation", "GravityCompensation"),
    "computed_torque": ("robodyn_ros.nodes.computed_torque", "ComputedTorque"),
    "impedance": ("robodyn_ros.nodes.impedance", "Impedance"),
}
"""Executable name: module and class of its node."""
PUNCTUAL = (
    "gravity_compensation",
    "computed_torque",
    "impedance",
    "mujoco_simulator",
    "simulator",
)
"""Those whose messages must not wait: controllers, and what stands for hardware."""


def state_publisher() -> int:
    """Run `state_publisher` until it is told to stop; return the exit code."""
    return _run("state_publisher")


def dynamics_server() -> int:
    """Run `dynamics_server` until it is told to stop; return the exit code."""
    return _run("dynamics_server")


def robodyn_node() -> int:
    """Run `robodyn_node` until it is told to stop; return the exit code."""
    return _run("robodyn_node")


def joint_trajectory_demo() -> int:
    """Run `joint_trajectory_demo` until it is told to stop; return the exit code."""
    return _run("joint_trajectory_demo")


def viewer() -> int:
    """Run `viewer` until it is told to stop; return the exit code."""
    return _run("viewer")


def simulator() -> int:
    """Run `simulator` until it is told to stop; return the exit code."""
    return _run("simulator")


def gravity_compensation() -> int:
    """Run `gravity_compensation` until it is told to stop; return the exit code."""
    return _run("gravity_compensation")


def computed_torque() -> int:
    """Run `computed_torque` until it is told to stop; return the exit code."""
    return _run("computed_torque")


def impedance() -> int:
    """Run `impedance` until it is told to stop; return the exit code."""
    return _run("impedance")


def mujoco_simulator() -> int:
    """Run `mujoco_simulator` until it is told to stop; return the exit code."""
    return _run("mujoco_simulator")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the node named first on the command line: `python -m robodyn_ros.nodes.executables`."""
    name, *rest = (sys.argv[1:] if arguments is None else list(arguments)) or [""]
    if name not in NODES:
        known = " or ".join(NODES)
        sys.stderr.write(f"{quoted(name)} is no node: name {known} first\n")
        return 2
    return _run(name, rest)


def _run(name: str, arguments: Sequence[str] | None = None) -> int:
    own = own_arguments(sys.argv[1:] if arguments is None else arguments)
    if {"-h", "--help"} & set(own):
        sys.stdout.write(usage(name))
        return 0
    if "--version" in own:
        from robodyn_ros import __version__

        sys.stdout.write(f"{name} {__version__}\n")
        return 0
    wrong = refusal(own, (spec.name for spec in _parameters(name))) if own else ""
    if wrong:
        sys.stderr.write(f"{name}: {wrong}\n")
        return 2
    if name in PUNCTUAL:
        avoid_shared_memory()
    return run(*NODES[name], args=arguments)


def usage(name: str) -> str:
    """Return what a node does and its parameters, for --help."""
    lines = [
        f"usage: {name} [--help] [--version] [--ros-args -p PARAMETER:=VALUE -r TOPIC:=NAME ...]",
        "",
        "parameters:",
    ]
    for spec in _parameters(name):
        default = "not set" if spec.default is None else repr(spec.default)
        lines.append(f"  {spec.name} (default {default})")
        indent = "      "
        lines += textwrap.wrap(spec.text, 92, initial_indent=indent, subsequent_indent=indent)
    return "\n".join(lines) + "\n"


def _parameters(name: str) -> tuple[Spec, ...]:
    from robodyn_ros.ros.parameter_tables import PARAMETERS

    return PARAMETERS[name]


if __name__ == "__main__":
    sys.exit(main())
