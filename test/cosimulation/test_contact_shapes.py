"""Collision shapes that touch: what stands on the ground, and what is left apart."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros import Robot
from robodyn_ros.cosimulation.built import plant_of
from robodyn_ros.cosimulation.contact_shapes import contacts_of
from robodyn_ros.cosimulation.mujoco_simulator import MujocoSimulator
from robodyn_ros.cosimulation.settings import Settings
from robodyn_ros.description import load_description
from robodyn_ros.description.source import read_source
from robodyn_ros.description.visuals import visuals_of
from robots import example

MASS = """<inertial><mass value="{mass}"/>
  <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>"""
TABLE = f"""<robot name="table">
  <link name="top">{MASS.format(mass=4)}
    <collision><geometry><box size=".6 .4 .1"/></geometry></collision>
  </link>
  <link name="lamp">{MASS.format(mass=0.2)}
    <collision><origin xyz="0 0 .2"/><geometry><sphere radius=".05"/></geometry></collision>
    <collision><geometry><cylinder radius=".02" length=".4"/></geometry></collision>
    <collision><geometry><mesh filename="lamp.dae"/></geometry></collision>
  </link>
  <joint name="swivel" type="continuous">
    <parent link="top"/><child link="lamp"/><axis xyz="0 0 1"/>
  </joint>
</robot>"""


def test_what_falls_comes_to_rest_on_the_ground() -> None:
    document = read_source(TABLE)
    found = load_description(document, base="floating")
    shapes = visuals_of(document, found).collisions
    contacts, notes = contacts_of(found.model, shapes, ground=True)
    assert len(notes) == 1
    assert "lamp" in notes[0]
    assert ".dae" in notes[0]
    plant = plant_of(found.model, contacts)
    robot = Robot(found.model, compile="off")
    q = robot.neutral()
    q[2] = 0.3
    free = MujocoSimulator(plant_of(found.model), robot, Settings(), q=q)
    free.advance(1000)
    assert free.q[2] < -4.0
    standing = MujocoSimulator(plant, robot, Settings(contacts=True), q=q)
    standing.advance(2000)
    # The cylinder is the lowest: it reaches 0.2 m below the top's centre.
    assert standing.q[2] > 0.04
    assert np.abs(standing.v).max() < 1.0
    assert standing.q[2] < 0.3


def test_meshes_of_a_real_robot_touch_the_ground_and_not_each_other_at_the_beginning() -> None:
    path = example("ur5_robot.urdf")
    document = read_source(path)
    found = load_description(document)
    shapes = visuals_of(document, found).collisions
    contacts, notes = contacts_of(found.model, shapes, ground=False)
    assert len(contacts.geoms) + len(notes) >= 6
    robot = Robot(found.model, compile="off")
    with_contacts = MujocoSimulator(plant_of(found.model, contacts), robot, Settings(contacts=True))
    without = MujocoSimulator(plant_of(found.model), robot, Settings())
    for simulator in (with_contacts, without):
        simulator.advance(20)
    assert with_contacts.q == pytest.approx(without.q, abs=1e-12)
