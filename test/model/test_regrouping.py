"""Regrouped moments: no joint effort knows the difference, and they have the zeros they can."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import error
from joint_cases import JOINTS, X, Y, Z, state
from robodyn_ros.algorithms.inverse_dynamics import efforts
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.joints import (
    DhRevolute,
    Gimbal,
    Joint,
    Placed,
    Reversed,
    Revolute,
    Universal,
)
from robodyn_ros.kernels.trace import trace
from robodyn_ros.model import Environment, Model, ModelBuilder
from robodyn_ros.model.inertia import moments
from robodyn_ros.model.regrouping import unnoticed
from robodyn_ros.robot.catalogue import operation

#: Exact but for rounding.
TOLERANCE = 2e-13
#: Where the floating body is.
BASE = np.array([0.1, 0.2, 0.3, 0.1, -0.7, 0.5, 0.5])
#: UR5's twists.
TWISTS = (np.pi / 2, 0.0, 0.0, np.pi / 2, -np.pi / 2, 0.0)


def chain(*joints: Joint) -> ModelBuilder:
    """Return a chain on a floating body, every link with all ten inertial parameters."""
    rng = np.random.default_rng(5)
    builder = ModelBuilder("chain")
    builder.add_body("b0", mass=2.0, inertia=np.eye(3))
    for k, joint in enumerate(joints, start=1):
        half = rng.normal(size=(3, 3))
        mass, com = rng.uniform(0.5, 2.0), rng.normal(size=3)
        builder.add_body(f"b{k}", mass=mass, com=com, inertia=half @ half.T)
        builder.add_joint(f"j{k}", joint, f"b{k - 1}", f"b{k}", position=rng.normal(size=3))
    return builder


def as_described(model: Model) -> np.ndarray:
    """Return the moments (n, 10) of the lumps as they are, nothing regrouped."""
    rows = []
    for row in model.lumped.inertias:
        mass, first, inertia = moments(row)
        J = 0.5 * np.trace(inertia) * np.eye(3) - inertia
        rows.append([mass, *first, J[0, 0], J[0, 1], J[1, 1], J[0, 2], J[1, 2], J[2, 2]])
    return np.array(rows)


@pytest.mark.parametrize("name", JOINTS)
def test_no_effort_knows_the_difference(name: str) -> None:
    joint = JOINTS[name]
    if joint.nv == 0:
        assert chain(joint).build().lumped.unnoticed == ()
        return
    model = chain(Revolute((0.3, -0.5, 0.8)), joint, Revolute(Y)).build("floating")
    surroundings = Surroundings.of(model, Environment())
    plain = surroundings._replace(regrouped=as_described(model))
    rng = np.random.default_rng(2)
    for seed in range(3):
        q = np.concatenate([BASE, [0.4], state(joint, seed)[0], [-1.1]])
        v, a = rng.uniform(-1.0, 1.0, (2, model.nv))
        wanted = efforts(model, q, v, a, plain)
        assert error(efforts(model, q, v, a, surroundings), wanted) < TOLERANCE


ZEROS = {
    "revolute-z": 3,
    "revolute-skew": 3,
    "continuous-skew": 3,
    "dh_revolute-all": 3,
    "reversed-revolute-skew": 3,
    "reversed-dh_revolute-all": 3,
    "placed-revolute-skew": 3,
    "gimbal-2": 3,
    "prismatic-skew": 6,
    "dh_prismatic-all": 6,
    "translational-xyz": 6,
    "translational-both sides": 6,
    "helical-left-handed": 1,
    "dh_helical-all": 1,
    "cylindrical-skew": 1,
    "placed-dh_cylindrical-all": 1,
    "planar-skew": 1,
    "gimbal-3 inner z": 1,
    "spherical-plain": 1,
    "global": 1,
    "gimbal-231": 1,
    "universal-skew": 1,
    "placed-universal-skew": 1,
    "spherical-both sides": 0,
    "gimbal-231 both sides": 0,
    "floating": 0,
    "six_dof": 0,
}


@pytest.mark.parametrize("name", ZEROS)
def test_a_body_keeps_as_little_as_its_joint_lets_it(name: str) -> None:
    """Whatever its inertia: so many of the ten are zero for ever."""
    model = chain(JOINTS[name]).build()
    assert len(unnoticed(JOINTS[name])) == ZEROS[name]
    zeros = model.lumped.structural_zeros
    assert np.sum(zeros[1]) == ZEROS[name]
    assert not np.any(model.lumped.regrouped[zeros])


def counted(model: Model) -> int:
    described = operation(model, "inverse_dynamics")
    return int(trace(described.evaluate, described.signature).instruction_count)


def arm(joints: list[tuple[Joint, dict]]) -> Model:
    """Return an arm whose links have all ten inertial parameters."""
    rng = np.random.default_rng(1)
    builder = ModelBuilder("arm")
    builder.add_body("b0")
    for k, (joint, placement) in enumerate(joints, start=1):
        half = rng.normal(size=(3, 3))
        builder.add_body(f"b{k}", mass=1.0, com=rng.normal(size=3), inertia=half @ half.T)
        builder.add_joint(f"j{k}", joint, f"b{k - 1}", f"b{k}", **placement)
    return builder.build()


def test_a_dh_table_costs_what_the_same_arm_of_revolute_joints_costs() -> None:
    elements = [DhRevolute(a=0.1 * k, alpha=alpha, s=0.2) for k, alpha in enumerate(TWISTS)]
    by_table = arm([(element, {}) for element in elements])
    plain = [
        (Revolute(X), {"rotation": element.home[0], "position": element.home[1]})
        for element in elements
    ]
    assert counted(by_table) == counted(arm(plain)) <= 445


@pytest.mark.parametrize(
    ("joint", "limit"),
    [
        (Placed(Revolute(Z), np.eye(3), np.array([0.3, 0.0, 0.1])), 333),
        (Reversed(Revolute(Z), np.eye(3), np.array([0.3, 0.0, 0.1])), 344),
        (Universal(), 1141),
        (Gimbal("321"), 1433),
    ],
    ids=lambda x: type(x).__name__ if isinstance(x, Joint) else None,
)
def test_instructions_of_other_joints_do_not_grow(joint: Joint, limit: int) -> None:
    placement = {"position": (0.1, 0.2, 0.3)}
    found = counted(arm([(joint, placement)] * 6))
    assert found <= limit, found
