"""A prescribed base that moves as a file says, and frames that only mechanism files have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from robodyn_interfaces.msg import BodyStateArray
from sensor_msgs.msg import JointState

from publisher_setup import received_pose, xyz
from robodyn_ros.conditioning.base_motion_file import read_base_motion
from robodyn_ros.spatial import rotation_from_rpy
from ros_graph import LATCHED, Graph, joint_state, seconds
from tf2_msgs.msg import TFMessage

RAFT = """mechanism: 1
base: prescribed
bodies: {raft: {mass: 1}, mast: {mass: 1}, flag: }
joints:
  turn: {type: revolute, parent: raft, child: mast, axis: [0, 0, 1]}
  tie:
    type: fixed
    parent: mast
    child: flag
    on_parent: {position: [0, 0, 1]}
    on_child: {position: [0.1, 0, 0], rpy: [0, 0, 1]}
workspace: {name: quay, position: [1, 2, 3], rpy: [0.1, 0.2, 0.3]}
frames: {top: {body: mast, position: [0, 0, 2]}}
"""
WAVES = """time, x, y, z, qx, qy, qz, qw
0, 0, 0, 0, 0, 0, 0, 1
1, 1, 0, 0.5, 0, 0, 0.2, 0.98
2, 2, 0, 0, 0, 0.1, 0.3, 0.95
3, 0, 0, 0, 0, 0, 0, 1
"""


@pytest.mark.parametrize(("start", "loop"), [("first_message", True), ("stamp", False)])
def test_the_base_is_where_the_file_says_at_every_stamp(
    graph: Graph, tmp_path: Path, start: str, loop: bool
) -> None:
    path, waves = tmp_path / "raft.yaml", tmp_path / "waves.csv"
    path.write_text(RAFT)
    waves.write_text(WAVES)
    program = read_base_motion(str(waves), loop=loop)
    bodies = graph.listen(BodyStateArray, "/state_publisher/body_states")
    tf = graph.listen(TFMessage, "/tf")
    graph.start(
        "state_publisher",
        {
            "robot_description_file": path,
            "base_input": "file",
            "base_motion_file": waves,
            "base_motion_start": start,
            "base_motion_loop": loop,
            "publish_base": True,
            "joint_states_reliability": "reliable",
            "stale_after": 0.0,
        },
    )
    states = graph.publisher(JointState, "/joint_states")
    graph.connect(states)
    first = 100.0 if start == "first_message" else 0.25
    sent = 0

    def come() -> bool:
        nonlocal sent
        states.publish(joint_state(["turn"], [0.2], [0.0], stamp=first + 0.25 * sent))
        sent += 1
        return len(bodies) >= 10 and len(tf) >= 10

    graph.wait(come, "states of bodies")
    origin = first if start == "first_message" else 0.0
    for message in bodies:
        expected = program.at(seconds(message.header.stamp) - origin)
        raft = message.bodies[1]
        assert all(body.valid for body in message.bodies)
        assert xyz(raft.pose.position) == pytest.approx(expected.position, abs=1e-9)
        assert xyz(raft.twist.angular) == pytest.approx(expected.angular_velocity, abs=1e-9)
        assert xyz(raft.acceleration.linear) == pytest.approx(
            expected.linear_acceleration, abs=1e-9
        )
    assert any(np.any(np.abs(xyz(m.bodies[1].twist.linear)) > 0.1) for m in bodies)
    moved = {transform.child_frame_id for message in tf for transform in message.transforms}
    assert moved == {"raft", "mast"}


def test_rates_that_do_not_go_with_the_poses_are_warned_of(graph: Graph, tmp_path: Path) -> None:
    path, waves = tmp_path / "raft.yaml", tmp_path / "waves.csv"
    path.write_text(RAFT)
    header, *rows = WAVES.splitlines()
    turning = [row + (", 0, 0, 23" if row[0] == "2" else ", 0, 0, 0") for row in rows]
    waves.write_text("\n".join([header + ", wx, wy, wz", *turning]))
    process = graph.start(
        "state_publisher",
        {"robot_description_file": path, "base_input": "file", "base_motion_file": waves},
    )
    process.wait_for("waves.csv': column wz has 23 rad/s at time 2 s .row 3., but quaternions")


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"base_input": "file"}, "base_input file needs a base_motion_file; set it"),
        ({"base_motion_file": "waves.csv"}, "base_motion_file is for base_input file; set that"),
        (
            {"base_input": "file", "base_motion_file": "none.csv"},
            "base_motion_file 'none.csv': it cannot be read: No such file",
        ),
    ],
)
def test_what_does_not_go_together_ends_the_start_with_one_line(
    graph: Graph, tmp_path: Path, parameters: dict[str, str], text: str
) -> None:
    path = tmp_path / "raft.yaml"
    path.write_text(RAFT)
    process = graph.start("state_publisher", {"robot_description_file": path, **parameters})
    process.wait_for(text)
    assert process.finish() == 1


def test_the_workspace_and_other_frames_are_static_transforms(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "raft.yaml"
    path.write_text(RAFT)
    static = graph.listen(TFMessage, "/tf_static", LATCHED)
    graph.start(
        "state_publisher",
        {"robot_description_file": path, "frame_prefix": "r/", "world_frame": "map"},
    )
    graph.wait(lambda: bool(static), "static transforms")
    found = {t.child_frame_id: t for t in static[-1].transforms}
    parents = {name: t.header.frame_id for name, t in found.items()}
    assert parents == {"r/flag": "r/mast", "r/quay": "map", "r/top": "r/mast"}
    quay = received_pose(found["r/quay"])
    assert quay[:, 3].tolist() == [1.0, 2.0, 3.0]
    assert quay[:, :3] == pytest.approx(np.asarray(rotation_from_rpy((0.1, 0.2, 0.3))), abs=1e-12)
    # The flag's frame is where its joint's successor frame sits in it, the other way round.
    flag, R = received_pose(found["r/flag"]), np.asarray(rotation_from_rpy((0.0, 0.0, 1.0)))
    assert flag[:, :3] == pytest.approx(R.T, abs=1e-12)
    assert flag[:, 3] == pytest.approx([0.0, 0.0, 1.0] - R.T @ [0.1, 0.0, 0.0], abs=1e-12)
