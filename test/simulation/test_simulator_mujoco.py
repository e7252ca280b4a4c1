"""The same fall by MuJoCo's Runge-Kutta method at the same step: to rounding, not to its error."""

from __future__ import annotations

import re
from pathlib import Path

import mujoco
import numpy as np
import pytest

import mujoco_oracle
import robodyn_ros as rd
from robodyn_ros.simulation import Simulator
from robots import example

STEP = 1e-3
DURATION = 2.0
TOLERANCE = 1e-6

DOUBLE_PENDULUM = """
<mujoco>
  <option timestep="0.001" integrator="RK4"/>
  <worldbody>
    <body><joint name="shoulder" axis="0 1 0" damping="0.05"/>
      <inertial mass="1.2" pos="0.05 0 -0.4" diaginertia="0.05 0.04 0.02"/>
      <body pos="0 0 -0.8"><joint name="elbow" axis="0 1 0" damping="0.05"/>
        <inertial mass="0.7" pos="0 0 -0.3" diaginertia="0.03 0.02 0.01"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def double_pendulum() -> rd.Robot:
    builder = rd.ModelBuilder("double pendulum")
    builder.add_body("base")
    builder.add_body("upper", mass=1.2, com=(0.05, 0.0, -0.4), inertia=np.diag([0.05, 0.04, 0.02]))
    builder.add_body("lower", mass=0.7, com=(0.0, 0.0, -0.3), inertia=np.diag([0.03, 0.02, 0.01]))
    axis = rd.joints.Revolute((0.0, 1.0, 0.0))
    builder.add_joint("shoulder", axis, "base", "upper", damping=0.05)
    builder.add_joint("elbow", axis, "upper", "lower", position=(0.0, 0.0, -0.8), damping=0.05)
    return rd.Robot(builder.build(), compile="wait")


def largest_difference(ours: Simulator, model: mujoco.MjModel, order: list[int]) -> float:
    """Return the largest difference (rad or m) on the way, looked at every tenth of a second."""
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = ours.q[order], ours.v[order]
    worst = 0.0
    for _ in range(round(DURATION / 0.1)):
        ours.advance(round(0.1 / STEP))
        mujoco.mj_step(model, data, round(0.1 / STEP))
        worst = max(worst, float(np.abs(data.qpos - ours.q[order]).max()))
    assert ours.time == pytest.approx(data.time)
    return worst


def test_a_double_pendulum_with_damping() -> None:
    ours = Simulator(double_pendulum(), step=STEP, q=[1.8, -0.9])
    model = mujoco.MjModel.from_xml_string(DOUBLE_PENDULUM)
    assert largest_difference(ours, model, [0, 1]) < TOLERANCE


def test_a_panda_that_falls(tmp_path: Path) -> None:
    """Its damping acts; its limits and the coupling of its fingers do not."""
    path = tmp_path / "panda.urdf"
    path.write_text(re.sub(r"<mimic[^>]*/>", "", example("panda.urdf").read_text()))
    model = mujoco_oracle.built(path, "fixed")
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.timestep = STEP
    robot = rd.load(path, compile="wait")
    names = [model.joint(k).name for k in range(model.njnt)]
    order = [robot.model.own_joint(name).v_index for name in names]
    ours = Simulator(robot, step=STEP, limits=False, q=np.linspace(0.4, -0.3, robot.model.nq))
    assert largest_difference(ours, model, order) < TOLERANCE
    assert np.abs(ours.v).max() > 1.0
