"""Where state_publisher gets its robot: late, changed, bad, by topic, parameter or file."""

from __future__ import annotations

from pathlib import Path

import pytest
from rcl_interfaces.srv import GetParameters
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from mini_robot import mounts, robot
from ros_graph import LATCHED, Graph, joint_state
from tf2_msgs.msg import TFMessage


def test_a_late_description_is_waited_for_by_its_full_name_and_then_used(graph: Graph) -> None:
    arguments = ("-r", "__ns:=/cell", "-r", "robot_description:=arm/description")
    process = graph.start("state_publisher", None, *arguments)
    states = graph.publisher(JointState, "/cell/joint_states")
    graph.connect(states)
    states.publish(joint_state(["turn"], [0.1], stamp=1.0))
    line = process.wait_for("waiting for one on /cell/arm/description$")
    assert "WARN" in line
    graph.wait(lambda: len(process.lines("waiting for one")) >= 2, "the warning again")
    graph.publisher(String, "/cell/arm/description", LATCHED).publish(String(data=robot(tool=1.0)))
    process.wait_for("robot 'mini': 3 bodies")
    tf = graph.listen(TFMessage, "/tf")

    def moved() -> bool:
        states.publish(joint_state(["turn"], [0.1], stamp=graph.stamp()))
        return bool(tf)

    graph.wait(moved, "transforms")
    said = len(process.lines("waiting for one"))
    graph.spin(3.2)
    assert len(process.lines("waiting for one")) == said, "the reminder has ended"


@pytest.mark.parametrize("way", ["parameter", "topic"])
def test_a_changed_description_replaces_all_fixed_frames_for_late_subscribers_too(
    graph: Graph, way: str
) -> None:
    first, second = robot(tool=1.0, gripper=0.5, plate=0.1), robot(tool=2.0, plate=0.1)
    topic = graph.publisher(String, "robot_description", LATCHED)
    if way == "topic":
        process = graph.start("state_publisher")
        topic.publish(String(data=first))
    else:
        process = graph.start("state_publisher", {"robot_description": repr(first)})
    early = graph.listen(TFMessage, "/tf_static", LATCHED)
    graph.wait(lambda: bool(early), "static transforms")
    assert mounts(early[-1]) == {"tool": 1.0, "gripper": 0.5, "plate": 0.1}
    if way == "topic":
        topic.publish(String(data=second))
    else:
        assert graph.set_parameters("/state_publisher", robot_description=second) == [(True, "")]
    graph.wait(lambda: len(early) >= 2, "static transforms again")
    late = graph.listen(TFMessage, "/tf_static", LATCHED)
    graph.wait(lambda: bool(late), "static transforms for a late subscriber")
    assert mounts(early[-1]) == mounts(late[-1]) == {"tool": 2.0, "plate": 0.1}
    assert process.stop() == 0


BAD = ("", "<robot/>", "/etc/hostname", "<robot", "joint.xacro", '<link name="x"/>')


@pytest.mark.parametrize("way", ["parameter", "topic"])
def test_a_bad_description_later_is_logged_and_the_old_one_stays(graph: Graph, way: str) -> None:
    topic = graph.publisher(String, "robot_description", LATCHED)
    if way == "topic":
        process = graph.start("state_publisher")
        topic.publish(String(data=robot(tool=1.0)))
        said = "bad description from /robot_description, the model in use stays"
    else:
        process = graph.start("state_publisher", {"robot_description": repr(robot(tool=1.0))})
        said = "robot_description is not changed"
    process.wait_for("robot 'mini'")
    for count, bad in enumerate(BAD, start=1):
        if way == "topic":
            topic.publish(String(data=bad))
        else:
            ((taken, why),) = graph.set_parameters("/state_publisher", robot_description=bad)
            assert not taken
            assert why
            assert "\n" not in why
        graph.wait(
            lambda: len(process.lines(said)) >= count,  # noqa: B023 - called at once
            f"an error about {bad!r}",
        )
    assert all("ERROR" in line for line in process.lines(said))
    tf = graph.listen(TFMessage, "/tf")
    states = graph.publisher(JointState, "joint_states")

    def moved() -> bool:
        states.publish(joint_state(["turn"], [0.1], stamp=graph.stamp()))
        return bool(tf)

    graph.wait(moved, "transforms of the old model")
    assert process.stop() == 0
    assert "Traceback" not in process.output


@pytest.mark.parametrize("source", ["parameter", "file"])
def test_a_description_given_is_published_for_others(
    graph: Graph, source: str, tmp_path: Path
) -> None:
    text = robot(tool=1.0)
    path = tmp_path / "mini.urdf"
    path.write_text(text)
    options = {"robot_description": repr(text)} if source == "parameter" else {}
    options |= {"robot_description_file": path} if source == "file" else {}
    graph.start("state_publisher", options)
    received = graph.listen(String, "robot_description", LATCHED)
    graph.wait(lambda: bool(received), "the description")
    assert received[0].data == text


def test_a_xacro_file_is_expanded_and_published_expanded(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "mini.urdf.xacro"
    path.write_text(
        '<robot name="mini" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:property name="n" value="base"/><link name="${n}"/></robot>'
    )
    process = graph.start("state_publisher", {"robot_description_file": path})
    received = graph.listen(String, "robot_description", LATCHED)
    graph.wait(lambda: bool(received), "the description")
    assert '<link name="base"' in received[0].data
    assert process.lines("robot 'mini': 1 bodies")


def test_text_that_looks_like_yaml_survives_as_a_parameter(graph: Graph) -> None:
    text = robot(tool=1.0).replace("<link", "<!-- key: value # not yaml --><link", 1)
    graph.start("state_publisher", {"robot_description": repr(text)})
    request = GetParameters.Request(names=["robot_description"])
    reply = graph.call(GetParameters, "/state_publisher/get_parameters", request)
    assert reply.values[0].string_value == text
