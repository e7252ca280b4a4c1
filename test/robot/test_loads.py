"""Payloads, joint parameters and external wrenches through the facade, by either path."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error
from robodyn_ros import algorithms
from robots import random_state, random_tree

pytestmark = pytest.mark.usefixtures("compiling_here")

ROUNDING = 1e-12
INERTIA = np.diag([0.02, 0.03, 0.04])


@pytest.fixture(scope="module")
def robots() -> dict[str, rd.Robot]:
    """One robot with compiled kernels and one on the plain functions."""
    model = random_tree(5, bodies=7)
    return {"compiled": rd.Robot(model, compile="wait"), "plain": rd.Robot(model, compile="off")}


@pytest.fixture(params=["compiled", "plain"])
def robot(request: pytest.FixtureRequest, robots: dict[str, rd.Robot]) -> rd.Robot:
    robot = robots[request.param]
    robot.environment = rd.Environment()
    return robot


def test_a_payload_detached_leaves_every_bit_as_it_was(robot: rd.Robot) -> None:
    state = random_state(robot.model, 1)
    before = robot.inverse_dynamics(*state)
    robot.set_payload("tool", 1.5, (0.1, 0.0, 0.2), INERTIA)
    loaded = robot.inverse_dynamics(*state)
    assert error(loaded, before) > 1e-3
    robot.clear_payload()
    assert np.array_equal(robot.inverse_dynamics(*state), before)


def test_a_payload_without_mass_changes_no_bit(robot: rd.Robot) -> None:
    state = random_state(robot.model, 2)
    before = robot.inverse_dynamics(*state)
    assert robot.set_payload("tool", 0.0) is None
    assert np.array_equal(robot.inverse_dynamics(*state), before)


def test_payloads_by_name_are_added_replaced_and_removed(robot: rd.Robot) -> None:
    q, v, a = random_state(robot.model, 3)

    def efforts() -> np.ndarray:
        return robot.inverse_dynamics(q, v, a)

    bare = efforts()
    robot.set_payload("tool", 1.0, (0.1, 0.0, 0.0), name="gripper")
    one = efforts() - bare
    robot.set_payload("b3", 2.0, (0.0, 0.1, 0.0))
    both = efforts() - bare
    robot.set_payload("tool", 2.0, (0.1, 0.0, 0.0), name="gripper")
    assert [load.name for load in robot.payloads] == ["gripper", "b3"]
    assert error(efforts() - bare, both + one) < ROUNDING
    robot.clear_payload("gripper")
    assert error(efforts() - bare, both - one) < ROUNDING
    robot.set_payload("b3", 0.0)
    assert np.array_equal(efforts(), bare)


def test_a_payload_is_the_same_as_a_link_of_its_mass(robot: rd.Robot) -> None:
    """The tree with the mass built in, and the payload on top of the tree without."""
    state = random_state(robot.model, 4)
    robot.set_payload("tool", 1.2, (0.1, -0.2, 0.05), INERTIA)
    loaded = robot.effort_terms(*state)
    assert error(loaded.total - loaded.friction, robot.inverse_dynamics(*state)) < ROUNDING
    robot.clear_payload()
    bare = robot.effort_terms(*state)
    assert not np.any(bare.payload)
    for name in ("inertial", "coriolis", "gravity", "friction", "armature"):
        assert error(getattr(loaded, name), getattr(bare, name)) < ROUNDING, name


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("tol", 1.0), "payload 'tol': no frame is called 'tol'"),
        (("tool", -1.0), "mass must be >= 0"),
        (("tool", np.nan), "mass must be one finite number"),
        (("tool", "heavy"), "mass must be real numbers"),
        (("tool", 1.0, (0, 0)), "com must be finite numbers of shape"),
        (("tool", 1.0, (0, 0, np.inf)), "com must be finite"),
        (("tool", 1.0, (0, 0, 0), np.eye(2)), "inertia must be finite numbers of shape"),
        (("tool", 1.0, (0, 0, 0), [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]), "must be symmetric"),
        (("tool", 1.0, (0, 0, 0), np.diag([1.0, 1.0, -0.1])), "negative principal moment"),
        (("tool", 1.0, (0, 0, 0), np.diag([1.0, 1.0, 2.5])), "no rigid body can have"),
    ],
)
def test_what_is_no_payload_is_refused_and_changes_nothing(
    robot: rd.Robot, arguments: tuple[Any, ...], told: str
) -> None:
    robot.set_payload("tool", 1.0)
    before = robot.environment
    with pytest.raises(rd.RobodynError, match=told):
        robot.set_payload(*arguments)
    assert robot.environment is before


def test_the_mass_is_that_of_all_links_and_payloads(robot: rd.Robot) -> None:
    links = sum(body.mass for body in robot.model.bodies)
    assert robot.mass == robot.model.mass == pytest.approx(links)
    robot.set_payload("tool", 1.5, name="box")
    robot.set_payload("tool", 0.25, (0.0, 0.0, 0.1), name="camera")
    assert robot.mass == pytest.approx(links + 1.75)
    assert robot.model.mass == pytest.approx(links)
    momentum = robot.momentum(robot.neutral(), np.ones(robot.model.nv))
    center = robot.robot_center_of_mass(robot.neutral(), np.ones(robot.model.nv))
    assert momentum[3:] == pytest.approx(robot.mass * center.velocity, abs=1e-12)
    robot.clear_payload()
    assert robot.mass == robot.model.mass


def test_an_unknown_payload_cannot_be_cleared(robot: rd.Robot) -> None:
    robot.set_payload("tool", 1.0, name="gripper")
    with pytest.raises(rd.UnknownNameError, match="available: gripper"):
        robot.clear_payload("griper")
    assert len(robot.payloads) == 1


def test_joint_parameters_act_and_are_taken_back(robot: rd.Robot) -> None:
    q, v, a = random_state(robot.model, 5)
    before = robot.inverse_dynamics(q, v, a, friction=True)
    joint = robot.model.own_joint(robot.model.joint_names[0])
    robot.set_joint_parameters(joint.name, armature=0.5, damping=2.0, friction=3.0)
    k = joint.v_index
    terms = robot.effort_terms(q, v, a)
    assert terms.armature[k] == pytest.approx(0.5 * a[k], abs=ROUNDING)
    assert abs(v[k]) > algorithms.COULOMB_SPEED
    assert terms.friction[k] == pytest.approx(2.0 * v[k] + 3.0 * np.sign(v[k]), abs=ROUNDING)
    robot.reset_joint_parameters()
    assert np.array_equal(robot.inverse_dynamics(q, v, a, friction=True), before)


@pytest.mark.parametrize(
    ("joint", "values", "told"),
    [
        ("j99", {"armature": 1.0}, "no joint that moves is called 'j99'"),
        ("j1", {"armature": -1.0}, "armature of joint 'j1'"),
        ("j1", {"damping": np.nan}, "damping of joint 'j1'"),
        ("j1", {"friction": (1.0, 2.0)}, "friction of joint 'j1'"),
    ],
)
def test_unfit_joint_parameters_are_refused(
    robot: rd.Robot, joint: str, values: dict[str, Any], told: str
) -> None:
    before = robot.environment
    with pytest.raises(rd.RobodynError, match=told):
        robot.set_joint_parameters(joint, **values)
    assert robot.environment is before


@pytest.mark.parametrize("axes", ["world", "local"])
def test_wrenches_act_by_the_transposed_jacobian(robot: rd.Robot, axes: str) -> None:
    q, v, a = random_state(robot.model, 6)
    wrench = np.arange(1.0, 7.0)
    acting = robot.inverse_dynamics(q, v, a, {"tool": wrench}, wrench_axes=axes)  # type: ignore[arg-type]
    in_world = wrench
    if axes == "local":
        frame = robot.model.frame("tool")
        R_WF = robot.body_motion(q).rotation[frame.body] @ frame.rotation
        in_world = np.concatenate([R_WF @ wrench[:3], R_WF @ wrench[3:]])
    expected = robot.inverse_dynamics(q, v, a) - robot.jacobian(q, "tool").T @ in_world
    assert error(acting, expected) < ROUNDING
    terms = robot.effort_terms(q, v, a, {"tool": wrench}, wrench_axes=axes)  # type: ignore[arg-type]
    assert error(terms.external, acting - robot.inverse_dynamics(q, v, a)) < ROUNDING


def test_wrenches_at_frames_of_one_body_add_up_and_go_in_batches(robot: rd.Robot) -> None:
    q, v, a = random_state(robot.model, 7)
    body = robot.model.body_names[robot.model.frame("tool").body]
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 4, 6))
    both = robot.inverse_dynamics(q, v, a, {"tool": first, body: second[0]})
    assert both.shape == (4, robot.model.nv)
    bare = robot.inverse_dynamics(q, v, a)
    for row, wrench in zip(both, first, strict=True):
        alone = robot.inverse_dynamics(q, v, a, {"tool": wrench})
        other = robot.inverse_dynamics(q, v, a, {body: second[0]})
        assert error(row, alone + other - bare) < ROUNDING


@pytest.mark.parametrize(
    ("wrenches", "told"),
    [
        ({"toool": np.zeros(6)}, "no frame is called 'toool'"),
        ({"tool": np.zeros(3)}, r"external_wrenches\['tool'\] must have shape \(6,\)"),
        ({"tool": np.zeros((2, 6)), "b3": np.zeros((3, 6))}, "equally many rows"),
        (np.ones(6), "must be a mapping by frame name"),
    ],
)
def test_unfit_wrenches_are_refused(robot: rd.Robot, wrenches: Any, told: str) -> None:
    with pytest.raises(rd.RobodynError, match=told):
        robot.inverse_dynamics(robot.neutral(), None, None, wrenches)


def test_a_wrench_that_is_not_finite_makes_its_row_nan(robot: rd.Robot) -> None:
    wrench = np.zeros((3, 6))
    wrench[1, 2] = np.inf
    efforts = robot.inverse_dynamics(robot.neutral(), None, None, {"tool": wrench})
    assert np.isnan(efforts[1]).all()
    assert np.isfinite(efforts[[0, 2]]).all()


def test_gravity_is_read_at_every_call(robot: rd.Robot) -> None:
    q = random_state(robot.model, 8)[0]
    upright = robot.gravity_force(q)
    robot.gravity = (0.0, 0.0, 9.81)
    assert error(robot.gravity_force(q), -upright) < ROUNDING
    assert error(robot.inverse_dynamics(q), -upright) < ROUNDING
    robot.gravity = (0.0, 0.0, 0.0)
    assert not np.any(robot.bias_force(q))
