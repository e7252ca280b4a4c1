"""state_publisher in a process of its own: what mechanism files draw and mark, and its end."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sensor_msgs.msg import JointState
from visualization_msgs.msg import Marker, MarkerArray

from marked_robot import MARKED
from marker_rules import Viewer, xyz
from robodyn_ros import load
from robodyn_ros.ros.markers.settings import DESCRIBED
from ros_graph import RELIABLE, Graph, joint_state

DRAWN = MARKED + (
    "drawing:\n  upper:\n    - {shape: bar, from: [0, 0, 0], to: [0, 0, 0.4], radius: 0.02}\n"
    "    - {shape: mesh, file: upper.stl}\n"
)
PLAIN = "mechanism: 1\nname: rock\nbodies: {rock: {mass: 1}}\n"


def test_drawing_and_markers_are_shown_and_go_with_their_robot(
    graph: Graph, tmp_path: Path
) -> None:
    path = tmp_path / "drawn.yaml"
    path.write_text(DRAWN)
    viewer = Viewer()
    topic = "/state_publisher/visualization"
    graph.node.create_subscription(MarkerArray, topic, viewer.take, RELIABLE, raw=True)
    node = graph.start("state_publisher", {"robot_description_file": path})
    states = graph.publisher(JointState, "/joint_states")
    graph.connect(states)
    described = set(DESCRIBED.values())
    q = np.array([0.3, 0.1])

    def moving() -> bool:
        q[0] += 0.01
        states.publish(joint_state(["hip", "slide"], q.tolist(), [0, 0], stamp=graph.stamp()))
        return described <= {namespace for namespace, _ in viewer.screen}

    graph.wait(moving, "drawing, markers and trails")
    mesh = viewer.screen["drawing", 1]
    assert (mesh.type, mesh.mesh_resource) == (
        Marker.MESH_RESOURCE, (tmp_path / "upper.stl").as_uri(),
    )  # fmt: skip
    knee = xyz(viewer.screen["markers", 3].pose.position)
    assert np.linalg.norm(knee) == pytest.approx(0.4)
    assert load(path, compile="off").model.markers[3].name == "knee"
    assert graph.set_parameters("/state_publisher", robot_description=PLAIN) == [(True, "")]
    node.wait_for("robot 'rock'")
    graph.wait(lambda: not described & {namespace for namespace, _ in viewer.screen}, "their end")
    assert node.stop() == 0


def test_a_mesh_that_lies_nowhere_is_told_of_and_the_rest_is_shown(graph: Graph) -> None:
    viewer = Viewer()
    topic = "/state_publisher/visualization"
    graph.node.create_subscription(MarkerArray, topic, viewer.take, RELIABLE, raw=True)
    node = graph.start("state_publisher", {})
    node.wait_for("no robot description yet")
    assert graph.set_parameters("/state_publisher", robot_description=DRAWN) == [(True, "")]
    states = graph.publisher(JointState, "/joint_states")
    graph.connect(states)

    def come() -> bool:
        states.publish(joint_state(["hip", "slide"], [0.1, 0.1], [0, 0], stamp=graph.stamp()))
        return ("drawing", 0) in viewer.screen

    graph.wait(come, "the bar")
    node.wait_for("meshes 'upper.stl' of the description are not shown: give a file its path")
    assert ("drawing", 1) not in viewer.screen
