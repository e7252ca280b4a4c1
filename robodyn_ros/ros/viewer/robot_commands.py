"""Messages and requests that make a robot's nodes do what people ask for on the page."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from geometry_msgs.msg import Vector3, WrenchStamped
from numpy.typing import NDArray
from rclpy.node import Node
from rclpy.publisher import Publisher
from robodyn_interfaces.srv import Push, SetPayload, StepSimulation
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool, Trigger

from robodyn_ros.ros import qos
from robodyn_ros.ros.client_requests import payload_message
from robodyn_ros.ros.viewer.requests import Requests, Said
from robodyn_ros.ros.viewer.robot_names import RobotNames
from robodyn_ros.viewer.panel_actions import Abilities, Vector, WantedPayload, WantedPush

Floats = NDArray[np.float64]

Rotation = Callable[[str], "Floats | None"]
"""Returns R_WF (3, 3) of a frame by name now, None where it is not known."""


class RobotCommands:
    """Speaks to the nodes of one robot, in the executor's thread."""

    def __init__(
        self, node: Node, names: RobotNames, requests: Requests, rotation: Rotation, tell: Said
    ) -> None:
        """Make the publishers.

        Args:
            node: The node.
            names: Where the robot is.
            requests: Calls services.
            rotation: How frames are turned.
            tell: Is told whether something was done, and what.
        """
        self._node = node
        self._names = names
        self._requests = requests
        self._rotation = rotation
        self._tell = tell
        self._positions = self._position_publishers()
        self._wrenches = self._publisher(
            WrenchStamped, names.of(names.simulator, "external_wrench")
        )
        #: Positions that the demo source was sent; it does not say which it keeps.
        self.demo_held: dict[str, float] = {}
        #: Whether the demo source was told to stand still; it does not say so either.
        self.demo_paused = False

    @property
    def source(self) -> str:
        """Who takes positions now: "simulator", "demo", "topic", or "" for nobody."""
        found = (who for who, x in self._positions.items() if x.get_subscription_count())
        return next(found, "")

    def abilities(self) -> Abilities:
        """Return what can be done at present."""
        simulator, demo, server = self._names.simulator, self._names.demo, self._names.server
        source = self.source
        if source != "demo":
            self.demo_held.clear()
            self.demo_paused = False
        return Abilities(
            move=bool(source),
            release=self._offers(Trigger, simulator, "release")
            or self._offers(Trigger, demo, "reset"),
            reset=self._offers(Trigger, simulator, "reset"),
            pause=self._offers(SetBool, simulator, "pause") or self._offers(SetBool, demo, "pause"),
            step=self._offers(StepSimulation, simulator, "step"),
            speed=self._requests.sets_parameters(self._names.own(simulator)),
            gravity=self._requests.sets_parameters(self._names.own(server)),
            payload=self._offers(SetPayload, server, "set_payload"),
            simulated_payload=self._offers(SetPayload, simulator, "set_payload"),
            push=self._offers(Push, simulator, "push"),
        )

    def move(self, positions: Mapping[str, float]) -> None:
        """Send coordinates to positions, rad or m."""
        source = self.source
        if not source:
            self._tell(False, "move: nobody takes positions at present")
            return
        message = JointState(name=list(positions), position=list(positions.values()))
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._positions[source].publish(message)
        if source == "demo":
            self.demo_held.update(positions)

    def release(self) -> None:
        """End all commands."""
        self.demo_held.clear()
        simulator, demo = self._names.simulator, self._names.demo
        if self._offers(Trigger, simulator, "release"):
            self._send(Trigger, simulator, "release", Trigger.Request(), "release")
        else:
            self._send(Trigger, demo, "reset", Trigger.Request(), "release")

    def reset(self) -> None:
        """Put the simulation back to its beginning."""
        self._send(Trigger, self._names.simulator, "reset", Trigger.Request(), "reset")

    def pause(self, paused: bool) -> None:
        """Stop the time of the simulator, or of the demo source, or let it go on."""
        simulator, demo = self._names.simulator, self._names.demo
        request, what = SetBool.Request(data=paused), "pause" if paused else "run"
        if self._offers(SetBool, simulator, "pause"):
            self._send(SetBool, simulator, "pause", request, what)
            return
        tell = self._said(what)

        def said(done: bool, reason: str) -> None:
            self.demo_paused = paused if done else self.demo_paused
            tell(done, reason)

        self._requests.send(SetBool, self._names.of(demo, "pause"), request, said)

    def step(self, steps: int) -> None:
        """Take some steps of a simulation that is paused."""
        request = StepSimulation.Request(steps=steps)
        self._send(StepSimulation, self._names.simulator, "step", request, f"{steps} steps")

    def set_speed(self, factor: float) -> None:
        """Let simulated time pass at so many times the speed of real time; 0 for any."""
        values = {"real_time_factor": float(factor)}
        simulator = self._names.own(self._names.simulator)
        self._requests.set_parameters(simulator, values, self._said(f"speed {factor:g}"))

    def set_gravity(self, gravity: Vector) -> None:
        """Set gravity of the server and, where one runs, of the simulator, m/s^2."""
        what = "gravity {:g} {:g} {:g} m/s^2".format(*gravity)
        values = {"gravity": list(gravity)}
        server = self._names.own(self._names.server)
        simulator = self._names.own(self._names.simulator)
        self._requests.set_parameters(server, values, self._said(what))
        if self._requests.sets_parameters(simulator):
            said = self._said(f"{what} in the simulation")
            self._requests.set_parameters(simulator, values, said)

    def attach(self, payload: WantedPayload, simulated: bool) -> None:
        """Attach a payload to what the server expects and, where `simulated`, in the simulation."""
        message = payload_message(payload.frame, payload.mass, payload.com, None, None)
        what = f"payload {payload.mass:g} kg at {payload.frame}"
        self._set_payload(SetPayload.Request(payload=message), simulated, what)

    def remove(self, frame: str, simulated: bool) -> None:
        """Remove the payload of a frame."""
        message = payload_message(frame, 0.0, (0.0, 0.0, 0.0), None, frame)
        request = SetPayload.Request(payload=message, remove=True)
        self._set_payload(request, simulated, f"no payload at {frame}")

    def push(self, push: WantedPush) -> None:
        """Push the simulated robot."""
        wrench = self._wrench(push.frame, push.force, push.moment)
        if wrench is None:
            self._tell(False, f"push: it is not known how {push.frame} is turned")
            return
        request = Push.Request(wrench=wrench, duration=push.duration)
        what = f"push of {math.hypot(*push.force):g} N for {push.duration:g} s"
        self._send(Push, self._names.simulator, "push", request, what)

    def hold(self, frame: str, force: Vector, moment: Vector) -> None:
        """Exert a wrench (N, N m, world axes) at a frame's origin for a moment; say it again."""
        wrench = self._wrench(frame, force, moment)
        if wrench is not None and self._wrenches.get_subscription_count():
            self._wrenches.publish(wrench)

    def _wrench(self, frame: str, force: Vector, moment: Vector) -> WrenchStamped | None:
        """Return a wrench in world axes as a message, which has it in those of its frame."""
        rotation = self._rotation(frame)
        if rotation is None:
            return None
        message = WrenchStamped()
        message.header.frame_id = frame
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.wrench.force = _vector(rotation.T @ np.array(force))
        message.wrench.torque = _vector(rotation.T @ np.array(moment))
        return message

    def _set_payload(self, request: Any, simulated: bool, what: str) -> None:
        self._send(SetPayload, self._names.server, "set_payload", request, what)
        if simulated:
            what = f"{what} in the simulation"
            self._send(SetPayload, self._names.simulator, "set_payload", request, what)

    def _position_publishers(self) -> Mapping[str, Publisher]:
        """Return the publishers of positions by who takes them, the first choice first."""
        names = self._names
        if names.command_topic:
            return {"topic": self._publisher(JointState, names.own(names.command_topic))}
        nodes = {"simulator": names.simulator, "demo": names.demo}
        return {
            who: self._publisher(JointState, names.of(node, "position_command"))
            for who, node in nodes.items()
        }

    def _publisher(self, kind: type, topic: str) -> Publisher:
        return self._node.create_publisher(kind, topic, qos.STREAM, event_callbacks=qos.QUIET)

    def _offers(self, kind: type, node: str, service: str) -> bool:
        return self._requests.is_offered(kind, self._names.of(node, service))

    def _send(self, kind: type, node: str, service: str, request: Any, what: str) -> None:
        self._requests.send(kind, self._names.of(node, service), request, self._said(what))

    def _said(self, what: str) -> Said:
        def said(done: bool, reason: str) -> None:
            self._tell(done, f"{what}: {reason}" if reason else what)

        return said


def _vector(values: Floats) -> Vector3:
    x, y, z = values.tolist()
    return Vector3(x=x, y=y, z=z)
