"""What users do to robots: keep and replace methods, copy, fork, hand in what does not belong."""

from __future__ import annotations

import copy
import os
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.joints import Prismatic, Revolute
from robodyn_ros.model import BaseMotion, Environment, Payload
from robodyn_ros.robot.export import export_c
from robots import random_state, random_tree

MOON = (0.0, 0.0, -1.62)


def slider_arm(base: str = "fixed") -> rd.Model:
    """Return a turning and a sliding link, quick to compile."""
    builder = rd.ModelBuilder("slider_arm")
    for i in range(3):
        builder.add_body(f"l{i}", mass=1.0 + i, com=(0.1, 0.2, 0.1), inertia=np.eye(3))
    builder.add_joint("turn", Revolute((0, 1, 0)), "l0", "l1", position=(0, 0, 0.3))
    builder.add_joint("slide", Prismatic((1, 0, 0)), "l1", "l2", position=(0.2, 0, 0))
    return builder.build(base)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def model() -> rd.Model:
    return slider_arm()


@pytest.fixture
def state(model: rd.Model) -> tuple[np.ndarray, ...]:
    return random_state(model, 3)


@pytest.fixture
def robot(model: rd.Model) -> rd.Robot:
    """A robot whose gravity_force is a compiled function, with and without payloads."""
    robot = rd.Robot(model, compile="wait")
    assert robot.compile("gravity_force", "gravity_force+loaded")
    return robot


def expected(robot: rd.Robot, q: np.ndarray) -> np.ndarray:
    """Return the weights of the plain function in the robot's environment."""
    return rd.algorithms.gravity_force(robot.model, q, environment=robot.environment)


def near(x: np.ndarray, y: np.ndarray) -> bool:
    return bool(np.max(np.abs(x - y)) < 1e-12)


@pytest.mark.parametrize("as_given", [np.array, np.ndarray.tolist, lambda q: q[None]])
def test_a_kept_method_reads_the_environment_of_its_call(
    robot: rd.Robot, state: tuple[np.ndarray, ...], as_given: Callable[[np.ndarray], Any]
) -> None:
    q = state[0]
    kept = robot.gravity_force
    robot.gravity = MOON
    assert near(kept(as_given(q)), expected(robot, q))
    robot.set_payload("l2", 3.0)
    assert near(kept(as_given(q)), expected(robot, q))
    loaded = robot.gravity_force
    robot.clear_payload()
    assert near(kept(as_given(q)), expected(robot, q))
    assert near(loaded(as_given(q)), expected(robot, q))


def test_a_subclass_keeps_its_own_method_when_the_kernel_is_there(
    model: rd.Model, robot: rd.Robot, state: tuple[np.ndarray, ...]
) -> None:
    class Heavy(rd.Robot):
        def gravity_force(self, q: Any, **options: Any) -> Any:
            return 2.0 * super().gravity_force(q, **options)

    heavy = Heavy(model, compile="wait")
    assert heavy.compile("gravity_force")
    assert heavy.kernel_states()["gravity_force"] == "compiled"
    assert near(heavy.gravity_force(state[0]), 2.0 * robot.gravity_force(state[0]))
    heavy.gravity = MOON
    assert near(heavy.gravity_force(state[0]), 2.0 * expected(heavy, state[0]))


def test_a_method_put_into_an_instance_stays(model: rd.Model) -> None:
    robot = rd.Robot(model, compile="wait")
    robot.gravity_force = lambda q: "mine"  # type: ignore[method-assign]
    assert robot.compile("gravity_force")
    robot.gravity = MOON
    assert robot.gravity_force(robot.neutral()) == "mine"


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_copied_robot_is_a_robot_of_its_own(
    robot: rd.Robot, state: tuple[np.ndarray, ...], way: Callable[[rd.Robot], rd.Robot]
) -> None:
    robot.set_payload("l2", 2.0)
    twin = way(robot)
    assert twin.compile_mode == "wait"
    assert [load.name for load in twin.payloads] == ["l2"]
    twin.gravity = MOON
    for given in (state[0], state[0].tolist(), state[0][None]):
        assert near(twin.gravity_force(given), expected(twin, state[0]))
        assert near(robot.gravity_force(given), expected(robot, state[0]))
    assert robot.gravity[2] == -9.81


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_compiles_for_itself(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parent's compiling process is not the fork's; both get their kernel."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    from robodyn_ros.robot import kernel_source

    kernel_source._service_of.cache_clear()
    robot = rd.Robot(slider_arm(), compile="background")
    q = robot.neutral()
    robot.gravity_force(q)
    assert robot.kernel_states()["gravity_force"] == "compiling"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of fork where there are threads
        child = os.fork()
    if child == 0:
        os._exit(0 if robot.compile("gravity_force") else 3)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert robot.compile("gravity_force")
    kernel_source._service_of.cache_clear()


@pytest.mark.parametrize("name", ["nonsense", "", "gravity_force:l1", 3, None, ["gravity_force"]])
@pytest.mark.parametrize("loaded", [False, True])
def test_unknown_operations_are_named(model: rd.Model, name: Any, loaded: bool) -> None:
    robot = rd.Robot(model, compile="off")
    if loaded:
        robot.set_payload("l2", 1.0)
    with pytest.raises(rd.UnknownNameError, match="operation"):
        robot.compile(name)


def test_names_that_no_mapping_can_hold_are_unknown(model: rd.Model) -> None:
    robot = rd.Robot(model, compile="off")
    for ask in (robot.model.frame, robot.model.joint, robot.model.body_index):
        with pytest.raises(rd.UnknownNameError):
            ask(["l1"])  # type: ignore[arg-type]
    with pytest.raises(rd.UnknownNameError, match="frame"):
        robot.set_payload(["l1"], 1.0)  # type: ignore[arg-type]
    with pytest.raises(rd.UnknownNameError, match="joint"):
        robot.set_joint_parameters(["turn"], armature=1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mass", "com", "inertia"),
    [
        (1e308, (1e3, 0, 0), None),
        (1e101, (0, 0, 0), None),
        (1.0, (1e200, 0, 0), None),
        (1.0, (0, 0, 0), 1e300 * np.eye(3)),
        (1.0, (0, 0, 0), np.full((3, 3), 1e308)),
    ],
)
def test_a_payload_beyond_all_bounds_is_refused_without_a_warning(
    model: rd.Model, mass: float, com: Any, inertia: Any
) -> None:
    robot = rd.Robot(model, compile="off")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(rd.ArgumentError, match="payload 'l2'"):
            robot.set_payload("l2", mass, com, inertia)
    assert robot.payloads == ()


def test_masked_entries_are_missing_numbers(robot: rd.Robot, state: tuple[np.ndarray, ...]) -> None:
    rows = np.ma.masked_array(np.tile(state[0], (3, 1)), mask=False)
    rows[1, 0] = np.ma.masked
    weights = robot.gravity_force(rows)
    assert np.isnan(weights[1]).all()
    assert np.array_equal(weights[0], weights[2])
    assert np.isfinite(weights[0]).all()
    with pytest.raises(rd.ArgumentError, match="finite"):
        robot.gravity = np.ma.masked_array([0, 5, 9], [0, 1, 0])


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"gravity": np.zeros((5, 3))}, "gravity"),
        ({"gravity": None}, "gravity"),
        ({"gravity": "down"}, "gravity"),
        ({"joint_parameters": "none"}, "joint_parameters"),
        ({"base_motion": None}, "BaseMotion"),
        ({"payloads": [1]}, "Payload"),
    ],
)
def test_an_environment_is_checked_when_it_is_made(fields: dict[str, Any], text: str) -> None:
    with pytest.raises(rd.ArgumentError, match=text):
        Environment(**fields)


def test_an_environment_keeps_numbers_of_its_own(model: rd.Model) -> None:
    gravity, parameters = np.array([0, 0, -2]), np.zeros((2, 3), order="F")
    mine = Environment(gravity, BaseMotion(), [], parameters)  # type: ignore[arg-type]
    gravity[2], parameters[:] = 7, 7.0
    assert mine.gravity.tolist() == [0.0, 0.0, -2.0]
    assert not mine.joint_parameters.any()
    robot = rd.Robot(model, compile="off")
    robot.environment = mine
    q = robot.neutral()
    assert near(robot.gravity_force(q), expected(robot, q))


def test_an_environment_of_another_robot_is_refused_as_a_whole(model: rd.Model) -> None:
    robot, other = rd.Robot(model, compile="off"), rd.Robot(random_tree(11), compile="off")
    other.set_joint_parameters("j1", armature=1.0)
    other.gravity = MOON
    with pytest.raises(rd.ArgumentError, match=r"'slider_arm'.*another robot"):
        robot.environment = other.environment
    q = robot.neutral()
    with pytest.raises(rd.ArgumentError, match="another robot"):
        rd.algorithms.gravity_force(model, q, environment=other.environment)
    assert robot.gravity[2] == -9.81
    loose = Payload("box", "b3", 1.0, np.zeros(3), np.zeros((3, 3)))
    with pytest.raises(rd.UnknownNameError, match="b3"):
        robot.environment = Environment(payloads=(loose,))


@pytest.mark.parametrize("mode", ["off", "wait"])
def test_energies_are_numbers_on_both_paths_and_may_be_filled_anew(
    model: rd.Model, state: tuple[np.ndarray, ...], mode: Any
) -> None:
    robot = rd.Robot(model, compile=mode)
    q, v, _ = state
    for given in (q, q.tolist()):
        energy = robot.energy(given, v)
        assert [type(x) for x in energy] == [np.float64, np.float64]
        assert robot.energy(q, 2.0 * v, out=energy) is energy
        assert list(energy) == list(robot.energy(q, 2.0 * v))
        assert type(energy.kinetic) is np.float64


def test_the_coriolis_matrix_of_a_batch_of_base_motions() -> None:
    robot = rd.Robot(slider_arm("prescribed"), compile="off")
    q, v, _ = random_state(robot.model, 3)
    alone = robot.coriolis_matrix(q, v)
    robot.set_base_motion(np.zeros((5, 3)), angular_velocity=np.ones((5, 3)))
    assert np.array_equal(robot.coriolis_matrix(q, v), np.stack([alone] * 5))


def test_an_endless_quaternion_of_the_base_is_refused_without_a_warning() -> None:
    robot = rd.Robot(slider_arm("prescribed"), compile="off")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(rd.ArgumentError, match="norm inf"):
            robot.set_base_motion(quaternion=np.full(4, 1e308))


@pytest.mark.parametrize("axes", ["world", "local"])
def test_endless_wrenches_are_not_numbers_and_no_warnings(axes: Any) -> None:
    builder = rd.ModelBuilder("far")
    builder.add_body("base")
    builder.add_body("link", mass=1.0, inertia=np.eye(3))
    builder.add_joint("turn", Revolute((0, 0, 1)), "base", "link")
    builder.add_frame("far", "link", (50.0, 60.0, 70.0), np.eye(3))
    robot = rd.Robot(builder.build(), compile="off")
    rows = np.ones((3, 6))
    rows[1] = 1e308
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        efforts = robot.inverse_dynamics([0.1], external_wrenches={"far": rows}, wrench_axes=axes)
    assert not np.isfinite(efforts[1]).any()
    assert np.isfinite(efforts[[0, 2]]).all()


def test_one_name_is_enough_to_export(model: rd.Model, tmp_path: Any) -> None:
    files = export_c(rd.Robot(model, compile="off"), tmp_path, "mass_matrix")
    assert "slider_arm_mass_matrix.c" in [file.name for file in files]
