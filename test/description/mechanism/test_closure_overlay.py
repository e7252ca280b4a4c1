"""Loops and formulas laid over a URDF."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.errors import DescriptionError

PALLETISER = """<robot name="palletiser">
  <link name="base"/>
  <link name="lower"><inertial><mass value="5"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="upper"><inertial><mass value="4"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="lever"/>
  <link name="pull"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="lower"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="2" effort="300"/></joint>
  <joint name="elbow" type="continuous"><parent link="lower"/><child link="upper"/>
    <origin xyz="0 0 1"/><axis xyz="0 1 0"/></joint>
  <joint name="drive" type="revolute"><parent link="base"/><child link="lever"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="2" effort="300"/></joint>
  <joint name="rod" type="continuous"><parent link="lever"/><child link="pull"/>
    <origin xyz="-0.2 0 0"/><axis xyz="0 1 0"/></joint>
</robot>
"""
OVERLAY = """mechanism: 1
urdf: arm.urdf
loops:
  parallelogram:
    type: revolute
    parent: pull
    child: upper
    axis: [0, 1, 0]
    on_parent: {position: [0, 0, 1]}
    on_child: {position: [-0.2, 0, 0]}
actuated: [shoulder, drive]
"""


def test_a_palletiser_s_parallelogram_is_laid_over_its_urdf(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(PALLETISER)
    path = tmp_path / "arm.yaml"
    path.write_text(OVERLAY + "initial: {positions: {shoulder: 0.4, drive: -0.1}}\n")
    model = load_model(path)
    assert model.joint_names == ("shoulder", "elbow", "drive", "rod", "parallelogram")
    begin = dict(zip(model.coordinate_names, model.defaults.q, strict=True))
    assert (begin["shoulder"], begin["drive"]) == (0.4, -0.1)
    # The upper arm keeps the lever's attitude, whatever the shoulder does.
    assert begin["shoulder"] + begin["elbow"] == pytest.approx(begin["drive"], abs=1e-9)
    assert [model.coordinate_names[k] for k in model.closure.actuated] == ["shoulder", "drive"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("loops: {shoulder: {type: fixed, parent: pull, child: upper}}", ["a joint of the URDF"]),
        ("loops: {l: {type: fixed, parent: pul, child: upper}}", ["l/parent", "'pull'?"]),
        ("joints: {l: {type: fixed, parent: pull, child: upper}}", ["'elbow'", "below loops:"]),
        ("joints: {l: {type: fixed, parent: pull, child: base}}", ["closes a loop", "'drive'"]),
        ("actuated: [showlder]", ["actuated/1", "did you mean 'shoulder'?"]),
        (
            "joints: {elbow: {follows: {joint: shoulder}}}",
            ["elbow/follows/joint", "the URDF's", "expression"],
        ),
        ("joints: {elbow: {follows: {expression: showlder}}}", ["did you mean 'shoulder'?"]),
    ],
)
def test_what_does_not_fit_the_urdf_is_told(tmp_path: Path, text: str, parts: list[str]) -> None:
    (tmp_path / "arm.urdf").write_text(PALLETISER)
    path = tmp_path / "arm.yaml"
    path.write_text(f"mechanism: 1\nurdf: arm.urdf\n{text}\n")
    with pytest.raises(DescriptionError, match=r"arm\.yaml: line 3: ") as raised:
        load_model(path)
    for part in parts:
        assert part in str(raised.value)


def test_a_urdf_s_joint_follows_a_formula(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(PALLETISER)
    path = tmp_path / "arm.yaml"
    path.write_text(
        "mechanism: 1\nurdf: arm.urdf\ncontrols: {u: {initial_position: 0.5}}\n"
        'joints: {elbow: {follows: {expression: "u - shoulder"}, damping: 2}}\n'
    )
    model = load_model(path)
    assert model.joint_names == ("shoulder", "drive", "rod", "u")
    elbow = model.joint("elbow")
    assert elbow.damping == 2.0
    assert elbow.coordinates.position(model.defaults.q) == pytest.approx([0.5])
