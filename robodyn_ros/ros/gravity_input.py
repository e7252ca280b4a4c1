"""Where gravity comes from: a parameter, the rotation of a frame, or an IMU on a link."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import Imu

from robodyn_ros.conditioning.frame_tree import FrameTree
from robodyn_ros.conditioning.imu_gravity import imu_gravity
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.base_inputs import IMU, imu_sample
from robodyn_ros.ros.conversions import nanoseconds
from robodyn_ros.ros.feature import Ends
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.parameters import Parameters
from tf2_msgs.msg import TFMessage

Floats = NDArray[np.float64]
#: Returns the rotation (3, 3) of a link's or frame's axes to world axes; a text where it has none.
Attitude = Callable[[str], "Floats | str"]
EARTH = (0.0, 0.0, -9.81)
"""Gravity before a description says another, m/s^2."""


class Gravity(NamedTuple):
    """What is known of gravity.

    Attributes:
        vector: (3,) the physical vector, world axes, m/s^2; the last one known.
        since: Monotonic time that it is from, s; infinity for ever.
        trouble: Why it was not to be had lately, "" where it was.
    """

    vector: Floats
    since: float
    trouble: str


class GravityInput:
    """Keeps gravity at what its source says; called by the node's executor."""

    def __init__(
        self, node: Node, config: Parameters, attitude: Attitude, changed: Callable[[], None]
    ) -> None:
        """Subscribe to what the source needs.

        Args:
            node: The node.
            config: Its parameters, `DYNAMICS_PARAMETERS` among them.
            attitude: How links are turned now.
            changed: Called after every input, with what is new in `now`.

        Raises:
            ArgumentError: `gravity_source` frame without a `gravity_frame`.
        """
        self._config = config
        self._attitude = attitude
        self._changed = changed
        self.source = config.text("gravity_source")
        self._frame = config.text("gravity_frame")
        self._root = ""
        self._imu_stamp, self._imu_since = 0, -inf
        self._tree = FrameTree()
        self._needed: tuple[bytes, ...] = ()
        self._given: Floats = np.array(config.get("gravity") or EARTH)
        self._ends: tuple[Endpoint, ...] = ()
        waiting = ""
        if self._frame and self.source != "frame":
            node.get_logger().warning(
                f"gravity_frame {quoted(self._frame)} is not used: gravity_source is {self.source};"
                " set that to frame"
            )
        if self.source == "frame":
            if not self._frame:
                raise ArgumentError("gravity_source frame needs a gravity_frame; set it")
            self._listen_to_frames(node)
            waiting = f"no transform of frame {quoted(self._frame)} on /tf or /tf_static yet"
            waiting += "; publish one"
        elif self.source == "imu":
            self._topic = node.resolve_topic_name(IMU)
            profile = qos.joint_states("best_effort")
            node.create_subscription(Imu, IMU, self._imu_received, profile)
            self._ends = (Endpoint(IMU, Imu, profile),)
            waiting = f"no IMU yet on {self._topic}; publish one there, or remap imu"
        self._now = Gravity(self._given, inf, waiting)

    @property
    def ends(self) -> Ends:
        """What is subscribed to."""
        return Ends(inward=self._ends)

    @property
    def vector(self) -> Floats:
        """The last vector known (3,), world axes, m/s^2; that of the parameter at first."""
        return self._now.vector

    def since(self) -> float:
        """Return the monotonic time, s, that the vector is from; infinity for ever."""
        return self._now.since

    def trouble(self, now: float, stale_after: float) -> str:
        """Return why gravity is not known, with what to do; "" where it is.

        Args:
            now: Monotonic time, s.
            stale_after: Age in s beyond which it is not used; 0 for never.
        """
        reason = self._now.trouble
        age = now - self._now.since
        if not reason and 0.0 < stale_after < age:
            reason = (
                f"its source is silent for {age:.1f} s, or repeats what it said; see that it runs,"
                " or raise stale_after"
            )
        if not reason:
            return ""
        return f"gravity is not known (gravity_source {self.source}): {reason}"

    def begin(self, root: str) -> None:
        """Take the name of the frame whose axes are the world's: another description is there."""
        self._root = root
        self._needed = ()
        if self.source == "frame":
            self._turn()

    def describe(self, gravity: Floats) -> None:
        """Take what another description says, unless the parameter does; nobody is told."""
        if self.source != "parameter":
            gravity = np.array([0.0, 0.0, -np.sqrt(gravity @ gravity)])
        self._config.fall_back("gravity", gravity.tolist())
        self._given = np.array(self._config.numbers("gravity"))
        if self.source == "parameter":
            self._now = Gravity(self._given, inf, "")

    def parameters_changed(self) -> None:
        """Take the parameter's new value; without one that known before holds on."""
        self._given = np.array(self._config.get("gravity") or self._given)
        if self.source == "parameter":
            self._set(Gravity(self._given, inf, ""))
        elif self.source == "frame":
            self._turn()

    def _set(self, gravity: Gravity) -> None:
        self._now = gravity
        self._changed()

    def _fail(self, trouble: str) -> None:
        self._set(self._now._replace(trouble=trouble))

    def _listen_to_frames(self, node: Node) -> None:
        topics = (("/tf", qos.TF, False), ("/tf_static", qos.TF_STATIC_LISTENER, True))
        for topic, profile, fixed in topics:

            def taken(data: bytes, fixed: bool = fixed) -> None:
                self._frames_received(data, fixed=fixed)

            node.create_subscription(TFMessage, topic, taken, profile, raw=True)
        self._ends = tuple(Endpoint(topic, TFMessage, profile) for topic, profile, _ in topics)

    def _frames_received(self, data: bytes, *, fixed: bool) -> None:
        """Take transforms; those of frames that do not matter are not even unpacked."""
        if self._needed and not fixed and not any(name in data for name in self._needed):
            return
        now = time.monotonic()
        for item in _transforms(data):
            turn = item.transform.rotation
            self._tree.take(
                item.header.frame_id,
                item.child_frame_id,
                (turn.x, turn.y, turn.z, turn.w),
                nanoseconds(item.header.stamp),
                fixed=fixed,
                now=now,
            )
        self._turn()

    def _turn(self) -> None:
        if not self._root:
            return
        turn = self._tree.turn(self._frame, self._root)
        if turn.trouble:
            self._needed = ()
            ends = f"{quoted(self._frame)} and {quoted(self._root)}"
            self._fail(f"{turn.trouble}; publish one chain of transforms between {ends}")
            return
        # A frame that gets another parent comes with its own name: it is always seen.
        self._needed = tuple(name.encode() + b"\0" for name in turn.children)
        self._set(Gravity(turn.rotation @ self._given, turn.since, ""))

    def _imu_received(self, message: Imu) -> None:
        sample = imu_sample(message)
        if not sample.stamp or sample.stamp != self._imu_stamp:
            # The same sample once more is no newer.
            self._imu_stamp, self._imu_since = sample.stamp, time.monotonic()
        strength = float(np.sqrt(self._given @ self._given))
        if strength == 0.0:  # in whatever direction
            self._set(Gravity(np.zeros(3), self._imu_since, ""))
            return
        found = imu_gravity(sample, strength)
        if found.trouble:
            self._fail(f"IMU on {self._topic}: {found.trouble}")
            return
        attitude = self._attitude(sample.frame_id)
        if isinstance(attitude, str):
            self._fail(f"IMU on {self._topic}: {attitude}")
            return
        vector = strength * (attitude @ found.direction)
        self._set(Gravity(vector, self._imu_since, ""))


def _transforms(data: bytes) -> Iterable[Any]:
    try:
        return deserialize_message(data, TFMessage).transforms  # type: ignore[no-any-return]
    except Exception:  # noqa: BLE001 - whatever the bytes are, they are no transforms
        return ()
