"""Dynamics of small closed mechanisms that can be checked by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.constraints.assembly import assembled_model
from robodyn_ros.constraints.dynamics import closed_accelerations, closed_efforts
from robodyn_ros.constraints.elimination import completed
from robodyn_ros.constraints.jacobian import residual
from robodyn_ros.constraints.partition import choose_partition
from robodyn_ros.joints import Prismatic
from robodyn_ros.model import Environment, ModelBuilder
from small_mechanisms import four_bar


def test_multipliers_of_redundant_equations_are_zero() -> None:
    model, q = four_bar()
    model = assembled_model(model, q)
    partition = model.closure.partition
    assert partition.independent == (0,)
    assert len(partition.rows) == 3  # of a planar loop: a turn and two offsets
    v, a, _ = completed(model, q, np.ones(4), np.zeros(4))
    tau, forces, _ = closed_efforts(model, q, v, a, Surroundings.of(model, Environment()))
    redundant = [row for row in range(6) if row not in partition.rows]
    assert not forces[redundant].any()
    assert np.count_nonzero(tau) == 1


def test_at_a_dead_centre_the_partition_does_not_serve() -> None:
    """Where crank and coupler are in line the rocker's rate says nothing of the crank's."""
    model, q = four_bar()
    rocker = model.coordinate_names.index("d")
    model = replace(
        model, closure=replace(model.closure, partition=choose_partition(model, q, (rocker,)))
    )
    assert model.closure.partition.independent == (rocker,)
    around = Surroundings.of(model, Environment())
    *_, verdict = closed_accelerations(model, q, np.ones(4), np.ones(4), around)
    assert verdict == 0.0
    crank = np.arccos((6.0**2 + 4.0**2 - 3.0**2) / (2.0 * 6.0 * 4.0))
    _, dead = four_bar(crank)
    assert abs(dead[1]) < 1e-7
    assert np.max(np.abs(residual(model, dead))) < 1e-7
    found = closed_accelerations(model, dead, np.ones(4), np.ones(4), around)
    assert found[-1] > 0.0
    for part in found:
        assert np.isfinite(part).all()


def test_a_slider_under_its_own_weight_needs_half_the_force_on_each_rope() -> None:
    """Two sliders that a rod holds together fall as one; the rod carries the lower one's weight."""
    builder = ModelBuilder("hanging")
    builder.add_body("base")
    for name, mass in (("upper", 2.0), ("lower", 3.0)):
        builder.add_body(name, mass=mass)
        builder.add_joint(f"{name}_joint", Prismatic((0.0, 0.0, 1.0)), "base", name)
    builder.add_rod("rod", "upper", (0.0, 0.0, 0.0), "lower", (0.0, 0.0, 0.0), 0.5)
    builder.set_actuated(["upper_joint"])
    q = np.array([0.0, -0.5])
    model = assembled_model(builder.build(), q)
    around = Surroundings.of(model, Environment(gravity=np.array([0.0, 0.0, -10.0])))
    tau, forces, _ = closed_efforts(model, q, np.zeros(2), np.zeros(2), around)
    assert error(tau, np.array([50.0, 0.0])) < 1e-14
    # It pulls: lambda > 0 would push the points apart.
    assert error(forces, np.array([-30.0])) < 1e-14
    a, forces, _ = closed_accelerations(model, q, np.zeros(2), np.zeros(2), around)
    assert error(a, np.array([-10.0, -10.0])) < 1e-14
    assert abs(forces[0]) < 1e-13


BEAM = """
mechanism: 1
bodies: {base: , beam: {mass: 3, com: [0.5, 0, 0.1], inertia: {shape: sphere, radius: 0.1}}}
loops:
  wall:
    type: fixed
    parent: base
    child: beam
    on_parent: {position: [0, 0, 1], rpy: [0, 0.4, 0]}
    on_child: {position: [0.2, 0, 0]}
"""


def test_a_loops_multipliers_are_the_wrench_on_its_child() -> None:
    """At the origin of the child, in its axes: what holds a beam's weight there."""
    robot = rd.load(BEAM, compile="off")
    q, _ = robot.initial_state
    forces = robot.constraint_forces(q)
    beam = robot.model.body_index("beam")
    pose = robot.body_motion(q)
    axes = pose.rotation[beam]
    held = axes.T @ np.array([0.0, 0.0, 3 * 9.81])
    assert forces[3:] == pytest.approx(held, abs=1e-9)
    assert forces[:3] == pytest.approx(np.cross([0.5, 0.0, 0.1], held), abs=1e-9)
