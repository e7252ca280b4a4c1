"""The report's lumps, to compare with a simulator: links fixed to each other are one body."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from robodyn_ros.description import load_model
from robodyn_ros.joints import Fixed, Revolute
from robodyn_ros.model import Model, ModelBuilder
from robodyn_ros.spatial import quaternion_to_matrix
from robots import UNUSABLE, example_urdfs, loaded, random_tree
from urdf_text import joint, link

TOLERANCE = {"rtol": 1e-12, "atol": 1e-12}
INERTIA = np.array([[0.02, 0.001, -0.002], [0.001, 0.03, 0.003], [-0.002, 0.003, 0.04]])


#: Every robot of example-robot-data.
ROBOTS = [path for path in example_urdfs() if path.name not in UNUSABLE]


def lumps(model: Model) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = model.report().to_dict()["lumps"]
    return found


def solid(name: str, mass: float) -> str:
    return link(name, mass, (0.1, 0.2, -0.05), INERTIA, (0.3, -0.5, 1.1))


def turned(name: str, parent: str, child: str, kind: str = "fixed") -> str:
    return joint(name, parent, child, kind, xyz=(0.3, 0.1, 0.2), rpy=(1.2, 0.7, -2.0))


#: A chain and a branch of fixed links; where they begin there is no mass.
BRANCHED = (
    "<robot name='branched'><link name='arm'/><link name='mount'/>"
    + "".join(solid(*x) for x in (("base", 3.0), ("wrist", 0.8), ("tool", 1.3), ("camera", 0.2)))
    + solid("tip", 0.5)
    + turned("turn", "base", "arm", "continuous")
    + turned("a", "arm", "wrist")
    + turned("b", "wrist", "tool")
    + turned("c", "arm", "mount")
    + turned("d", "mount", "camera")
    + turned("spin", "tool", "tip", "continuous")
    + "</robot>"
)


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_lumps_are_those_of_pinocchio(path: Path) -> None:
    other = pin.buildModelFromUrdf(str(path))
    for entry in lumps(loaded(path)):
        name = entry["joint"]
        theirs = other.inertias[other.getJointId(name) if name else 0]
        np.testing.assert_allclose(entry["mass"], theirs.mass, **TOLERANCE)
        if theirs.mass > 0.0:
            np.testing.assert_allclose(entry["com"], theirs.lever, **TOLERANCE)
            np.testing.assert_allclose(entry["inertia"], theirs.inertia, **TOLERANCE)


def test_lumps_are_what_mujoco_makes_of_fixed_joints() -> None:
    other = mujoco.MjModel.from_xml_string(BRANCHED)
    moving = [entry for entry in lumps(load_model(BRANCHED)) if entry["joint"]]
    assert [entry["links"][0] for entry in moving] == ["arm", "tip"]
    for entry in moving:
        theirs = other.body(entry["links"][0])
        w, x, y, z = theirs.iquat
        R = quaternion_to_matrix(np.array([x, y, z, w]))
        np.testing.assert_allclose(entry["mass"], theirs.mass[0], **TOLERANCE)
        np.testing.assert_allclose(entry["com"], theirs.ipos, **TOLERANCE)
        np.testing.assert_allclose(entry["inertia"], R * theirs.inertia @ R.T, **TOLERANCE)


@pytest.mark.parametrize("base", ["fixed", "floating", "prescribed"])
@pytest.mark.parametrize("seed", range(3))
def test_every_link_is_in_one_lump_and_no_mass_is_lost(seed: int, base: str) -> None:
    model = random_tree(seed, base=base)
    entries = lumps(model)
    assert sorted(name for x in entries for name in x["links"]) == sorted(model.body_names)
    data = model.report().to_dict()
    assert sum(x["mass"] for x in entries) == pytest.approx(data["total_mass"], rel=1e-14)
    assert [entries[0][key] for key in ("joint", "parent")] == [None, None]
    members = {x["links"][0]: x["links"] for x in entries}
    for entry in entries[1:]:
        by = model.joint(entry["joint"])
        assert by.joint.nv > 0
        assert model.body_names[by.parent] in members[entry["parent"]]


def test_what_is_fixed_to_the_base_comes_first() -> None:
    root = lumps(load_model(BRANCHED))[0]
    assert root["links"] == ["base"]
    assert root["mass"] == 3.0
    assert lumps(load_model(BRANCHED, base="floating"))[0] == {
        "links": ["world"],
        "joint": None,
        "parent": None,
        "mass": 0.0,
        "com": [0.0, 0.0, 0.0],
        "inertia": [[0.0] * 3] * 3,
    }


def test_the_text_names_links_that_are_one_body_and_leaves_frames_out() -> None:
    builder = ModelBuilder("tooled")
    for name, mass in (("base", 1.0), ("arm", 2.0), ("frame", 0.0), ("tool", 2.0)):
        builder.add_body(name, mass=mass)
    builder.add_joint("turn", Revolute((0, 0, 1)), "base", "arm")
    builder.add_joint("f", Fixed(), "arm", "frame")
    builder.add_joint("g", Fixed(), "frame", "tool", position=(0, 0, 0.5))
    text = builder.build().report().text()
    assert "seen from the first:\n  4 kg at (0, 0, 0.25) m: arm, tool\n" in text


def test_the_text_has_no_such_part_where_no_links_are_one_body() -> None:
    builder = ModelBuilder("two")
    builder.add_body("base", mass=1.0)
    builder.add_body("arm", mass=1.0)
    builder.add_joint("turn", Revolute((0, 0, 1)), "base", "arm")
    assert "as one body" not in builder.build().report().text()
