"""viewer at the start and its end: addresses, ports, parameters that do not go together."""

from __future__ import annotations

import signal
import socket
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from page_client import PageClient
from publisher_setup import ARM
from ros_graph import Graph
from viewer_rig import ViewerRig


def test_it_tells_its_address_once_and_ends_quietly(graph: Graph) -> None:
    viewer = ViewerRig(graph, robot_description_file=ARM)
    assert viewer.address.startswith("http://127.0.0.1:")
    viewer.process.wait_for("is on the page")
    with viewer.open() as page:
        page.get("joint1 [rad]")
    with viewer.open() as page:
        page.get("joint1 [rad]")
    assert viewer.process.stop(signal.SIGINT) == 0
    assert len(viewer.process.lines("viewer at")) == 1
    assert not viewer.process.lines("Traceback|WARN|ERROR|viser")


def test_a_port_that_is_taken_is_one_line(graph: Graph) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        process = graph.start("viewer", {"port": port})
        assert process.finish() == 1
    (line,) = process.output.splitlines()
    assert f"port {port} of 127.0.0.1 is taken" in line


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"port": 70000}, "port out of range"),
        ({"host": "no.such.host.invalid"}, "host 'no.such.host.invalid' cannot be found"),
        ({"origins": "robots.example"}, "origin 'robots.example' must be http"),
        ({"robots": "left,left"}, "robots names one twice"),
        ({"robots": "left,right!"}, "'right!'"),
        ({"server": "a b"}, "server must be the name of a node"),
        ({"command_topic": "/arm/command"}, "give allow_commands:=true too"),
        ({"command_topic": "a b", "allow_commands": True}, "must be the name of a topic"),
        ({"robots": "left,right", "robot_description_file": ARM}, "one description is given"),
        ({"robot_description_file": "missing.urdf"}, "missing.urdf"),
        ({"scene_rate": 1000.0}, "scene_rate out of range"),
    ],
    ids=str,
)
def test_what_cannot_be_is_one_line_with_the_remedy(
    graph: Graph, given: dict[str, Any], said: str
) -> None:
    process = graph.start("viewer", given)
    assert process.finish() == 1
    (line,) = process.lines("FATAL|ERROR")
    assert said in line
    assert "Traceback" not in process.output


def test_another_host_is_warned_of(graph: Graph) -> None:
    viewer = ViewerRig(graph, "-r", "__ns:=/alone", host="0.0.0.0")
    (line,) = viewer.process.lines("WARN.*0.0.0.0")
    assert "anyone on the network can open it" in line
    assert viewer.process.stop() == 0


def test_a_foreign_page_cannot_connect(graph: Graph) -> None:
    viewer = ViewerRig(graph, "-r", "__ns:=/alone", origins="https://robots.example")
    with pytest.raises(InvalidStatus) as refused:
        PageClient(viewer.address, origin="https://evil.example")
    assert refused.value.response.status_code == 403
    with PageClient(viewer.address, origin="https://robots.example") as page:
        page.wait(lambda: "waiting for a description" in page.text, "the page")
