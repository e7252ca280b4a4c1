"""state_publisher among others: prefixes, two robots, restarts of nodes and drivers."""

from __future__ import annotations

from pathlib import Path

import pytest
from sensor_msgs.msg import JointState
from visualization_msgs.msg import MarkerArray

from publisher_setup import ARM, Setup
from robodyn_ros import load
from robots import OWN_ROBOTS
from ros_graph import LATCHED, Graph, joint_state, seconds
from tf2_msgs.msg import TFMessage

ARM_JOINTS = list(load(ARM, compile="off").model.joint_names)


@pytest.mark.parametrize("prefix", ["r1/", "r1"])
def test_a_prefix_is_on_every_frame_literally(graph: Graph, prefix: str) -> None:
    setup = Setup(graph, bodies=True, frame_prefix=prefix, visualization_rate=50)
    markers = graph.listen(MarkerArray, f"{setup.node}/visualization")
    message = setup.body_states(setup.joints, [0.1] * len(setup.joints), at=0.0)
    graph.wait(lambda: bool(setup.static) and bool(markers), "static transforms and markers")
    names = {prefix + name for name in setup.robot.model.body_names}
    for sent in (setup.tf[-1], setup.static[-1]):
        for transform in sent.transforms:
            assert {transform.header.frame_id, transform.child_frame_id} <= names
    assert message.header.frame_id == prefix + setup.robot.model.body_names[0]
    assert {m.header.frame_id for m in markers[-1].markers} == {message.header.frame_id}


def test_robots_live_side_by_side_by_namespace_and_by_prefix(graph: Graph) -> None:
    """Four on one /tf: two in namespaces, two with names and topics of their own."""
    tf = graph.listen(TFMessage, "/tf")
    static = graph.listen(TFMessage, "/tf_static", LATCHED)
    robots = {
        "left": (["__ns:=/left"], "/left/joint_states"),
        "right": (["__ns:=/right"], "/right/joint_states"),
        "a": (["__node:=a", "joint_states:=a_states", "robot_description:=a_robot"], "/a_states"),
        "b": (["__node:=b", "joint_states:=b_states", "robot_description:=b_robot"], "/b_states"),
    }
    inputs = {}
    for name, (rules, topic) in robots.items():
        options = {
            "robot_description_file": ARM,
            "frame_prefix": f"{name}/",
            "joint_states_reliability": "reliable",
        }
        graph.start("state_publisher", options, *(x for rule in rules for x in ("-r", rule)))
        inputs[name] = graph.publisher(JointState, topic)
    for publisher in inputs.values():
        graph.connect(publisher)
    turns = dict(zip(inputs, (0.1, 0.2, 0.3, 0.4), strict=True))
    found: dict[str, float] = {}

    def all_came() -> bool:
        for name, publisher in inputs.items():
            publisher.publish(joint_state(ARM_JOINTS[:1], [turns[name]], stamp=graph.stamp()))
        graph.spin(0.02)
        for message in tf:
            (transform,) = message.transforms
            name, _, child = transform.child_frame_id.partition("/")
            assert transform.header.frame_id.startswith(f"{name}/")
            turn = transform.transform.rotation
            found[name] = max(abs(turn.x), abs(turn.y), abs(turn.z))
            assert child
        return found.keys() == inputs.keys()

    graph.wait(all_came, "transforms of all robots")
    assert len({round(x, 6) for x in found.values()}) == 4

    def latched() -> set[str]:
        return {t.child_frame_id.split("/")[0] for m in static for t in m.transforms}

    graph.wait(lambda: latched() == set(inputs), "fixed frames of all robots")
    for process in graph.processes:
        assert process.stop() == 0
        assert "Traceback" not in process.output


@pytest.mark.parametrize("publish_base", [False, True])
def test_the_base_is_published_on_request_only(graph: Graph, publish_base: bool) -> None:
    setup = Setup(graph, publish_base=publish_base, world_frame="map")
    graph.wait(lambda: bool(setup.static), "static transforms")
    model = setup.robot.model
    pairs = [(t.header.frame_id, t.child_frame_id) for t in setup.static[-1].transforms]
    assert (("map", model.body_names[0]) in pairs) == publish_base
    fixed = sum(joint.joint.nv == 0 for _, joint in model.moving)
    assert len(pairs) == fixed + publish_base


def test_a_node_that_starts_again_goes_on_with_what_still_comes(graph: Graph) -> None:
    setup = Setup(graph, OWN_ROBOTS / "arm_about_z.urdf")
    assert setup.process.stop() == 0
    setup.tf.clear()
    setup.process = graph.start("state_publisher", setup.options, *setup.arguments)
    stamp = setup.time(0)

    def shown() -> bool:
        nonlocal stamp
        stamp = round(stamp + 0.01, 9)
        setup.send(setup.joints[:1], [0.1], stamp=stamp)
        graph.spin(0.01)
        return len(setup.tf) > 10

    graph.wait(shown, "transforms again")
    assert len(setup.transforms()) == len(set(setup.transforms()))
    assert setup.stamps() == sorted(setup.stamps())
    graph.wait(lambda: len(setup.static) >= 2, "static transforms of both")
    assert not setup.process.lines("WARN|ERROR")


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_driver_that_starts_again_is_heard_whether_its_stamps_go_on_or_start_over(
    graph: Graph, goes_on: bool
) -> None:
    setup = Setup(graph, OWN_ROBOTS / "arm_about_z.urdf")
    for k in range(5):
        setup.show(setup.joints[:1], [0.1], stamp=setup.time(0.01 * k))
    graph.node.destroy_publisher(setup.input)
    driver = graph.publisher(JointState, f"{setup.place}/joint_states")
    graph.connect(driver)
    setup.tf.clear()
    first = setup.time(1.0) if goes_on else 0.01
    sent = [round(first + 0.01 * k, 9) for k in range(5)]
    for stamp in sent:
        driver.publish(joint_state(setup.joints[:1], [0.2], stamp=stamp))
    setup.wait_for(sent[-1])
    assert setup.stamps() == sent
    assert len(setup.lines("jumped back")) == (0 if goes_on else 1)


def test_foreign_names_forge_no_line_and_fill_no_log(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "forger.urdf"
    name = "arm&#10;[FATAL] [1.0] [other]: by the robot"
    path.write_text(ARM.read_text().replace('name="demo_arm"', f'name="{name}"'))
    setup = Setup(graph, path)
    forged = "x\n[FATAL] [1.0] [other]: by a message"
    for k, names in enumerate(([forged], [f"{setup.joints[0]}/{forged}"], ["x" * 100_000])):
        setup.send(names, [0.1], stamp=setup.time(k))
    message = setup.show(setup.joints[:1], [0.1], stamp=setup.time(5))
    assert seconds(message.transforms[0].header.stamp) == setup.time(5)
    setup.process.wait_for("which is unknown and ignored")
    assert not setup.process.lines(r"^\[FATAL\]")
    assert max(map(len, setup.process.output.splitlines())) < 1100
