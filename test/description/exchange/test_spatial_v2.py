"""spatial_v2 models: written and read back, document C's examples, and bad files."""

from __future__ import annotations

import contextlib
import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import robodyn_ros as rd
from exchanged import EVERY_JOINT, SCREWS, moved_alike, random_model
from robodyn_ros.description.exchange import (
    read_spatial_v2,
    spatial_v2_model,
    write_spatial_v2,
)
from robodyn_ros.model import Model, ModelBuilder
from robots import example


def written(model: Model, path: Path) -> rd.Robot:
    """Return what is read back of a model."""
    write_spatial_v2(path, model)
    return rd.Robot(read_spatial_v2(path).build(), compile="off")


def places(model: Model, back: rd.Robot) -> list[int]:
    """Return where each of a model's coordinates is in what was read back."""
    fields = spatial_v2_model(model).fields
    numbers = [fields["coordinates"].index(name) + 1 for name in model.coordinate_names]
    return [back.model.joint_names.index(f"joint{number}") for number in numbers]


@pytest.mark.parametrize("suffix", [".mat", ".json"])
@pytest.mark.parametrize("seed", range(2))
def test_trees_of_screws_come_back_the_same(seed: int, suffix: str, tmp_path: Path) -> None:
    model = random_model(SCREWS, seed)
    back = written(model, tmp_path / f"tree{suffix}")
    moved_alike(rd.Robot(model, compile="off"), back, places(model, back), seed, bodies=False)


@pytest.mark.parametrize("name", ["ur5_robot.urdf", "talos_reduced.urdf"])
def test_robots(name: str, tmp_path: Path) -> None:
    robot = rd.load(example(name), compile="off")
    back = written(robot.model, tmp_path / "robot.json")
    moved_alike(robot, back, places(robot.model, back), 3, bodies=False)


def test_gravity_comes_back(tmp_path: Path) -> None:
    builder = rd.ModelBuilder("moon")
    builder.add_body("base")
    builder.add_body("link", mass=1.0, com=(1.0, 0.0, 0.0))
    builder.add_joint("joint", SCREWS["revolute"], "base", "link")
    builder.set_gravity((0.0, 0.0, -1.62))
    for name in ("m.mat", "m.json"):
        np.testing.assert_allclose(written(builder.build(), tmp_path / name).gravity, [0, 0, -1.62])


def simple(parents: list[int]) -> dict[str, Any]:
    """Return a model as spatial_v2's own functions make them: no names."""
    count = len(parents)
    X = np.eye(6)
    X[3:, :3] = -np.array([[0, 0, 0], [0, 0, -1], [0, 1, 0.0]])  # r = (1, 0, 0)
    inertia = np.diag([0.1, 0.2, 0.3, 2.0, 2.0, 2.0])
    types = [["Rz", "R", "Px", {"code": "H", "pars": {"pitch": 0.1}}][k % 4] for k in range(count)]
    return {
        "NB": count,
        "parent": parents,
        "jtype": types,
        "Xtree": [X.tolist()] * count,
        "I": [inertia.tolist()] * count,
    }


DOCUMENT_C = ([0, 1, 2, 1, 4, 4], [0, 1, 1, 2, 3, 2], [0, 1, 2, 0, 1, 2, 5, 5, 2])


@pytest.mark.parametrize("parents", DOCUMENT_C, ids=str)
def test_document_c_s_trees(parents: list[int], tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    path.write_text(json.dumps(simple(parents)))
    model = read_spatial_v2(path).build()
    assert set(model.body_names) == {"base", *(f"body{k + 1}" for k in range(len(parents)))}
    for k, parent in enumerate(parents, start=1):
        above = model.body_names[model.parent[model.body_index(f"body{k}")]]
        assert above == (f"body{parent}" if parent else "base")
        kinds = ["revolute", "revolute", "prismatic", "helical"]
        assert model.joint(f"joint{k}").joint.type_name == kinds[(k - 1) % 4]
    first = model.joint("joint1")
    np.testing.assert_allclose(first.position, [1.0, 0.0, 0.0])
    assert model.mass == 2.0 * len(parents)


def test_a_model_of_one_body_needs_no_lists(tmp_path: Path) -> None:
    from scipy.io import savemat

    path = tmp_path / "one.mat"
    fields = simple([0])
    savemat(
        str(path),
        {"robot": {**fields, "jtype": "Ry", "Xtree": np.eye(6), "I": np.eye(6), "parent": 0.0}},
    )
    model = read_spatial_v2(path).build()
    assert model.joint("joint1").joint.axis == (0.0, 1.0, 0.0)
    assert model.mass == 1.0


@pytest.mark.parametrize("ending", ["mat", "json"])
def test_a_robot_that_never_moves_comes_back(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"rock.{ending}"
    builder = ModelBuilder("rock")
    builder.add_body("ground")
    write_spatial_v2(path, builder.build())
    assert read_spatial_v2(path).build().body_names == ("ground",)


def changed(**fields: Any) -> dict[str, Any]:
    """Return a good model with some fields changed; None takes one away."""
    model = copy.deepcopy(simple([0, 1, 1]))
    model.update(fields)
    return {key: value for key, value in model.items() if value is not None}


BAD = {
    "no NB": (changed(NB=None), "no model"),
    "NB is text": (changed(NB="three"), "NB must be numbers"),
    "NB is 2.5": (changed(NB=2.5), "whole number"),
    "NB is negative": (changed(NB=-1), "whole number from 0"),
    "NB is huge": (changed(NB=10**9), "whole number"),
    "no parents": (changed(parent=None), "lacks the field parent"),
    "a parent behind its child": (changed(parent=[0, 3, 1]), "parent of body 2"),
    "a parent below 0": (changed(parent=[0, -1, 1]), "parent of body 2"),
    "a parent that is NaN": (changed(parent=[0, float("nan"), 1]), "finite numbers"),
    "few parents": (changed(parent=[0, 1]), "NB = 3 numbers"),
    "few types": (changed(jtype=["R", "R"]), "an entry for each of NB = 3"),
    "an unknown type": (changed(jtype=["R", "Q", "R"]), "jtype of body 2"),
    "a planar type": (changed(jtype=["R", "r", "R"]), "planar models"),
    "a screw without pitch": (changed(jtype=["R", "H", "R"]), "without its pitch"),
    "a screw with pitch 0": (
        changed(jtype=["R", {"code": "H", "pars": {"pitch": 0.0}}, "R"]),
        "pitch",
    ),
    "planar transforms": (changed(Xtree=[np.eye(3).tolist()] * 3), "must be 6x6"),
    "no rotation": (changed(Xtree=[(2.0 * np.eye(6)).tolist()] * 3), "no coordinate transform"),
    "a reflection": (changed(Xtree=[(-np.eye(6)).tolist()] * 3), "no coordinate transform"),
    "no inertia": (changed(I=[np.ones((6, 6)).tolist()] * 3), "no spatial inertia"),
    "ragged": (changed(I=[[[1, 2], [3]]] * 3), "must be numbers"),
    "names too few": (changed(names=["base"]), "names must be 4"),
    "names twice": (changed(names=["a", "a", "b", "c"]), "different names"),
    "gravity in words": (changed(gravity="down"), "gravity must be numbers"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_models(case: str, tmp_path: Path) -> None:
    fields, text = BAD[case]
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(fields))
    with pytest.raises((rd.DescriptionError, rd.ArgumentError), match=text) as caught:
        read_spatial_v2(path).build()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["bad.json", "bad.mat"])
@pytest.mark.parametrize("data", [b"", b"\x00\xff" * 50, b"[1, 2]", b"{" * 100_000, b"MATLAB 5.0"])
def test_bytes_that_are_no_model(name: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(rd.DescriptionError):
        read_spatial_v2(path)


@pytest.mark.parametrize("name", ["spherical", "global", "six_dof", "floating"])
def test_joints_without_counterpart_are_refused(name: str) -> None:
    with pytest.raises(rd.ArgumentError, match=f"is {name}, which spatial_v2 has no joint for"):
        spatial_v2_model(random_model({name: EVERY_JOINT[name]}, 0))


def test_losses_are_told() -> None:
    model = rd.load(example("panda.urdf"), compile="off").model
    lost = "\n".join(spatial_v2_model(model).lost)
    for part in (
        "follows 'panda_finger_joint1'",
        "its limits",
        "links that are part of",
        "root link",
    ):
        assert part in lost
    with pytest.raises(rd.ArgumentError, match=r"must end in \.mat or \.json"):
        write_spatial_v2(Path("x.txt"), model)


def test_load_takes_both_files(tmp_path: Path) -> None:
    model = random_model(SCREWS, 5)
    for name in ("tree.mat", "tree.json"):
        write_spatial_v2(tmp_path / name, model)
        robot = rd.load(tmp_path / name, compile="off")
        assert robot.model.nv == model.nv
        assert robot.model.name == model.name
    (tmp_path / "broken.json").write_text('{"NB": 1}')
    with pytest.raises(rd.DescriptionError, match=r"broken\.json: lacks the field parent"):
        rd.load(tmp_path / "broken.json", compile="off")


def test_damaged_mat_files_end_nobody(tmp_path: Path) -> None:
    path = tmp_path / "tree.mat"
    write_spatial_v2(path, random_model(SCREWS, 6))
    data = path.read_bytes()
    rng = np.random.default_rng(2)
    for _ in range(12):
        damaged = bytearray(data)
        for place in rng.integers(128, 2000, size=8):
            damaged[place] = rng.integers(256)
        path.write_bytes(damaged)
        with contextlib.suppress(rd.DescriptionError, rd.ArgumentError):
            read_spatial_v2(path).build()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(rd.DescriptionError, match="cannot be read as a MATLAB file"):
        read_spatial_v2(path)
