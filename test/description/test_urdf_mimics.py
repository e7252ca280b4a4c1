"""Mimic tags: chains in every order, values left out, several followers."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros import algorithms
from robodyn_ros.description import load_model
from robodyn_ros.model import Model
from urdf_text import elementary_rotation

EPS = 1e-14


def chain(names: str, mimics: dict[str, tuple[str, str]]) -> Model:
    """Load a planar chain of 1 m links turning about z, joints named by the letters of `names`."""
    parts = [f"<link name='l{i}'/>" for i in range(len(names) + 1)]
    for i, name in enumerate(names):
        driver, values = mimics.get(name, ("", ""))
        tag = f"<mimic joint='{driver}' {values}/>" if driver else ""
        parts.append(
            f"<joint name='{name}' type='revolute'><parent link='l{i}'/><child link='l{i + 1}'/>"
            f"<origin xyz='1 0 0'/><axis xyz='0 0 1'/>{tag}</joint>"
        )
    return load_model(f"<robot name='r'>{''.join(parts)}</robot>")


@pytest.mark.parametrize("names", ["abc", "cba", "bca", "acb"])
def test_a_mimic_chain_of_three_moves_right_in_every_order(names: str) -> None:
    # c follows b follows a: b = -2 a + 0.1; c = b + 0.3, the multiplier left out
    mimics = {"c": ("b", "offset='0.3'"), "b": ("a", "multiplier='-2' offset='0.1'")}
    model = chain(names, mimics)
    assert model.joint_names == ("a",)
    assert {name: model.joint(name).driver for name in "abc"} == {"a": None, "b": "a", "c": "a"}
    angle = {"a": 0.7, "b": -2 * 0.7 + 0.1, "c": -2 * 0.7 + 0.1 + 0.3}
    heading, point = 0.0, np.zeros(3)
    motion = algorithms.body_motion(model, np.array([0.7]))
    for i, name in enumerate(names):
        point = point + np.array([np.cos(heading), np.sin(heading), 0.0])
        heading += angle[name]
        np.testing.assert_allclose(motion.position[i + 1], point, atol=4 * EPS)
        np.testing.assert_allclose(
            motion.rotation[i + 1], elementary_rotation(2, heading), atol=4 * EPS
        )


def test_an_offset_left_out_is_zero() -> None:
    motion = algorithms.body_motion(chain("ab", {"b": ("a", "")}), np.array([0.4]))
    np.testing.assert_allclose(motion.rotation[2], elementary_rotation(2, 0.8), atol=EPS)


def test_two_joints_may_follow_one() -> None:
    model = chain("abc", {"b": ("a", "multiplier='0'"), "c": ("a", "multiplier='3'")})
    motion = algorithms.body_motion(model, np.array([0.2]))
    np.testing.assert_allclose(motion.rotation[3], elementary_rotation(2, 0.8), atol=EPS)
