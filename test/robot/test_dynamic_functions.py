"""Every dynamic function of the facade: by kernel and plainly, single and in batch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error
from robodyn_ros import algorithms
from robodyn_ros.joints import Revolute
from robots import random_state, random_tree

pytestmark = pytest.mark.usefixtures("compiling_here")

#: Kernel and plain path differ by rounding and by the kernel's own sin and cos (1.6 ulp).
TOLERANCE = 1e-11
BASES = ("floating", "prescribed")

#: Each function with the arguments that it takes, in their order.
FUNCTIONS = {
    "inverse_dynamics": "qva",
    "forward_dynamics": "qva",
    "inverse_dynamics_derivatives": "qva",
    "forward_dynamics_derivatives": "qva",
    "bias_force": "qv",
    "gravity_force": "q",
    "effort_terms": "qva",
    "mass_matrix": "q",
    "coriolis_matrix": "qv",
    "energy": "qv",
    "momentum": "qv",
    "centroidal_momentum": "qv",
    "centroidal_momentum_matrix": "q",
    "robot_center_of_mass": "qva",
    "center_of_mass_jacobian": "q",
    "regressor": "qva",
}


@pytest.fixture(scope="module")
def pairs() -> dict[str, tuple[rd.Robot, rd.Robot]]:
    """The same loaded tree by kind of base: with kernels, and on the plain functions."""
    found = {}
    for base in BASES:
        model = random_tree(3, bodies=5, base=base)
        found[base] = (rd.Robot(model, compile="wait"), rd.Robot(model, compile="off"))
        for robot in found[base]:
            if base == "prescribed":
                robot.set_base_motion(
                    (1.0, 2.0, 3.0),
                    (0.5, -0.5, 0.5, 0.5),
                    angular_velocity=(0.1, 0.2, 0.3),
                    linear_velocity=(-1.0, 0.5, 0.0),
                    angular_acceleration=(0.3, 0.1, -0.2),
                    linear_acceleration=(1.0, 1.0, 1.0),
                )
    return found


def states(model: rd.Model, letters: str, count: int) -> list[np.ndarray]:
    """Return `count` rows of each argument that a function takes."""
    rows = [random_state(model, seed) for seed in range(count)]
    columns = dict(zip("qva", (np.stack(x) for x in zip(*rows, strict=True)), strict=True))
    return [columns[letter] for letter in letters]


def arrays(result: object) -> list[np.ndarray]:
    """Return the arrays of a result that has one or several."""
    return [result] if isinstance(result, np.ndarray) else list(result)  # type: ignore[call-overload]


@pytest.mark.parametrize(("base", "loaded"), [("floating", False), ("prescribed", True)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_kernels_and_plain_functions_agree(
    pairs: dict[str, tuple[rd.Robot, rd.Robot]], base: str, name: str, loaded: bool
) -> None:
    compiled, plain = pairs[base]
    for robot in (compiled, plain):
        robot.gravity = (1.0, -2.0, -9.0)
        robot.clear_payload()
        robot.reset_joint_parameters()
        if loaded:
            robot.set_payload("tool", 1.5, (0.1, 0.0, 0.2), np.diag([0.02, 0.03, 0.04]))
            joint = robot.model.joint_names[-1]
            robot.set_joint_parameters(joint, armature=0.5, damping=0.2, friction=0.3)
    model, environment = compiled.model, compiled.environment
    inputs = states(model, FUNCTIONS[name], 5)
    function: Callable[..., object] = getattr(compiled, name)
    function(*(x[0] for x in inputs))
    batch = arrays(getattr(compiled, name)(*inputs))
    for row in range(5):
        sample = [x[row] for x in inputs]
        single = arrays(getattr(compiled, name)(*sample))
        expected = arrays(getattr(plain, name)(*sample))
        assert len(single) == len(expected)
        for ours, of_batch, theirs in zip(single, batch, expected, strict=True):
            assert np.shape(ours) == np.shape(theirs)
            assert error(np.asarray(ours), np.asarray(theirs)) < TOLERANCE
            assert np.array_equal(np.asarray(ours), np.asarray(of_batch[row]))
    plainly = getattr(algorithms, name)(model, *(x[0] for x in inputs), environment=environment)
    for ours, theirs in zip(batch, arrays(plainly), strict=True):
        assert error(np.asarray(ours[0]), np.asarray(theirs)) < TOLERANCE
    suffix = "+loaded" if f"{name}+loaded" in compiled.kernel_states() else ""
    assert compiled.kernel_states()[name + suffix] == "compiled"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_written_into_out(
    pairs: dict[str, tuple[rd.Robot, rd.Robot]], name: str
) -> None:
    for robot in pairs["floating"]:
        inputs = states(robot.model, FUNCTIONS[name], 3)
        first = getattr(robot, name)(*inputs)
        kept = [x.copy() for x in arrays(first)]
        for x in arrays(first):
            x.fill(7.0)
        again = getattr(robot, name)(*inputs, out=first)
        assert again is first
        for ours, theirs in zip(arrays(first), kept, strict=True):
            assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rows_that_are_not_finite_are_nan_and_no_other(
    pairs: dict[str, tuple[rd.Robot, rd.Robot]], name: str
) -> None:
    for robot in pairs["floating"]:
        inputs = states(robot.model, FUNCTIONS[name], 4)
        clean = arrays(getattr(robot, name)(*inputs))
        inputs[-1] = inputs[-1].copy()
        inputs[-1][2, 0] = np.nan
        for dirty, whole in zip(arrays(getattr(robot, name)(*inputs)), clean, strict=True):
            assert np.isnan(dirty[2]).all()
            others = [0, 1, 3]
            assert np.array_equal(dirty[others], whole[others])


def test_the_identities_hold(pairs: dict[str, tuple[rd.Robot, rd.Robot]]) -> None:
    for robot in pairs["prescribed"]:
        q, v, a = random_state(robot.model, 9)
        tau = robot.inverse_dynamics(q, v, a)
        assert error(robot.mass_matrix(q) @ a + robot.bias_force(q, v), tau) < TOLERANCE
        assert error(robot.inverse_dynamics(q, v, robot.forward_dynamics(q, v, tau)), tau) < 1e-10
        terms = robot.effort_terms(q, v, a)
        assert error(terms.total - terms.friction, tau) < TOLERANCE
        resisted = robot.inverse_dynamics(q, v, a, friction=True)
        assert error(terms.total, resisted) < TOLERANCE
        assert error(robot.forward_dynamics(q, v, resisted, friction=True), a) < 1e-8


def massless_tip(compile: str) -> rd.Robot:
    """Return an arm whose last link has no inertia."""
    builder = rd.ModelBuilder("thin")
    builder.add_body("base")
    builder.add_body("arm", mass=1.0, com=(0.3, 0.0, 0.0), inertia=0.01 * np.eye(3))
    builder.add_body("tip")
    builder.add_joint("shoulder", Revolute((0.0, 1.0, 0.0)), "base", "arm")
    builder.add_joint("wrist", Revolute((0.0, 1.0, 0.0)), "arm", "tip", position=(0.6, 0.0, 0.0))
    return rd.Robot(builder.build(), compile=compile)  # type: ignore[arg-type]


@pytest.mark.parametrize("compile", ["wait", "off"])
def test_a_singular_mass_matrix_names_its_joint(compile: str) -> None:
    robot = massless_tip(compile)
    for _ in range(2):  # the second call is the kernel's
        with pytest.raises(rd.SingularMassMatrixError, match=r"joint 'wrist'.*'tip'"):
            robot.forward_dynamics(np.zeros(2), np.zeros(2), np.ones(2))
    with pytest.raises(rd.SingularMassMatrixError, match="in row 0 at joint 'wrist'"):
        robot.forward_dynamics(np.zeros((3, 2)), np.zeros(2), np.ones(2))
    robot.set_payload("tip", 0.2, (0.05, 0.0, 0.0))
    a = robot.forward_dynamics(np.zeros(2), np.zeros(2), np.ones(2))
    assert error(robot.inverse_dynamics(np.zeros(2), np.zeros(2), a), np.ones(2)) < 1e-10
    robot.clear_payload()
    robot.set_joint_parameters("wrist", armature=0.01)
    assert np.isfinite(robot.forward_dynamics(np.zeros(2), np.zeros(2), np.ones(2))).all()


def test_friction_is_smooth_and_exact_from_a_known_speed_on() -> None:
    speed = algorithms.COULOMB_SPEED
    robot = massless_tip("off")
    robot.set_joint_parameters("shoulder", damping=2.0, friction=3.0)
    q, zero = np.zeros(2), np.zeros(2)
    rest = robot.inverse_dynamics(q, zero, zero, friction=True)
    for rate in (speed, -speed, 0.5, -7.0):
        v = np.array([rate, 0.0])
        added = robot.effort_terms(q, v, zero).friction[0]
        assert added == pytest.approx(2.0 * rate + 3.0 * np.sign(rate), abs=1e-12)
    assert np.array_equal(rest, robot.inverse_dynamics(q, zero, zero))
