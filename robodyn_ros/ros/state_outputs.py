"""The topics that show a robot's motion: /tf, /tf_static and ~/body_states."""

from __future__ import annotations

from rclpy.node import Node
from robodyn_interfaces.msg import BodyStateArray

from robodyn_ros.ros import qos
from robodyn_ros.ros.conversions import BodyStateWriter, TransformWriter
from robodyn_ros.ros.rates import Traffic
from robodyn_ros.ros.state_path import Settings, StatePath, Step
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

    def publish(self, path: StatePath, step: Step, settings: Settings) -> None:
        """Publish what a step asks for and somebody listens to."""
        wants_tf = len(step.frames) > 0 and self._tf.get_subscription_count() > 0
        wants_bodies = step.bodies and self._bodies.get_subscription_count() > 0
        if not (wants_tf or wants_bodies):
            return
        motion = path.motion()
        if wants_tf:
            poses = path.plan.relative(step.frames, motion.position, motion.rotation)
            self._tf.publish(self._tf_writer(path, step).write(step.stamp, poses))
            self._traffic.count("tf")
        if wants_bodies and self._body_writer is not None:
            valid, age = path.validity(step.stamp, settings)
            message = self._body_writer.write(step.stamp, motion, path.com_motion(), valid, age)
            self._bodies.publish(message)
            self._traffic.count("body_states")

    def _tf_writer(self, path: StatePath, step: Step) -> TransformWriter:
        key = step.frames.tobytes()
        writer = self._tf_writers.get(key)
        if writer is None:
            if len(self._tf_writers) >= MAX_WRITERS:
                self._tf_writers.clear()
            writer = self._tf_writers[key] = TransformWriter(path.plan.pairs(step.frames))
        return writer
