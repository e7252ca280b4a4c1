"""Fixed, floating and prescribed bases, and what the world is called when its name is taken."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from robodyn_ros.joints import Fixed, Floating, Revolute
from robodyn_ros.model import ModelBuilder
from robots import random_tree


def arm(*links: str, joint: str = "j") -> ModelBuilder:
    builder = ModelBuilder("arm")
    for link in links:
        builder.add_body(link, mass=1.0)
    for i, (parent, child) in enumerate(pairwise(links)):
        builder.add_joint(f"{joint}{i or ''}", Revolute((0, 0, 1)), parent, child)
    return builder


def test_fixed_base_is_the_descriptions_root_link() -> None:
    model = arm("base", "tip").build()
    assert model.base == "fixed"
    assert model.body_names == ("base", "tip")
    assert model.parent == (-1, 0)
    assert model.joint_names == ("j",)


@pytest.mark.parametrize(("base", "kind"), [("floating", Floating()), ("prescribed", Fixed())])
def test_other_bases_stand_in_a_massless_world(base: str, kind: object) -> None:
    model = arm("base", "tip").build(base)  # type: ignore[arg-type]
    assert model.base == base
    assert model.body_names == ("world", "base", "tip")
    assert model.parent == (-1, 0, 1)
    assert model.bodies[0].mass == 0.0
    assert not model.bodies[0].inertia.any()
    joint = model.joint(f"{base}_base")
    assert joint.joint == kind
    assert np.array_equal(joint.rotation, np.eye(3))
    assert np.array_equal(joint.position, np.zeros(3))


def test_a_floating_base_comes_first_in_q_and_v() -> None:
    model = arm("base", "tip").build("floating")
    assert (model.nq, model.nv) == (8, 7)
    assert model.joint_names == ("floating_base", "j")
    assert model.coordinate_names == (
        "floating_base/rx",
        "floating_base/ry",
        "floating_base/rz",
        "floating_base/x",
        "floating_base/y",
        "floating_base/z",
        "j",
    )


def test_a_prescribed_base_adds_no_coordinates() -> None:
    model = arm("base", "tip").build("prescribed")
    assert (model.nq, model.nv) == (1, 1)
    assert model.coordinate_names == ("j",)


@pytest.mark.parametrize(
    ("links", "world"),
    [(("world", "tip"), "world_"), (("base", "world"), "world_"), (("world_", "world"), "world__")],
)
def test_a_taken_name_of_the_world_gets_underscores(links: tuple[str, ...], world: str) -> None:
    model = arm(*links).build("floating")
    assert model.body_names == (world, *links)
    assert arm(*links).build().body_names == links


@pytest.mark.parametrize("base", ["floating", "prescribed"])
def test_a_taken_name_of_the_base_joint_gets_underscores(base: str) -> None:
    model = arm("base", "tip", joint=f"{base}_base").build(base)  # type: ignore[arg-type]
    assert model.joint(f"{base}_base_").parent == 0
    assert model.joint(f"{base}_base").parent == 1


def test_a_frame_called_world_keeps_its_name() -> None:
    """One description must serve every base."""
    builder = arm("base", "tip")
    builder.add_frame("world", "tip", (0.0, 0.0, 1.0))
    for base, name in (("fixed", "base"), ("floating", "world_"), ("prescribed", "world_")):
        model = builder.build(base)  # type: ignore[arg-type]
        assert model.body_names[0] == name
        assert model.body_names[model.frame("world").body] == "tip"


def test_total_mass_is_that_of_the_description() -> None:
    masses = {
        base: sum(body.mass for body in random_tree(1, base=base).bodies)
        for base in ("fixed", "floating", "prescribed")
    }
    assert len(set(masses.values())) == 1


def test_one_builder_serves_every_base() -> None:
    builder = arm("base", "tip")
    first = builder.build("floating").fingerprint
    assert builder.build().nb == 2
    assert builder.build("prescribed").nb == 3
    assert builder.build("floating").fingerprint == first
