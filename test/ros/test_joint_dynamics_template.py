"""~/joint_dynamics as prepared bytes, against the message that rclpy makes of them."""

from __future__ import annotations

import numpy as np
import pytest
from rclpy.serialization import deserialize_message
from robodyn_interfaces.msg import JointDynamics

from robodyn_ros.ros.joint_dynamics import _FIELDS, joint_dynamics_template
from robots import OWN_ROBOTS, loaded


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
    assert list(message.valid) == flags.tolist()
    assert [message.kinetic_energy, message.potential_energy] == numbers[-2:].tolist()
    filled = {*_FIELDS, "names", "valid", "header"}
    energies = {"kinetic_energy", "potential_energy"}
    assert set(message.get_fields_and_field_types()) == filled | energies


def test_positions_are_the_entries_of_q_that_go_by_the_coordinates_names() -> None:
    """Of a quaternion no coordinate has one; the sliders of the same joint do."""
    model = loaded(OWN_ROBOTS / "every_type.yaml")
    places = zip(model.coordinate_names, model.rate_places, strict=True)
    found = {name: int(place) for name, place in places if place >= 0}
    ball = model.own_joint("ball").q_index
    assert (found["ball/z"], found["ball/outer_x"]) == (ball + 4, ball + 5)
    assert found["six_dof/z"] == model.own_joint("six_dof").q_index + 2
    assert found["gimbal/x"] == model.own_joint("gimbal").q_index + 3
    assert found["planar/rz"] == model.own_joint("planar").q_index + 2
    turns = {
        f"{name}/{axis}" for name in ("ball", "floating", "six_dof") for axis in ("rx", "ry", "rz")
    }
    assert set(found) == set(model.coordinate_names) - turns
