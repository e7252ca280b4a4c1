"""state_publisher and robodyn_node with marked mechanisms: ~/marker_states."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from robodyn_interfaces.msg import BodyStateArray, MarkerState, MarkerStateArray
from sensor_msgs.msg import JointState

from marked_robot import MARKED, UNMARKED
from publisher_setup import xyz
from robodyn_ros import load
from ros_graph import Graph, Inbox, joint_state

TOLERANCE = 1e-12
NAMES = ["slide", "hip"]
POSITION, VELOCITY = [0.2, -0.7], [0.4, 1.5]


def described(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "marked.yaml"
    path.write_text(text)
    return path


def received(graph: Graph, node: str, parameters: dict[str, object]) -> MarkerStateArray:
    """Return a message with everything known, and hold it against the bodies of the same stamp."""
    inbox: Inbox = graph.listen(MarkerStateArray, f"/{node}/marker_states")
    bodies: Inbox = graph.listen(BodyStateArray, f"/{node}/body_states")
    graph.start(node, {"acceleration_source": "none", **parameters})
    states = graph.publisher(JointState, "/joint_states")
    graph.connect(states)

    def both() -> bool:
        states.publish(joint_state(NAMES, POSITION, VELOCITY, stamp=graph.stamp()))
        return bool(inbox) and bool(bodies) and all(body.valid for body in bodies[-1].bodies)

    graph.wait(both, "states of markers and bodies")
    assert inbox[-1].header.frame_id == bodies[-1].header.frame_id
    return inbox[-1]


@pytest.mark.parametrize("node", ["state_publisher", "robodyn_node"])
def test_markers_move_as_marker_motion_says(graph: Graph, tmp_path: Path, node: str) -> None:
    path = described(tmp_path, MARKED)
    robot = load(path, compile="off")
    parameters = {"robot_description_file": path, "frame_prefix": "r1/", "world_frame": "map"}
    message = received(graph, node, parameters)
    assert message.header.frame_id == "map"
    expected = robot.marker_motion(
        np.array(POSITION[::-1]), np.array(VELOCITY[::-1]), np.zeros(robot.model.nv)
    )
    told = [(x.name, x.body, x.kind) for x in message.markers]
    assert told == [
        ("tool", "hand", MarkerState.POSITION),
        ("beam", "hand", MarkerState.DIRECTION),
        ("foot", "base", MarkerState.POSITION),
        ("knee", "upper", MarkerState.POSITION),
    ]
    for k, marker in enumerate(message.markers):
        assert marker.valid
        assert xyz(marker.value) == pytest.approx(expected.value[k], abs=TOLERANCE)
        assert xyz(marker.rate) == pytest.approx(expected.rate[k], abs=TOLERANCE)
        assert xyz(marker.acceleration) == pytest.approx(expected.acceleration[k], abs=TOLERANCE)


def test_a_marker_is_valid_with_its_body(graph: Graph, tmp_path: Path) -> None:
    path = described(tmp_path, MARKED)
    inbox: Inbox = graph.listen(MarkerStateArray, "/state_publisher/marker_states")
    graph.start("state_publisher", {"robot_description_file": path})
    states = graph.publisher(JointState, "/joint_states")
    graph.connect(states)

    def come() -> bool:
        states.publish(joint_state(["hip"], [0.3], [0.0], stamp=graph.stamp()))
        return bool(inbox)

    graph.wait(come, "states of markers")
    valid = {marker.name: marker.valid for marker in inbox[-1].markers}
    assert valid == {"tool": False, "beam": False, "foot": True, "knee": True}


def test_a_robot_without_markers_has_an_empty_list(graph: Graph, tmp_path: Path) -> None:
    path = described(tmp_path, UNMARKED)
    message = received(graph, "state_publisher", {"robot_description_file": path})
    assert not message.markers
    assert message.header.frame_id == "base"
