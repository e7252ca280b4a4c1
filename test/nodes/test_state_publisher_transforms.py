"""state_publisher in a process of its own: /tf and /tf_static for what joint_states brings."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from robodyn_ros import load
from robodyn_ros.robot import Robot
from robodyn_ros.spatial import quaternion_to_matrix
from robots import OWN_ROBOTS
from ros_graph import LATCHED, Graph, Inbox, NodeProcess, joint_state, seconds
from tf2_msgs.msg import TFMessage

ARM = Path(__file__).parents[2] / "urdf" / "demo_arm.urdf"
ARM_JOINTS = list(load(ARM, compile="off").model.joint_names)


class Setup:
    """A running state publisher with its input and its transforms."""

    def __init__(self, graph: Graph, path: Path = ARM, *more: str, **parameters: object) -> None:
        self.graph = graph
        self.robot: Robot = load(path, compile="off")
        self.tf: Inbox = graph.listen(TFMessage, "/tf")
        self.static: Inbox = graph.listen(TFMessage, "/tf_static", LATCHED)
        options = {"robot_description_file": path, **parameters}
        self.process: NodeProcess = graph.start("state_publisher", options, *more)
        self.input = graph.publisher(JointState, "joint_states")
        graph.connect(self.input)
        graph.hear("/tf")
        self._warm_up()

    def _warm_up(self) -> None:
        """Send states long past until transforms come back, then forget both."""
        name = next(
            j.name for j in self.robot.model.own_joints if j.joint.nv == 1 and not j.is_follower
        )
        for k in range(1, 1000):
            self.input.publish(joint_state([name], [0.0], stamp=float(k)))
            self.graph.spin(0.05)
            if self.tf:
                break
        else:
            raise AssertionError(f"no transforms:\n{self.process.output}")
        self.graph.spin(0.2)
        self.tf.clear()

    def send(self, names, position=(), velocity=(), **options) -> None:
        """Publish a joint state."""
        self.input.publish(joint_state(names, position, velocity, **options))

    def transforms(self) -> list[tuple[float, str]]:
        """Return (stamp, child) of every transform that came."""
        return [(seconds(t.header.stamp), t.child_frame_id) for m in self.tf for t in m.transforms]

    def stamps(self) -> list[float]:
        """Return the stamps of the messages that came."""
        return [seconds(message.transforms[0].header.stamp) for message in self.tf]


def expected_pose(robot: Robot, q: np.ndarray, parent: str, child: str) -> np.ndarray:
    motion = robot.body_motion(q)
    i, j = robot.model.body_index(parent), robot.model.body_index(child)
    R = motion.rotation[i].T
    return np.column_stack([R @ motion.rotation[j], R @ (motion.position[j] - motion.position[i])])


def received_pose(transform) -> np.ndarray:
    t, r = transform.transform.translation, transform.transform.rotation
    rotation = quaternion_to_matrix(np.array([r.x, r.y, r.z, r.w]))
    return np.column_stack([rotation, [t.x, t.y, t.z]])


@pytest.mark.parametrize("name", ["demo_arm", "every_joint", "mimic_chain", "fixed_chains"])
def test_transforms_are_those_of_the_kinematics(graph: Graph, name: str) -> None:
    path = ARM if name == "demo_arm" else OWN_ROBOTS / f"{name}.urdf"
    setup = Setup(graph, path)
    model = setup.robot.model
    q = setup.robot.random_configuration(4)
    single = [j for j in model.own_joints if j.joint.nv == 1]
    names = [j.name for j in reversed(single)]
    setup.send(names, [q[j.q_index] for j in reversed(single)], stamp=1e6)
    graph.wait(lambda: setup.tf and setup.static, "transforms")
    received = [*setup.tf[-1].transforms, *setup.static[-1].transforms]
    moved = {j.name for j in single}
    children = {
        model.body_names[b]
        for b, j in model.moving
        if j.joint.nv == 0 or (j.driver or j.name) in moved
    }
    assert {t.child_frame_id for t in received} == children
    assert len(received) == len(children)
    for transform in received:
        expected = expected_pose(
            setup.robot, q, transform.header.frame_id, transform.child_frame_id
        )
        assert received_pose(transform) == pytest.approx(expected, abs=1e-12)


def test_planar_and_floating_joints_are_named_once_and_never_shown_as_fixed(graph: Graph) -> None:
    setup = Setup(graph, OWN_ROBOTS / "every_joint.urdf")
    for k in range(20):
        setup.send(["left_wrist", "right_shoulder", "string"], [0.1, 0.2, 0.3], stamp=1e6 + k)
    graph.wait(lambda: len(setup.tf) >= 20, "transforms")
    children = {child for _, child in setup.transforms()}
    children |= {t.child_frame_id for m in setup.static for t in m.transforms}
    assert children.isdisjoint({"right_arm", "float"})
    for joint, kind in (("right_shoulder", "planar"), ("string", "floating")):
        (line,) = setup.process.lines(f"'{joint}'")
        assert "WARN" in line
        assert kind in line


def test_states_without_a_stamp_get_the_nodes_time_and_one_warning(graph: Graph) -> None:
    setup = Setup(graph)
    before = graph.node.get_clock().now().nanoseconds * 1e-9
    for k in range(10):
        setup.send(ARM_JOINTS[:2], [0.1 * k, 0.2])
        graph.spin(0.02)
    graph.wait(lambda: len(setup.tf) >= 10, "ten messages of transforms")
    after = graph.node.get_clock().now().nanoseconds * 1e-9
    assert all(before <= stamp <= after for stamp in setup.stamps())
    assert len(setup.process.lines("without a stamp")) == 1


def test_after_a_clock_reset_transforms_resume_and_a_straggler_blocks_nothing(
    graph: Graph,
) -> None:
    setup = Setup(graph)
    for stamp in (10100.0, 10101.0, 0.1, 0.2, 10101.5, 0.3):
        setup.send(ARM_JOINTS[:1], [0.1], stamp=stamp)
    graph.wait(lambda: setup.tf and setup.stamps()[-1] == 0.3, "transforms at 0.3 s")
    assert setup.stamps() == [10100.0, 10101.0, 0.1, 0.2, 0.3]
    assert len(setup.process.lines("jumped back")) == 1


def test_the_same_state_five_times_gives_one_transform_per_child_and_stamp(graph: Graph) -> None:
    setup = Setup(graph)
    for stamp in (5000.0, 5000.1, 5000.2):
        for _ in range(5):
            setup.send(ARM_JOINTS, [0.1] * len(ARM_JOINTS), stamp=stamp)
    graph.wait(lambda: setup.tf and setup.stamps()[-1] == 5000.2, "the last transforms")
    graph.spin(0.3)
    sent = setup.transforms()
    assert len(sent) == len(set(sent))
    assert setup.stamps() == [5000.0, 5000.1, 5000.2]


def test_only_joints_of_the_message_and_never_an_old_position(graph: Graph) -> None:
    setup = Setup(graph)
    arm, gripper = ARM_JOINTS[:-1], ARM_JOINTS[-1:]
    setup.send(arm, [0.1] * len(arm), stamp=5000.0)
    setup.send(gripper, [0.01], stamp=5000.1)
    graph.wait(lambda: len(setup.tf) >= 2, "both messages")
    arm_children, gripper_children = (
        {t.child_frame_id for t in message.transforms} for message in setup.tf
    )
    assert arm_children.isdisjoint(gripper_children)
    assert len(gripper_children) == 2, "the gripper's finger and its mimic follower"


def test_names_that_are_not_the_robots_are_ignored_with_one_debug_line(graph: Graph) -> None:
    setup = Setup(graph, ARM, "--log-level", "state_publisher:=debug")
    for k in range(5):
        setup.send(["wheel", ARM_JOINTS[0], "lift"], [1.0, 0.1, 2.0], stamp=5000.0 + k)
    graph.wait(lambda: len(setup.tf) >= 5, "transforms")
    assert len({child for _, child in setup.transforms()}) == 1
    (line,) = setup.process.lines("wheel, lift")
    assert "DEBUG" in line


def test_repeated_and_decorated_names_are_warned_of_once_by_name(graph: Graph) -> None:
    setup = Setup(graph)
    first, second = ARM_JOINTS[:2]
    for k in range(5):
        setup.send([first, first], [0.3, 0.7], stamp=5000.0 + k)
        setup.send([f"{second}/position"], [0.7], stamp=5000.0 + k)
    graph.wait(lambda: len(setup.tf) >= 5, "transforms")
    graph.spin(0.2)
    q = setup.robot.configuration({first: 0.7})
    (transform,) = setup.tf[-1].transforms
    expected = expected_pose(setup.robot, q, transform.header.frame_id, transform.child_frame_id)
    assert received_pose(transform) == pytest.approx(expected, abs=1e-12)
    assert len(setup.process.lines(f"'{first}' is given more than once")) == 1
    assert len(setup.process.lines(f"names '{second}/position', which is unknown")) == 1
    assert len({child for _, child in setup.transforms()}) == 1, "the second joint never moves"


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_value_that_is_not_finite_never_reaches_tf(graph: Graph, bad: float) -> None:
    setup = Setup(graph)
    names = list(reversed(ARM_JOINTS))
    values = [0.1] * len(names)
    setup.send(names, values, stamp=5000.0)
    setup.send(names, [bad, *values[1:]], stamp=5001.0)
    setup.send([names[0]], [0.2], stamp=5002.0)
    graph.wait(lambda: setup.tf and setup.stamps()[-1] == 5002.0, "the last transforms")
    for message in setup.tf:
        for transform in message.transforms:
            assert np.isfinite(received_pose(transform)).all()
    whole, broken, repaired = ({t.child_frame_id for t in m.transforms} for m in setup.tf)
    assert whole - broken == repaired
    assert setup.process.lines(f"'{names[0]}': position is not finite")


def test_arrays_of_wrong_length_are_rejected_and_the_rest_is_used(graph: Graph) -> None:
    setup = Setup(graph)
    names, values = ARM_JOINTS[:3], [0.1, 0.2, 0.3]
    setup.send(names, values, [], stamp=5000.0, effort=[1.0] * 5)
    setup.send(names, values, [1.0, 2.0], stamp=5001.0)
    setup.send(names, values[:2], stamp=5002.0)
    setup.send(names, values, stamp=5003.0)
    graph.wait(lambda: setup.tf and setup.stamps()[-1] == 5003.0, "the last transforms")
    assert setup.stamps() == [5000.0, 5001.0, 5003.0]
    for text in ("effort has 5", "velocity has 2", "position has 2"):
        assert len(setup.process.lines(f"{text} entries for 3 names")) == 1


def test_messages_without_positions_move_nothing_and_hurt_nothing(graph: Graph) -> None:
    setup = Setup(graph)
    setup.send(ARM_JOINTS[:1], [], [1.0], stamp=5000.0)
    setup.send(ARM_JOINTS, stamp=5001.0)
    setup.send([], stamp=5002.0)
    setup.send(ARM_JOINTS[:1], [0.1], stamp=5003.0)
    graph.wait(lambda: bool(setup.tf), "transforms")
    graph.spin(0.2)
    assert setup.stamps() == [5003.0]


@pytest.mark.parametrize("prefix", ["r1/", "r1"])
def test_a_prefix_is_on_every_frame_literally(graph: Graph, prefix: str) -> None:
    setup = Setup(graph, ARM, frame_prefix=prefix)
    setup.send(ARM_JOINTS, [0.1] * len(ARM_JOINTS), stamp=5000.0)
    graph.wait(lambda: setup.tf and setup.static, "transforms")
    names = {prefix + name for name in setup.robot.model.body_names}
    for message in (setup.tf[-1], setup.static[-1]):
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


def test_the_base_is_published_on_request_only(graph: Graph) -> None:
    setup = Setup(graph, ARM, publish_base=True, world_frame="map")
    graph.wait(lambda: bool(setup.static), "static transforms")
    root = setup.robot.model.body_names[0]
    pairs = [(t.header.frame_id, t.child_frame_id) for t in setup.static[-1].transforms]
    assert pairs[0] == ("map", root)
    plain = Setup(Graph(), ARM, "-r", "__node:=plain")
    plain.graph.wait(
        lambda: any(m.transforms[0].header.frame_id != "map" for m in plain.static), "static"
    )
    ours = [m for m in plain.static if m.transforms[0].header.frame_id != "map"]
    assert root not in {t.child_frame_id for t in ours[-1].transforms}
    plain.graph.close()


def test_500_states_a_second_all_appear(graph: Graph) -> None:
    """The kernels are compiled first: it is the running node that is measured."""
    load(ARM).compile()
    setup = Setup(graph, ARM, joint_states_reliability="reliable")
    count, sent = 1000, 0
    start = graph.node.get_clock().now().nanoseconds

    def keep_sending() -> bool:
        nonlocal sent
        now = graph.node.get_clock().now().nanoseconds
        while sent < count and now - start >= sent * 2_000_000:
            setup.send(ARM_JOINTS, [0.1] * len(ARM_JOINTS), stamp=5000.0 + sent * 0.002)
            sent += 1
        return sent == count and setup.tf and setup.stamps()[-1] >= 5000.0 + (count - 1) * 0.002

    graph.wait(keep_sending, "the last of the states")
    received = len(set(setup.stamps()))
    assert received >= 0.95 * count, f"{received} of {count} states appeared on /tf"


def test_publish_frequency_limits_each_joint(graph: Graph) -> None:
    setup = Setup(graph, ARM, publish_frequency=10)
    for k in range(200):
        setup.send(ARM_JOINTS[:1], [0.1], stamp=5000.0 + 0.01 * k)
        if k % 20 == 0:
            graph.spin(0.02)
    setup.send(ARM_JOINTS[1:2], [0.1], stamp=5001.99)
    graph.wait(lambda: setup.tf and setup.stamps()[-1] == 5001.99, "the second joint")
    assert 19 <= len(setup.tf) - 1 <= 21


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
