"""Messages that move whole poses, as plain numbers: multi-DOF joint states, odometry, IMU."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from nav_msgs.msg import Odometry
from numpy.typing import NDArray
from rclpy.node import Node
from rclpy.subscription import Subscription
from sensor_msgs.msg import Imu, MultiDOFJointState

from robodyn_ros.conditioning.base_sources import ImuSample, OdometrySample
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.multi_dof_input import MultiDofSample
from robodyn_ros.ros import qos
from robodyn_ros.ros.conversions import nanoseconds
from robodyn_ros.ros.graph_watch import Endpoint

Floats = NDArray[np.float64]

MULTI_DOF = "multi_dof_joint_states"
ODOMETRY = "odom"
IMU = "imu"
_NOT_GIVEN = -1.0


def multi_dof_sample(message: MultiDOFJointState) -> MultiDofSample:
    """Return a message's numbers."""
    return MultiDofSample(
        nanoseconds(message.header.stamp),
        tuple(message.joint_names),
        tuple((*_xyz(x.translation), *_xyzw(x.rotation)) for x in message.transforms),
        tuple((*_xyz(x.angular), *_xyz(x.linear)) for x in message.twist),
        len(message.wrench),
    )


def odometry_sample(message: Odometry) -> OdometrySample:
    """Return a message's numbers; covariances are left out."""
    pose, twist = message.pose.pose, message.twist.twist
    return OdometrySample(
        nanoseconds(message.header.stamp),
        message.header.frame_id,
        message.child_frame_id,
        np.array(_xyz(pose.position)),
        np.array(_xyzw(pose.orientation)),
        np.array((*_xyz(twist.angular), *_xyz(twist.linear))),
    )


def imu_sample(message: Imu) -> ImuSample:
    """Return a message's numbers; None for what it says it does not give.

    That is said by -1 as the first element of a covariance; covariances mean nothing else here.
    """
    return ImuSample(
        nanoseconds(message.header.stamp),
        message.header.frame_id,
        _given(_xyzw(message.orientation), message.orientation_covariance),
        _given(_xyz(message.angular_velocity), message.angular_velocity_covariance),
        _given(_xyz(message.linear_acceleration), message.linear_acceleration_covariance),
    )


class BaseInputs:
    """Subscriptions for what the model and `base_input` need, and for nothing else.

    Topics are relative and may be remapped. Every publisher is taken, reliable or best effort.
    Handlers are called by the node's executor, one sample at a time.
    """

    def __init__(
        self,
        node: Node,
        *,
        multi_dof: Callable[[MultiDofSample], None],
        odometry: Callable[[OdometrySample], None],
        imu: Callable[[ImuSample], None],
    ) -> None:
        """Subscribe to nothing yet.

        Args:
            node: The node.
            multi_dof: Called with the numbers of each multi-DOF joint state.
            odometry: Called with those of each odometry.
            imu: Called with those of each IMU.
        """
        self._node = node
        self._kinds: dict[str, tuple[type, Callable[[Any], None]]] = {
            MULTI_DOF: (MultiDOFJointState, lambda x: multi_dof(multi_dof_sample(x))),
            ODOMETRY: (Odometry, lambda x: odometry(odometry_sample(x))),
            IMU: (Imu, lambda x: imu(imu_sample(x))),
        }
        self._subscriptions: dict[str, Subscription] = {}

    @property
    def subscriptions(self) -> tuple[Subscription, ...]:
        """The subscriptions there are now."""
        return tuple(self._subscriptions.values())

    @property
    def ends(self) -> tuple[Endpoint, ...]:
        """What is subscribed to, for a look at the other ends."""
        return tuple(
            Endpoint(topic, self._kinds[topic][0], subscription.qos_profile)
            for topic, subscription in self._subscriptions.items()
        )

    def full_name(self, topic: str) -> str:
        """Return the resolved name of one of the topics, subscribed or not."""
        return self._node.resolve_topic_name(topic)

    def listen(self, plan: FramePlan, base_input: str) -> None:
        """Subscribe to what a description needs, and no longer to what it does not."""
        needed = set(topics_needed(plan, base_input))
        for topic in self._subscriptions.keys() - needed:
            self._node.destroy_subscription(self._subscriptions.pop(topic))
        for topic in needed - self._subscriptions.keys():
            kind, handler = self._kinds[topic]
            self._subscriptions[topic] = self._node.create_subscription(
                kind, topic, handler, qos.joint_states("best_effort")
            )

    def close(self) -> None:
        """Subscribe to nothing any more."""
        for subscription in self._subscriptions.values():
            self._node.destroy_subscription(subscription)
        self._subscriptions.clear()


def topics_needed(plan: FramePlan, base_input: str) -> Iterable[str]:
    """Yield the topics that the joints of a model are moved by."""
    moved_otherwise = plan.moving_base and base_input != "none"
    if len(plan.multi) > int(moved_otherwise):
        yield MULTI_DOF
    if moved_otherwise and base_input in ("odometry", "odometry_and_imu"):
        yield ODOMETRY
    if moved_otherwise and base_input in ("imu", "odometry_and_imu"):
        yield IMU


def _xyz(vector: Any) -> tuple[float, float, float]:
    return vector.x, vector.y, vector.z


def _xyzw(quaternion: Any) -> tuple[float, float, float, float]:
    return quaternion.x, quaternion.y, quaternion.z, quaternion.w


def _given(values: tuple[float, ...], covariance: Any) -> Floats | None:
    return None if covariance[0] == _NOT_GIVEN else np.array(values)
