"""state_publisher with mechanism files: by path, by parameter, by topic, good and bad."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rcl_interfaces.srv import GetParameters
from robodyn_interfaces.msg import BodyStateArray
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from publisher_setup import xyz
from robodyn_ros import load
from ros_graph import LATCHED, Graph, Inbox, joint_state
from tf2_msgs.msg import TFMessage

ROOT = Path(__file__).parents[2]
OVER = "mechanism: 1\nurdf: arm.urdf\nbodies: {tool: }\njoints:\n" + (
    "  screw: {type: helical, pitch: 0.1, parent: upper, child: tool, axis: [0, 0, 1]}\n"
)
URDF = """<robot name="arm"><link name="base"/><link name="upper"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="upper"/>
<axis xyz="0 0 1"/></joint></robot>"""


def test_a_file_over_a_urdf_moves_frames_and_is_published_for_others(
    graph: Graph, tmp_path: Path
) -> None:
    (tmp_path / "arm.urdf").write_text(URDF)
    path = tmp_path / "arm.yaml"
    path.write_text(OVER)
    described = graph.listen(String, "robot_description", LATCHED)
    process = graph.start("state_publisher", {"robot_description_file": str(path)})
    process.wait_for("robot 'arm': 3 bodies")
    graph.wait(lambda: bool(described), "the description")
    assert load(described[-1].data, compile="off").model.fingerprint == (
        load(path, compile="off").model.fingerprint
    )
    states = graph.publisher(JointState, "joint_states")
    graph.connect(states)
    tf = graph.listen(TFMessage, "/tf")
    found: dict[str, float] = {}

    def moved() -> bool:
        states.publish(joint_state(["turn", "screw"], [0.2, 0.5], stamp=graph.stamp()))
        for message in tf:
            for transform in message.transforms:
                found[transform.child_frame_id] = transform.transform.translation.z
        return {"upper", "tool"} <= found.keys()

    graph.wait(moved, "transforms")
    np.testing.assert_allclose(found["tool"], 0.05)
    assert process.stop() == 0


def test_a_text_on_the_topic_is_taken_and_a_bad_one_is_not(graph: Graph) -> None:
    process = graph.start("state_publisher")
    topic = graph.publisher(String, "robot_description", LATCHED)
    topic.publish(String(data="# an arm\nmechanism: 1\nname: first\nbodies: {base: }\n"))
    process.wait_for("robot 'first': 1 bodies")
    topic.publish(String(data=OVER))
    process.wait_for("line 2: urdf: 'arm.urdf' is relative, and a text lies in no folder")
    topic.publish(String(data="mechanism: 1\nbodies: {base: {mas: 1}}"))
    process.wait_for("line 2: bodies/base/mas: unknown key of a body; did you mean 'mass'")
    topic.publish(String(data="mechanism: 1\nname: other\nbodies: {base: }\n"))
    process.wait_for("robot 'other': 1 bodies")
    assert process.stop() == 0


def test_a_bad_file_ends_the_start_with_one_line(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "arm.yaml"
    path.write_text("mechanism: 1\nbodies:\n  base: {mass: heavy}\n")
    process = graph.start("state_publisher", {"robot_description_file": str(path)})
    line = process.wait_for("arm.yaml: line 3: bodies/base/mass: must be a number")
    assert "Traceback" not in line
    assert process.finish() == 1


def test_the_base_is_the_file_s_unless_the_parameter_says_otherwise(
    graph: Graph, tmp_path: Path
) -> None:
    path = tmp_path / "raft.yaml"
    path.write_text("mechanism: 1\nbase: floating\nbodies: {raft: {mass: 1}}\n")
    fixed = tmp_path / "rock.yaml"
    fixed.write_text("mechanism: 1\nbodies: {rock: {mass: 1}}\n")
    parameters = {"robot_description_file": str(path)}
    process = graph.start("state_publisher", parameters)
    process.wait_for("robot 'raft': 2 bodies")
    assert process.stop() == 0
    process = graph.start("state_publisher", {**parameters, "base": "fixed"})
    process.wait_for("robot 'raft': 1 bodies")
    assert process.stop() == 0
    process = graph.start(
        "state_publisher", {"robot_description_file": str(fixed), "base_input": "odometry"}
    )
    process.wait_for("base_input odometry needs a base that moves")
    assert process.finish() == 1


RAFT = """mechanism: 1
base: prescribed
gravity: [0, 3, -1]
base_motion:
  position: [1, 2, 3]
  angular_velocity: [0, 0, 0.5]
  linear_acceleration: [0, 0, 1]
bodies: {raft: {mass: 1}, mast: {mass: 1}}
joints: {turn: {type: revolute, parent: raft, child: mast, axis: [0, 0, 1]}}
"""


def test_a_prescribed_base_moves_as_described_only_where_that_is_asked_for(
    graph: Graph, tmp_path: Path
) -> None:
    path = tmp_path / "raft.yaml"
    path.write_text(RAFT)
    states = graph.publisher(JointState, "joint_states")
    received: dict[str, BodyStateArray] = {}
    for base_input in ("none", "description"):
        inbox = graph.listen(BodyStateArray, f"/{base_input}/state_publisher/body_states")
        graph.start(
            "state_publisher",
            {"robot_description_file": str(path), "base_input": base_input},
            *("-r", f"__ns:=/{base_input}", "-r", f"/{base_input}/joint_states:=/joint_states"),
        )
        graph.connect(states, len(received) + 1)

        def come(inbox: Inbox = inbox) -> bool:
            states.publish(joint_state(["turn"], [0.2], [0.0], stamp=graph.stamp()))
            return len(inbox) > 0

        graph.wait(come, "states of bodies")
        received[base_input] = inbox[-1]
    assert {key: [b.valid for b in m.bodies] for key, m in received.items()} == {
        "none": [True, False, False],
        "description": [True, True, True],
    }
    for message in received.values():
        raft = message.bodies[1]
        assert xyz(raft.pose.position) == [1.0, 2.0, 3.0]
        assert xyz(raft.twist.angular) == [0.0, 0.0, 0.5]
        assert xyz(raft.acceleration.linear) == [0.0, 0.0, 1.0]


def test_only_a_prescribed_base_moves_as_described(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "raft.yaml"
    path.write_text("mechanism: 1\nbase: floating\nbodies: {raft: {mass: 1}}\n")
    parameters = {"robot_description_file": str(path), "base_input": "description"}
    process = graph.start("state_publisher", parameters)
    process.wait_for("base_input description needs a prescribed base; set base to prescribed")
    assert process.finish() == 1


def gravity_of(graph: Graph, node: str) -> list[float]:
    request = GetParameters.Request(names=["gravity"])
    reply = graph.call(GetParameters, f"/{node}/get_parameters", request)
    return list(reply.values[0].double_array_value)


@pytest.mark.parametrize("node", ["state_publisher", "dynamics_server", "robodyn_node"])
def test_gravity_is_the_description_s_unless_the_parameter_says_otherwise(
    graph: Graph, tmp_path: Path, node: str
) -> None:
    path = tmp_path / "raft.yaml"
    path.write_text(RAFT)
    process = graph.start(node, {"robot_description_file": str(path)})
    process.wait_for("robot 'raft'")
    described = [0.0, 3.0, -1.0]
    assert gravity_of(graph, node) == described
    other = "mechanism: 1\nname: rock\ngravity: [0, 0, -2]\nbodies: {rock: {mass: 1}}\n"
    assert graph.set_parameters(f"/{node}", robot_description=other) == [(True, "")]
    process.wait_for("robot 'rock'")
    assert gravity_of(graph, node) == [0.0, 0.0, -2.0]
    assert graph.set_parameters(f"/{node}", gravity=[1.0, 0.0, 0.0]) == [(True, "")]
    assert graph.set_parameters(f"/{node}", robot_description=RAFT) == [(True, "")]
    process.wait_for("robot 'robot'")
    assert gravity_of(graph, node) == [1.0, 0.0, 0.0]
    assert process.stop() == 0
    given = graph.start(node, {"robot_description_file": str(path), "gravity": "[0.0,0.0,-3.0]"})
    given.wait_for("robot 'raft'")
    graph.wait(lambda: gravity_of(graph, node) == [0.0, 0.0, -3.0], "the one given")
