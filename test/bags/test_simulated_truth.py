"""What a simulator does and what a replay of its joint states says agree."""

from __future__ import annotations

import numpy as np

from bag_files import START, joint_state
from robodyn_ros.bags import Choices, Conditioning, replay
from robodyn_ros.robot import load
from robodyn_ros.simulation import Simulator

COUNT, STEP = 80, 1e-3

DOUBLE = """<robot name="double"><link name="b"/>
<link name="u"><inertial><origin xyz="0.3 0 0"/><mass value="2"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="l"><inertial><origin xyz="0.2 0 0"/><mass value="1"/>
<inertia ixx="0.05" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="b"/><child link="u"/><axis xyz="0 1 0"/>
<dynamics damping="0.5"/></joint>
<joint name="k" type="continuous"><parent link="u"/><child link="l"/><origin xyz="0.5 0 0"/>
<axis xyz="0 1 0"/><dynamics damping="0.2"/></joint></robot>"""


def test_residuals_and_energies_are_those_of_the_simulator(make) -> None:
    robot = load(DOUBLE, compile="off")
    names = robot.model.coordinate_names
    simulator = Simulator(robot, step=STEP)
    messages, energies, held = [], [], []
    for k in range(COUNT):
        effort = 4.0 * np.sin(2.0 * np.pi * STEP * k * np.array([3.0, 5.0]))
        q, v = simulator.q, simulator.v
        energies.append([robot.energy(q, v).kinetic, robot.energy(q, v).potential])
        simulator.command_effort(names, effort)
        simulator.advance()
        held.append(simulator.effort)
        # A state is between two steps: the mean effort is that of its instant, to second order.
        mean = (held[-1] + held[-2]) / 2.0 if k else held[-1]
        messages.append(joint_state(names, q, v, mean, stamp=START + k * 1_000_000))
    choices = Choices(conditioning=Conditioning(filter_time_constant=STEP))
    (block,) = replay(make(messages), robot, choices)
    inner = slice(4, -4)
    assert block.valid[inner].all()
    assert np.abs(block.residual[inner]).max() < 1e-3 * np.abs(held).max()
    np.testing.assert_allclose(block.kinetic, [x[0] for x in energies], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(block.potential, [x[1] for x in energies], rtol=1e-12, atol=1e-12)
