"""state_publisher with other parameters, names and clocks."""

from __future__ import annotations

from pathlib import Path

import pytest
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from publisher_setup import ARM, Setup
from robodyn_ros import load
from ros_graph import LATCHED, Graph, joint_state
from tf2_msgs.msg import TFMessage

ARM_JOINTS = list(load(ARM, compile="off").model.joint_names)


@pytest.mark.parametrize("prefix", ["r1/", "r1"])
def test_a_prefix_is_on_every_frame_literally(graph: Graph, prefix: str) -> None:
    setup = Setup(graph, ARM, frame_prefix=prefix)
    moving = setup.show(setup.joints, [0.1] * len(setup.joints), stamp=setup.time(0))
    graph.wait(lambda: bool(setup.static), "static transforms")
    names = {prefix + name for name in setup.robot.model.body_names}
    for message in (moving, setup.static[-1]):
        for transform in message.transforms:
            assert {transform.header.frame_id, transform.child_frame_id} <= names


def test_two_robots_live_side_by_side_in_namespaces(graph: Graph) -> None:
    tf = graph.listen(TFMessage, "/tf")
    inputs = {}
    for name in ("left", "right"):
        options = {"robot_description_file": ARM, "frame_prefix": f"{name}/"}
        graph.start("state_publisher", options, "-r", f"__ns:=/{name}")
        inputs[name] = graph.publisher(JointState, f"/{name}/joint_states")
    for publisher in inputs.values():
        graph.connect(publisher)

    def both_came() -> bool:
        for k, publisher in enumerate(inputs.values()):
            state = joint_state(ARM_JOINTS[:1], [0.1 * k], stamp=graph.stamp())
            publisher.publish(state)
        children = {t.child_frame_id.split("/")[0] for m in tf for t in m.transforms}
        return children == {"left", "right"}

    graph.wait(both_came, "transforms of both robots")


@pytest.mark.parametrize("publish_base", [False, True])
def test_the_base_is_published_on_request_only(graph: Graph, publish_base: bool) -> None:
    options = {"robot_description_file": ARM, "publish_base": publish_base, "world_frame": "map"}
    graph.start("state_publisher", options)
    static = graph.listen(TFMessage, "/tf_static", LATCHED)
    graph.wait(lambda: bool(static), "static transforms")
    model = load(ARM, compile="off").model
    pairs = [(t.header.frame_id, t.child_frame_id) for t in static[-1].transforms]
    assert (("map", model.body_names[0]) in pairs) == publish_base
    fixed = sum(joint.joint.nv == 0 for _, joint in model.moving)
    assert len(pairs) == fixed + publish_base


def test_publish_frequency_limits_each_joint(graph: Graph) -> None:
    """100 states a second limited to 20: one of five."""
    setup = Setup(graph, ARM, publish_frequency=20)
    for k in range(20):
        for i in range(5):
            stamp = setup.time(0.05 * k + 0.01 * i)
            setup.send(setup.joints[:1], [0.1], stamp=stamp)
        graph.wait(lambda: len(setup.tf) > k, "one of five")  # noqa: B023 - called at once
    setup.show(setup.joints[1:2], [0.1], stamp=setup.time(0.995))
    assert setup.stamps()[:-1] == [setup.time(0.05 * k) for k in range(20)]


def test_simulated_time_going_back_stops_nothing(graph: Graph) -> None:
    """/clock 50 to 0: states without a stamp are stamped with the new time within a second."""
    setup = Setup(graph, ARM, use_sim_time=True)
    clock = graph.publisher(Clock, "/clock")
    graph.connect(clock)

    def run(start: float, duration: float) -> None:
        for k in range(round(duration / 0.05)):
            message = Clock()
            message.clock = joint_state([], stamp=start + 0.05 * k).header.stamp
            clock.publish(message)
            graph.spin(0.02)
            setup.send(ARM_JOINTS[:1], [0.01 * k])
            graph.spin(0.02)

    run(50.0, 1.0)
    graph.wait(lambda: any(49.0 < stamp < 52.0 for stamp in setup.stamps()), "time 50")
    setup.tf.clear()
    run(0.05, 1.0)
    graph.wait(lambda: any(0.0 <= stamp <= 1.05 for stamp in setup.stamps()), "the new time")
    assert not any(stamp > 52.0 for stamp in setup.stamps())


def test_foreign_names_forge_no_line_and_fill_no_log(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "forger.urdf"
    name = "arm&#10;[FATAL] [1.0] [other]: by the robot"
    path.write_text(ARM.read_text().replace('name="demo_arm"', f'name="{name}"'))
    setup = Setup(graph, path)
    forged = "x\n[FATAL] [1.0] [other]: by a message"
    for k, names in enumerate(([forged], [f"{setup.joints[0]}/{forged}"], ["x" * 100_000])):
        setup.send(names, [0.1], stamp=setup.time(k))
    setup.show(setup.joints[:1], [0.1], stamp=setup.time(5))
    assert setup.lines("which is unknown and ignored")
    assert not setup.process.lines(r"^\[FATAL\]")
    assert max(map(len, setup.process.output.splitlines())) < 1100
