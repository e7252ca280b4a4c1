"""`~/environment`: what may change about a robot at run time, latched."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from geometry_msgs.msg import Inertia, Vector3
from numpy.typing import NDArray
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from robodyn_interfaces.msg import Environment, Payload

from robodyn_ros.model import Payload as Load
from robodyn_ros.ros import qos
from robodyn_ros.ros.conversions import set_time
from robodyn_ros.ros.graph_watch import Endpoint

Floats = NDArray[np.float64]

PERIOD = 0.1
"""Seconds between two messages that tell of nothing but gravity: its source may be noisy."""
NOTICEABLE = 0.01
"""Change of gravity, m/s^2, that is told: a tilt by a millirad."""


class EnvironmentStream:
    """Publishes the environment whenever it changed."""

    def __init__(self, node: Node, now: Callable[[], int] | None = None) -> None:
        """Make the publisher; nothing is published before the first `announce`.

        Args:
            node: The node.
            now: Returns the time for stamps, ns; the node's clock by default.
        """
        self._now = now or (lambda: int(node.get_clock().now().nanoseconds))
        self._publisher = node.create_publisher(
            Environment, "~/environment", qos.LATCHED, event_callbacks=qos.QUIET
        )
        self._told: Environment | None = None
        self._latest: Environment | None = None
        self._due = 0.0
        #: Tells what came too soon after the last message.
        clock = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(PERIOD, self._publish, clock=clock)
        self._timer.cancel()

    @property
    def end(self) -> Endpoint:
        """What is published, for a look at the other ends."""
        return Endpoint("~/environment", Environment, qos.LATCHED)

    def announce(
        self, frame: str, gravity: Floats, loads: Sequence[Load], *, driver_compensates: bool
    ) -> None:
        """Publish, if there is something new.

        Gravity alone is told in steps of `NOTICEABLE`, and once in `PERIOD` at most.

        Args:
            frame: World frame.
            gravity: (3,) world axes, m/s^2.
            loads: The payloads.
            driver_compensates: Whether the driver compensates gravity.
        """
        message = environment_message(frame, gravity, loads, driver_compensates=driver_compensates)
        told = self._told
        if told is not None and _but_for_gravity(message) == _but_for_gravity(told):
            if np.abs(gravity - _xyz(told.gravity)).max() < NOTICEABLE:
                return
            if time.monotonic() < self._due:
                self._latest = message
                if self._timer.is_canceled():
                    self._timer.reset()
                return
        self._latest = message
        self._publish()

    def _publish(self) -> None:
        """Publish the latest, and have nothing left to tell."""
        self._timer.cancel()
        message = self._latest
        if message is None:
            return
        self._due = time.monotonic() + PERIOD
        self._told, self._latest = message, None
        set_time(message.header.stamp, self._now())
        self._publisher.publish(message)


def _but_for_gravity(message: Environment) -> tuple[object, ...]:
    return message.header.frame_id, message.payloads, message.driver_compensates_gravity


def environment_message(
    frame: str, gravity: Floats, loads: Sequence[Load], *, driver_compensates: bool
) -> Environment:
    """Return the message, without a stamp; see `EnvironmentStream.announce`."""
    message = Environment(driver_compensates_gravity=driver_compensates)
    message.header.frame_id = frame
    message.gravity = _vector(gravity)
    message.payloads = [payload_message(load) for load in loads]
    return message


def payload_message(load: Load) -> Payload:
    """Return a payload as a message."""
    (ixx, ixy, ixz), (_, iyy, iyz), (_, _, izz) = load.inertia.tolist()
    inertia = Inertia(ixx=ixx, ixy=ixy, ixz=ixz, iyy=iyy, iyz=iyz, izz=izz)
    return Payload(
        name=load.name,
        frame_id=load.frame,
        mass=float(load.mass),
        com=_vector(load.com),
        inertia=inertia,
    )


def _vector(values: Floats) -> Vector3:
    x, y, z = values.tolist()
    return Vector3(x=x, y=y, z=z)


def _xyz(vector: Vector3) -> Floats:
    return np.array([vector.x, vector.y, vector.z])
