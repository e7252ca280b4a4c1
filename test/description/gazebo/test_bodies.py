"""Bodies as Gazebo makes them: kept joints, the world, what is dropped."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.description import load_model
from robodyn_ros.description.gazebo.bodies import dropped, gazebo_bodies, is_physical
from robodyn_ros.model.inertia import moved, parameters_of
from robots import OWN_ROBOTS, loaded

ROUNDING = 1e-12


def text(*parts: str) -> str:
    return f'<robot name="r">{"".join(parts)}</robot>'


def link(name: str, mass: float = 1.0) -> str:
    if mass == 0.0:
        return f'<link name="{name}"/>'
    inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    return f'<link name="{name}"><inertial><mass value="{mass}"/>{inertia}</inertial></link>'


def joint(name: str, kind: str, parent: str, child: str) -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        '<origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>'
    )


def test_a_joint_that_is_kept_makes_a_body_and_no_mass_is_lost() -> None:
    path = OWN_ROBOTS / "fixed_chains.urdf"
    model = loaded(path)
    fixed = [j.name for _, j in model.moving if j.joint.nv == 0]
    together = gazebo_bodies(model)
    for name in fixed:
        apart = gazebo_bodies(model, {name})
        assert len(apart) == len(together) + 1
        assert sum(b.mass for b in apart) == pytest.approx(sum(b.mass for b in together))
        (own,) = (body for body in apart if body.joint == name)
        (carrier,) = (body for body in apart if own.parent in body.links)
        assert carrier.name == own.parent
    every = gazebo_bodies(model, fixed)
    assert [body.links for body in every] == [(name,) for name in model.body_names]
    for body, own in zip(model.bodies, every, strict=True):
        np.testing.assert_allclose(own.inertia, body.inertia, atol=ROUNDING)


def test_a_body_of_two_links_has_their_moments_together() -> None:
    model = load_model(text(link("a", 2.0), link("b", 3.0), joint("j", "fixed", "a", "b")))
    (body,) = gazebo_bodies(model)
    assert body.links == ("a", "b")
    assert body.mass == 5.0
    np.testing.assert_allclose(body.com, [0.6, 0.0, 0.0])
    both = parameters_of(2.0, np.zeros(3), np.eye(3)) + moved(
        parameters_of(3.0, np.zeros(3), np.eye(3)), np.eye(3), np.array([1.0, 0.0, 0.0])
    )
    np.testing.assert_allclose(parameters_of(body.mass, body.com, body.inertia), both)


def test_nothing_becomes_one_with_the_world() -> None:
    model = load_model(
        text(link("world", 0.0), link("a"), link("b")).replace("</robot>", "")
        + joint("hold", "fixed", "world", "a")
        + joint("turn", "continuous", "a", "b")
        + "</robot>"
    )
    base, arm = gazebo_bodies(model)
    assert (base.name, base.joint, base.parent, base.anchored) == ("a", "hold", "world", True)
    assert (arm.name, arm.joint, arm.parent, arm.anchored) == ("b", "turn", "a", False)


@pytest.mark.parametrize(
    ("masses", "tokens", "gone"),
    [
        ((1, 1, 1, 1), {}, {}),
        ((1, 0, 1, 1), {}, {"b": "b", "c": "b", "d": "b"}),
        ((1, 0, 1, 1), {"b": 0.1}, {}),
        ((1, 1, 1, 0), {}, {"d": "d"}),
        ((1, 0, 0, 1), {"b": 0.1}, {"c": "c", "d": "c"}),
        ((0, 1, 1, 1), {}, {"a": "a", "b": "a", "c": "a", "d": "a"}),
    ],
)
def test_a_massless_body_is_dropped_with_all_behind_it(
    masses: tuple[int, ...], tokens: dict[str, float], gone: dict[str, str]
) -> None:
    links = [link(name, mass) for name, mass in zip("abcd", masses, strict=True)]
    joints = [joint(f"j{k}", "continuous", "abcd"[k], "abcd"[k + 1]) for k in range(3)]
    assert dropped(gazebo_bodies(load_model(text(*links, *joints))), tokens) == gone


@pytest.mark.parametrize(
    ("moments", "is_possible"),
    [
        ((1.0, 1.0, 1.0), True),
        ((1.0, 1.0, 2.0), True),
        ((1.0, 1.0, 2.0 + 1e-9), False),
        ((0.0, 0.0, 0.0), True),
        ((0.0, 1.0, 1.0), True),
        ((-1e-9, 1.0, 1.0), False),
    ],
)
def test_inertias_that_no_body_can_have_are_found(
    moments: tuple[float, float, float], is_possible: bool
) -> None:
    names = zip(("ixx", "iyy", "izz"), moments, strict=True)
    words = " ".join(f'{key}="{value!r}"' for key, value in names)
    body = link("a").replace('ixx="1" iyy="1" izz="1"', words)
    (found,) = gazebo_bodies(load_model(text(body)))
    assert is_physical(found) is is_possible
