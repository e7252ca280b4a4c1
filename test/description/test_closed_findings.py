"""Motions of closed mechanisms that move no inertia, and those that only seem to be such."""

from __future__ import annotations

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.description.findings import described_findings, findings
from robodyn_ros.model.findings import Finding

FOUR_BAR = """mechanism: 1
bodies: {base: , crank: , coupler: , rocker: {mass: 1, com: [0.1, 0, 0]}}
joints:
  drive: {type: revolute, parent: base, child: crank, axis: [0, 0, 1], initial_position: 0.5}
  pin: {type: revolute, parent: crank, child: coupler, axis: [0, 0, 1],
    on_parent: {position: [0.2, 0, 0]}}
  pivot: {type: revolute, parent: base, child: rocker, axis: [0, 0, 1],
    on_parent: {position: [0.4, 0, 0]}, initial_position: 1.5}
loops:
  closing: {type: revolute, parent: coupler, child: rocker, axis: [0, 0, 1],
    on_parent: {position: [0.4, 0, 0]}, on_child: {position: [0.3, 0, 0]}}
"""
ROD = """mechanism: 1
bodies: {base: , cart: {mass: 1}, lever: {mass: 1}}
controls: {u: , w: }
joints:
  slide: {type: prismatic, parent: base, child: cart}
  lift: {type: prismatic, parent: base, child: lever, axis: [0, 0, 1]}
constraints: {r: {type: rod, body_1: cart, body_2: lever, point_2: [1, 0, 0], length: "1 + u"}}
"""


def singular(text: str) -> list[Finding]:
    return [finding for finding in findings(load_model(text)) if finding.kind == "singular"]


def test_links_without_mass_that_a_heavy_one_leads_are_sound() -> None:
    assert singular(FOUR_BAR) == []


def test_a_mechanism_without_mass_moves_nothing() -> None:
    (finding,) = singular(FOUR_BAR.replace("{mass: 1, com: [0.1, 0, 0]}", ""))
    assert finding.element == "joints 'drive', 'pin', 'pivot', 'closing'"
    assert finding.severity == "error"
    assert "without moving any inertia" in finding.what


def test_a_control_that_nothing_depends_on_moves_nothing() -> None:
    (finding,) = singular(ROD)
    assert finding.element == "joint 'w'"
    assert singular(ROD.replace("u: , w: ", "u: ")) == []


@pytest.mark.parametrize(
    ("severity", "element", "line"), [("error", "joint 'w'", 3), ("warning", "joint 'lift'", 6)]
)
def test_findings_have_lines(severity: str, element: str, line: int) -> None:
    text = ROD.replace("{mass: 1}, lever", "{mass: -0.0}, lever")
    model, found = described_findings(text)
    assert model.is_closed
    told = {finding.element: finding.line for finding in found if finding.severity == severity}
    assert told[element] == line


def closure(text: str) -> list[Finding]:
    return [finding for finding in findings(load_model(text)) if finding.kind == "closure"]


def test_a_mechanism_away_from_singular_positions_is_sound() -> None:
    assert closure(FOUR_BAR) == []


def test_constraints_that_leave_no_motion_are_told() -> None:
    held = FOUR_BAR.replace("coupler: , rocker", "coupler: , stay: , rocker") + (
        "constraints: {r: {type: rod, body_1: base, point_1: [0, 0.5, 0], body_2: crank,"
        " point_2: [0.2, 0, 0], length: 0.44}}\n"
    )
    held = held.replace("stay: , ", "")
    (finding,) = closure(held)
    assert finding.severity == "warning"
    assert "its constraints leave it no motion" in finding.what


def test_a_beginning_in_a_dead_centre_is_told() -> None:
    text = """mechanism: 1
name: press
bodies: {base: , crank: {mass: 1}, rod: {mass: 1}, ram: {mass: 1}}
joints:
  drive: {type: revolute, parent: base, child: crank, axis: [0, 0, 1]}
  knee: {type: revolute, parent: crank, child: rod, axis: [0, 0, 1],
    on_parent: {position: [0.2, 0, 0]}}
  slide: {type: prismatic, parent: base, child: ram, axis: [1, 0, 0], initial_position: 0.69999}
loops:
  pin: {type: revolute, parent: ram, child: rod, axis: [0, 0, 1],
    on_child: {position: [0.5, 0, 0]}}
independent: [slide]
"""
    (finding,) = closure(text)
    assert finding.element == "robot 'press'"
    assert "where it begins: near a singular position" in finding.what
    assert "slide" in finding.what


def test_only_joints_with_a_motor_need_its_limits() -> None:
    text = FOUR_BAR + "actuated: [drive]\n"
    named = {f.element for f in findings(load_model(text)) if f.kind in ("limits", "range")}
    assert named == {"joint 'drive'"}
