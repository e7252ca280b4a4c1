"""~/joint_dynamics as prepared bytes, against the message that rclpy makes of them."""

from __future__ import annotations

import numpy as np
import pytest
from rclpy.serialization import deserialize_message
from robodyn_interfaces.msg import JointDynamics

from robodyn_ros.ros.joint_dynamics import _FIELDS, joint_dynamics_template


@pytest.mark.parametrize("count", [0, 1, 7])
def test_every_number_is_in_its_place(count: int) -> None:
    names = [f"joint{k}/x" for k in range(count)]
    template = joint_dynamics_template(names, "world")
    numbers = np.arange(len(_FIELDS) * count + 2, dtype=float)
    flags = np.arange(count) % 2 == 0
    message = deserialize_message(template.fill(1_500_000_000, numbers, flags), JointDynamics)
    assert message.names == names
    assert message.header.frame_id == "world"
    assert (message.header.stamp.sec, message.header.stamp.nanosec) == (1, 500_000_000)
    for row, field in enumerate(_FIELDS):
        found = list(getattr(message, field))
        assert found == numbers[row * count : (row + 1) * count].tolist(), field
    assert list(message.external) == [0.0] * count
    assert list(message.valid) == flags.tolist()
    assert [message.kinetic_energy, message.potential_energy] == numbers[-2:].tolist()
    filled = {*_FIELDS, "external", "names", "valid", "header"}
    energies = {"kinetic_energy", "potential_energy"}
    assert set(message.get_fields_and_field_types()) == filled | energies
