"""The numbers of a serialised std_msgs/Float64MultiArray, as controllers send them."""

from __future__ import annotations

import struct

from rclpy.serialization import deserialize_message
from std_msgs.msg import Float64MultiArray

MOST = 4096
"""Numbers of a message that are looked at without making a message of it."""
_PLAIN = bytes((0, 1, 0, 0))
"""Header of little endian CDR."""
_BEGIN = 20
"""Byte of the first number where the layout has no dimensions: header, three counts, padding."""
_DOUBLE = 8


def numbers_in(data: bytes) -> list[float]:
    """Return the numbers of a message; dimensions of its layout are not looked at.

    Raises:
        Exception: rclpy's, for bytes that are no such message.
    """
    if len(data) >= _BEGIN and data[:4] == _PLAIN:
        dimensions, _, count = struct.unpack_from("<III", data, 4)
        if dimensions == 0 and 0 < count <= MOST and len(data) >= _BEGIN + _DOUBLE * count:
            return list(struct.unpack_from(f"<{count}d", data, _BEGIN))
    return list(deserialize_message(data, Float64MultiArray).data)
