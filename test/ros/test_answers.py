"""Requests whose callbacks raise are answered: rclpy would leave who asked waiting for ever."""

from __future__ import annotations

from rcl_interfaces.msg import Parameter, ParameterValue
from rcl_interfaces.srv import GetParameters, SetParameters, SetParametersAtomically
from std_srvs.srv import SetBool

from publisher_setup import ARM
from robodyn_ros.ros.answers import answer_always
from ros_graph import Graph

ODD = Parameter(name="stale_after", value=ParameterValue(type=99))
"""Of a type that there is not."""


def test_what_a_callback_raises_is_said_in_the_answer_and_logged(graph: Graph, capfd) -> None:
    def fails(request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        response.success, response.message = True, "half done"
        if request.data:
            raise OverflowError("too\nlarge")
        return response

    service = graph.node.create_service(SetBool, "~/switch", fails)
    answer_always(graph.node)
    done = service.callback(SetBool.Request(data=False), SetBool.Response())
    assert (done.success, done.message) == (True, "half done")
    answer = service.callback(SetBool.Request(data=True), SetBool.Response())
    assert (answer.success, answer.message) == (False, "OverflowError: too large")
    said = [line for line in capfd.readouterr().err.splitlines() if "ERROR" in line]
    assert len(said) == 1
    assert "a callback failed, its request to " in said[0]
    assert "switch is answered so: OverflowError: too large" in said[0]


def test_a_node_answers_for_parameters_of_no_type_and_lives_on(graph: Graph) -> None:
    node = graph.start("state_publisher", {"robot_description_file": ARM})
    good = Parameter(name="stale_after", value=ParameterValue(type=3, double_value=2.0))
    request = SetParameters.Request(parameters=[ODD, good, ODD])
    answers = graph.call(SetParameters, "/state_publisher/set_parameters", request).results
    assert [answer.successful for answer in answers] == [False, True, False]
    assert "99 is not a valid" in answers[2].reason
    request = SetParametersAtomically.Request(parameters=[ODD])
    name = "/state_publisher/set_parameters_atomically"
    assert not graph.call(SetParametersAtomically, name, request).result.successful
    read = GetParameters.Request(names=["stale_after"])
    reply = graph.call(GetParameters, "/state_publisher/get_parameters", read)
    assert reply.values[0].double_value == 2.0
    assert node.stop() == 0
