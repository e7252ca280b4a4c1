"""What the simulator publishes of its world with every state, as bytes."""

from __future__ import annotations

import time
from functools import partial

import numpy as np
from geometry_msgs.msg import WrenchStamped
from numpy.typing import NDArray
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState, MultiDOFJointState

from robodyn_ros.ros import qos
from robodyn_ros.ros.audience import Audience
from robodyn_ros.ros.cdr.template import Template
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.simulator.joint_outputs import JointStateOutput, PoseOutput
from robodyn_ros.ros.simulator.world import World

Floats = NDArray[np.float64]

CLOCK, WRENCHES = "/clock", "~/external_wrenches"
_NUMBERS = tuple(f"wrench.{part}.{axis}" for part in ("torque", "force") for axis in "xyz")
_NOTHING: Floats = np.zeros(6)


class Outputs:
    """The publishers at the rate of joint states; used with the lock of the world held.

    Joint states and the clock are always published, the rest where somebody listens.
    """

    def __init__(self, node: Node, *, clock: bool, passive: bool, prefix: str) -> None:
        """Make the publishers.

        Args:
            node: The node.
            clock: Whether it publishes /clock.
            passive: Whether joints that follow from others are published.
            prefix: What published frame names begin with.
        """
        make = partial(node.create_publisher, event_callbacks=qos.QUIET)
        self._states = Audience(make(JointState, "joint_states", qos.STREAM))
        self._poses = Audience(make(MultiDOFJointState, "multi_dof_joint_states", qos.STREAM))
        self._wrenches = Audience(make(WrenchStamped, WRENCHES, qos.STREAM))
        self._clock = Audience(make(Clock, CLOCK, qos.CLOCK)) if clock else None
        self._time = Template(Clock(), ("clock",))
        self._passive, self._prefix = passive, prefix
        self._acting: set[str] = set()
        self._frames: dict[str, Template] = {}
        self._layout: tuple[JointStateOutput, PoseOutput] | None = None

    @property
    def ends(self) -> list[Endpoint]:
        """What is published, for a look at the other ends."""
        ends = [
            Endpoint("joint_states", JointState, qos.STREAM, sole=True),
            Endpoint("multi_dof_joint_states", MultiDOFJointState, qos.STREAM, sole=True),
            Endpoint(WRENCHES, WrenchStamped, qos.STREAM),
        ]
        if self._clock is not None:
            ends.append(Endpoint(CLOCK, Clock, qos.CLOCK, sole=True))
        return ends

    def begin(self, world: World) -> None:
        """Lay the messages out for another robot."""
        model = world.robot.model
        self._layout = (
            JointStateOutput(model, passive=self._passive),
            PoseOutput(model, passive=self._passive),
        )
        self._acting.clear()
        self._frames.clear()

    def publish(self, world: World) -> None:
        """Publish the state, the clock before it."""
        if self._layout is None:
            return
        states, poses = self._layout
        stamp, now = world.clock.stamp, time.monotonic()
        q, v = self._state(world)
        if self._clock is not None:
            self._clock.send(self._time.fill(stamp, _NOTHING))
        self._send_states(states, world, q, v)
        if poses.names and self._poses.is_there(now):
            self._poses.send(poses.fill(stamp, q, v, world.robot.environment.base_motion))
        self._publish_wrenches(world, stamp, now)

    def _state(self, world: World) -> tuple[Floats, Floats]:
        """Return what is published as q (nq,) and v (nv,)."""
        return world.q, world.v

    def _send_states(self, states: JointStateOutput, world: World, q: Floats, v: Floats) -> None:
        """Publish the joint states, at q (nq,) and v (nv,)."""
        self._states.send(states.fill(world.clock.stamp, q, v, world.effort))

    def _publish_wrenches(self, world: World, stamp: int, now: float) -> None:
        """Publish what acts, and once zeros where nothing does any more."""
        total = world.wrenches
        ended = self._acting - total.keys()
        self._acting = {*total}
        if not (total or ended) or not self._wrenches.is_there(now):
            return
        for frame, wrench in [*total.items(), *((frame, _NOTHING) for frame in sorted(ended))]:
            if frame not in self._frames:
                message = WrenchStamped()
                message.header.frame_id = self._prefix + frame
                numbers = [(path, k) for k, path in enumerate(_NUMBERS)]
                self._frames[frame] = Template(message, ("header.stamp",), numbers)
            self._wrenches.send(self._frames[frame].fill(stamp, wrench))
