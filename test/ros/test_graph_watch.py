"""Mismatched ends of topics, found by name, between participants of a real DDS graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
import rclpy
from rclpy.context import Context
from rclpy.node import Node
from rclpy.qos import (
    DurabilityPolicy,
    QoSCompatibility,
    QoSProfile,
    ReliabilityPolicy,
    qos_check_compatible,
)
from rclpy.topic_endpoint_info import TopicEndpointInfo
from sensor_msgs.msg import JointState
from std_msgs.msg import String

import ros_graph  # noqa: F401 - keeps all of it on this machine, on a domain of its own
from node_process import DEADLINE
from robodyn_ros.ros import qos
from robodyn_ros.ros.graph_watch import (
    MAX_MISMATCHES,
    UNNAMED,
    Connections,
    Endpoint,
    GraphWatch,
    full_name,
    type_name,
)
from tf2_msgs.msg import TFMessage

BEST_EFFORT = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
RELIABLE = QoSProfile(depth=10, reliability=ReliabilityPolicy.RELIABLE)
JOINTS = Endpoint(
    "joint_states", JointState, qos.joint_states("reliable"), "joint_states_reliability"
)
TF = Endpoint("/tf", TFMessage, qos.TF)
DESCRIPTION = Endpoint("robot_description", String, qos.LATCHED, sole=True)

MakeNode = Callable[..., Node]


@pytest.fixture
def make_node() -> Iterator[MakeNode]:
    """Make nodes, each a participant of its own: one process may not mix types on a topic."""
    nodes: list[Node] = []

    def make(name: str, namespace: str = "/", *arguments: str) -> Node:
        context = Context()
        rclpy.init(context=context)
        cli_args = ["--ros-args", *arguments] if arguments else None
        nodes.append(Node(name, namespace=namespace, context=context, cli_args=cli_args))
        return nodes[-1]

    yield make
    for each in nodes:
        each.destroy_node()
        rclpy.try_shutdown(context=each.context)


@pytest.fixture
def node(make_node: MakeNode) -> Node:
    return make_node("state_publisher", "/cell")


def look_until(
    watch: GraphWatch,
    condition: Callable[[Connections], bool],
    subscriptions: tuple[Endpoint, ...] = (JOINTS,),
    publishers: tuple[Endpoint, ...] = (),
) -> Connections:
    """Look until a condition holds, and return that look."""
    end = time.monotonic() + DEADLINE
    while not condition(found := watch.look(subscriptions, publishers)):
        assert time.monotonic() < end, found
        time.sleep(0.01)
    return found


def named(found: Connections) -> bool:
    return bool(found.mismatches) and UNNAMED not in {each.node for each in found.mismatches}


def texts(found: Connections) -> list[str]:
    return [each.text for each in found.mismatches]


def test_a_best_effort_publisher_of_a_reliable_input_is_named_with_the_parameter(
    node: Node, make_node: MakeNode
) -> None:
    driver = make_node("driver", "/cell/left")
    driver.create_publisher(JointState, "/cell/joint_states", BEST_EFFORT)
    found = look_until(GraphWatch(node), named)
    assert texts(found) == [
        "/cell/joint_states: /cell/left/driver publishes best_effort, this node asks for reliable:"
        " set joint_states_reliability:=best_effort"
    ]
    assert found.mismatches[0].inward
    assert [each.text for each in found.complaints()] == texts(found)


def test_without_a_parameter_the_publisher_is_told_what_to_publish(
    node: Node, make_node: MakeNode
) -> None:
    make_node("xacro").create_publisher(String, "/cell/robot_description", 10)
    found = look_until(GraphWatch(node), named, (DESCRIPTION,))
    assert texts(found) == [
        "/cell/robot_description: /xacro publishes volatile, this node asks for transient_local:"
        " let it publish transient_local"
    ]


def test_a_subscription_that_asks_for_more_than_we_offer_is_named(
    node: Node, make_node: MakeNode
) -> None:
    latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    make_node("rviz").create_subscription(TFMessage, "/tf", print, latched)
    found = look_until(GraphWatch(node), named, (), (TF,))
    assert texts(found) == [
        "/tf: this node publishes volatile, /rviz asks for transient_local and receives nothing:"
        " let it ask for volatile"
    ]
    assert not found.mismatches[0].inward


def test_another_type_is_named_on_both_sides(node: Node, make_node: MakeNode) -> None:
    other = make_node("other")
    other.create_publisher(String, "/cell/joint_states", 10)
    other.create_subscription(String, "/tf", print, 10)
    found = look_until(
        GraphWatch(node), lambda x: named(x) and len(x.mismatches) == 2, (JOINTS,), (TF,)
    )
    assert texts(found) == [
        "/cell/joint_states: /other publishes std_msgs/msg/String, this node takes"
        " sensor_msgs/msg/JointState: remap the topic of one of them",
        "/tf: /other subscribes to std_msgs/msg/String, this node publishes tf2_msgs/msg/TFMessage:"
        " remap the topic of one of them",
    ]


def test_publishers_are_listed_by_name_as_often_as_they_publish(
    node: Node, make_node: MakeNode
) -> None:
    gripper, arm = make_node("driver", "/gripper"), make_node("driver", "/arm")
    for each in (gripper, arm, arm):
        each.create_publisher(JointState, "/cell/joint_states", RELIABLE)
    expected = ("/arm/driver", "/arm/driver", "/gripper/driver")
    found = look_until(GraphWatch(node), lambda x: x.publishers["/cell/joint_states"] == expected)
    assert found.mismatches == ()
    assert found.rivals == {}


def test_an_end_that_vanished_is_no_longer_reported(node: Node, make_node: MakeNode) -> None:
    watch, driver = GraphWatch(node), make_node("driver")
    publisher = driver.create_publisher(JointState, "/cell/joint_states", BEST_EFFORT)
    look_until(watch, named)
    driver.destroy_publisher(publisher)
    found = look_until(watch, lambda x: not x.mismatches)
    assert found.publishers == {"/cell/joint_states": ()}


def test_a_node_that_vanished_is_no_longer_reported(node: Node, make_node: MakeNode) -> None:
    watch, driver = GraphWatch(node), make_node("driver")
    driver.create_publisher(JointState, "/cell/joint_states", BEST_EFFORT)
    look_until(watch, named)
    driver.destroy_node()
    rclpy.shutdown(context=driver.context)
    assert look_until(watch, lambda x: not x.mismatches).publishers["/cell/joint_states"] == ()


def test_an_end_replaced_between_two_looks_is_seen_when_its_turn_comes(
    node: Node, make_node: MakeNode
) -> None:
    watch, driver = GraphWatch(node), make_node("driver")
    publisher = driver.create_publisher(JointState, "/cell/joint_states", BEST_EFFORT)
    look_until(watch, named, (JOINTS,), (TF,))
    driver.destroy_publisher(publisher)
    driver.create_publisher(JointState, "/cell/joint_states", RELIABLE)
    look_until(GraphWatch(node), lambda x: not x.mismatches and any(x.publishers.values()))
    for _ in range(3):
        found = watch.look((JOINTS,), (TF,))
    assert found.mismatches == ()


def test_names_are_remapped_once(make_node: MakeNode) -> None:
    rules = ("-r", "joint_states:=first", "-r", "first:=second")
    node = make_node("state_publisher", "/cell", *rules)
    driver = make_node("driver")
    driver.create_publisher(JointState, node.resolve_topic_name("joint_states"), BEST_EFFORT)
    found = look_until(GraphWatch(node), named)
    assert [each.topic for each in found.mismatches] == ["/cell/first"]


def test_other_publishers_of_the_description_are_rivals_of_ours(
    node: Node, make_node: MakeNode
) -> None:
    node.create_publisher(String, "robot_description", qos.LATCHED)
    other = make_node("robot_state_publisher")
    other.create_publisher(String, "/cell/robot_description", qos.LATCHED)
    expected = {"/cell/robot_description": ("/robot_state_publisher",)}
    look_until(GraphWatch(node), lambda x: x.rivals == expected, (), (DESCRIPTION,))


def test_two_publishers_of_the_description_that_we_read_are_rivals(
    node: Node, make_node: MakeNode
) -> None:
    for name in ("first", "second"):
        make_node(name).create_publisher(String, "/cell/robot_description", qos.LATCHED)
    expected = {"/cell/robot_description": ("/first", "/second")}
    look_until(GraphWatch(node), lambda x: x.rivals == expected, (DESCRIPTION,))


def test_a_node_of_the_same_name_is_counted(node: Node, make_node: MakeNode) -> None:
    watch = GraphWatch(node)
    assert watch.look((), ()).namesakes == 0
    make_node("state_publisher", "/cell")
    make_node("state_publisher", "/other_cell")
    look_until(watch, lambda x: x.namesakes == 1)


def test_subscriptions_of_outputs_are_counted(node: Node, make_node: MakeNode) -> None:
    for name in ("one", "two"):
        make_node(name).create_subscription(TFMessage, "/tf", print, 10)
    found = look_until(GraphWatch(node), lambda x: x.subscribers == {"/tf": 2}, (), (TF,))
    assert found.mismatches == ()


def test_a_hundred_mismatched_ends_are_cut_to_a_few(node: Node, make_node: MakeNode) -> None:
    driver = make_node("driver")
    names = [f"/topic_{k}" for k in range(MAX_MISMATCHES + 4)]
    for name in names:
        driver.create_publisher(JointState, name, BEST_EFFORT)
    own = tuple(Endpoint(name, JointState, RELIABLE) for name in names)
    look_until(GraphWatch(node), lambda x: len(x.mismatches) == MAX_MISMATCHES, own)


def test_a_node_that_is_gone_cannot_look_and_does_not_raise(
    node: Node, make_node: MakeNode
) -> None:
    watch = GraphWatch(node)
    driver = make_node("driver")
    driver.create_publisher(JointState, "/cell/joint_states", BEST_EFFORT)
    look_until(watch, named)
    node.destroy_node()
    found = watch.look((JOINTS,), (TF,))
    assert found.mismatches == ()
    assert set(found.unread) == {"joint_states", "/tf"}


@pytest.mark.parametrize("name", ["", "_NODE_NAME_UNKNOWN_"])
def test_an_end_whose_node_is_not_known_has_no_name(name: str) -> None:
    info = TopicEndpointInfo(node_name=name, node_namespace="_NODE_NAMESPACE_UNKNOWN_")
    assert full_name(info) == UNNAMED


@pytest.mark.parametrize(
    ("name", "namespace", "expected"),
    [
        ("driver", "/", "/driver"),
        ("driver", "/cell/left", "/cell/left/driver"),
        ("driver", "", "/driver"),
        ("dri\nver", "/", r"'/dri\nver'"),
        ("x" * 300, "/", "'/" + "x" * 56 + "...'"),
    ],
)
def test_names_of_nodes_are_full_and_fit_to_be_shown(
    name: str, namespace: str, expected: str
) -> None:
    assert full_name(TopicEndpointInfo(node_name=name, node_namespace=namespace)) == expected


def test_types_are_named_as_the_graph_names_them() -> None:
    assert type_name(JointState) == "sensor_msgs/msg/JointState"
    assert type_name(TFMessage) == "tf2_msgs/msg/TFMessage"


def test_the_middleware_of_these_tests_keeps_mismatched_ends_apart() -> None:
    verdict, _ = qos_check_compatible(BEST_EFFORT, RELIABLE)
    assert verdict == QoSCompatibility.ERROR
