"""What the simulator moves is identified from what it tells: Coulomb friction included."""

from __future__ import annotations

import numpy as np
import pytest

from recorded_motion import Motion, windows_of
from robodyn_ros.analysis.identification import identify
from robodyn_ros.analysis.pseudo_inertia import is_consistent
from robodyn_ros.analysis.unknowns import unknowns_of
from robodyn_ros.robot import Robot, load
from robodyn_ros.simulation import Simulator

STEP, STEPS = 4e-3, 3000
TEXT = """<robot name="double"><link name="b"/>
<link name="u"><inertial><origin xyz="0.3 0 0"/><mass value="{mass}"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="l"><inertial><origin xyz="0.2 0 0"/><mass value="1"/>
<inertia ixx="0.05" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="b"/><child link="u"/><axis xyz="0 1 0"/>
<dynamics damping="{damping}" friction="{friction}"/></joint>
<joint name="k" type="continuous"><parent link="u"/><child link="l"/><origin xyz="0.5 0 0"/>
<axis xyz="0 1 0"/><dynamics damping="{damping}" friction="{friction}"/></joint></robot>"""


def arm(mass: float, damping: float, friction: float) -> Robot:
    return load(TEXT.format(mass=mass, damping=damping, friction=friction), compile="wait")


def simulated(robot: Robot) -> Motion:
    """Return what a simulator tells while servos make both joints follow sines.

    An effort is held through a step: it belongs to the state in the middle.
    """
    names = robot.model.coordinate_names
    simulator = Simulator(robot, step=STEP, integrator="semi_implicit_euler")
    rows = []
    for k in range(STEPS):
        t = STEP * k
        wanted = [0.8 * np.sin(2.1 * t) + 0.3 * np.sin(5.3 * t), 0.9 * np.sin(3.7 * t)]
        simulator.command_position(names, wanted)
        q, v = simulator.q, simulator.v
        simulator.advance()
        middle = (q + simulator.q) / 2.0, (v + simulator.v) / 2.0
        rows.append((*middle, (simulator.v - v) / STEP, simulator.effort))
    q, v, a, efforts = (np.array(column) for column in zip(*rows, strict=True))
    return Motion(STEP * np.arange(STEPS), q, v, a, efforts)


def test_friction_and_masses_of_what_the_simulator_moved() -> None:
    described = arm(2.0, 0.1, 0.0)
    unknowns = unknowns_of(described, ("base", "friction"))
    motion = simulated(arm(2.6, 0.4, 1.2))
    noisy = motion.noisy(np.random.default_rng(0), effort=0.05, rate=2e-4)
    found = identify(unknowns, windows_of(unknowns, noisy))
    assert [one.curve.coulomb for one in found.friction] == pytest.approx([1.2, 1.2], rel=0.05)
    assert [one.curve.viscous for one in found.friction] == pytest.approx([0.4, 0.4], rel=0.05)
    assert found.bodies is not None
    assert is_consistent(found.bodies)
    assert found.bodies[0, 1] == pytest.approx(2.6 * 0.3, rel=0.03)  # first moment along the link
    for one in found.residuals:
        assert one.after_held < 0.1 * one.before_held
