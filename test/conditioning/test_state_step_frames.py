"""The step that sees motion from a frame at rest: compiled, plain, with efforts and driven."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from quay_robot import quay_arm
from robodyn_ros import load
from robodyn_ros.algorithms import (
    body_motion,
    centers_of,
    markers_of,
    random_configuration,
    seen_from,
)
from robodyn_ros.conditioning import driven_step, dynamics_step, state_step
from robodyn_ros.conditioning.conditioner import blank_memory
from robodyn_ros.conditioning.stepper import Stepper
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.model import Environment, Model
from robodyn_ros.robot.catalogue import Operation
from robodyn_ros.robot.run_time import BASE_MOTION_SIZE, base_motion_of
from robodyn_ros.spatial import quaternion_from_matrix

ROUNDING = 1e-12
CASES = [
    ("fixed", "quay"),
    ("fixed", "socket"),
    ("fixed", "plate"),
    ("floating", "quay"),
    ("prescribed", "quay"),
]
OPERATIONS: list[tuple[Callable[[Model, str], Operation], ModuleType]] = [
    (state_step.state_step, state_step),
    (dynamics_step.dynamics_step, dynamics_step),
    (driven_step.driven_step, driven_step),
    (driven_step.driven_dynamics_step, driven_step),
]


def model_of(base: str) -> Model:
    return load(quay_arm(base), compile="off").model


def base_of(model: Model, rng: np.random.Generator) -> list[np.ndarray]:
    if model.base != "prescribed":
        return []
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    motion = rng.uniform(-1.0, 1.0, BASE_MOTION_SIZE)
    motion[:9] = (turn * np.linalg.det(turn)).ravel()
    return [motion]


@pytest.mark.parametrize("compile", ["wait", "off"])
@pytest.mark.parametrize(("base", "frame"), CASES)
def test_bodies_and_markers_are_seen_from_the_frame(base: str, frame: str, compile: str) -> None:
    model = model_of(base)
    rng = np.random.default_rng(7)
    n = len(told_coordinates(model))
    stepper = Stepper(model, compile, frame)  # type: ignore[arg-type]
    assert stepper.prepare(wait=True) is (compile == "wait")
    q, base_motion = random_configuration(model, rng), base_of(model, rng)
    v, a = rng.uniform(-1.0, 1.0, (2, model.nv))
    samples = np.array([*rng.uniform(-1.0, 1.0, (2, n)), *np.ones((2, n))])
    control = np.array([0.0, 0.02, 1.0, 1.0, 1.0])
    result = stepper(q, v, a, *base_motion, blank_memory(np.zeros(n)), samples, control)
    assert (stepper.state == "compiled") is (compile == "wait")
    around = Environment(base_motion=base_motion_of(base_motion[0])) if base_motion else None
    motion = body_motion(model, result.q, result.v, result.a, environment=around or Environment())
    seen = seen_from(model, frame, motion)
    expected = np.hstack(
        [
            seen.position,
            quaternion_from_matrix(seen.rotation),
            seen.linear_velocity,
            seen.angular_velocity,
            seen.linear_acceleration,
            seen.angular_acceleration,
            *centers_of(model, seen),
        ]
    )
    bodies = result.bodies.reshape(-1, 28)
    # A rotation has two quaternions.
    signs = np.sign(np.einsum("ij,ij->i", bodies[:, 3:7], expected[:, 3:7]))
    expected[:, 3:7] *= signs[:, None]
    assert bodies == pytest.approx(expected, abs=ROUNDING)
    markers = np.hstack(markers_of(model, seen))
    assert result.markers.reshape(-1, 9) == pytest.approx(markers, abs=ROUNDING)
    if not base_motion:
        still = {"plate": 1, "socket": 1}.get(frame, 0) if base == "fixed" else 0
        assert not bodies[still, 7:19].any()


@pytest.mark.parametrize("base", ["fixed", "prescribed"])
@pytest.mark.parametrize(("make", "module"), OPERATIONS)
def test_nothing_but_the_motion_depends_on_the_frame(
    make: Callable[[Model, str], Operation], module: ModuleType, base: str
) -> None:
    model = model_of(base)
    rng = np.random.default_rng(9)
    world, seen = make(model, ""), make(model, "quay")
    inputs = [rng.uniform(0.1, 1.0, shape) for _, shape in world.signature.inputs]
    outputs = [name for name, _ in world.signature.outputs]
    assert seen.signature.inputs == world.signature.inputs
    assert seen.signature.outputs == world.signature.outputs
    assert seen.name == f"{world.name}:quay"
    again = module.evaluate_of(model, seen.name)(*inputs)
    found, expected = seen.evaluate(*inputs), world.evaluate(*inputs)
    for name, x, y, z in zip(outputs, found, expected, again, strict=True):
        assert np.array_equal(x, y) is (name not in ("bodies", "markers")), name
        assert np.array_equal(x, z), name


@pytest.mark.parametrize(("make", "module"), OPERATIONS)
def test_operations_and_frames_that_are_not_there_are_refused(
    make: Callable[[Model, str], Operation], module: ModuleType
) -> None:
    model = model_of("floating")
    with pytest.raises(UnknownNameError, match="operation"):
        module.evaluate_of(model, "step:quay")
    inputs = [np.full(shape, 0.5) for _, shape in make(model, "").signature.inputs]
    with pytest.raises(UnknownNameError, match="'quai'"):
        make(model, "quai").evaluate(*inputs)
    with pytest.raises(ArgumentError, match="'grip' is fixed in body 'hand', which moves"):
        make(model, "grip").evaluate(*inputs)
