"""The bytes over DDS: a subscriber gets the markers, of a large robot too."""

from __future__ import annotations

import numpy as np
from rclpy.serialization import serialize_message
from visualization_msgs.msg import MarkerArray

from marker_rules import check_rules, shown
from motion_blocks import random_block
from robodyn_ros import Robot
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.ros import qos
from robodyn_ros.ros.markers.settings import VisualizationSettings
from robodyn_ros.ros.markers.writer import VisualizationWriter
from ros_graph import Graph

STAMP = 1_700_000_000_123_456_789


def test_a_subscriber_gets_what_was_written(graph: Graph, robot: Robot):
    settings = VisualizationSettings()
    writer = VisualizationWriter(robot.model, FramePlan(robot.model), settings)
    publisher = graph.publisher(MarkerArray, "visualization", qos.STREAM)
    inbox = graph.listen(MarkerArray, "visualization", qos.STREAM)
    graph.wait(publisher.get_subscription_count, "a subscription")
    valid = np.ones(robot.model.nb, dtype=bool)
    written = [writer.fill(STAMP + k, random_block(robot, k), valid) for k in range(3)]
    written.append(writer.clear(STAMP + 3))
    for data in written:
        publisher.publish(data)
    graph.wait(lambda: len(inbox) == len(written), "all messages")
    for k, (message, data) in enumerate(zip(inbox, written, strict=True)):
        again = check_rules(serialize_message(message), robot.model.body_names[0], STAMP + k)
        assert again == check_rules(data, robot.model.body_names[0], STAMP + k)
        assert bool(shown(again)) == (k < 3)
