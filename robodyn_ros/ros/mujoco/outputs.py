"""What sensors of the simulated hardware tell of it, and what is true."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node
from sensor_msgs.msg import JointState

from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.cosimulation.mujoco_simulator import MujocoSimulator, Snapshot
from robodyn_ros.cosimulation.plant import Plant
from robodyn_ros.cosimulation.sensors import Sensors
from robodyn_ros.ros import qos
from robodyn_ros.ros.audience import Audience
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.simulator.joint_outputs import JointStateOutput
from robodyn_ros.ros.simulator.outputs import Outputs
from robodyn_ros.ros.simulator.world import World

Floats = NDArray[np.float64]

TRUE_STATES = "~/true_joint_states"


class StateTable:
    """Puts a state into the order of a joint state's names."""

    def __init__(self, plant: Plant, names: tuple[str, ...]) -> None:
        """Take the robot, and the names, each of a coordinate or of a follower."""
        self._coordinates = plant.coordinates
        told = {one.name: one for one in told_coordinates(plant.model)}
        followers = {one.joint.name: one for one in plant.coordinates.followers}
        self._own = [k for k, name in enumerate(names) if name in told]
        self._q = [told[names[k]].q for k in self._own]
        self._v = [told[names[k]].v for k in self._own]
        self._follow = [k for k, name in enumerate(names) if name not in told]
        self._qpos = [followers[names[k]].qpos for k in self._follow]
        self._dof = [followers[names[k]].dof for k in self._follow]
        self._count = len(names)

    def ours(self, state: Snapshot) -> tuple[Floats, Floats]:
        """Return our q (nq,) and v (nv,) of a state."""
        return self._coordinates.ours(state.qpos, state.qvel)

    def of(self, state: Snapshot, q: Floats, v: Floats) -> Floats:
        """Return positions, velocities and efforts (3, n) of a state, and of what is ours of it."""
        table = np.zeros((3, self._count))
        table[0, self._own], table[1, self._own] = q[self._q], v[self._v]
        table[2, self._own] = state.effort[self._v]
        table[0, self._follow] = state.qpos[self._qpos]
        table[1, self._follow] = state.qvel[self._dof]
        return table


class MeasuredOutputs(Outputs):
    """Publishes what is measured, and on `~/true_joint_states` what is so."""

    def __init__(
        self, node: Node, sensors: Callable[[], Sensors], *, clock: bool, prefix: str
    ) -> None:
        """Make the publishers; `sensors` returns those of the moment, the rest as of `Outputs`."""
        super().__init__(node, clock=clock, passive=True, prefix=prefix)
        self._sensors = sensors
        publisher = node.create_publisher(
            JointState, TRUE_STATES, qos.STREAM, event_callbacks=qos.QUIET
        )
        self._truth = Audience(publisher)
        self._simulator: MujocoSimulator | None = None
        self._table: StateTable | None = None
        self._measured: Snapshot | None = None

    @property
    def ends(self) -> list[Endpoint]:
        """What is published, for a look at the other ends."""
        return [*super().ends, Endpoint(TRUE_STATES, JointState, qos.STREAM)]

    def begin(self, world: World) -> None:
        """Lay the messages out for another robot."""
        super().begin(world)
        simulator = world.engines.active
        if isinstance(simulator, MujocoSimulator) and self._layout is not None:
            self._simulator = simulator
            self._table = StateTable(simulator.physics.plant, self._layout[0].names)

    def _state(self, world: World) -> tuple[Floats, Floats]:
        if self._simulator is None or self._table is None:
            return super()._state(world)
        self._measured = self._simulator.measured
        return self._table.ours(self._measured)

    def _send_states(self, states: JointStateOutput, world: World, q: Floats, v: Floats) -> None:
        simulator, table, measured = self._simulator, self._table, self._measured
        if simulator is None or table is None or measured is None:
            return
        stamp = world.clock.stamp
        read = self._sensors().read(table.of(measured, q, v), world.clock.ticks)
        if read is not None:
            self._states.send(states.filled(stamp, read))
        if self._truth.is_there(time.monotonic()):
            present = simulator.present
            self._truth.send(states.filled(stamp, table.of(present, *table.ours(present))))
