"""The topics that show a robot's motion: /tf, /tf_static and ~/body_states."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rclpy.node import Node
from robodyn_interfaces.msg import BodyStateArray

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.frames import Indices
from robodyn_ros.conditioning.state_path import Settings, StatePath, Step
from robodyn_ros.errors import quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.conversions import BodyStateWriter, TransformWriter
from robodyn_ros.ros.rates import Traffic
from tf2_msgs.msg import TFMessage

MAX_WRITERS = 64


class StateOutputs:
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
        self._tf_writers: dict[bytes, TransformWriter] = {}
        self._body_writer: BodyStateWriter | None = None

    def begin(self, path: StatePath, *, publish_base: bool) -> None:
        """Start over with another description: all of its fixed frames go out, latched, at once.

        Raises:
            ArgumentError: the base cannot be published; nothing is changed then.
        """
        plan = path.plan
        pairs, poses = plan.static(with_world=publish_base)
        stamp = self._node.get_clock().now().nanoseconds
        self._tf_static.publish(TransformWriter(pairs).write(stamp, poses))
        self._tf_writers.clear()
        self._body_writer = BodyStateWriter(path.robot.model.body_names, plan.world_frame)

    def publish(self, path: StatePath, step: Step, settings: Settings) -> tuple[Complaint, ...]:
        """Publish what a step asks for and somebody listens to; return what could not be."""
        wants_tf = len(step.frames) > 0 and self._tf.get_subscription_count() > 0
        wants_bodies = step.bodies and self._bodies.get_subscription_count() > 0
        if not (wants_tf or wants_bodies):
            return ()
        # A description may have lever arms that take a sane joint beyond the floats.
        with np.errstate(all="ignore"):
            return tuple(self._publish(path, step, settings, wants_tf, wants_bodies))

    def _publish(
        self, path: StatePath, step: Step, settings: Settings, wants_tf: bool, wants_bodies: bool
    ) -> Iterator[Complaint]:
        motion = path.motion()
        if wants_tf:
            frames = step.frames
            poses = path.plan.relative(frames, motion.position, motion.rotation)
            finite = poses.finite()
            if not finite.all():
                yield _overflow(path, "transforms", frames[~finite])
                frames, poses = frames[finite], poses.only(finite)
            if len(frames):
                self._tf.publish(self._tf_writer(path, frames).write(step.stamp, poses))
                self._traffic.count("tf")
        if wants_bodies and self._body_writer is not None:
            valid, age = path.validity(step.stamp, settings)
            writer = self._body_writer
            self._bodies.publish(writer.write(step.stamp, motion, path.com_motion(), valid, age))
            self._traffic.count("body_states")
            if len(writer.overflowed):
                yield _overflow(path, "states", writer.overflowed)

    def _tf_writer(self, path: StatePath, frames: Indices) -> TransformWriter:
        key = frames.tobytes()
        writer = self._tf_writers.get(key)
        if writer is None:
            if len(self._tf_writers) >= MAX_WRITERS:
                self._tf_writers.clear()
            writer = self._tf_writers[key] = TransformWriter(path.plan.pairs(frames))
        return writer


def _overflow(path: StatePath, outputs: str, bodies: Indices) -> Complaint:
    names = [quoted(path.robot.model.body_names[body]) for body in bodies[:8]]
    listed = ", ".join(names) + (", ..." if len(bodies) > len(names) else "")
    return Complaint(
        Severity.WARN,
        f"{outputs} not finite",
        f"{outputs} of {listed} are not finite and not shown: the joints' values and the robot's"
        " dimensions are too large",
        about=outputs,
        once=False,
    )
