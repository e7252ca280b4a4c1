"""`~/marker_states`: the motion of a robot's markers, points and directions fixed in its bodies."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node
from robodyn_interfaces.msg import MarkerStateArray

from robodyn_ros.conditioning.complaints import Complaint, Severity, listed
from robodyn_ros.conditioning.state_path import StatePath, Step
from robodyn_ros.errors import quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.audience import Audience
from robodyn_ros.ros.cdr.template import Template
from robodyn_ros.ros.conversions import marker_state_template
from robodyn_ros.ros.feature import Ends, Feature
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.rates import Traffic

TOPIC = "~/marker_states"


class MarkerStates(Feature):
    """Publishes the markers of every state that asks for the bodies, while somebody listens.

    A robot without markers has an empty list of them.
    """

    def __init__(self, node: Node, traffic: Traffic) -> None:
        """Make the publisher; what is published is counted in `traffic`."""
        self._traffic = traffic
        publisher = node.create_publisher(
            MarkerStateArray, TOPIC, qos.STREAM, event_callbacks=qos.QUIET
        )
        self._audience = Audience(publisher)
        self._template: Template | None = None
        self._bodies: NDArray[np.intp] = np.zeros(0, dtype=np.intp)

    @property
    def ends(self) -> Ends:
        """What is published."""
        return Ends(outward=(Endpoint(TOPIC, MarkerStateArray, qos.STREAM),))

    def adopt(self, path: StatePath) -> None:
        """Lay the message out for another description."""
        model = path.robot.model
        self._template = marker_state_template(model, path.plan.state_frame)
        self._bodies = np.array([marker.body for marker in model.markers], dtype=np.intp)

    def publish(self, path: StatePath, step: Step, now: float) -> Iterable[Complaint]:
        """Publish the markers of a step, if somebody listens."""
        template = self._template
        if template is None or not step.bodies or not self._audience.is_there(now):
            return ()
        validity, _ = path.validity(step.stamp)
        valid = validity[self._bodies]
        numbers = path.result.markers
        complaints: tuple[Complaint, ...] = ()
        if not path.is_bounded:
            finite = np.asarray(np.isfinite(path.markers()).all(axis=1))
            if not finite.all():
                complaints = (_overflow(path, np.flatnonzero(~finite)),)
                numbers = np.where(finite[:, None], path.markers(), 0.0).reshape(-1)
                valid = valid & finite
        self._audience.send(template.fill(step.stamp, numbers, valid))
        self._traffic.count("marker_states")
        return complaints


def _overflow(path: StatePath, markers: NDArray[np.intp]) -> Complaint:
    names = listed([quoted(path.robot.model.markers[k].name) for k in markers])
    return Complaint(
        Severity.WARN,
        "markers not finite",
        f"markers {names} are not finite and shown as 0: the joints' values and the robot's"
        " dimensions are too large",
        once=False,
    )
