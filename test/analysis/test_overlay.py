"""Overlays: what is written loads, and gives the dynamics that were identified."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from recorded_motion import Motion, fourier, set_friction, windows_of, with_efforts
from robodyn_ros.analysis.identification import Identification, identify
from robodyn_ros.analysis.overlay import Overlay, overlay_of
from robodyn_ros.analysis.overlay_file import Origin, overlay_text, require_same
from robodyn_ros.analysis.payload_estimate import estimate_payload
from robodyn_ros.analysis.unknowns import unknowns_of
from robodyn_ros.description.source import read_source
from robodyn_ros.errors import DescriptionError
from robodyn_ros.robot import Robot, find_robot, load

AGREES = 1e-7

TOOLED = """<robot name="tooled"><link name="base"/>
<link name="arm"><inertial><origin xyz="0.1 0 0"/><mass value="0.5"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="tool"><inertial><origin xyz="0 0 0.1"/><mass value="3"/>
<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="arm"/>
<axis xyz="0 1 0"/></joint>
<joint name="mount" type="fixed"><parent link="arm"/><child link="tool"/>
<origin xyz="0.3 0 0"/></joint></robot>"""

DH = """mechanism: 1
name: planar
parameters: {length: 0.4}
bodies: {base: }
dh:
  arm:  # an arm
    convention: classic
    parent: base
    rows:
      - {a: length, mass: 2, com: [-0.2, 0, 0], point_masses: [{mass: 0.5}],
         inertia: [0.01, 0, 0, 0.02, 0, 0.02]}
      - {a: 0.3, joint: elbow, body: forearm, mass: 1, com: [-0.15, 0, 0],
         inertia: [0.01, 0, 0, 0.02, 0, 0.02]}
gravity: [0, -9.81, 0]
"""


def identified(robot: Robot, *, armature: bool = False) -> tuple[Identification, Motion]:
    """Return what a recording of a robot with friction and a payload says of the bare one."""
    nv = robot.model.nv
    other = Robot(robot.model, compile="off")
    tip = robot.model.body_names[robot.model.lumped.lumps[-1].body]
    other.set_payload(tip, 0.7, (0.02, 0.01, 0.05), 1e-3 * np.eye(3))
    set_friction(other, np.linspace(1.0, 2.0, nv), np.linspace(0.3, 0.6, nv))
    motion = fourier(other, duration=30.0, step=0.02)
    unknowns = unknowns_of(robot, ("base", "friction"), armature=armature)
    return identify(unknowns, windows_of(unknowns, motion)), motion


def written(path: Path, overlay: Overlay, origin: Origin, robot: Robot) -> Robot:
    path.write_text(overlay_text(overlay, origin, ["a line\nwith a break"]), encoding="utf-8")
    require_same(path, overlay, robot.model)
    return load(path, compile="off")


def require_dynamics(found: Identification, motion: Motion, robot: Robot) -> None:
    """Require the efforts that the identified parameters give, but for offsets."""
    change = found.change.copy()
    change[found.unknowns.places["friction"]][2::3] = 0.0
    state = (motion.q, motion.v, motion.a)
    expected = found.unknowns.robot.inverse_dynamics(*state, friction=True)
    expected = expected + found.unknowns.columns(*state) @ change
    efforts = robot.inverse_dynamics(motion.q, motion.v, motion.a, friction=True)
    assert np.abs(efforts - expected).max() < AGREES * max(1.0, np.abs(expected).max())


@pytest.mark.parametrize("name", ["ur5", "panda"])
def test_an_overlay_of_a_urdf_gives_the_identified_dynamics(tmp_path: Path, name: str) -> None:
    file = find_robot(name)
    robot = load(file, compile="off")
    found, motion = identified(robot, armature=True)
    origin = Origin(read_source(file), str(file))
    overlaid = written(tmp_path / "over.yaml", overlay_of(found), origin, robot)
    require_dynamics(found, motion, overlaid)
    assert overlaid.model.joint_names == robot.model.joint_names


def test_a_root_and_a_base_of_ones_own(tmp_path: Path) -> None:
    file = find_robot("demo_arm")
    robot = load(file, root=load(file, compile="off").model.body_names[3], compile="off")
    found, motion = identified(robot)
    origin = Origin(read_source(file), str(file), "fixed", robot.model.body_names[0])
    overlaid = written(tmp_path / "over.yaml", overlay_of(found), origin, robot)
    require_dynamics(found, motion, overlaid)


def test_a_mechanism_file_is_changed_where_it_says_so(tmp_path: Path) -> None:
    file = tmp_path / "planar.yaml"
    file.write_text(DH, encoding="utf-8")
    robot = load(file, compile="off", parameters={"length": 0.5})
    found, motion = identified(robot)
    origin = Origin(read_source(file), parameters={"length": 0.5})
    overlaid = written(tmp_path / "over.yaml", overlay_of(found), origin, robot)
    require_dynamics(found, motion, overlaid)
    text = (tmp_path / "over.yaml").read_text(encoding="utf-8")
    assert "# an arm" in text
    assert "point_masses" not in text.splitlines()[-12]


def test_an_overlay_can_be_identified_again(tmp_path: Path) -> None:
    file = find_robot("ur5")
    robot = load(file, compile="off")
    found, motion = identified(robot)
    first = tmp_path / "first.yaml"
    again = written(first, overlay_of(found), Origin(read_source(file), str(file)), robot)
    loaded = with_efforts(again, motion)
    unknowns = unknowns_of(again, ("base", "friction"))
    second = identify(unknowns, windows_of(unknowns, loaded))
    overlaid = written(
        tmp_path / "second.yaml", overlay_of(second), Origin(read_source(first)), again
    )
    require_dynamics(second, loaded, overlaid)


def test_a_payload_becomes_a_link(tmp_path: Path) -> None:
    file = find_robot("ur5")
    robot, carrying = (load(file, compile="off") for _ in range(2))
    carrying.set_payload("tool0", 1.5, (0.0, 0.01, 0.05), 2e-3 * np.eye(3))
    motion = fourier(carrying, duration=20.0)
    unknowns = unknowns_of(robot, ("payload",), frame="tool0")
    found = estimate_payload(unknowns, windows_of(unknowns, motion))
    overlaid = written(
        tmp_path / "over.yaml", overlay_of(found), Origin(read_source(file), str(file)), robot
    )
    assert overlaid.model.bodies[overlaid.model.body_index("payload")].mass == pytest.approx(1.5)
    efforts = overlaid.inverse_dynamics(motion.q, motion.v, motion.a)
    assert np.abs(efforts - motion.efforts).max() < 1e-4


def test_a_payload_at_a_frame_within_a_link(tmp_path: Path) -> None:
    file = tmp_path / "framed.yaml"
    file.write_text(
        f"mechanism: 1\nurdf: {find_robot('ur5')}\n"
        "bodies: {payload: {mass: 0.1}}\n"
        "joints: {payload_mount: {type: fixed, parent: tool0, child: payload}}\n"
        "frames:\n  grip: {body: tool0, position: [0, 0, 0.1], rpy: [0.3, 0, 1]}\n",
        encoding="utf-8",
    )
    robot, carrying = (load(file, compile="off") for _ in range(2))
    carrying.set_payload("grip", 0.8, (0.0, 0.01, 0.05), 2e-3 * np.eye(3))
    motion = fourier(carrying, duration=20.0)
    unknowns = unknowns_of(robot, ("payload",), frame="grip")
    found = estimate_payload(unknowns, windows_of(unknowns, motion))
    overlay = overlay_of(found)
    assert overlay.payload is not None
    assert overlay.payload.name == "payload2"
    overlaid = written(tmp_path / "over.yaml", overlay, Origin(read_source(file)), robot)
    efforts = overlaid.inverse_dynamics(motion.q, motion.v, motion.a)
    assert np.abs(efforts - motion.efforts).max() < 1e-4


def test_a_tool_that_is_not_there_loses_its_mass(tmp_path: Path) -> None:
    file = tmp_path / "tooled.urdf"
    file.write_text(TOOLED, encoding="utf-8")
    robot = load(file, compile="off")
    bare = load(TOOLED.replace('<mass value="3"/>', '<mass value="0"/>'), compile="off")
    unknowns = unknowns_of(robot, ("base", "friction"))
    motion = fourier(bare, duration=20.0)
    found = identify(unknowns, windows_of(unknowns, motion))
    overlay = overlay_of(found)
    assert overlay.links["tool"].mass == 0.0
    overlaid = written(tmp_path / "over.yaml", overlay, Origin(read_source(file), file.name), robot)
    require_dynamics(found, motion, overlaid)
    efforts = overlaid.inverse_dynamics(motion.q, motion.v, motion.a)
    assert np.abs(efforts - motion.efforts).max() < 1e-3


def test_what_does_not_give_the_robot_is_refused(tmp_path: Path) -> None:
    file = find_robot("ur5")
    robot = load(file, compile="off")
    unknowns = unknowns_of(robot, ("friction",))
    found = identify(unknowns, windows_of(unknowns, fourier(robot, duration=10.0)))
    heavier = np.array(robot.model.lumped.inertias)
    heavier[2, 0] += 0.01
    overlay = replace(overlay_of(found), inertias=heavier)
    path = tmp_path / "over.yaml"
    path.write_text(overlay_text(overlay, Origin(read_source(file), str(file))))
    with pytest.raises(DescriptionError, match="does not give the robot that was identified"):
        require_same(path, overlay, robot.model)


def test_offsets_are_told() -> None:
    robot = load(find_robot("ur5"), compile="off")
    unknowns = unknowns_of(robot, ("friction",))
    motion = fourier(robot, duration=20.0)
    pushed = replace(motion, efforts=motion.efforts + 0.7)
    found = identify(unknowns, windows_of(unknowns, pushed))
    notes = overlay_of(found).notes
    assert len(notes) == 6
    assert "an offset of 0.7 was measured" in notes[0]
