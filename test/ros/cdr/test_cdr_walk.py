"""Our serialisation against rclpy's, for every kind of field and message that is sent or read."""

from __future__ import annotations

import random
import re
import struct
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Log, ParameterEvent
from rclpy.serialization import deserialize_message, serialize_message
from robodyn_interfaces.msg import BodyStateArray, Environment, JointDynamics, MarkerStateArray
from robodyn_interfaces.srv import InverseDynamics, ModelReport
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import (
    BatteryState,
    CameraInfo,
    Imu,
    JointState,
    MultiDOFJointState,
    NavSatFix,
    PointCloud2,
)
from std_msgs.msg import ByteMultiArray, Empty, Int64MultiArray, String, UInt16MultiArray
from trajectory_msgs.msg import JointTrajectory
from visualization_msgs.msg import MarkerArray

from random_messages import plain, random_message
from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.cdr.walk import Place, serialize
from tf2_msgs.msg import TFMessage

KINDS = [
    BatteryState,
    BodyStateArray,
    ByteMultiArray,
    CameraInfo,
    Clock,
    DiagnosticArray,
    Empty,
    Environment,
    Imu,
    Int64MultiArray,
    InverseDynamics.Request,
    InverseDynamics.Response,
    JointDynamics,
    JointState,
    JointTrajectory,
    Log,
    MarkerArray,
    MarkerStateArray,
    ModelReport.Request,
    MultiDOFJointState,
    NavSatFix,
    Odometry,
    ParameterEvent,
    PointCloud2,
    String,
    TFMessage,
    UInt16MultiArray,
]
FORMATS = {
    "b1": "<?",
    "f4": "<f",
    "f8": "<d",
    "i1": "<b",
    "i2": "<h",
    "i4": "<i",
    "i8": "<q",
    "u1": "<B",
    "u2": "<H",
    "u4": "<I",
    "u8": "<Q",
}
SAMPLES = 25

kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


def at(message: Any, path: str) -> Any:
    """Return what a path names, as `plain` has it."""
    value = plain(message)
    for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path):
        value = value[name] if name else value[int(index)]
    return value[0] if isinstance(value, bytes) else value


@kinds
def test_bytes_are_those_of_rclpy_but_for_padding(kind: type) -> None:
    rng = random.Random(1)
    for _ in range(SAMPLES):
        message = random_message(kind, rng)
        ours, theirs = bytearray(serialize(message).data), serialize_message(message)
        # rclpy sends the room that it reserved, which may end with bytes that mean nothing.
        assert len(ours) <= len(theirs)
        for i, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
            if mine != other:
                assert mine == 0, f"byte {i} of {message}"
                ours[i] = other ^ 0xFF
        # What differs is padding only if its value means nothing.
        assert plain(deserialize_message(bytes(ours), kind)) == plain(message)


@kinds
def test_every_number_lies_at_its_place(kind: type) -> None:
    rng = random.Random(2)
    for _ in range(SAMPLES):
        message = random_message(kind, rng)
        data, places = serialize(message)
        decoded = deserialize_message(data, kind)
        for path in rng.sample(sorted(places), min(len(places), 5)):
            offset, form = places[path].offset, FORMATS[places[path].kind]
            assert (offset - 4) % struct.calcsize(form) == 0
            assert struct.unpack_from(form, data, offset)[0] == at(decoded, path)


@kinds
def test_every_number_has_a_place(kind: type) -> None:
    message = random_message(kind, random.Random(3))

    def count(value: Any) -> int:
        if isinstance(value, dict):
            return sum(map(count, value.values()))
        if isinstance(value, list):
            return sum(map(count, value))
        return not isinstance(value, str)

    assert len(serialize(message).places) == count(plain(message))


def test_places_are_named_by_dotted_paths() -> None:
    message = TFMessage(transforms=[TransformStamped(child_frame_id="a")] * 2)
    message.transforms[0].header.frame_id = "base"
    places = serialize(message).places
    # Header 4, count 4, time 8, "base" 4 + 5, padding 3, "a" 4 + 2, padding 2; then the doubles.
    assert places["transforms[0].header.stamp.sec"] == Place(8, "i4")
    assert places["transforms[0].transform.translation.x"] == Place(36, "f8")
    assert places["transforms[1].transform.rotation.w"].kind == "f8"


def test_a_wide_string_is_refused() -> None:
    class Wide:
        text = "x"

        @staticmethod
        def get_fields_and_field_types() -> dict[str, str]:
            return {"text": "wstring"}

    with pytest.raises(ArgumentError, match="text is a 'wstring'"):
        serialize(Wide())


def test_a_name_that_is_no_text_is_refused() -> None:
    with pytest.raises(ArgumentError, match="JointState cannot be serialised"):
        serialize(JointState(name=["\ud800"]))
