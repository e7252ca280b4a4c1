"""Numbers of serialised arrays: as rclpy reads them, whatever the layout."""

from __future__ import annotations

import math

import pytest
from rclpy.serialization import serialize_message
from std_msgs.msg import Float64MultiArray, MultiArrayDimension, MultiArrayLayout

from robodyn_ros.ros.cdr.float_array_reader import MOST, numbers_in

LABELLED = MultiArrayLayout(
    dim=[MultiArrayDimension(label="joints", size=2, stride=2)], data_offset=0
)


@pytest.mark.parametrize("layout", [MultiArrayLayout(), MultiArrayLayout(data_offset=3), LABELLED])
@pytest.mark.parametrize("count", [0, 1, 2, 7, MOST, MOST + 1])
def test_numbers_are_those_of_the_message(layout: MultiArrayLayout, count: int) -> None:
    numbers = [math.sin(k) * 10.0 ** (k % 9) for k in range(count)]
    data = serialize_message(Float64MultiArray(layout=layout, data=numbers))
    assert numbers_in(data) == numbers
    assert numbers_in(data + b"\0\0\0") == numbers


def test_what_is_not_finite_comes_through() -> None:
    data = serialize_message(Float64MultiArray(data=[math.inf, math.nan]))
    first, second = numbers_in(data)
    assert first == math.inf
    assert math.isnan(second)


@pytest.mark.parametrize("length", range(0, 36, 5))
def test_bytes_that_end_too_early_are_an_error_and_no_numbers(length: int) -> None:
    data = bytes(serialize_message(Float64MultiArray(data=[1.0, 2.0])))
    assert len(data) == 36
    with pytest.raises(Exception, match=r".+"):
        numbers_in(data[:length])
