"""Kernels of one tree with every joint type: as the plain functions, and how long they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error
from mixed_trees import CASES, ONE_OF_EACH, mixed_state, tree_of_every_type
from robodyn_ros.joints import JOINT_TYPES
from robodyn_ros.kernels.trace import trace
from robodyn_ros.robot.catalogue import operation

#: Kernel and plain path differ by rounding and by the kernel's own sin and cos (1.6 ulp).
TOLERANCE = 1e-12

FUNCTIONS = {
    "body_motion": "qva",
    "marker_motion": "qva",
    "inverse_dynamics": "qva",
    "forward_dynamics": "qva",
    "mass_matrix": "q",
    "inverse_dynamics_derivatives": "qva",
}
every_function = pytest.mark.parametrize("name", FUNCTIONS)


@pytest.fixture(scope="module")
def pair(compiling_here: None) -> tuple[rd.Robot, rd.Robot]:
    """The tree with kernels, and without."""
    model = tree_of_every_type()
    compiled, plain = rd.Robot(model, compile="wait"), rd.Robot(model, compile="off")
    assert compiled.compile(*FUNCTIONS)
    return compiled, plain


def rows(model: rd.Model, letters: str, count: int) -> list[np.ndarray]:
    """Return `count` random rows of each argument that a function takes."""
    states = [mixed_state(model, seed) for seed in range(count)]
    columns = dict(zip("qva", (np.stack(x) for x in zip(*states, strict=True)), strict=True))
    return [columns[letter] for letter in letters]


def arrays(result: Any) -> list[np.ndarray]:
    """Return the arrays of a result that has one or several."""
    return [result] if isinstance(result, np.ndarray) else list(result)


def test_the_tree_has_every_type() -> None:
    types = {CASES[name].type_name for name in ONE_OF_EACH}
    assert types == set(JOINT_TYPES) - {"fixed"}
    assert len(ONE_OF_EACH) == len(types)


@every_function
def test_kernels_equal_the_plain_functions(pair: tuple[rd.Robot, rd.Robot], name: str) -> None:
    compiled, plain = pair
    given = rows(compiled.model, FUNCTIONS[name], 5)
    found, expected = (arrays(getattr(robot, name)(*given)) for robot in pair)
    if name == "forward_dynamics":  # judged by what the mass matrix makes of it
        M = plain.mass_matrix(given[0])
        found, expected = ([np.einsum("nij,nj->ni", M, x)] for (x,) in (found, expected))
    for ours, theirs in zip(found, expected, strict=True):
        for x, y in zip(ours, theirs, strict=True):
            assert error(x, y) < TOLERANCE
    assert compiled.kernel_states()[name] == "compiled"


@every_function
@pytest.mark.parametrize("count", [1, 11])
def test_rows_of_a_batch_equal_single_calls(
    pair: tuple[rd.Robot, rd.Robot], name: str, count: int
) -> None:
    call = getattr(pair[0], name)
    given = rows(pair[0].model, FUNCTIONS[name], count)
    whole = arrays(call(*given))
    for k, state in enumerate(zip(*given, strict=True)):
        for part, single in zip(whole, arrays(call(*state)), strict=True):
            np.testing.assert_array_equal(part[k], single)


@every_function
def test_every_quaternion_is_guarded(pair: tuple[rd.Robot, rd.Robot], name: str) -> None:
    model = pair[0].model
    state = rows(model, FUNCTIONS[name], 3)
    guarded = [j for j in model.own_joints if j.joint.quaternion_start is not None]
    assert {j.joint.type_name for j in guarded} == {"floating", "six_dof", "spherical"}
    for joint in guarded:
        begin = joint.q_index + joint.joint.quaternion_start
        bad = [x.copy() for x in state]
        bad[0][1, begin : begin + 4] *= 1.0 + 2e-6
        single = [x[1] for x in bad]
        for robot in pair:
            for given in (bad, single):
                with pytest.raises(rd.ArgumentError, match=rf"'{joint.name}'.*q\[{begin}:"):
                    getattr(robot, name)(*given)


def test_rotation_vectors_are_not_guarded(pair: tuple[rd.Robot, rd.Robot]) -> None:
    """Any rotation vector is a place, however long or short."""
    model = pair[0].model
    begin = next(j.q_index for j in model.own_joints if j.joint.type_name == "global")
    q = rows(model, "q", 1)[0][0]
    for length in (0.0, 1e-200, 1e-9, 1.0, 3.0, 6.0, 100.0):
        q[begin : begin + 3] = length * np.array([0.48, -0.6, 0.64])
        tau = [robot.inverse_dynamics(q) for robot in pair]
        assert np.isfinite(tau[0]).all()
        assert error(tau[0], tau[1]) < TOLERANCE


#: Instructions at most of inverse dynamics, mass matrix and derivatives of inverse dynamics, of a
#: skew turn alone and with a joint of each type behind it, anywhere in both bodies.
LIMITS = {
    "revolute-skew": (540, 330, 1140),
    "continuous-x": (465, 255, 1060),
    "prismatic-x": (350, 80, 530),
    "helical-left-handed": (560, 345, 1190),
    "cylindrical-skew": (580, 395, 1310),
    "universal-skew": (745, 560, 2270),
    "planar-skew": (700, 560, 2030),
    "translational-one skew": (360, 92, 540),
    "gimbal-23 outer z": (660, 520, 2550),
    "spherical-inner z": (690, 550, 3080),
    "global": (690, 505, 2330),
    "six_dof": (735, 710, 4050),
    "floating": (695, 600, 3050),
    "dh_revolute-all": (520, 310, 1120),
    "dh_prismatic-all": (360, 88, 535),
    "dh_cylindrical-all": (560, 375, 1290),
    "dh_helical-all": (540, 325, 1170),
    "user_defined-turned and slid": (920, 735, 3650),
}
COUNTED = ("inverse_dynamics", "mass_matrix", "inverse_dynamics_derivatives")

#: And of the tree with all of them, in arms of two.
LIMITS_OF_ALL = {
    "body_motion": 4800,
    "marker_motion": 1020,
    "inverse_dynamics": 5420,
    "forward_dynamics": 8700,
    "mass_matrix": 3850,
    "inverse_dynamics_derivatives": 19800,
}


def instructions(model: rd.Model, name: str) -> int:
    described = operation(model, name)
    return trace(described.evaluate, described.signature).instruction_count


@pytest.mark.parametrize("case", ONE_OF_EACH)
def test_instructions_of_a_joint_do_not_grow(case: str) -> None:
    model = tree_of_every_type(names=("revolute-skew", case), arms=1)
    found = tuple(instructions(model, name) for name in COUNTED)
    assert all(map(int.__le__, found, LIMITS[case])), found


@every_function
def test_instructions_of_all_do_not_grow(name: str) -> None:
    found = instructions(tree_of_every_type(), name)
    assert found <= LIMITS_OF_ALL[name], found
