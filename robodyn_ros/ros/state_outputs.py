"""The topics that show a robot's motion: /tf, /tf_static and ~/body_states."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rclpy.node import Node
from robodyn_interfaces.msg import BodyStateArray

from robodyn_ros.conditioning.complaints import Complaint, Severity, listed
from robodyn_ros.conditioning.frames import Indices
from robodyn_ros.conditioning.state_path import StatePath, Step
from robodyn_ros.errors import quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.audience import Audience
from robodyn_ros.ros.cdr.template import Template
from robodyn_ros.ros.conversions import (
    body_state_template,
    static_transforms,
    transform_template,
)
from robodyn_ros.ros.feature import Ends, Feature
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.rates import Traffic
from tf2_msgs.msg import TFMessage

MAX_TEMPLATES = 64
_IDENTITY = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])


class StateOutputs(Feature):
    """Publishers and the messages that they fill; what nobody subscribes to is not made."""

    def __init__(self, node: Node, traffic: Traffic) -> None:
        """Make the publishers; what is published is counted in `traffic`."""
        self._node = node
        self._traffic = traffic
        self._tf = node.create_publisher(TFMessage, "/tf", qos.TF, event_callbacks=qos.QUIET)
        self._tf_static = node.create_publisher(
            TFMessage, "/tf_static", qos.TF_STATIC, event_callbacks=qos.QUIET
        )
        self._bodies = node.create_publisher(
            BodyStateArray, "~/body_states", qos.STREAM, event_callbacks=qos.QUIET
        )
        self._tf_audience = Audience(self._tf)
        self._body_audience = Audience(self._bodies)
        self._tf_templates: dict[bytes, Template] = {}
        self._last_frames: Indices | None = None
        self._last_template: Template | None = None
        self._body_template: Template | None = None

    @property
    def ends(self) -> Ends:
        """What is published."""
        published = (
            Endpoint("/tf", TFMessage, qos.TF),
            Endpoint("/tf_static", TFMessage, qos.TF_STATIC),
            Endpoint("~/body_states", BodyStateArray, qos.STREAM),
        )
        return Ends(outward=published)

    def adopt(self, path: StatePath) -> None:
        """Start over with another description: all of its fixed frames go out, latched, at once.

        Raises:
            ArgumentError: the base cannot be published; nothing is changed then.
        """
        plan = path.plan
        pairs, poses = plan.static()
        stamp = self._node.get_clock().now().nanoseconds
        self._tf_static.publish(static_transforms(pairs, poses, stamp))
        self._tf_templates.clear()
        self._last_frames = self._last_template = None
        self._body_template = body_state_template(
            path.robot.model.body_names, plan.state_frame, plan.visible
        )

    def publish(self, path: StatePath, step: Step, now: float) -> tuple[Complaint, ...]:
        """Publish what a step asks for and somebody listens to; return what could not be.

        Args:
            path: The state path that took the step.
            step: What is to be published.
            now: Monotonic time, s.
        """
        wants_tf = len(step.frames) > 0 and self._tf_audience.is_there(now)
        wants_bodies = step.bodies and self._body_audience.is_there(now)
        if not path.is_bounded and (wants_tf or wants_bodies):
            return tuple(self._publish_checked(path, step, wants_tf, wants_bodies))
        if wants_tf:
            self._send_transforms(path, step.frames, step.stamp)
        if wants_bodies:
            valid, age = path.validity(step.stamp)
            self._send_bodies(step.stamp, path.result.bodies, valid, age)
        return ()

    def _publish_checked(
        self, path: StatePath, step: Step, wants_tf: bool, wants_bodies: bool
    ) -> Iterator[Complaint]:
        """Publish what is finite of a robot whose dimensions may take a sane joint beyond it."""
        if wants_tf:
            frames = step.frames
            finite = np.isfinite(path.relative()[frames]).all(axis=1)
            if not finite.all():
                yield _overflow(path, "transforms", frames[~finite])
                frames = frames[finite]
            if len(frames):
                self._send_transforms(path, frames, step.stamp)
        if wants_bodies:
            valid, age = path.validity(step.stamp)
            bodies = path.bodies().copy()
            finite = np.isfinite(bodies).all(axis=1)
            if not finite.all():
                yield _overflow(path, "states", np.flatnonzero(~finite))
                bodies[~finite] = 0.0
                bodies[~finite, : len(_IDENTITY)] = _IDENTITY
            self._send_bodies(step.stamp, bodies.reshape(-1), valid & finite, age)

    def _send_transforms(self, path: StatePath, frames: Indices, stamp: int) -> None:
        template = self._tf_template(path, frames)
        self._tf_audience.send(template.fill(stamp, path.result.relative))
        self._traffic.count("tf")

    def _send_bodies(
        self,
        stamp: int,
        bodies: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
        valid: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
        age: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    ) -> None:
        if self._body_template is not None:
            numbers = np.concatenate((bodies, age))
            self._body_audience.send(self._body_template.fill(stamp, numbers, valid))
            self._traffic.count("body_states")

    def _tf_template(self, path: StatePath, frames: Indices) -> Template:
        if frames is self._last_frames and self._last_template is not None:
            return self._last_template
        key = frames.tobytes()
        template = self._tf_templates.get(key)
        if template is None:
            if len(self._tf_templates) >= MAX_TEMPLATES:
                self._tf_templates.clear()
            template = transform_template(path.plan.pairs(frames), frames.tolist())
            self._tf_templates[key] = template
        self._last_frames, self._last_template = frames, template
        return template


def _overflow(path: StatePath, outputs: str, bodies: Indices) -> Complaint:
    names = listed([quoted(path.robot.model.body_names[body]) for body in bodies])
    return Complaint(
        Severity.WARN,
        f"{outputs} not finite",
        f"{outputs} of {names} are not finite and not shown: the joints' values and the robot's"
        " dimensions are too large",
        about=outputs,
        once=False,
    )
