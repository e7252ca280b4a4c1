"""What a robot with loops says of itself: report, structure, assembly, a driven motion."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd

FOUR_BAR = """mechanism: 1
name: four_bar
bodies:
  base:
  crank_link: {mass: 1, com: [0.1, 0, 0], inertia: [0.001, 0, 0, 0.01, 0, 0.01]}
  coupler_link: {mass: 1, com: [0.1, 0, 0], inertia: [0.001, 0, 0, 0.01, 0, 0.01]}
  rocker_link: {mass: 1, com: [0.1, 0, 0], inertia: [0.001, 0, 0, 0.01, 0, 0.01]}
controls:
  stretch: {range: [0, 0.1]}
joints:
  crank: {type: continuous, parent: base, child: crank_link, axis: [0, 0, 1],
    initial_position: 0.7}
  coupler: {type: continuous, parent: crank_link, child: coupler_link, axis: [0, 0, 1],
    on_parent: {position: [0.2, 0, 0]}}
  rocker: {type: continuous, parent: base, child: rocker_link, axis: [0, 0, 1],
    on_parent: {position: [0.6, 0, 0]}, initial_position: 1.5}
constraints:
  bar: {type: rod, body_1: coupler_link, point_1: [0.4, 0, 0], body_2: rocker_link,
    point_2: [0.45, 0, 0], length: "0.1 + stretch"}
loops:
  pin: {type: planar, parent: rocker_link, child: coupler_link, axis: [0, 0, 1]}
actuated: [crank]
"""


@pytest.fixture(scope="module")
def robot() -> rd.Robot:
    return rd.load(FOUR_BAR, compile="off")


def test_the_report_lists_links_loops_and_controls_each_in_their_place(robot: rd.Robot) -> None:
    report = robot.report()
    data = json.loads(report.json())
    links = ["base", "crank_link", "coupler_link", "rocker_link"]
    assert [body["name"] for body in data["bodies"]] == links
    assert data["bodies_count"] == 4
    roles = {joint["name"]: joint["role"] for joint in data["joints"]}
    assert roles == dict.fromkeys(["crank", "coupler", "rocker"], "tree") | {
        "pin": "loop",
        "stretch": "control",
    }
    pin = next(joint for joint in data["joints"] if joint["name"] == "pin")
    assert (pin["parent"], pin["child"]) == ("rocker_link", "coupler_link")
    assert {name for lump in data["lumps"] for name in lump["links"]} == set(links)
    text = report.text()
    assert "rocker_link and coupler_link by pin [planar" in text
    assert "control elements:\n  stretch [control] 0 .. 0.1" in text
    assert "_copy" not in text
    assert "_control" not in text


def test_the_report_has_the_structure(robot: rd.Robot) -> None:
    report = robot.report()
    assert report.data["structure"]["mobility"] == robot.structure().mobility == 3
    assert "\nstructure:\n  mechanism, " in report.text()
    assert [loop["element"] for loop in report.data["structure"]["loops"]] == ["pin", "bar"]


def test_a_tree_has_no_structure_in_its_report() -> None:
    arm = Path(__file__).parents[2] / "urdf" / "demo_arm.urdf"
    report = rd.load(arm, compile="off").report()
    assert "structure" not in report.data
    assert "structure:" not in report.text()


def test_a_driven_motion_is_followed(robot: rd.Robot) -> None:
    q = robot.initial_state[0]
    crank = robot.model.joint("crank").q_index
    path = robot.follow(q, [{"crank": float(q[crank]) + step} for step in (0.1, 0.2, 0.3)])
    assert [found.q[crank] - q[crank] for found in path] == pytest.approx([0.1, 0.2, 0.3])
    for found in path:
        assert np.max(np.abs(robot.constraint_residual(found.q))) < 1e-12
