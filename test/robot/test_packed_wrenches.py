"""Wrenches gathered once and given to many calls."""

from __future__ import annotations

import numpy as np
import pytest

import robodyn_ros as rd
from robots import random_state, random_tree

pytestmark = pytest.mark.usefixtures("compiling_here")


def test_packed_wrenches_stand_for_those_they_were_made_of() -> None:
    robot = rd.Robot(random_tree(6), compile="off")
    q, v, tau = random_state(robot.model, 0)
    body = robot.model.body_names[-1]
    first, second = {body: np.arange(6.0)}, {robot.model.body_names[2]: np.ones(6)}
    packed = robot.packed_wrenches(first, "local")
    expected = robot.forward_dynamics(q, v, tau, first, wrench_axes="local")
    assert np.array_equal(robot.forward_dynamics(q, v, tau, packed), expected)
    both = robot.inverse_dynamics(q, v, tau, first | second)
    total = robot.packed_wrenches(first) + robot.packed_wrenches(second)
    np.testing.assert_allclose(robot.inverse_dynamics(q, v, tau, total), both, atol=1e-12)


def test_kernels_asked_for_need_not_be_waited_for() -> None:
    robot = rd.Robot(random_tree(3), compile="wait")
    assert robot.compile("gravity_force", wait=False) in (True, False)
    assert robot.compile("gravity_force")
    assert robot.kernel_states()["gravity_force"] == "compiled"
