"""The compiled step gives what the plain functions give, for any samples and any base."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from differentiation import error
from marked_robot import MARKED, UNMARKED
from robodyn_ros import load
from robodyn_ros.algorithms import body_motion, marker_motion, neutral, random_configuration
from robodyn_ros.conditioning.conditioner import ROWS, blank_memory
from robodyn_ros.conditioning.state_step import (
    evaluate_of,
    joints_step,
    state_step,
    wrapping,
)
from robodyn_ros.conditioning.stepper import Stepper
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.model import Model
from robodyn_ros.robot.run_time import BASE_MOTION_SIZE

ROOT = Path(__file__).parents[2]
ROBOTS = ROOT / "test/description/robots"
MODELS = {
    "fixed": (ROOT / "urdf/demo_arm.urdf", "fixed"),
    "floating": (ROBOTS / "mimic_chain.urdf", "floating"),
    "prescribed": (ROBOTS / "skew_axes.urdf", "prescribed"),
    "marked": (MARKED, "fixed"),
    "marked and prescribed": (MARKED, "prescribed"),
}
TOLERANCE = 1e-12  # a few roundings of numbers of order 1, norm-wise


def model_of(case: str) -> Model:
    path, base = MODELS[case]
    return load(path, base=base, compile="off").model


def base_of(model: Model, rng: np.random.Generator) -> list[np.ndarray]:
    if model.base != "prescribed":
        return []
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    motion = rng.uniform(-1.0, 1.0, BASE_MOTION_SIZE)
    motion[:9] = (turn * np.linalg.det(turn)).ravel()
    return [motion]


def messages(model: Model, rng: np.random.Generator, count: int):
    """Yield samples and control of messages about some of the joints, some of them wild."""
    n, now = len(told_coordinates(model)), 0.0
    kinds = (0.0, 1e-3, 0.3, 5.0, 2e9)
    for _ in range(count):
        now += float(
            rng.choice([0.0, 1e-3, 0.01, 0.02, 0.7, -0.2], p=[0.1, 0.3, 0.3, 0.2, 0.05, 0.05])
        )
        samples = np.empty((4, n))
        samples[:2] = 0.1 * np.sin(now) + rng.choice(kinds, (2, n), p=[0.6, 0.2, 0.1, 0.05, 0.05])
        samples[2:] = rng.random((2, n)) < 0.7
        yield samples, np.array([now, 0.02, *(rng.random(3) < 0.8)], dtype=float)


@pytest.mark.parametrize("case", MODELS)
def test_the_kernel_gives_what_the_plain_path_gives(case: str) -> None:
    model = model_of(case)
    rng = np.random.default_rng(3)
    compiled, plain = Stepper(model, "wait"), Stepper(model, "off")
    assert compiled.prepare(wait=True)
    assert compiled.state == "compiled"
    assert (plain.prepare(), plain.state) == (False, "plain")
    memory = blank_memory(np.zeros(len(told_coordinates(model))))
    for samples, control in messages(model, rng, 250):
        q = random_configuration(model, rng)
        v, a = rng.uniform(-1.0, 1.0, (2, model.nv))
        inputs = (q, v, a, *base_of(model, rng), memory, samples, control)
        found, expected = compiled.quick(*inputs), plain(*inputs)
        assert found is not None
        assert (found.alarms, found.unsettled) == (expected.alarms, expected.unsettled)
        for name in ("memory", "q", "v", "a", "relative", "bodies", "markers"):
            x, y = getattr(found, name), getattr(expected, name)
            assert x.shape == y.shape
            assert error(x, y) <= TOLERANCE, name
        memory = expected.memory
    assert memory.shape[0] == ROWS


def test_without_a_kernel_there_is_no_quick_answer_and_a_plain_one_to_be_had() -> None:
    model = model_of("fixed")
    stepper = Stepper(model, "off")
    n = len(told_coordinates(model))
    inputs = (
        neutral(model),
        *np.zeros((2, model.nv)),
        blank_memory(np.zeros(n)),
        np.ones((4, n)),
        np.array([0.0, 0.02, 1.0, 1.0, 1.0]),
    )
    assert stepper.quick(*inputs) is None
    assert stepper(*inputs).q == pytest.approx(np.ones(model.nq))


def test_samples_that_are_not_finite_are_left_to_the_plain_path() -> None:
    model = model_of("fixed")
    stepper = Stepper(model, "wait")
    stepper.prepare(wait=True)
    n = len(told_coordinates(model))
    samples = np.ones((4, n))
    samples[0, 0] = np.nan
    rest = (neutral(model), *np.zeros((2, model.nv)), blank_memory(np.zeros(n)))
    assert stepper.quick(*rest, samples, np.array([0.0, 0.02, 1.0, 1.0, 1.0])) is None


def test_markers_are_those_of_marker_motion() -> None:
    model = model_of("marked")
    rng = np.random.default_rng(11)
    n = len(told_coordinates(model))
    stepper = Stepper(model, "wait")
    assert stepper.prepare(wait=True)
    given = np.array([*rng.uniform(-1.0, 1.0, (2, n)), *np.ones((2, n))])
    inputs = (neutral(model), *np.zeros((2, model.nv)), blank_memory(np.zeros(n)), given)
    found = stepper(*inputs, np.array([0.0, 0.02, 1.0, 1.0, 1.0]))
    motion = marker_motion(model, given[0], given[1], np.zeros(n))
    expected = np.concatenate(motion, axis=-1).reshape(-1)
    assert error(found.markers, expected) <= TOLERANCE


def test_a_model_without_markers_has_no_output_for_them() -> None:
    bare = load(UNMARKED, compile="off").model
    assert "markers" not in [name for name, _ in state_step(bare).signature.outputs]
    named = dict(state_step(model_of("marked")).signature.outputs)
    assert named["markers"] == (4, 9)


def test_bodies_are_those_of_body_motion() -> None:
    model = model_of("fixed")
    rng = np.random.default_rng(5)
    n = len(told_coordinates(model))
    q, v, a = rng.uniform(-1.0, 1.0, (3, n))
    samples = np.array([q, v, np.ones(n), np.ones(n)])
    control = np.array([0.0, 0.02, 1.0, 1.0, 1.0])
    result = Stepper(model, "off")(
        neutral(model), np.zeros(n), np.zeros(n), blank_memory(np.zeros(n)), samples, control
    )
    bodies = result.bodies.reshape(-1, 28)
    motion = body_motion(model, q, v, 0.0 * a)
    assert bodies[:, 0:3] == pytest.approx(motion.position)
    assert bodies[:, 7:10] == pytest.approx(motion.linear_velocity)
    assert bodies[:, 10:13] == pytest.approx(motion.angular_velocity)
    assert bodies[:, 13:16] == pytest.approx(motion.linear_acceleration)
    assert bodies[:, 16:19] == pytest.approx(motion.angular_acceleration)
    relative = result.relative.reshape(-1, 7)
    assert relative[0].tolist() == [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    assert np.linalg.norm(relative[:, 3:], axis=1) == pytest.approx(1.0)


def test_only_joints_with_one_coordinate_of_their_own_are_moved() -> None:
    model = model_of("floating")
    names = [joint.name for joint in told_coordinates(model)]
    assert names == [j.name for j in model.own_joints if j.joint.nv == 1]
    n, rng = len(names), np.random.default_rng(6)
    q, v, a = random_configuration(model, rng), *rng.normal(size=(2, model.nv))
    step = joints_step(
        model, q, v, a, blank_memory(np.zeros(n)), np.ones((4, n)), np.array([0, 0.02, 1, 1, 1.0])
    )
    assert step.q[:7].tolist() == q[:7].tolist()
    assert step.v[:6].tolist() == v[:6].tolist()
    assert step.a[:6].tolist() == a[:6].tolist()
    assert wrapping(model).shape == (n,)


def test_another_operation_is_an_error_that_lists_what_there_is() -> None:
    model = model_of("fixed")
    assert callable(evaluate_of(model, state_step(model).name))
    with pytest.raises(UnknownNameError, match="state_step"):
        evaluate_of(model, "walk")
