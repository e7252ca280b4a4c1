"""What the report says of joints of every type, of markers, and of how a robot begins."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from robodyn_ros.joints import JOINT_TYPES, Revolute
from robodyn_ros.model import Model, ModelBuilder
from robots import OWN_ROBOTS, loaded, random_tree

FILE = OWN_ROBOTS / "every_type.yaml"


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    report = loaded(FILE).report()
    found: dict[str, Any] = json.loads(report.json())
    assert found == report.to_dict()
    return found


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return [line.strip() for line in loaded(FILE).report().text().splitlines()]


def entry(data: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = (joint for joint in data["joints"] if joint["name"] == name)
    return dict(found)


def test_every_type_tells_its_parameters(data: dict[str, Any]) -> None:
    assert {joint["type"] for joint in data["joints"]} == set(JOINT_TYPES)
    for joint in data["joints"]:
        wanted = [parameter.name for parameter in JOINT_TYPES[joint["type"]].parameters]
        assert list(joint["parameters"]) == wanted
    assert entry(data, "helical")["parameters"] == {"axis": [0.0, 0.0, 1.0], "pitch": 0.05}
    gimbal = entry(data, "gimbal")["parameters"]
    assert gimbal == {"sequence": "231", "inner": [[1.0, 0.0, 0.0]], "outer": []}
    formulas = entry(data, "user_defined")["parameters"]
    assert formulas["variables"] == ["u", "w"]
    assert formulas["a"] == ["0.3*u", "w", "if(u < 0, 0, 0.2*u^3)"]
    assert entry(data, "ball")["parameters"]["outer"] == [[1.0, 0.0, 0.0]]


def test_every_rate_tells_its_own_numbers(data: dict[str, Any]) -> None:
    names = [rate["name"] for joint in data["joints"] for rate in joint["rates"]]
    assert names == list(loaded(FILE).coordinate_names)
    gimbal = entry(data, "gimbal")["rates"]
    assert [rate["friction"] for rate in gimbal] == [0.1, 0.2, 0.3, 4.0]
    assert [rate["armature"] for rate in gimbal] == [0.01, 0.02, 0.03, 0.4]
    assert [rate["unit"] for rate in gimbal] == ["rad/s"] * 3 + ["m/s"]
    ball = entry(data, "ball")["rates"]
    assert [rate["damping"] for rate in ball] == [0.1, 0.2, 0.3, 4.0, 5.0]
    assert [rate["limits"]["lower"] for rate in ball] == [None, None, None, -0.2, None]


def test_frames_of_joints_are_told(data: dict[str, Any]) -> None:
    helical, fixed = entry(data, "helical"), entry(data, "fixed")
    assert helical["on_child"] == {"position": [0.1, 0.0, 0.2], "rotation": np.eye(3).tolist()}
    assert fixed["on_child"] is None
    assert fixed["on_parent"]["position"] == [0.0, 0.1, 0.0]


def test_markers_and_the_beginning_are_told(data: dict[str, Any]) -> None:
    assert data["markers"] == [
        {"name": "tip", "body": "b19", "kind": "position", "vector": [0.1, 0.2, 0.3]},
        {"name": "ahead", "body": "b11", "kind": "direction", "vector": [1.0, 0.0, 0.0]},
    ]
    positions = dict(zip(data["position_names"], data["initial"]["positions"], strict=True))
    assert len(positions) == data["nq"]
    assert [positions[f"ball/{part}"] for part in ("qz", "qw", "z")] == [0.6, 0.8, 0.11]
    assert data["initial"]["given"] is True
    assert data["initial"]["gravity"] == [0.0, 0.0, -9.81]


def test_the_text_says_it_too(lines: list[str]) -> None:
    for line in (
        "b11 (0.7 kg) by gimbal [gimbal, sequence 231, inner (1, 0, 0)]",
        "- gimbal/x: armature 0.4, friction 4",
        "- ball/z: -0.2 .. 0.3, damping 4",
        "b14 (0.7 kg) by helical [helical, pitch 0.05, at (0.1, 0, 0.2) m in its child]",
        "b4 (0.7 kg) by planar [planar]",
        "tip: position (0.1, 0.2, 0.3) m of b19",
        "ahead: direction (1, 0, 0) of b11",
        "velocities: ball/rx 0.1, ball/ry 0.2, ball/rz 0.3, ball/z 0.4, ball/outer_x 0.5",
    ):
        assert line in lines
    (begin,) = (line for line in lines if line.startswith("positions: "))
    assert "ball/outer_x -0.07, universal/rx 0.3, universal/ry -0.2" in begin


def test_what_a_description_does_not_give_is_not_in_the_text() -> None:
    text = random_tree(0).report().text()
    assert "markers:" not in text
    assert "begins with:" not in text
    assert random_tree(0).report().to_dict()["initial"]["given"] is False


def from_the_tip() -> Model:
    builder = ModelBuilder("pair")
    for name in ("a", "b"):
        builder.add_body(name, mass=1.0)
    builder.add_joint("j", Revolute((0, 1, 0)), "a", "b", child_position=(0.0, 0.0, 0.5))
    return builder.build(root="b")


def test_a_joint_seen_from_its_other_end_says_so() -> None:
    report = from_the_tip().report()
    (joint,) = report.to_dict()["joints"]
    assert (joint["reversed"], joint["axis"]) == (True, [0.0, 1.0, 0.0])
    assert joint["on_child"]["position"] == [0.0, 0.0, 0.5]
    assert "j [revolute, seen from its child" in report.text()
