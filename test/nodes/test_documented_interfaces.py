"""The tables of docs/nodes.md against running nodes: topics, their types, and diagnostics."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from nav_msgs.msg import Odometry

from nodes_page import DIAGNOSTICS, TOPICS, table
from page_client import PageClient
from robots import OWN_ROBOTS
from ros_graph import Graph
from viewer_rig import ViewerRig

OF_EVERY_NODE = {"/parameter_events", "/rosout", "/clock"}
OF_CLOSED_MECHANISMS = {"mechanism"}
"""Diagnostics that the robots here do not have: see `test_closed_mechanisms`."""
MOVED_BY_EVERYTHING = {
    "robot_description_file": OWN_ROBOTS / "every_joint.urdf",
    "base": "floating",
    "base_input": "odometry_and_imu",
    "diagnostics_period": 0.2,
}

Ends = set[tuple[str, str, str]]


def documented(node: str) -> Ends:
    """Return direction, full name and type of the topics in a node's table."""
    found = set()
    for direction, name, kind, _ in table(node, TOPICS):
        full = name.replace("~", f"/{node}") if name.startswith("~") else f"/{name.lstrip('/')}"
        found.add((direction, full, kind.replace("/", "/msg/")))
    return found


def running(graph: Graph, node: str) -> Ends:
    """Return direction, name and type of the topics that a running node has now."""
    ends = {
        "in": graph.node.get_subscriber_names_and_types_by_node(node, "/"),
        "out": graph.node.get_publisher_names_and_types_by_node(node, "/"),
    }
    return {
        (direction, name, kind)
        for direction, topics in ends.items()
        for name, kinds in topics
        for kind in kinds
        if name not in OF_EVERY_NODE
    }


def has(graph: Graph, node: str, topics: Iterable[tuple[str, str]]) -> bool:
    """Return whether a node runs and has these ends."""
    names = {name for name, _ in graph.node.get_node_names_and_namespaces()}
    if node not in names:
        return False
    return set(topics) <= {(direction, name) for direction, name, _ in running(graph, node)}


def test_the_state_publisher_has_the_topics_and_diagnostics_of_its_tables(graph: Graph) -> None:
    diagnostics = graph.listen(DiagnosticArray, "/diagnostics")
    process = graph.start("state_publisher", MOVED_BY_EVERYTHING)
    odometry = graph.publisher(Odometry, "/odom")
    graph.connect(odometry)

    def told() -> set[str]:
        odometry.publish(Odometry())
        return {
            status.name.partition(": ")[2] for message in diagnostics for status in message.status
        }

    rows = {name for name, *_ in table("state_publisher", DIAGNOSTICS)} - OF_CLOSED_MECHANISMS
    graph.wait(lambda: told() >= rows, f"the diagnostics {rows}")
    assert told() == rows
    late = [("in", "/joint_states"), ("in", "/imu"), ("in", "/multi_dof_joint_states")]
    graph.wait(lambda: has(graph, "state_publisher", late), "its topics")
    found = running(graph, "state_publisher")
    process.stop()

    graph.wait(lambda: not has(graph, "state_publisher", []), "its end")
    graph.start("state_publisher", {})
    waiting = [("in", "/robot_description"), ("in", "/joint_states")]
    graph.wait(lambda: has(graph, "state_publisher", waiting), "the one without a description")
    assert found | running(graph, "state_publisher") == documented("state_publisher")


@pytest.mark.parametrize("node", ["dynamics_server", "robodyn_node"])
def test_a_node_with_dynamics_has_the_topics_and_diagnostics_of_its_tables(
    graph: Graph, node: str
) -> None:
    diagnostics = graph.listen(DiagnosticArray, "/diagnostics")
    frame = {"gravity_source": "frame", "gravity_frame": "map"}
    process = graph.start(node, MOVED_BY_EVERYTHING | frame)
    odometry = graph.publisher(Odometry, "/odom")
    graph.connect(odometry)

    def told() -> set[str]:
        odometry.publish(Odometry())
        return {
            status.name.partition(": ")[2] for message in diagnostics for status in message.status
        }

    of_states = {name for name, *_ in table("state_publisher", DIAGNOSTICS)}
    rows = of_states | {name for name, *_ in table("dynamics_server", DIAGNOSTICS)}
    rows -= OF_CLOSED_MECHANISMS
    graph.wait(lambda: told() >= rows, f"the diagnostics {rows}")
    assert told() == rows
    late = [("in", "/joint_states"), ("in", "/imu"), ("in", "/multi_dof_joint_states")]
    graph.wait(lambda: has(graph, node, late), "its topics")
    found = running(graph, node)
    process.stop()

    graph.wait(lambda: not has(graph, node, []), "its end")
    graph.start(node, {})
    waiting = [("in", "/robot_description"), ("in", "/joint_states")]
    graph.wait(lambda: has(graph, node, waiting), "the one without a description")
    assert found | running(graph, node) == documented(node)


def test_the_simulator_has_the_topics_and_diagnostics_of_its_tables(graph: Graph) -> None:
    diagnostics = graph.listen(DiagnosticArray, "/diagnostics")
    options = {"robot_description_file": OWN_ROBOTS / "single_link.urdf", "paused": True}
    process = graph.start("simulator", {**options, "base": "floating", "diagnostics_period": 0.2})

    def told() -> set[str]:
        return {
            status.name.partition(": ")[2] for message in diagnostics for status in message.status
        }

    rows = {name for name, *_ in table("simulator", DIAGNOSTICS)}
    graph.wait(lambda: told() >= rows, f"the diagnostics {rows}")
    assert told() == rows
    clock = ("out", "/clock", "rosgraph_msgs/msg/Clock")
    ends = [("in", "/simulator/effort_command"), ("out", "/robot_description")]
    graph.wait(lambda: has(graph, "simulator", ends), "its topics")
    assert graph.node.count_publishers("/clock") == 1
    found = running(graph, "simulator") | {clock}
    process.stop()

    graph.wait(lambda: not has(graph, "simulator", []), "its end")
    graph.start("simulator", {})
    graph.wait(lambda: has(graph, "simulator", [("in", "/robot_description")]), "the other")
    assert found | running(graph, "simulator") == documented("simulator")


def test_the_demo_has_the_topics_of_its_table(graph: Graph) -> None:
    graph.start("joint_trajectory_demo", {})
    topics = [("in", "/robot_description"), ("out", "/joint_states")]
    topics.append(("in", "/joint_trajectory_demo/position_command"))
    graph.wait(lambda: has(graph, "joint_trajectory_demo", topics), "the demo")
    assert running(graph, "joint_trajectory_demo") == documented("joint_trajectory_demo")


def test_the_viewer_has_the_topics_of_its_table_while_somebody_looks(graph: Graph) -> None:
    viewer = ViewerRig(graph)
    with PageClient(viewer.address):
        topics = [("in", "/robot_description"), ("in", "/robodyn_node/body_states")]
        graph.wait(lambda: has(graph, "viewer", topics), "the viewer")
        graph.wait(
            lambda: running(graph, "viewer") == documented("viewer"), "the topics of its table"
        )
    quiet = [("in", "/robot_description")]
    graph.wait(
        lambda: [x[:2] for x in running(graph, "viewer") if x[0] == "in"] == quiet, "no others"
    )
