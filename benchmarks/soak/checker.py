"""What the node publishes, held against what is true.

A body that is shown as valid must be where it really is: within `EXACT` where its age is 0, and
otherwise within what the robot can have moved meanwhile. So must every transform where the node
keeps outliers off /tf.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from robodyn_interfaces.msg import BodyStateArray
from visualization_msgs.msg import MarkerArray

import published_bytes
from benchmarks.soak.faults import NODE_LAG, SECOND
from benchmarks.soak.motion import Label, Truth
from published_bytes import Bodies, Transform
from robodyn_ros.spatial import quaternion_to_matrix
from tf2_msgs.msg import TFMessage

EXACT = 1e-6
"""m, rad, m/s, rad/s."""
SLACK = 3.0
"""Times the highest speed of any body: joints may be old by different amounts."""
RECOVERY = 1.0
"""Seconds within which the output has to come back."""
_EXAMPLES = 20
_AT_ONCE = 200
"""Messages of a topic taken in a row, so that a busy machine does not keep the checker there."""
_DEEP = QoSProfile(depth=5000, reliability=ReliabilityPolicy.RELIABLE)
_NO_NUMBER = re.compile(r"^-?(nan|inf)\b", re.IGNORECASE)


class Checker:
    """Receives as bytes, and checks.

    Attributes:
        seen: Messages by topic.
        violations: By what is violated.
        examples: Some of them in full.
        longest: Longest time, s, from a fault's end to transforms and valid bodies, and its kind.
    """

    def __init__(self, node: Node, truth: Truth, *, strict_transforms: bool) -> None:
        self._truth, self._strict = truth, strict_transforms
        kinds = {"tf": (TFMessage, "/tf"), "diagnostics": (DiagnosticArray, "/diagnostics")}
        for name, kind in (("body_states", BodyStateArray), ("visualization", MarkerArray)):
            kinds[name] = (kind, f"state_publisher/{name}")
        self._streams = {
            name: node.create_subscription(kind, topic, len, _DEEP, raw=True)
            for name, (kind, topic) in kinds.items()
        }
        self._node = node
        self.seen: Counter[str] = Counter()
        self.violations: Counter[str] = Counter()
        self.examples: list[str] = []
        self.longest = (0.0, "")
        self.epoch = 0
        self._labels: dict[int, Label] = {}
        self._unstamped = float("-inf")
        self._expected: tuple[str, float] | None = None
        self._missing: set[str] = set()
        self._shown: dict[int, set[str]] = {}
        self._row = {name: k for k, name in enumerate(truth.body_names)}

    def sent(self, stamp: int, label: Label) -> None:
        """Learn what a stamp stands for; the first that is said counts."""
        self._labels.setdefault(stamp, label)

    def unstamped(self, time: float) -> None:
        """Learn that a message without a stamp was sent."""
        self._unstamped = time

    def expect(self, kind: str, time: float) -> None:
        """Learn that a fault has ended."""
        self._missing = {"transforms", "valid bodies"}
        self._expected = kind, time

    @property
    def has_recovered(self) -> bool:
        """Whether all is as it should be since the last fault."""
        return not self._missing

    @property
    def is_connected(self) -> bool:
        """Whether all topics have their publisher."""
        count = self._node.count_publishers
        return all(count(x.topic_name) > 0 for x in self._streams.values())

    def take(self) -> None:
        """Take what has come, and check it."""
        transforms: list[tuple[Transform, Label, float]] = []
        bodies: list[tuple[Bodies, Label, float]] = []
        for name, subscription in self._streams.items():
            for _ in range(_AT_ONCE):
                taken = subscription.handle.take_message(subscription.msg_type, True)
                if taken is None:
                    break
                data, info = taken
                self.seen[name] += 1
                arrival = (info["received_timestamp"] - self.epoch) / SECOND
                if name == "tf":
                    for each in published_bytes.transforms(data):
                        self._once(each)
                        transforms.append((each, self._label(each.stamp, name), arrival))
                elif name == "body_states":
                    message = published_bytes.bodies(data)
                    bodies.append((message, self._label(message.stamp, name), arrival))
                elif name == "visualization":
                    self._check_markers(data)
                else:
                    self._check_diagnostics(deserialize_message(data, DiagnosticArray))
        if transforms:
            self._check_transforms(transforms)
        if bodies:
            self._check_bodies(bodies)

    def violated(self, what: str, example: str) -> None:
        """Note a violation."""
        self.violations[what] += 1
        if len(self.examples) < _EXAMPLES and self.violations[what] <= 4:
            self.examples.append(f"{what}: {example}")

    def overdue(self, now: float) -> None:
        """Note what has not come back in time."""
        expected = self._expected
        if expected is not None and self._missing and now > expected[1] + RECOVERY + 0.5:
            kind, end = expected
            self.violated(
                "output not back in time", f"{sorted(self._missing)} after {kind}, {end:.2f}"
            )
            self._expected = None

    def _label(self, stamp: int, topic: str) -> Label:
        found = self._labels.get(stamp)
        if found is None:
            time = (stamp - self.epoch) / SECOND
            found = Label(time, NODE_LAG, NODE_LAG)
            if not -1.0 < time - self._unstamped < RECOVERY:
                self.violated("stamp that was not sent", f"{topic} {stamp}, {time:.3f} s")
        return found

    def _once(self, transform: Transform) -> None:
        shown = self._shown.setdefault(transform.stamp, set())
        if transform.child in shown:
            self.violated("transform shown twice", f"{transform.child} at {transform.stamp}")
        shown.add(transform.child)

    def _came(self, what: str, label: Label, arrival: float) -> None:
        expected = self._expected
        if expected is None or what not in self._missing or label.time < expected[1] - 1e-6:
            return
        self._missing.discard(what)
        kind, end = expected
        took = arrival - end
        self.longest = max(self.longest, (took, kind))
        if took > RECOVERY:
            self.violated("output not back in time", f"{what} {took:.2f} s after {kind}")

    def _check_transforms(self, came: list[tuple[Transform, Label, float]]) -> None:
        poses = np.array([each.pose for each, _, _ in came])
        if not np.isfinite(poses).all():
            self.violated("not finite", f"tf {came[0][0]}")
            return
        self._check_unit("tf", poses[:, 3:])
        for _, label, arrival in came:
            self._came("transforms", label, arrival)
        if not self._strict:
            return
        times = sorted({label.time for _, label, _ in came})
        at = {time: k for k, time in enumerate(times)}
        position, rotation, _ = self._truth.bodies(times)
        moment = [at[label.time] for _, label, _ in came]
        parent = [self._row[each.parent] for each, _, _ in came]
        child = [self._row[each.child] for each, _, _ in came]
        turned = rotation[moment, parent].transpose(0, 2, 1)
        offset = position[moment, child] - position[moment, parent]
        true = np.einsum("kij,kj->ki", turned, offset)
        off = np.abs(poses[:, :3] - true).max(axis=1)
        twisted = turned @ rotation[moment, child] - quaternion_to_matrix(poses[:, 3:])
        lag = np.array([label.lag for _, label, _ in came])
        room = EXACT + SLACK * self._truth.turn * lag
        for k in np.flatnonzero((off > room) | (np.abs(twisted).max(axis=(1, 2)) > room)):
            self.violated("transform not true", f"{came[k][0]} {came[k][1]} {off[k]:.3g} m")

    def _check_bodies(self, came: list[tuple[Bodies, Label, float]]) -> None:
        motion = np.array([[body.motion for body in x.bodies] for x, _, _ in came])
        age = np.array([[body.age for body in x.bodies] for x, _, _ in came])
        valid = np.array([[body.valid for body in x.bodies] for x, _, _ in came])
        if not (np.isfinite(motion).all() and np.isfinite(age).all()):
            self.violated("not finite", f"body states at {came[0][0].stamp}")
            return
        self._check_unit("body states", motion[..., 3:7].reshape(-1, 4))
        for k, (_, label, arrival) in enumerate(came):
            if valid[k].all():
                self._came("valid bodies", label, arrival)
        position, rotation, twist = self._truth.bodies([label.time for _, label, _ in came])
        lag = np.maximum(age, 0.0) + np.array([[label.lag] for _, label, _ in came])
        slope_lag = lag + np.array([[label.slope_lag] for _, label, _ in came])
        truth = self._truth
        turned = quaternion_to_matrix(motion[..., 3:7])
        errors = (
            (motion[..., 0:3] - position, truth.speed, lag),
            ((turned - rotation).reshape(*age.shape, 9), truth.turn, lag),
            (motion[..., 7:10] - twist[..., :3], truth.push, slope_lag),
            (motion[..., 10:13] - twist[..., 3:], truth.spin, slope_lag),
        )
        for what, (error, fastest, late) in zip(
            ("position", "rotation", "velocity", "angular velocity"), errors, strict=True
        ):
            off = np.abs(error).max(axis=-1)
            for k, row in np.argwhere(valid & (off > EXACT + SLACK * fastest * late)):
                message, label, _ = came[k]
                name, old = message.bodies[row].name, age[k, row]
                text = f"{what} of {name} off by {off[k, row]:.3g}, age {old:.3g}, {label}"
                self.violated("shown as valid and is not", text)

    def _check_unit(self, topic: str, quaternions: Any) -> None:
        if (np.abs(np.linalg.norm(quaternions, axis=-1) - 1.0) > EXACT).any():
            self.violated("quaternion not of length 1", topic)

    def _check_markers(self, data: bytes) -> None:
        # No text or count looks like it, so what does not either need not be read: it takes 20 ms.
        words = np.frombuffer(data, dtype="<f8", offset=4, count=(len(data) - 4) // 8)
        if np.isfinite(words).all():
            return
        for marker in deserialize_message(data, MarkerArray).markers:
            pose, scale = marker.pose, marker.scale
            points = [pose.position, pose.orientation, scale, *marker.points]
            numbers = [getattr(x, key) for x in points for key in x.get_fields_and_field_types()]
            if not np.isfinite(numbers).all():
                self.violated("not finite", f"marker {marker.ns} {marker.id}")

    def _check_diagnostics(self, message: Any) -> None:
        for status in message.status:
            for item in status.values:
                if _NO_NUMBER.search(item.value):
                    self.violated("not finite", f"diagnostics {item.key}: {item.value}")
