"""The RViz file shows our markers beside robot and frames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from robodyn_ros.ros.markers.settings import EVERY_NAMESPACE

RVIZ = Path(__file__).parents[3] / "rviz" / "robodyn.rviz"


def displays() -> dict[str, Any]:
    manager = yaml.safe_load(RVIZ.read_text())["Visualization Manager"]
    return {display["Class"].partition("/")[2]: display for display in manager["Displays"]}


def test_all_kinds_of_markers_are_shown_of_the_topic_they_are_published_on():
    markers = displays()["MarkerArray"]
    assert markers["Enabled"] is markers["Value"] is True
    # Relative, as robot_description is: RViz is started in the namespace of the robot.
    assert markers["Topic"]["Value"] == "state_publisher/visualization"
    assert markers["Topic"]["Reliability Policy"] == "Reliable"
    assert markers["Topic"]["Durability Policy"] == "Volatile"
    assert markers["Namespaces"] == dict.fromkeys(EVERY_NAMESPACE, True)


def test_meshes_and_frames_are_left_to_their_own_displays():
    assert displays()["RobotModel"]["Enabled"] is True
    assert displays()["TF"]["Enabled"] is True
