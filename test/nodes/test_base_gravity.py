"""Over DDS: what an IMU on a moving base says follows a later change of gravity."""

from __future__ import annotations

import numpy as np
import pytest
from robodyn_interfaces.msg import BodyStateArray, Environment
from sensor_msgs.msg import Imu

from publisher_setup import ARM, xyz
from ros_graph import LATCHED, Graph, time_message

PLACE = "/based"
OPTIONS = {
    "robot_description_file": ARM,
    "base": "floating",
    "base_input": "imu",
    "filter_time_constant": 0.0,
}


@pytest.mark.parametrize("node", ["state_publisher", "robodyn_node"])
def test_gravity_that_changes_is_taken_out_of_the_imu(graph: Graph, node: str) -> None:
    bodies = graph.listen(BodyStateArray, f"{PLACE}/{node}/body_states")
    followed = {}
    if node == "state_publisher":
        environment = graph.publisher(Environment, f"{PLACE}/environment", LATCHED)
        followed = {"environment_topic": "environment"}
    graph.start(node, OPTIONS | followed, "-r", f"__ns:={PLACE}")
    imu = graph.publisher(Imu, f"{PLACE}/imu")
    graph.connect(imu)
    stamp = 100.0

    def rise() -> list[float]:
        """Return the root link's linear acceleration, by the last IMU sample."""
        nonlocal stamp
        stamp = round(stamp + 0.01, 3)
        sample = Imu()
        sample.header.frame_id, sample.header.stamp = "base_link", time_message(stamp)
        sample.orientation.w, sample.linear_acceleration.z = 1.0, 9.81
        imu.publish(sample)
        graph.spin(0.05)
        return xyz(bodies[-1].bodies[1].acceleration.linear) if bodies else []

    def becomes(z: float) -> bool:
        found = rise()
        return bool(found) and np.abs(np.array(found) - [0.0, 0.0, z]).max() < 1e-9

    graph.wait(lambda: becomes(0.0), "a base at rest")
    assert graph.set_parameters(f"{PLACE}/{node}", gravity=[0.0, 0.0, -3.7])[0][0]
    graph.wait(lambda: becomes(9.81 - 3.7), "the other gravity")
    if node == "state_publisher":
        message = Environment()
        message.header.frame_id, message.gravity.z = "world", -1.6
        environment.publish(message)
        graph.wait(lambda: becomes(9.81 - 1.6), "that of the environment")
