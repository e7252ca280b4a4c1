"""MJCF files: MuJoCo's own model and ours of it are the same robot."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from differentiation import error
from robodyn_ros import Robot, algorithms
from robodyn_ros.cosimulation.mjcf_file import mjcf_plant
from robodyn_ros.cosimulation.mujoco_simulator import MujocoSimulator
from robodyn_ros.cosimulation.settings import Settings
from robodyn_ros.errors import DescriptionError
from robodyn_ros.model import Environment
from robots import random_state

MANY = Path(__file__).parent / "robots" / "many_joints.xml"
TOLERANCE = 1e-12

CART = """
<mujoco model="cart">
  <option gravity="0 0 -5"/>
  <worldbody>
    <body name="base" pos="0 0 1">
      <joint name="rail" type="slide" axis="1 0 0" limited="true" range="-1 1"
             actuatorfrclimited="true" actuatorfrcrange="-7 7"/>
      <geom type="box" size=".1 .1 .1" mass="2"/>
      <body name="pole"><joint name="hinge" axis="0 1 0" damping="0.3"/>
        <geom type="capsule" size=".02 .2" pos="0 0 -.2" mass="1"/><site name="tip" pos="0 0 -.4"/>
      </body>
    </body>
  </worldbody>
  <keyframe><key name="home" qpos="0.5 -0.4"/></keyframe>
  <actuator><position joint="rail" kp="100"/></actuator>
</mujoco>
"""


def test_every_kind_of_joint_anywhere_in_its_body() -> None:
    """Anchors off the origin, several joints in a body, references, balls, a second free body."""
    plant = mjcf_plant(MANY)
    model, raw = plant.model, mujoco.MjModel.from_xml_path(str(MANY))
    assert model.joint_names == ("h", "s", "ball", "h2", "fly")
    assert {"tip", "base", "a", "free"} <= model.frames.keys()
    q, v, _ = random_state(model, 1)
    qpos, qvel = plant.coordinates.theirs(q, v)
    for compiled in (raw, plant.compiled):
        compiled.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        data = mujoco.MjData(compiled)
        data.qpos[:], data.qvel[:] = qpos, qvel
        mujoco.mj_forward(compiled, data)
        motion = algorithms.body_motion(model, q, v, np.zeros(model.nv))
        for name in ("base", "a", "b", "c", "d", "free"):
            body, i = compiled.body(name).id, model.body_index(name)
            assert error(data.xpos[body], motion.position[i]) < TOLERANCE
            assert error(data.xmat[body].reshape(3, 3), motion.rotation[i]) < TOLERANCE
        data.qvel[:] = 0.0
        mujoco.mj_forward(compiled, data)
        weight = plant.coordinates.our_efforts(data.qfrc_bias.copy(), q, qpos)
        here = Environment(gravity=raw.opt.gravity)
        assert error(weight, algorithms.gravity_force(model, q, environment=here)) < TOLERANCE
    assert np.array_equal(model.defaults.environment.gravity, [0.1, 0.2, -9.7])
    assert model.mass == pytest.approx(raw.body_mass.sum())
    assert plant.notes == ("actuators are switched off: efforts act on joints themselves",)


def test_a_small_file_and_what_it_begins_with(tmp_path: Path) -> None:
    path = tmp_path / "cart.xml"
    path.write_text(CART)
    plant = mjcf_plant(path)
    robot = Robot(plant.model, compile="off")
    simulator = MujocoSimulator(plant, robot, Settings())
    assert simulator.q.tolist() == [0.5, -0.4]
    assert simulator.command_limits[1].tolist() == [1.0, np.inf]
    simulator.command_effort(["rail"], [100.0])
    simulator.advance(1)
    assert simulator.effort.tolist() == [7.0, 0.0]
    simulator.reset()
    robot.set_payload("tip", 0.5)
    simulator.command_effort(["rail", "hinge"], robot.gravity_force(simulator.q))
    simulator.advance(500)
    assert simulator.q == pytest.approx([0.5, -0.4], abs=1e-9)


def test_a_free_body_alone_is_a_floating_base(tmp_path: Path) -> None:
    path = tmp_path / "drone.xml"
    path.write_text(
        '<mujoco><worldbody><body name="hull" pos="0 1 2" quat="0 0 0 1"><freejoint/>'
        '<geom type="box" size=".2 .1 .05"/>'
        '<body name="arm" pos=".2 0 0"><joint name="j"/><geom size=".05" pos="0 .1 0"/></body>'
        "</body></worldbody></mujoco>"
    )
    plant = mjcf_plant(path)
    assert plant.model.base == "floating"
    simulator = MujocoSimulator(plant, Robot(plant.model, compile="off"))
    assert simulator.command_names == ("j",)
    assert simulator.q.tolist() == [0.0, 1.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    simulator.advance(100)
    assert simulator.v[5] == pytest.approx(-0.981)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", "MuJoCo refuses"),
        ("<mujoco><worldbody><body", "MuJoCo refuses"),
        ("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>", "no joint"),
        ("<robot/>", "MuJoCo refuses"),
        ("", "MuJoCo refuses"),
        ('<mujoco><asset><mesh file="absent.stl"/></asset></mujoco>', "absent.stl"),
    ],
)
def test_what_is_no_robot_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "bad.xml"
    path.write_text(text)
    with pytest.raises(DescriptionError, match=said) as caught:
        mjcf_plant(path)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DescriptionError, match="there is no file"):
        mjcf_plant(tmp_path / "absent.xml")


def test_what_mujoco_warns_of_is_a_note(tmp_path: Path) -> None:
    flex = '<flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" radius=".01" dim="2"/>'
    path = tmp_path / "flexible.xml"
    path.write_text(CART.replace("</worldbody>", f"{flex}</worldbody>"))
    (note,) = (note for note in mjcf_plant(path).notes if note.startswith("MuJoCo: "))
    assert "flex" in note
    assert "\n" not in note
