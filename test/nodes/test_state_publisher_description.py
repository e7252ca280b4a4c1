"""Where state_publisher gets its robot: late, changed, bad, by topic, parameter or file."""

from __future__ import annotations

from pathlib import Path

import pytest
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.msg import ParameterType, ParameterValue
from rcl_interfaces.srv import GetParameters, SetParameters
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from ros_graph import LATCHED, Graph, joint_state
from tf2_msgs.msg import TFMessage

ARM = Path(__file__).parents[2] / "urdf" / "demo_arm.urdf"

LINK = '<link name="{}"/>'
FIXED = (
    '<joint name="{0}_mount" type="fixed"><parent link="base"/><child link="{0}"/>'
    '<origin xyz="{1} 0 0"/></joint>'
)
TURNING = (
    '<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/>'
    '<axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint>'
)


def robot(**fixed: float) -> str:
    """Return a URDF with one turning arm and a link mounted at x = value for each name."""
    links = "".join(LINK.format(name) for name in ("base", "arm", *fixed))
    mounts = "".join(FIXED.format(name, x) for name, x in fixed.items())
    return f'<robot name="mini">{links}{TURNING}{mounts}</robot>'


def mounts(message: TFMessage) -> dict[str, float]:
    return {t.child_frame_id: t.transform.translation.x for t in message.transforms}


def set_parameter(graph: Graph, name: str, value: str) -> object:
    request = SetParameters.Request()
    typed = ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=value)
    request.parameters = [ParameterMessage(name=name, value=typed)]
    return graph.call(SetParameters, "/state_publisher/set_parameters", request).results[0]


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
    graph.spin(4.0)
    assert len(process.lines("waiting for one")) == said


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
        assert set_parameter(graph, "robot_description", second).successful
    graph.wait(lambda: len(early) >= 2, "static transforms again")
    late = graph.listen(TFMessage, "/tf_static", LATCHED)
    graph.wait(lambda: bool(late), "static transforms for a late subscriber")
    assert mounts(early[-1]) == mounts(late[-1]) == {"tool": 2.0, "plate": 0.1}
    assert process.stop() == 0


BAD = ("", "<robot/>", "/etc/hostname", "<robot", "joint.xacro", LINK.format("x"))


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
            result = set_parameter(graph, "robot_description", bad)
            assert not result.successful
            assert result.reason
            assert "\n" not in result.reason
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


TWO_ROOTS = '<robot name="x"><link name="a"/><link name="b"/></robot>'


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"robot_description": "''"}, "empty"),
        ({"robot_description": "<robot/>"}, "link"),
        ({"robot_description": repr(TWO_ROOTS)}, "root"),
        ({"robot_description": "/etc/hostname"}, "robot description"),
        ({"robot_description_file": "/no/such.urdf"}, "/no/such.urdf"),
        ({"robot_description_file": ARM, "robot_description": "<robot/>"}, "not both"),
        ({"robot_description_file": ARM, "publish_base": True}, "world_frame"),
        ({"publish_frequency": -1}, "publish_frequency"),
        ({"publish_frequency": 1e9}, "publish_frequency"),
        ({"joint_states_reliability": "sometimes"}, "best_effort, reliable"),
        ({"frame_prefix": 5}, "frame_prefix"),
    ],
)
def test_a_bad_start_is_one_line_and_exit_code_1(
    graph: Graph, parameters: dict[str, object], said: str
) -> None:
    process = graph.start("state_publisher", parameters)
    assert process.finish() == 1
    lines = process.output.strip().splitlines()
    assert len(lines) == 1, process.output
    assert "FATAL" in lines[0]
    assert said in lines[0]


@pytest.mark.parametrize("value", [0, 0.0])
def test_frequency_zero_is_a_good_start(graph: Graph, value: float) -> None:
    options = {"robot_description_file": ARM, "publish_frequency": value}
    process = graph.start("state_publisher", options)
    process.wait_for("robot 'demo_arm'")
    assert process.stop() == 0
