"""An arm in MuJoCo and a controller of it, each a process, in real time over DDS."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from robodyn_interfaces.srv import SetSimulatorState
from sensor_msgs.msg import JointState

from benchmarks.control_graph import DEPTH, EXECUTABLES, ControlGraph, arguments
from benchmarks.state_path.processes import module

HARDWARE = "mujoco_simulator"


class ControlArm(ControlGraph):
    """Holds an arm where it is put until the controller is active.

    Attributes:
        names: Its commanded joints.
        states: All joint states so far.
    """

    def __init__(
        self,
        path: Path,
        position: Mapping[str, float],
        controller: str,
        rate: float,
        *,
        hardware: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> None:
        """Start both processes.

        Args:
            path: The description.
            position: Of commanded joints, rad, in their order.
            controller: The executable.
            rate: Of joint states, Hz.
            hardware: Further parameters of the hardware.
            parameters: Further parameters of the controller.
        """
        super().__init__(controller)
        self.names, self._position = tuple(position), position
        joints = {
            "robot_description_file": path,
            "command_joints": f"'{', '.join(self.names)}'",
        }
        self._command_line = arguments(
            controller,
            {**joints, "diagnostics_period": 0.5, **parameters},
        )
        options = {"rate": rate, "hold": True, "integrator": "rk4", **(hardware or {})}
        self.stack.enter_context(module(EXECUTABLES, arguments(HARDWARE, {**joints, **options})))
        self.start_controller()
        self.states: list[JointState] = []
        self.node.create_subscription(JointState, "joint_states", self.states.append, DEPTH)

    def start_controller(self) -> None:
        """Start a process of the controller."""
        self.controller = self.stack.enter_context(module(EXECUTABLES, self._command_line))

    def __enter__(self) -> Self:
        """Put the arm where it begins, and activate the controller."""
        self.wait(lambda: self.states, "joint states")
        where = SetSimulatorState.Request(
            names=list(self.names), position=list(self._position.values())
        )
        self.call(SetSimulatorState, f"{HARDWARE}/set_state", where)
        hold = self.node.create_publisher(JointState, f"{HARDWARE}/position_command", 10)
        self.wait(lambda: hold.get_subscription_count() > 0, "the hardware")
        hold.publish(JointState(name=where.names, position=where.position))
        self.spin(1.0)
        self.activate()
        return self

    def positions(self, since: int = 0) -> NDArray[np.float64]:
        """Return the positions (n, joints) of the states since a number of them, rad."""
        rows = []
        for state in self.states[since:]:
            at = dict(zip(state.name, state.position, strict=True))
            rows.append([at[name] for name in self.names])
        return np.array(rows)
