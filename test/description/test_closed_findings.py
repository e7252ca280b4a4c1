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


@pytest.mark.parametrize("severity", ["error", "warning"])
def test_findings_have_lines(severity: str) -> None:
    text = ROD.replace("{mass: 1}, lever", "{mass: -0.0}, lever")
    model, found = described_findings(text)
    assert model.is_closed
    told = {finding.element: finding.line for finding in found if finding.severity == severity}
    assert told["joint 'w'"] == 3
