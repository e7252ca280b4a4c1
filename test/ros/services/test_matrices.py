"""The named rows and columns of mass matrix and Jacobian, against the plain functions."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import error
from dynamics_requests import positions
from dynamics_rig import Host, ask
from robodyn_ros import algorithms
from robodyn_ros.errors import ArgumentError, UnknownNameError
from robots import example, loaded, random_state, random_tree

ROUNDING = 1e-12


@pytest.mark.parametrize("seed", range(8))
def test_named_rows_and_columns(seed: int) -> None:
    model = random_tree(seed, base=("fixed", "floating")[seed % 2])
    host = Host(model)
    assert host.robot is not None
    host.robot.set_payload("tool", 2.0, (0, 0.1, 0))
    q, v, _ = random_state(model, seed)
    position = positions(model, q)
    host.measure(q, v)
    joints = [x for x in model.own_joints if x.joint.quaternion_start is None]
    chosen = np.random.default_rng(seed).permutation(len(joints))[: len(joints) // 2]
    some = [joints[i].v_index for i in chosen]
    fields = {
        "names": [model.coordinate_names[i] for i in some],
        "position": position[some].tolist(),
        "rest": 1,
    }
    n = len(some)
    mass = algorithms.mass_matrix(model, q, environment=host.robot.environment)
    found = np.array(ask(host, "mass_matrix", **fields).matrix).reshape(n, n)
    assert error(found, mass[np.ix_(some, some)]) < ROUNDING
    np.testing.assert_array_equal(found, found.T)
    J = algorithms.jacobian(model, q, "tool")
    columns = np.array(ask(host, "jacobian", **fields, frame="tool").matrix).reshape(6, n)
    assert error(columns, J[:, some]) < ROUNDING


def test_rows_of_the_jacobian_are_angular_first_in_world_axes() -> None:
    model = loaded(example("ur5_robot.urdf"))
    reply = ask(Host(model), "jacobian", position=[0.0] * 6, frame="tool0")
    J = np.array(reply.matrix).reshape(6, 6)
    np.testing.assert_allclose(J[:3, 0], [0, 0, 1], atol=1e-12)  # the first axis is upright
    assert J[5, 0] == pytest.approx(0.0, abs=1e-12)


def test_a_frame_may_carry_the_prefix_and_an_unknown_one_is_refused() -> None:
    host = Host(loaded(example("ur5_robot.urdf")))
    plain = ask(host, "jacobian", position=[0.1] * 6, frame="tool0")
    assert ask(host, "jacobian", prefix="r1/", position=[0.1] * 6, frame="r1/tool0") == plain
    with pytest.raises(UnknownNameError, match=r"'tool'; available: tool0"):
        ask(host, "jacobian", position=[0.1] * 6, frame="tool")
    with pytest.raises(ArgumentError, match=r"frame is empty; give the link or frame"):
        ask(host, "jacobian", position=[0.1] * 6)
