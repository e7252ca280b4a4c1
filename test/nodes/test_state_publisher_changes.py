"""state_publisher while joint states flow: other descriptions, other parameters, requests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.srv import GetParameters, SetParameters
from sensor_msgs.msg import JointState

from mini_robot import mounts, robot
from publisher_setup import Setup
from ros_graph import Graph, joint_state, parameter_value, seconds

FIRST = robot(at=1.0, hand=True)
SECOND = robot(at=2.0)
PERIOD = 0.005


@pytest.fixture
def mini(graph: Graph, tmp_path: Path) -> Setup:
    """A running state publisher of the small robot with a hand."""
    path = tmp_path / "mini.urdf"
    path.write_text(FIRST)
    return Setup(graph, path, bodies=True, visualization_rate=50)


class Flow:
    """Joint states at 200 Hz, each sent twice."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._count = 0

    def until(self, condition: Callable[[], Any]) -> None:
        """Send until a condition holds."""
        setup, begin = self._setup, self._count
        while not condition():
            assert self._count - begin < 4000, setup.process.output
            self._count += 1
            angles = [0.1, 0.1]
            for _ in range(2):
                stamp = setup.time(PERIOD * self._count)
                setup.send(["turn", "grip"], angles, [0.0, 0.0], stamp=stamp)
            setup.graph.spin(PERIOD)

    def for_a(self, count: int) -> None:
        """Send so many."""
        end = self._count + count
        self.until(lambda: self._count >= end)

    def request(self, service: Any, name: str, request: Any) -> Any:
        """Send until a request is answered; return the answer."""
        graph = self._setup.graph
        client = graph.node.create_client(service, f"{self._setup.node}/{name}")
        self.until(client.service_is_ready)
        future = client.call_async(request)
        self.until(future.done)
        graph.node.destroy_client(client)
        return future.result()

    def set_parameter(self, name: str, value: Any) -> None:
        """Set a parameter meanwhile."""
        parameter = ParameterMessage(name=name, value=parameter_value(value))
        request = SetParameters.Request(parameters=[parameter])
        (result,) = self.request(SetParameters, "set_parameters", request).results
        assert (result.successful, result.reason) == (True, "")


def test_a_description_that_changes_in_mid_traffic_ends_the_old_frames_at_once(
    mini: Setup,
) -> None:
    flow = Flow(mini)
    for text in (SECOND, FIRST, SECOND, FIRST, SECOND):
        flow.set_parameter("robot_description", text)
        flow.for_a(20)
    changes = 0
    last = 1.0
    for message in mini.tf:
        found = mounts(message)
        changes += found["arm"] != last
        last = found["arm"]
        assert found.keys() == ({"arm", "hand"} if last == 1.0 else {"arm"})
    assert changes == 5
    assert len(mini.transforms()) == len(set(mini.transforms())), "two for one stamp"
    assert mini.stamps() == sorted(set(mini.stamps()))
    names = [tuple(body.name for body in message.bodies) for message in mini.bodies]
    assert set(names) == {("base", "arm", "hand"), ("base", "arm")}
    assert not mini.process.lines("ERROR|Traceback")
    assert mini.process.stop() == 0


def test_a_bad_description_in_mid_traffic_changes_nothing(mini: Setup) -> None:
    flow = Flow(mini)
    flow.for_a(10)
    bad = ParameterMessage(name="robot_description", value=parameter_value("<robot/>"))
    request = SetParameters.Request(parameters=[bad])
    (result,) = flow.request(SetParameters, "set_parameters", request).results
    assert not result.successful
    flow.for_a(10)
    assert {frozenset(mounts(message)) for message in mini.tf} == {frozenset({"arm", "hand"})}
    assert len(mini.lines("ERROR.*robot_description is not changed")) == 1


def test_parameters_that_change_in_mid_traffic_take_effect_and_hurt_nothing(mini: Setup) -> None:
    flow = Flow(mini)
    # Without one some of so many messages may be left out.
    mini.graph.wait(
        lambda: mini.values("robot description").get("kernel state_step") == "compiled",
        "the kernel",
        timeout=120.0,
    )
    for name, values in (
        ("visualization_frames", (False, True)),
        ("visualization_rate", (0, 200, 50)),
        ("visualization_trails", (False, True)),
        ("filter_time_constant", (0.0, 0.1)),
        ("velocity_source", ("filtered", "message")),
        ("acceleration_source", ("none", "forward_dynamics", "filtered")),
        ("outlier_rejection", (False, True)),
        ("stale_after", (0.0, 1.0)),
    ):
        for value in values:
            flow.set_parameter(name, value)
            flow.for_a(3)
    assert len(mini.transforms()) == len(set(mini.transforms()))
    flow.set_parameter("publish_frequency", 10)
    mini.tf.clear()
    flow.for_a(100)
    flow.set_parameter("publish_frequency", 0)
    assert 5 <= len(mini.tf) <= 10
    mini.tf.clear()
    flow.for_a(50)
    assert len(mini.tf) >= 25, "more than 10 a second again"
    assert not mini.process.lines("WARN|ERROR|Traceback")


def test_a_request_sent_from_within_a_callback_is_answered(mini: Setup) -> None:
    """The one executor of the caller waits for nothing, and ours serves requests in traffic."""
    graph = mini.graph
    client = graph.node.create_client(GetParameters, f"{mini.node}/get_parameters")
    graph.wait(client.service_is_ready, "the service")
    answers: list[float] = []

    def heard(message: JointState) -> None:
        request = GetParameters.Request(names=["stale_after"])
        future = client.call_async(request)
        future.add_done_callback(lambda x: answers.append(x.result().values[0].double_value))

    graph.node.create_subscription(JointState, "trigger", heard, 10)
    trigger = graph.publisher(JointState, "trigger")
    graph.connect(trigger)
    flow = Flow(mini)
    for k in range(1, 6):
        trigger.publish(joint_state([]))
        flow.until(lambda: len(answers) >= k)  # noqa: B023 - called at once
    assert answers == [1.0] * 5
    assert seconds(mini.tf[-1].transforms[0].header.stamp) > mini.time(0)
