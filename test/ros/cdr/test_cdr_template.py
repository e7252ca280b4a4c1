"""Templates filled with numbers against messages made of the same numbers."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from geometry_msgs.msg import TransformStamped
from rclpy.serialization import deserialize_message
from robodyn_interfaces.msg import BodyState, BodyStateArray
from sensor_msgs.msg import JointState
from visualization_msgs.msg import Marker, MarkerArray

from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.cdr.template import Template
from tf2_msgs.msg import TFMessage

POSE = (
    "translation.x",
    "translation.y",
    "translation.z",
    "rotation.x",
    "rotation.y",
    "rotation.z",
    "rotation.w",
)
STAMP = 1_700_000_000_123_456_789


def transforms(count: int) -> TFMessage:
    message = TFMessage()
    for i in range(count):
        item = TransformStamped(child_frame_id="link_" + "x" * i)
        item.header.frame_id = "base" + "y" * (i % 3)
        message.transforms.append(item)
    return message


def tf_template(count: int, order: np.ndarray | None = None) -> Template:
    sources = np.arange(7 * count) if order is None else order
    return Template(
        transforms(count),
        stamps=[f"transforms[{i}].header.stamp" for i in range(count)],
        numbers=[
            (f"transforms[{i}].transform.{name}", int(sources[7 * i + j]))
            for i in range(count)
            for j, name in enumerate(POSE)
        ],
    )


def pose(transform: Any) -> list[float]:
    p, r = transform.translation, transform.rotation
    return [p.x, p.y, p.z, r.x, r.y, r.z, r.w]


@pytest.mark.parametrize("count", [1, 2, 10])
def test_transforms_carry_the_stamp_and_their_numbers(count: int) -> None:
    template = tf_template(count)
    rng = np.random.default_rng(count)
    for stamp in (STAMP, STAMP + 1_000_000, STAMP + 10**9, STAMP - 10**9):
        numbers = rng.normal(size=7 * count)
        message = deserialize_message(template.fill(stamp, numbers), TFMessage)
        for i, (item, made) in enumerate(
            zip(message.transforms, transforms(count).transforms, strict=True)
        ):
            assert item.header.stamp.sec * 10**9 + item.header.stamp.nanosec == stamp
            assert item.header.frame_id == made.header.frame_id
            assert item.child_frame_id == made.child_frame_id
            assert pose(item.transform) == numbers[7 * i : 7 * i + 7].tolist()


def test_numbers_are_taken_by_their_index() -> None:
    order = np.random.default_rng(0).permutation(50)[:21]
    numbers = np.arange(50.0)
    message = deserialize_message(tf_template(3, order).fill(STAMP, numbers), TFMessage)
    assert [x for item in message.transforms for x in pose(item.transform)] == order.tolist()


def test_single_precision_numbers_are_filled_beside_double_ones() -> None:
    message = MarkerArray(markers=[Marker(ns="a" * i, id=i) for i in range(2)])
    fields = ("color.g", "scale.x", "color.a")
    targets = [(f"markers[{i}].{x}", 3 * i + k) for i in range(2) for k, x in enumerate(fields)]
    template = Template(message, ["markers[0].header.stamp"], targets)
    numbers = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    markers = deserialize_message(template.fill(STAMP, numbers), MarkerArray).markers
    found = [(m.color.g, m.scale.x, m.color.a, m.color.r, m.color.b) for m in markers]
    assert [x[1] for x in found] == [0.2, 0.5]
    assert found[0] == pytest.approx((0.1, 0.2, 0.3, 0.0, 0.0), rel=1e-7)
    assert found[1] == pytest.approx((0.4, 0.5, 0.6, 0.0, 0.0), rel=1e-7)


def test_flags_of_each_kind() -> None:
    message = MarkerArray(markers=[Marker(ns="arrows", id=i) for i in range(2)])
    flags = []
    for i in range(2):
        flags += [(f"markers[{i}].action", i), (f"markers[{i}].frame_locked", 2 + i)]
    template = Template(message, ["markers[1].header.stamp"], flags=flags)
    data = template.fill(STAMP, np.zeros(0), np.array([2, -3, 1, 0]))
    first, second = deserialize_message(data, MarkerArray).markers
    assert (first.action, first.frame_locked) == (2, True)
    assert (second.action, second.frame_locked) == (-3, False)
    assert (first.header.stamp.sec, second.header.stamp.sec) == (0, STAMP // 10**9)


def test_a_boolean_field_gets_one_for_whatever_is_not_zero() -> None:
    message = BodyStateArray(bodies=[BodyState(name="a"), BodyState(name="bc")])
    flags = [("bodies[0].valid", 1), ("bodies[1].valid", 0)]
    template = Template(message, flags=flags)
    for given in (np.array([True, False]), np.array([256, 0])):
        data = template.fill(STAMP, np.zeros(0), given)
        bodies = deserialize_message(data, BodyStateArray).bodies
        assert [body.valid for body in bodies] == [False, True]
    kept = deserialize_message(template.fill(STAMP, np.zeros(0)), BodyStateArray)
    assert [body.valid for body in kept.bodies] == [False, True]


def test_what_was_returned_does_not_change_later() -> None:
    template = tf_template(2)
    first = template.fill(STAMP, np.ones(14))
    copy = bytes(bytearray(first))
    template.fill(STAMP + 1, np.zeros(14))
    assert first == copy


@pytest.mark.parametrize("stamp", [-1, -(2**31) * 10**9, (2**31) * 10**9 - 1, 0])
def test_stamps_at_the_limits(stamp: int) -> None:
    data = Template(JointState(name=["a"])).fill(stamp, np.zeros(0))
    time = deserialize_message(data, JointState).header.stamp
    assert time.sec * 10**9 + time.nanosec == stamp


@pytest.mark.parametrize("stamp", [2**31 * 10**9, -(2**31) * 10**9 - 1, 10**30])
def test_a_stamp_that_does_not_fit_is_refused_and_nothing_is_broken(stamp: int) -> None:
    template = tf_template(1)
    with pytest.raises(ArgumentError, match="does not fit"):
        template.fill(stamp, np.zeros(7))
    message = deserialize_message(template.fill(STAMP, np.ones(7)), TFMessage)
    assert message.transforms[0].header.stamp.nanosec == STAMP % 10**9


def test_too_few_numbers_are_refused() -> None:
    with pytest.raises(IndexError):
        tf_template(2).fill(STAMP, np.zeros(13))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"numbers": [("position[3]", 0)]}, r"no number 'position\[3\]'"),
        ({"numbers": [("name[0]", 0)]}, "no number"),
        ({"numbers": [("header.stamp.sec", 0)]}, "of type i4, not f8 or f4"),
        ({"numbers": [("position[0]", -1)]}, "below zero"),
        ({"flags": [("position[0]", 0)]}, "of type f8, not b1 or u1 or i4"),
        ({"stamps": ["stamp"]}, "no number 'stamp.sec'"),
    ],
)
def test_what_the_message_does_not_have_is_named(arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        Template(JointState(name=["a"], position=[0.0]), **arguments)


def test_messages_of_any_alignment() -> None:
    rng = random.Random(4)
    for _ in range(50):
        names = ["j" * rng.randint(0, 9) for _ in range(rng.randint(0, 5))]
        count = len(names)
        message = JointState(name=names, position=[0.0] * count, effort=[0.0] * (count + 1))
        message.header.frame_id = "f" * rng.randint(0, 9)
        targets = [(f"position[{i}]", i) for i in range(count)]
        targets += [(f"effort[{i}]", count + i) for i in range(count + 1)]
        numbers = np.random.default_rng(rng.randrange(99)).normal(size=2 * count + 1)
        read = deserialize_message(Template(message, numbers=targets).fill(1, numbers), JointState)
        assert [*read.position, *read.effort] == numbers.tolist()
        assert read.name == names
