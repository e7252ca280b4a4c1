"""The page of the services: its calls are answered, and its messages are those that come."""

from __future__ import annotations

import re
import shlex
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rclpy
import yaml
from rclpy.context import Context

from dynamics_rig import KINDS, Host, ServiceNode
from robots import OWN_ROBOTS, loaded

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "services.md").read_text()
CALLS = re.findall(r"^\$ (ros2 service call .*)$", PAGE, re.MULTILINE)
MESSAGES = re.findall(r"^\| [^|]+ \| `([^`]+)` \|$", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def node() -> Iterator[ServiceNode]:
    """The demo arm's services."""
    context = Context()
    rclpy.init(context=context)
    host = Host(loaded(ROOT / "urdf" / "demo_arm.urdf"))
    made = ServiceNode(host, context=context)
    yield made
    made.destroy_node()
    rclpy.shutdown(context=context)


def fill(message: Any, values: dict[str, Any]) -> None:
    """Set a message's fields as `ros2 service call` does."""
    for name, value in values.items():
        known = getattr(message, name)
        if isinstance(value, dict):
            fill(known, value)
        elif name == "external_wrenches":
            from geometry_msgs.msg import WrenchStamped

            setattr(message, name, [WrenchStamped() for _ in value])
            for part, one in zip(getattr(message, name), value, strict=True):
                fill(part, one)
        elif isinstance(known, array):
            setattr(message, name, [float(x) for x in value])
        else:
            assert type(known) is type(value), name
            setattr(message, name, value)


def answer(node: ServiceNode, command: str) -> Any:
    """Return the reply to a command line."""
    _, _, _, name, kind, *text = shlex.split(command)
    service = name.removeprefix("/dynamics_server/")
    assert kind == f"robodyn_interfaces/srv/{KINDS[service].__name__}"
    request = KINDS[service].Request()
    fill(request, yaml.safe_load(text[0]) if text else {})
    return node.answer(service, request)


def test_every_service_has_a_call_and_all_are_answered(node: ServiceNode) -> None:
    for command in CALLS:
        reply = answer(node, command)
        assert reply.success, (command, reply.message)
    shown = {shlex.split(command)[3].rpartition("/")[2] for command in CALLS}
    assert shown == set(KINDS)


REQUESTS: dict[str, dict[str, Any]] = {
    "no coordinate": {"names": ["joint11"], "position": [0.0]},
    "joint 'right_finger_joint' follows": {"names": ["right_finger_joint"], "position": [0.0]},
    "names has 'joint1'": {"names": ["joint1", "joint1"], "position": [0.0, 0.0]},
    "position has length 3": {"position": [0.0] * 3},
    "position of 'joint2' is nan": {"position": [0.0, float("nan"), *[0.0] * 6]},
    "names lacks 'joint3'": {"names": ["joint1", "joint2"], "position": [0.0, 0.0]},
    "rest is 9": {"position": [0.0] * 8, "rest": 9},
    "the effort of 'joint1'": {"position": [0.0] * 8, "acceleration": [1.7e308] * 8},
}


@pytest.mark.parametrize("begin", REQUESTS)
def test_messages_are_those_of_the_page(node: ServiceNode, begin: str) -> None:
    (shown,) = [text for text in MESSAGES if text.startswith(begin)]
    request = KINDS["inverse_dynamics"].Request(**REQUESTS[begin])
    reply = node.answer("inverse_dynamics", request)
    assert not reply.success
    assert reply.message.startswith(shown.removesuffix(", ..."))


def test_the_other_messages_of_the_page(node: ServiceNode) -> None:
    frame = KINDS["jacobian"].Request(position=[0.0] * 8, frame="tool")
    load = KINDS["set_payload"].Request()
    load.payload.name, load.payload.frame_id, load.payload.mass = "box", "gripper_link", 1.0
    load.payload.inertia.ixx = 1.0
    live = KINDS["inverse_dynamics"].Request(
        names=["joint1", "joint2"], position=[0.0, 0.0], rest=1
    )
    singular = Host(loaded(OWN_ROBOTS / "massless_tip.urdf"))
    texts = [
        node.answer("jacobian", frame).message,
        node.answer("set_payload", load).message,
        node.answer("inverse_dynamics", live).message,
    ]
    context = Context()
    rclpy.init(context=context)
    other = ServiceNode(singular, "other", context=context)
    moved = KINDS["forward_dynamics"].Request(position=[0.1] * 3)
    texts.append(other.answer("forward_dynamics", moved).message)
    other.destroy_node()
    rclpy.shutdown(context=context)
    for begin in (
        "no frame (frame) is called 'tool'",
        "payload 'box': inertia has",
        "REST_LIVE needs the measured state of joint 'joint3'",
        "the mass matrix is singular at joint 'spin'",
    ):
        assert any(text.startswith(begin) for text in MESSAGES), begin
        assert any(text.startswith(begin) for text in texts), (begin, texts)
