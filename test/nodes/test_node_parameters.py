"""Parameters of running nodes describe and guard themselves."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import closing

import pytest
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.msg import ParameterValue
from rcl_interfaces.srv import DescribeParameters, SetParameters

from publisher_setup import ARM
from robodyn_ros.ros.parameter_tables import PARAMETERS
from ros_graph import Graph

TABLES = list(PARAMETERS.items())


@pytest.fixture(scope="module")
def both() -> Iterator[Graph]:
    """All nodes, running."""
    with closing(Graph()) as graph:
        for name, _ in TABLES:  # one after the other: all at once take too long on a busy machine
            graph.start(name, {"robot_description_file": ARM}).wait_for("robot 'demo_arm'")
        yield graph


@pytest.mark.parametrize(("name", "table"), TABLES)
def test_parameters_describe_themselves(both: Graph, name: str, table) -> None:
    names = [spec.name for spec in table]
    request = DescribeParameters.Request(names=names)
    reply = both.call(DescribeParameters, f"/{name}/describe_parameters", request)
    for spec, descriptor in zip(table, reply.descriptors, strict=True):
        assert descriptor.description == spec.text
        assert descriptor.read_only == spec.read_only
        if spec.kind is float:
            (bounds,) = descriptor.floating_point_range
            assert (bounds.from_value, bounds.to_value) == (spec.lower, spec.upper)
        if spec.kind is int:
            (bounds,) = descriptor.integer_range
            assert (bounds.from_value, bounds.to_value) == (spec.lower, spec.upper)


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        ({"publish_frequency": -1.0}, "publish_frequency"),
        ({"publish_frequency": 10**9}, "between 0 and 1000"),
        ({"publish_frequency": float("nan")}, "publish_frequency"),
        ({"publish_frequency": "x"}, "a number"),
        ({"publish_frequency": None}, "publish_frequency"),
        ({"frame_prefix": "r2/"}, "read-only"),
        ({"acceleration_source": "guess"}, "none, filtered, forward_dynamics"),
        ({"environment_topic": "elsewhere"}, "read-only"),
        ({"velocity_source": "guess"}, "message, filtered"),
        ({"robot_description": "<robot/>"}, "link"),
        ({"visualization_rate": 1000.0}, "visualization_rate"),
        ({"base": "floating"}, "read-only"),
    ],
)
def test_what_is_set_while_running_is_validated(both: Graph, refused: dict, said: str) -> None:
    ((successful, reason),) = both.set_parameters("/state_publisher", **refused)
    assert not successful
    assert said in reason


@pytest.mark.parametrize("name", [name for name, _ in TABLES])
def test_requests_that_fail_are_answered_with_one_line_and_the_node_goes_on(
    both: Graph, name: str
) -> None:
    process = both.processes[[name for name, _ in TABLES].index(name)]
    client = both.node.create_client(SetParameters, f"/{name}/set_parameters")
    both.wait(client.service_is_ready, "the service")
    malformed = ParameterMessage(name="seed", value=ParameterValue(type=99))
    request = SetParameters.Request(parameters=[malformed])
    futures = [client.call_async(request) for _ in range(8)]  # ten wait for a client at most
    both.wait(lambda: all(future.done() for future in futures), "answers")
    for future in futures:
        (result,) = future.result().results
        assert (result.successful, "99 is not a valid" in result.reason) == (False, True)
    request = DescribeParameters.Request(names=["robot_description"])
    reply = both.call(DescribeParameters, f"/{name}/describe_parameters", request)
    assert reply.descriptors[0].description
    line, *more = process.lines("a callback failed")
    assert "ValueError: 99 is not a valid" in line
    assert len(more) < len(futures) / 2
    both.node.destroy_client(client)
    assert process.stop(signal.SIGINT) == 0
    assert "Traceback" not in process.output
