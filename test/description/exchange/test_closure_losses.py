"""Closed mechanisms where there are only trees: the tree is written, the rest is told by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.description.exchange import spatial_v2_model, urdf_text, write_spatial_v2
from robodyn_ros.model import Model

TEXT = """mechanism: 1
name: closed
bodies:
  base:
  crank: {mass: 1, inertia: {shape: sphere, radius: 0.1}}
  coupler: {mass: 2, inertia: {shape: sphere, radius: 0.1}}
  rocker: {mass: 3, inertia: {shape: sphere, radius: 0.1}}
  cam: {mass: 4, inertia: {shape: sphere, radius: 0.1}}
  tappet: {mass: 5, inertia: {shape: sphere, radius: 0.1}}
controls: {lift: {initial_position: 0.3}}
joints:
  drive: {type: revolute, parent: base, child: crank, axis: [0, 0, 1], initial_position: 0.5}
  pin: {type: revolute, parent: crank, child: coupler, axis: [0, 0, 1],
    on_parent: {position: [0.2, 0, 0]}}
  pivot: {type: revolute, parent: base, child: rocker, axis: [0, 0, 1],
    on_parent: {position: [0.4, 0, 0]}, initial_position: 1.5}
  turn: {type: revolute, parent: base, child: cam, follows: {joint: lift, multiplier: 2}}
  rise: {type: prismatic, parent: base, child: tappet, follows: {expression: "0.1 * sin(lift)"}}
loops:
  closing: {type: revolute, parent: coupler, child: rocker, axis: [0, 0, 1],
    on_parent: {position: [0.4, 0, 0]}, on_child: {position: [0.3, 0, 0]}}
constraints:
  strut: {type: rod, body_1: tappet, body_2: rocker, length: "lift + 0.1"}
actuated: [drive]
"""
LOST = [
    "loop joint 'closing' between links 'coupler' and 'rocker'",
    "rod constraint 'strut' between links 'tappet' and 'rocker'",
    "joint 'turn' follows 'lift': it moves freely",
    "joint 'rise' follows formulas of 'lift': it moves freely",
    "control 'lift'",
    "which coordinates have a motor: 'drive'",
]
JOINTS = {"drive", "pin", "pivot", "turn", "rise"}


@pytest.fixture(scope="module")
def model() -> Model:
    """A closed mechanism with everything that trees have not."""
    return load_model(TEXT)


def test_urdf_has_the_tree(model: Model) -> None:
    written = urdf_text(model)
    for line in LOST:
        assert line in written.lost
    back = load_model(written.text)
    assert set(back.joint_names) == JOINTS
    assert back.body_names == ("base", "crank", "coupler", "rocker", "cam", "tappet")
    assert back.mass == model.mass


@pytest.mark.parametrize("suffix", [".json", ".mat"])
def test_spatial_v2_has_the_tree(model: Model, suffix: str, tmp_path: Path) -> None:
    fields, lost = spatial_v2_model(model)
    for line in LOST:
        assert line in lost
    assert set(fields["coordinates"]) == JOINTS
    path = tmp_path / f"closed{suffix}"
    assert write_spatial_v2(path, model) == lost
    back = load_model(path)
    assert back.body_names == ("base", "crank", "coupler", "rocker", "cam", "tappet")
    assert back.mass == pytest.approx(model.mass)


def test_what_a_tree_has_is_not_told(model: Model) -> None:
    for lost in (urdf_text(model).lost, spatial_v2_model(model).lost):
        assert not any("closing_copy" in line or "lift_control" in line for line in lost)
        assert len(set(lost)) == len(lost)
