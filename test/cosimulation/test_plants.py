"""Our models in MuJoCo: the same inertias, poses and forces, to rounding."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from differentiation import error
from mixed_trees import mixed_state, mixed_tree
from mixed_trees_mujoco import NOT_IN_MUJOCO
from robodyn_ros import ModelBuilder, algorithms
from robodyn_ros.cosimulation.built import plant_of
from robodyn_ros.cosimulation.plant import Plant
from robodyn_ros.errors import DescriptionError
from robodyn_ros.joints import Helical, Revolute
from robodyn_ros.model import Model
from robodyn_ros.model.inertia import moved, parameters_of
from robodyn_ros.spatial import invert, quaternion_to_matrix
from robots import example, loaded, random_tree
from small_mechanisms import four_bar

ROUNDING = 1e-12
TOLERANCE = 1e-10
REAL = ("panda.urdf", "ur5_robot.urdf", "talos_reduced.urdf")


def carried(plant: Plant, lump: int) -> np.ndarray:
    """Return MuJoCo's inertial parameters (10,) of a lump's body, in our frame."""
    compiled = plant.compiled
    body = plant.model.lumped.lumps[lump - 1].body if lump else plant.model.lumped.root_body
    seat = plant.seats[body]
    axes = quaternion_to_matrix(np.roll(compiled.body_iquat[seat.body], -1))
    inertia = axes @ np.diag(compiled.body_inertia[seat.body]) @ axes.T
    own = parameters_of(compiled.body_mass[seat.body], compiled.body_ipos[seat.body], inertia)
    return moved(own, *invert((seat.rotation, seat.position)))


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("name", REAL)
def test_masses_and_composite_inertias_of_real_robots_are_ours(name: str, base: str) -> None:
    model = loaded(example(name), base)
    plant = plant_of(model)
    for lump, ours in enumerate(model.lumped.inertias):
        if lump or base == "fixed":
            assert error(carried(plant, lump), ours) < ROUNDING
    assert plant.compiled.body_mass.sum() == pytest.approx(model.mass, rel=ROUNDING)


def require_the_same_dynamics(model: Model, seed: int) -> None:
    """Compare states, poses, mass matrix, gravity and velocity forces; coupled or not."""
    plant = plant_of(model)
    coordinates, compiled = plant.coordinates, plant.compiled
    data = mujoco.MjData(compiled)
    compiled.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    q, v, _ = mixed_state(model, seed)
    data.qpos[:], data.qvel[:] = coordinates.theirs(q, v)
    there = coordinates.ours(data.qpos, data.qvel)
    assert error(algorithms.difference(model, q, there[0]), np.zeros(model.nv)) < TOLERANCE
    assert error(there[1], v) < TOLERANCE
    mujoco.mj_forward(compiled, data)
    motion = algorithms.body_motion(model, q, v, np.zeros(model.nv))
    for i, seat in enumerate(plant.seats):
        R_WB = data.xmat[seat.body].reshape(3, 3)
        assert error(R_WB @ seat.rotation, motion.rotation[i]) < TOLERANCE
        place = data.xpos[seat.body] + R_WB @ seat.position
        assert error(place, motion.position[i]) < TOLERANCE
    data.qvel[:] = 0.0
    mujoco.mj_forward(compiled, data)
    weight = coordinates.our_efforts(data.qfrc_bias.copy(), q, data.qpos)
    assert error(weight, algorithms.gravity_force(model, q)) < TOLERANCE
    power = coordinates.their_efforts(v, data.qpos) @ coordinates.theirs(q, v)[1]
    assert power == pytest.approx(v @ v)


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("seed", range(4))
def test_trees_of_every_joint_that_mujoco_has(seed: int, base: str) -> None:
    kinds = {"excluded": NOT_IN_MUJOCO, "reach": 4}
    require_the_same_dynamics(mixed_tree(seed, 18, base, **kinds), seed)
    require_the_same_dynamics(random_tree(seed, base=base), seed)


def test_what_mujoco_would_refuse_or_mend_is_what_it_is() -> None:
    """No triangle inequality, no mass in between, no inertia at all."""
    builder = ModelBuilder("odd")
    builder.add_body("base")
    builder.add_body("massless")
    builder.add_body("point", mass=2.0, com=(0.3, 0.0, 0.0))
    builder.add_body("odd", mass=1.0, com=(0.0, 0.1, 0.0), inertia=np.diag([5.0, 0.1, 0.1]))
    for k, (parent, child) in enumerate(
        [("base", "massless"), ("massless", "point"), ("point", "odd")]
    ):
        axis = Revolute(tuple(np.eye(3)[(k + 1) % 3]))
        builder.add_joint(f"j{k}", axis, parent, child, position=(0.1 * k, 0.0, 0.2))
    require_the_same_dynamics(builder.build(), 0)


def screw() -> Model:
    builder = ModelBuilder("press")
    builder.add_body("base")
    builder.add_body("ram", mass=1.0, inertia=np.eye(3))
    builder.add_joint("spindle", Helical((0.0, 0.0, 1.0), pitch=0.01), "base", "ram")
    return builder.build()


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (screw(), "joint 'spindle' is of type helical"),
        (four_bar()[0], "robot 'four bar' is a closed mechanism"),
        (random_tree(1, base="prescribed"), "prescribed base; set base to fixed or floating"),
    ],
)
def test_what_mujoco_cannot_hold_is_refused_by_name(model: Model, said: str) -> None:
    with pytest.raises(DescriptionError, match=said):
        plant_of(model)


def test_the_room_is_imported_without_mujoco(tmp_path: Path) -> None:
    """And says in one line what to install, when it is needed."""
    import subprocess
    import sys

    (tmp_path / "mujoco.py").write_text("raise ImportError('No module named mujoco')")
    code = (
        "import robodyn_ros.cosimulation.mujoco_simulator, robodyn_ros.cosimulation.mjcf_file\n"
        "import sys; assert 'mujoco' not in sys.modules\n"
        "from robodyn_ros.cosimulation.engine import mujoco_engine\n"
        "from robodyn_ros.errors import RobodynError\n"
        "try: mujoco_engine()\n"
        "except RobodynError as error: print(error)\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == (
        "co-simulation needs MuJoCo: No module named mujoco; pip install 'robodyn_ros[mujoco]', or"
        " mujoco\n"
    )
